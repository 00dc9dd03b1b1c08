// @ts-check
/**
 * What if: play on differently from any position of a finished match, by hand or with bots. The
 * parts are connected here; `lines.js` defines variations.
 *
 * While a variation is shown it replaces its round in the log, so everything that shows a round
 * shows the variation; leaving it restores what happened.
 *
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("../../games/board/board.js").Board} Board
 * @typedef {import("./lines.js").Line} Line
 * @typedef {import("./branching.js").Outcome} Outcome
 * @typedef {{player: Player, board: Board, names: string[], line: string | null,
 *   along: {line: string, event: number | null} | null, commands: Record<string, () => void>,
 *   openLine: (line: string | null, event?: number) => Promise<void>,
 *   view: () => import("../../games/match/perspective.js").View}} Page
 */

import { byId } from "../../games/dom/elements.js";
import { counted } from "../../games/match/words.js";
import { WhatIfBar } from "./bar.js";
import { Branching, newKey } from "./branching.js";
import { compare } from "./comparing.js";
import { comparisonOf } from "./comparison.js";
import { TableHands } from "./hands.js";
import { Lanes } from "./lanes.js";
import { chainOf, eventsAlong, lengthOf, titleOf, VariedRound } from "./lines.js";
import { Panel } from "./panel.js";
import { RaceStart } from "./racestart.js";
import { LineStore } from "./store.js";

/** Parts of the page that always lead into what happened. */
const INTO_THE_MATCH = "#panel-analysis, #charts, #chances";
const LEAVING_KEYS = [",", ".", "h"];
const MAX_SEED = 2 ** 31;

class WhatIf {
  /** @param {HTMLElement} panel @param {Page} page */
  constructor(panel, page) {
    const { ask = "", notes = "", variations = "", variation = "", race = "" } = panel.dataset;
    this.page = page;
    this.player = page.player;
    this.log = page.player.log;
    this.url = ask;
    this.store = new LineStore(this.log.match.id, { notes, variations, variation }, localStorage);
    /** @type {Branching | null} */
    this.branching = null;
    /** The round along the variation shown. @type {VariedRound | null} */
    this.varied = null;
    this.playing = false;
    this.busy = false;
    /** What the lanes and the tab were last drawn for. */
    this.drawn = "";
    /** @type {Line[]} */
    this.removed = [];
    this.hands = new TableHands(page.board, JSON.parse(byId("uses").textContent ?? "null"), {
      ask: (seat, asked) => this.act(seat, asked),
      say: (words) => this.bar.say(words, true),
      chosen: () => this.show(),
      back: () => this.takeBack(),
      done: () => this.done(),
    });
    this.bar = new WhatIfBar(page.names, this.#deeds(), (seat) => this.hands.choose(seat));
    this.lanes = new Lanes((key) => (key === null ? this.leave() : this.open(key)));
    this.race = new RaceStart(page.names, race, () => ({
      round: this.player.cursor.round,
      event: this.player.cursor.event,
      line: page.line,
    }));
    const times = (/** @type {Line} */ line) => this.timeOf(line);
    this.panel = new Panel(panel, this.store, this.#panelDeeds(), times, this.race.element);
    this.#place();
  }

  #deeds() {
    return {
      leave: () => this.leave(),
      branch: () => this.start(),
      done: () => this.done(),
      draw: () => this.hands.draw(),
      discard: () => this.hands.discard(),
      out: () => this.hands.out(),
      back: () => this.takeBack(),
      bots: () => this.bots(),
    };
  }

  #panelDeeds() {
    return {
      open: (/** @type {string} */ key) => this.open(key),
      start: () => this.start(),
      say: (/** @type {Line} */ line) => this.store.keep(line),
      remove: (/** @type {Line} */ line) => this.remove(line),
      undo: () => this.undo(),
    };
  }

  #place() {
    byId("table").after(this.bar.element);
    byId("scrubber").after(this.lanes.element);
    byId("what-if").removeAttribute("disabled");
    this.page.commands.whatIf = () => (this.playing ? this.done() : this.start());
    this.page.openLine = async (key, event) => {
      this.done();
      if (key === null) this.#restore();
      else await this.open(key, event);
    };
    this.player.onChange(() => this.#moved());
    this.log.onGrow(() => this.#grown());
    this.store.onChange(() => this.show());
    addEventListener("online", () => this.store.save());
    const leave = () => this.#restore();
    document.querySelectorAll(INTO_THE_MATCH).forEach((part) => {
      part.addEventListener("click", leave, { capture: true });
    });
    document.addEventListener(
      "keydown",
      (event) => LEAVING_KEYS.includes(event.key) && !isTyping(event.target) && leave(),
      { capture: true },
    );
  }

  /** Loads all variations, then opens the place in a variation that the URL asks for. */
  async load() {
    const { round, event } = this.player.cursor;
    const hidden = this.log.open ? `?round=${round}&event=${event}` : "";
    await this.store.load(this.log.notes, hidden);
    const { along } = this.page;
    if (along && this.store.lines.has(along.line)) await this.open(along.line, along.event);
  }

  /** The record's own variations arrive with its last lines. */
  #grown() {
    const known = [...this.store.lines.values()].filter((line) => line.recorded).length;
    const told = this.log.notes.filter((note) => note.variation).length;
    if (told <= known) return;
    this.store.addRecorded(this.log.notes);
    const { along } = this.page;
    if (along && !this.page.line && this.store.lines.has(along.line)) {
      this.page.along = null;
      this.open(along.line, along.event);
    }
  }

  /** The variation shown. */
  get line() {
    return this.page.line === null ? null : (this.store.lines.get(this.page.line) ?? null);
  }

  /** When a variation branches off, as far as known. @param {Line} line */
  timeOf(line) {
    const [root] = chainOf(this.store.lines, line.key);
    const round = this.mainline(line.round);
    return round?.events[(root ?? line).event - 1]?.t ?? 0;
  }

  /** A round as it happened. @param {number} number */
  mainline(number) {
    const round = this.log.rounds[number - 1];
    return round instanceof VariedRound ? round.mainline : round;
  }

  // --- Showing ---

  /** Shows a variation, from where it branches off or at one of its events. @param {string} key @param {number | null} [event] */
  async open(key, event = null) {
    const chain = chainOf(this.store.lines, key);
    if (!chain.length) {
      this.bar.say("This variation branches from one that no longer exists.", true);
      return;
    }
    const [root] = chain;
    this.#restore();
    this.player.pause();
    await this.player.goTo({ round: root.round, event: root.event });
    const before = this.log.rounds[root.round - 2];
    if (before) await this.log.load(before);
    const round = this.log.rounds[root.round - 1];
    if (!round?.timeline || round.events.length < root.event) return;
    this.#stand(chain);
    const line = chain[chain.length - 1];
    await this.player.goTo({
      round: root.round,
      event: event ?? Math.min(line.event + 1, lengthOf(line)),
    });
  }

  /** Replaces a round by a variation of it. @param {Line[]} chain */
  #stand(chain) {
    const line = chain[chain.length - 1];
    this.varied = new VariedRound(this.mainline(line.round), chain);
    this.page.line = line.key;
    this.page.board.root.classList.add("is-variation");
    this.log.replace(this.varied);
  }

  /** Restores what happened, without moving the cursor. */
  #restore() {
    if (!this.varied) return;
    const { mainline } = this.varied;
    this.varied = null;
    this.page.line = null;
    this.branching = null;
    this.page.board.root.classList.remove("is-variation");
    this.log.replace(mainline);
    this.show();
  }

  /** Returns to what happened, at the point where the variation branched off. */
  async leave() {
    const [root] = chainOf(this.store.lines, this.page.line);
    this.done();
    this.#restore();
    if (root) await this.player.goTo({ round: root.round, event: root.event });
  }

  #moved() {
    const { player, varied } = this;
    if (varied && player.cursor.round !== varied.number) this.#restore();
    if (varied && player.playing && player.cursor.event >= varied.events.length) player.pause();
    if (player.table) this.hands.follow(player.table);
    if (this.playing && player.playing) this.done();
    this.show();
  }

  show() {
    const { line, player } = this;
    const event = player.cursor.event;
    const own = line?.mine && event >= lengthOf(line);
    const title = this.playing && !line ? "What if: play any seat" : line ? titleOf(line) : "";
    this.bar.show({
      title,
      playing: this.playing,
      along: line !== null,
      seat: this.hands.own.seat,
      mayTakeBack: Boolean(own),
    });
    byId("what-if").setAttribute("aria-pressed", String(this.playing));
    this.race.show(!player.table?.ended && (line === null || line.revision !== null));
    const mainline = this.mainline(player.cursor.round);
    const shape = `${this.page.line} ${mainline?.number} ${mainline?.events.length} ${this.store.version}`;
    if (!mainline?.timeline || shape === this.drawn) return;
    this.drawn = shape;
    this.lanes.show(this.store.lines, mainline, this.page.line);
    this.panel.show(line, this.#compared());
  }

  #compared() {
    const [root] = chainOf(this.store.lines, this.page.line);
    const goal = this.log.match.rules ?? { target: 0, speedy: false };
    if (!root || !this.varied) return null;
    const found = compare(this.varied.mainline, this.varied, root.event, goal);
    return comparisonOf(found, this.page.names);
  }

  // --- Playing ---

  /** Plays on from here, for the seat that acted last or is being viewed. */
  start() {
    this.player.pause();
    const view = this.page.view();
    const acted = this.player.event;
    const seat = acted && "seat" in acted ? acted.seat : 0;
    if (this.player.table) this.hands.follow(this.player.table);
    this.playing = true;
    this.hands.toggle(true);
    this.hands.choose(typeof view === "number" ? view : seat);
    this.bar.say("Choose a card of any player, then a stack; or a draw pile, to draw.");
  }

  done() {
    if (!this.playing) return;
    this.playing = false;
    this.hands.toggle(false);
    this.bar.say("");
    this.show();
  }

  /** The variation for the next play: the user's own if at its end, otherwise a new one. */
  #begin() {
    const { line, player, branching } = this;
    const { event, round } = player.cursor;
    const end = line?.mine && event >= lengthOf(line);
    if (end && branching?.line.key === line.key) return branching;
    const above = chainOf(this.store.lines, end ? line.line : this.page.line);
    const target = end ? line : this.#fresh(round, event, above);
    const parents = end || target.line ? above : [];
    return new Branching(target, parents, (body) => this.store.ask("POST", this.url, body));
  }

  /**
   * A new variation here. Along somebody else's, which may be deleted, it copies the events.
   * @param {number} round
   * @param {number} event
   * @param {Line[]} above
   * @returns {Line}
   */
  #fresh(round, event, above) {
    const mine = above.every((line) => line.mine);
    const [root] = above;
    const over = !mine && root && event > root.event;
    return {
      key: newKey(),
      round,
      event: over ? root.event : event,
      line: mine && above.length ? above[above.length - 1].key : null,
      events: over ? eventsAlong(above).slice(0, event - root.event) : [],
      by: this.store.name,
      text: "",
      tags: [],
      mine: true,
      recorded: false,
      visibility: "self",
      revision: null,
    };
  }

  /** @param {number} seat @param {import("../../games/live/socket.js").Asked} asked */
  act(seat, asked) {
    const { do: what, card, stack, as } = asked;
    return this.#judge((branching) => {
      const t = Math.round(branching.next(this.player.cursor.t) + this.bar.pauseMs);
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
    const ms = this.bar.botsMs;
    const seed = Math.floor(Math.random() * MAX_SEED);
    return this.#judge((branching) => branching.bots({ ...(ms !== null && { ms }), seed }));
  }

  /** @param {(branching: Branching) => Promise<Outcome>} does */
  async #judge(does) {
    if (this.busy) return;
    const branching = this.#begin();
    this.#wait(true);
    try {
      this.#take(branching, await does(branching));
    } catch (error) {
      const words =
        error instanceof TypeError ? "no connection" : /** @type {Error} */ (error).message;
      this.bar.say(`That is not possible right now: ${words}.`, true);
    }
    this.#wait(false);
    if (this.player.table) this.hands.follow(this.player.table);
  }

  /** @param {boolean} busy */
  #wait(busy) {
    this.busy = busy;
    this.bar.wait(busy);
  }

  /** @param {Branching} branching @param {Outcome} outcome */
  #take(branching, { events, refused, ended }) {
    if (refused) {
      this.bar.say(`Refused: ${refused.message}.`, true);
      return;
    }
    const more = events.length - branching.line.events.length;
    if (more <= 0 && !events.length) {
      this.bar.say("Nobody did anything in that time.");
      return;
    }
    const line = { ...(this.store.lines.get(branching.line.key) ?? branching.line), events };
    branching.line = line;
    this.store.keep(line);
    this.#continue(line, branching);
    this.bar.say(ended ? `The round is over: ${ended}.` : `${counted(more, "event")} more.`);
  }

  /**
   * Moves to the end of what was just made.
   * @param {Line} line
   * @param {Branching | null} branching
   */
  #continue(line, branching) {
    this.#stand(chainOf(this.store.lines, line.key));
    this.branching = branching;
    this.player.goTo({ round: line.round, event: lengthOf(line), moment: true });
  }

  /** Takes back the last event of the user's own variation. */
  takeBack() {
    const { line } = this;
    if (!line?.mine || this.busy || this.player.cursor.event < lengthOf(line)) return;
    const above = [...this.store.lines.values()].some(({ line: key }) => key === line.key);
    if (above) {
      this.bar.say("Another variation branches from this one, so it cannot be changed.", true);
      return;
    }
    const events = line.events.slice(0, -1);
    if (!events.length) {
      this.remove(line);
      return;
    }
    const shorter = { ...line, events };
    this.store.keep(shorter);
    this.#continue(shorter, null);
  }

  /**
   * Deletes a variation and the user's own branches of it; `undo` restores them.
   * @param {Line} line
   */
  async remove(line) {
    const { lines } = this.store;
    const all = [...lines.values()].filter((one) => chainOf(lines, one.key).includes(line));
    const shown = all.some(({ key }) => key === this.page.line);
    const place = { round: line.round, event: line.event };
    const parent = line.line;
    if (shown) this.#restore();
    this.removed = all.filter(({ mine }) => mine);
    for (const one of [...this.removed].reverse()) this.store.remove(one);
    this.panel.offerUndo(true);
    if (shown && parent) await this.open(parent, line.event);
    else if (shown) await this.player.goTo(place);
  }

  undo() {
    for (const line of this.removed) this.store.restore(line);
    this.panel.offerUndo(false);
    const [first] = this.removed;
    this.removed = [];
    if (first) this.open(first.key);
  }
}

/** @param {EventTarget | null} target */
const isTyping = (target) =>
  target instanceof Element && target.closest("input, textarea, select") !== null;

/** @param {HTMLElement} panel @param {Page} page */
export async function mount(panel, page) {
  const whatIf = new WhatIf(panel, page);
  whatIf.show();
  await whatIf.load();
}
