/**
 * Playing a variation: by hand or by bots, from the cursor’s place, judged by the server. Also
 * taking plays back, and the order of the user’s own variations.
 * @typedef {import("./whatif.js").WhatIf} WhatIf
 * @typedef {import("./lines.js").Line} Line
 * @typedef {import("../../games/match/fold.js").RoundEvent} RoundEvent
 * @typedef {{t: number, seat: number, do: string, card?: string, stack?: number, as?: number}} Act
 * @typedef {{play: number, rule: string, message: string, wait_ms: number | null}} Refused
 * @typedef {{lines: {variation: {events: RoundEvent[]}}[], refused: Refused[], t: number,
 *   ended: string | null}} Judged
 * @typedef {{ms?: number, seed: number}} Bots
 * @typedef {(body: object) => Promise<Judged>} Ask
 * @typedef {{events: RoundEvent[], refused: Refused | null, ended: string | null}} Outcome
 *   `refused`: why the last request is not possible
 */

import { newKey, reasonOf, sentence } from "../../games/dom/asking.js";
import { bringIntoView, single } from "../../games/dom/elements.js";
import { gettext, ngettext } from "../../games/words/gettext.js";
import { chainOf, eventsAlong, lengthOf, lineOf, sent, siblingsOf } from "./lines.js";

const MAX_SEED = 2 ** 31;

export class Making {
  /** @param {WhatIf} whatIf */
  constructor(whatIf) {
    this.whatIf = whatIf;
    /** Whether hands can be played. */
    this.on = false;
    this.busy = false;
    /** @type {Branching | null} */
    this.branching = null;
  }

  /** Plays on from here, for the seat that acted last or is being viewed. */
  start() {
    const { player, page, hands, bar } = this.whatIf;
    player.pause();
    const { view } = page.state;
    const acted = page.aim ?? player.event;
    const seat = acted && "seat" in acted ? acted.seat : 0;
    if (player.table) hands.follow(player.table);
    this.on = true;
    hands.toggle(true);
    hands.choose(typeof view === "number" ? view : seat);
    bar.say(gettext("Choose any player’s card, then a stack, or a draw pile to draw."));
    bringIntoView(bar.element);
  }

  done() {
    if (!this.on) return;
    this.on = false;
    this.whatIf.hands.toggle(false);
    this.whatIf.bar.say("");
    this.whatIf.show();
  }

  /** Nothing is being made any more. */
  forget() {
    this.branching = null;
  }

  /** The variation for the next play: the user's own if at its end, otherwise a new one. */
  #begin() {
    const { line, player, store, page, url } = this.whatIf;
    const { event, round } = player.cursor;
    const end = line?.mine && event >= lengthOf(line);
    if (end && this.branching?.line.key === line.key) return this.branching;
    const above = chainOf(store.lines, end ? line.line : page.state.line);
    const target = end ? line : this.#fresh(round, event, above);
    const parents = end || target.line ? above : [];
    return new Branching(target, parents, async (body) => {
      /** @type {import("../../games/dom/asking.js").Response<Judged>} */
      const { ok, data } = await store.ask("POST", url, body);
      if (!ok) throw new Error(data.detail);
      return data;
    });
  }

  /**
   * A new variation here. Along another person's, which may be deleted, it copies the events.
   * @param {number} round @param {number} event @param {Line[]} above @returns {Line}
   */
  #fresh(round, event, above) {
    const mine = above.every((line) => line.mine);
    const [root] = above;
    const over = !mine && root && event > root.event;
    return lineOf({
      ...{ key: newKey(), round, event: over ? root.event : event, mine: true },
      line: above.length && mine ? above[above.length - 1].key : null,
      events: over ? eventsAlong(above).slice(0, event - root.event) : [],
      by: this.whatIf.store.name,
    });
  }

  /** @param {number} seat @param {import("../../games/live/socket.js").Asked} asked */
  act(seat, asked) {
    const { do: what, card, stack, as } = asked;
    const { player, bar } = this.whatIf;
    return this.#judge((branching) => {
      const t = Math.round(branching.next(player.cursor.t) + bar.pauseMs);
      return branching.act({
        t,
        seat,
        do: what,
        ...(card && { card }),
        ...(stack !== undefined && { stack }),
        ...(as !== undefined && { as }),
      });
    });
  }

  bots() {
    const ms = this.whatIf.bar.botsMs;
    const seed = Math.floor(Math.random() * MAX_SEED);
    return this.#judge((branching) => branching.bots({ ...(ms !== null && { ms }), seed }));
  }

  /** @param {(branching: Branching) => Promise<Outcome>} does */
  async #judge(does) {
    if (this.busy) return;
    const { bar, player, hands, page, store } = this.whatIf;
    const shown = page.state.line;
    const branching = this.#begin();
    const { key, round } = branching.line;
    const known = store.lines.has(key);
    this.#wait(true);
    try {
      const outcome = await does(branching);
      // Its player may have deleted it meanwhile, or gone elsewhere.
      const stays = page.state.line === shown && player.cursor.round === round;
      if (!known || store.lines.has(key)) this.#take(branching, outcome, stays);
    } catch (error) {
      bar.say(
        gettext("That is not possible right now. {detail}", { detail: reasonOf(error) }),
        true,
      );
    }
    this.#wait(false);
    if (player.table) hands.follow(player.table);
  }

  /** @param {boolean} busy */
  #wait(busy) {
    this.busy = busy;
    this.whatIf.bar.wait(busy);
  }

  /** @param {Branching} branching @param {Outcome} outcome @param {boolean} stays whether to show it */
  #take(branching, { events, refused, ended }, stays) {
    const { bar, store } = this.whatIf;
    if (refused) {
      bar.say(gettext("Refused. {detail}", { detail: sentence(refused.message) }), true);
      return;
    }
    const more = events.length - branching.line.events.length;
    if (more <= 0 && !events.length) {
      bar.say(gettext("No one did anything in that time."));
      return;
    }
    const line = { ...(store.lines.get(branching.line.key) ?? branching.line), events };
    branching.line = line;
    store.keep(line);
    if (!stays) return;
    this.#continue(line, branching);
    bar.say(
      ended
        ? gettext("The round is over: {ended}.", { ended })
        : ngettext("{count} event more.", "{count} events more.", more),
    );
  }

  /**
   * Moves to the end of the new part.
   * @param {Line} line @param {Branching | null} branching
   */
  #continue(line, branching) {
    const { store, player } = this.whatIf;
    this.whatIf.stand(chainOf(store.lines, line.key));
    this.branching = branching;
    player.goTo({ round: line.round, event: lengthOf(line), moment: true });
  }

  /** Takes back the last event of the user's own variation. */
  takeBack() {
    const { line, store, player, bar, arranging } = this.whatIf;
    if (!line?.mine || this.busy || player.cursor.event < lengthOf(line)) return;
    if ([...store.lines.values()].some(({ line: key }) => key === line.key)) {
      bar.say(gettext("Another what-if branches from this one, so it can’t be changed."), true);
      return;
    }
    const events = line.events.slice(0, -1);
    if (!events.length) {
      arranging.remove(line);
      return;
    }
    const shorter = { ...line, events };
    store.keep(shorter);
    this.#continue(shorter, null);
  }
}

/** How many times a wait for a hand or a tie is retried. */
const PATIENCE = 4;

/**
 * A variation while it is being played: the manual plays, and the requests to the server, which
 * judges them. Everything done since bots last played is judged together, so that two plays may tie.
 */
export class Branching {
  /** @param {Line} line the one to extend @param {Line[]} above its ancestors @param {Ask} ask */
  constructor(line, above, ask) {
    this.line = line;
    this.above = above;
    this.ask = ask;
    /** What is settled finally. @type {RoundEvent[]} */
    this.settled = line.events.slice();
    /** @type {Act[]} */
    this.acts = [];
  }

  /** The request to the server. @param {Act[]} play @param {Bots} [bots] */
  body(play, bots) {
    const { line, above, settled } = this;
    const begun = settled.length ? [...above, { ...line, events: settled }] : above;
    const along = settled.length ? line.key : line.line;
    return {
      round: line.round,
      event: line.event + settled.length,
      ...(along !== null && { line: along }),
      ...(begun.length && { variations: sent(begun) }),
      ...(play.length && { play }),
      ...(bots && { bots }),
    };
  }

  /** The earliest ms at which anything more can be done. @param {number} t of the position */
  next(t) {
    return Math.max(t, this.line.events.at(-1)?.t ?? 0, this.acts.at(-1)?.t ?? 0);
  }

  /** Waits for a busy hand or an open tie. @param {Act} act @returns {Promise<Outcome>} */
  async act(act) {
    let { t } = act;
    for (let tries = 0; ; tries += 1) {
      const acts = [...this.acts, { ...act, t }];
      const judged = await this.ask(this.body(acts));
      const refused = judged.refused.find(({ play }) => play === acts.length - 1) ?? null;
      if (!refused) {
        this.acts = acts;
        return this.#take(judged);
      }
      if (!refused.wait_ms || tries === PATIENCE)
        return { events: this.line.events, refused, ended: judged.ended };
      t += refused.wait_ms;
    }
  }

  /** Lets bots play on. @param {Bots} bots @returns {Promise<Outcome>} */
  async bots(bots) {
    const outcome = this.#take(await this.ask(this.body(this.acts, bots)));
    this.settled = outcome.events;
    this.acts = [];
    return outcome;
  }

  /** @param {Judged} judged @returns {Outcome} */
  #take(judged) {
    const made = judged.lines.flatMap(({ variation }) => variation.events);
    const events = [...this.settled, ...made];
    return { events, refused: null, ended: judged.ended };
  }
}

export class Arranging {
  /** @param {WhatIf} whatIf */
  constructor(whatIf) {
    this.whatIf = whatIf;
    /** @type {Line[]} */
    this.removed = [];
    /** Lets a variation branch off where its parent does. */
    this.promote = single(async (/** @type {Line} */ line) => {
      const { store, bar, page, player } = whatIf;
      const shown = page.state.line === line.key;
      const { event } = player.cursor;
      const refused = await store.promote(line);
      if (refused) bar.say(gettext("It cannot be moved up. {detail}", { detail: refused }), true);
      else if (shown) await whatIf.open(line.key, event);
    });
  }

  /** The user's own are renumbered. @param {Line} line @param {number} by -1: up */
  move(line, by) {
    const { store } = this.whatIf;
    const all = siblingsOf(store.lines, line);
    const from = all.findIndex(({ key }) => key === line.key);
    const to = from + by;
    if (from < 0 || to < 0 || to >= all.length) return;
    all.splice(to, 0, ...all.splice(from, 1));
    all.forEach((sibling, at) => {
      if (sibling.mine && sibling.order !== at + 1) store.keep({ ...sibling, order: at + 1 });
    });
  }

  /** Lets others see the variation shown, and one's own that it branches off. @param {string} audience */
  async showTo(audience) {
    const { store, page } = this.whatIf;
    for (const line of chainOf(store.lines, page.state.line))
      if (line.mine && line.visibility !== "everyone")
        store.keep({ ...line, visibility: audience, readers: [] });
    await store.save();
  }

  /** With the user's own branches. `undo` restores them. @param {Line} line */
  async remove(line) {
    const { store, page, panel, player } = this.whatIf;
    const { lines } = store;
    const all = [...lines.values()].filter((variation) =>
      chainOf(lines, variation.key).includes(line),
    );
    const shown = all.some(({ key }) => key === page.state.line);
    const place = { round: line.round, event: line.event };
    const parent = line.line;
    if (shown) this.whatIf.restore();
    this.removed = all.filter(({ mine }) => mine);
    for (const variation of [...this.removed].reverse()) store.remove(variation);
    panel.offerUndo(true);
    if (shown && parent) await this.whatIf.open(parent, line.event);
    else if (shown) await player.goTo(place);
  }

  undo() {
    for (const line of this.removed) this.whatIf.store.restore(line);
    this.whatIf.panel.offerUndo(false);
    const [first] = this.removed;
    this.removed = [];
    if (first) this.whatIf.open(first.key);
  }
}
