/**
 * What if: another continuation from any position of a finished match, by hand or with bots. The
 * parts are connected here, and a variation is shown. `lines.js` defines variations. Fetched when
 * first needed (`variations.js`).
 *
 * While a variation is shown it replaces its round in the log, so everything that shows a round
 * shows the variation. Leaving it restores the mainline.
 * @typedef {import("./lines.js").Line} Line
 * @import { Page } from "../replay/page.js"
 */

import { byId } from "../../games/dom/elements.js";
import { browserStorage } from "../../games/dom/storage.js";
import { addressAlong } from "../../games/match/links.js";
import { gettext } from "../../games/words/gettext.js";
import { WhatIfBar } from "./bar.js";
import { TableHands } from "./hands.js";
import {
  branchTime,
  chainOf,
  compare,
  differenceWords,
  lengthOf,
  titleOf,
  VariedRound,
} from "./lines.js";
import { Arranging, Making } from "./making.js";
import { GhostRaceStart, Panel } from "./panel.js";
import { LineStore, saveAll } from "./store.js";

export class WhatIf {
  /** @param {HTMLElement} panel @param {Page} page */
  constructor(panel, page) {
    const { ask = "", notes = "", variations = "", variation = "", race = "" } = panel.dataset;
    this.page = page;
    this.player = page.player;
    this.log = page.player.log;
    this.url = ask;
    this.store = new LineStore(
      this.log.match.id,
      { notes, variations, variation },
      browserStorage(),
    );
    /** The round along the variation shown. @type {VariedRound | null} */
    this.varied = null;
    this.making = new Making(this);
    this.arranging = new Arranging(this);
    /** What was last asked to be shown: an answer that comes after a newer one is not shown. */
    this.latest = Symbol();
    /** What the tab was last drawn for. */
    this.drawn = "";
    /** @type {import("./lines.js").Comparison | null} */
    this.comparison = null;
    this.hands = new TableHands(page.board, JSON.parse(byId("uses").textContent ?? "null"), {
      ask: (seat, asked) => this.making.act(seat, asked),
      say: (words) => this.bar.say(words, true),
      chosen: () => this.show(),
      back: () => this.making.takeBack(),
      done: () => this.making.done(),
    });
    this.bar = new WhatIfBar(this.#handlers(), (seat) => this.hands.choose(seat));
    const here = () => ({
      round: this.player.cursor.round,
      event: this.player.cursor.event,
      line: page.state.line,
    });
    const save = () => saveAll(this.store, chainOf(this.store.lines, page.state.line));
    this.race = new GhostRaceStart(race, here, save);
    this.panel = new Panel(this.store, this.#panelDeeds(), (line) => this.timeOf(line));
    this.#place();
  }

  #handlers() {
    return {
      leave: () => this.leave(),
      branch: () => this.making.start(),
      done: () => this.making.done(),
      draw: () => this.hands.draw(),
      discard: () => this.hands.discard(),
      out: () => this.hands.out(),
      back: () => this.making.takeBack(),
      bots: () => this.making.bots(),
    };
  }

  #panelDeeds() {
    return {
      open: (/** @type {string} */ key) => this.open(key),
      start: () => this.making.start(),
      say: (/** @type {Line} */ line) => this.store.keep(line),
      move: (/** @type {Line} */ line, /** @type {number} */ by) => this.arranging.move(line, by),
      promote: (/** @type {Line} */ line) => this.arranging.promote(line),
      remove: (/** @type {Line} */ line) => this.arranging.remove(line),
      undo: () => this.arranging.undo(),
      address: () => {
        const { line, view } = this.page.state;
        return addressAlong(line ?? "", this.player.cursor.event, view);
      },
    };
  }

  #place() {
    this.player.onChange(() => {
      const { player, varied } = this;
      if (varied && player.cursor.round !== varied.number) this.restore();
      if (varied && player.playing && player.cursor.event >= varied.events.length) player.pause();
      if (player.table) this.hands.follow(player.table);
      if (this.making.on && player.playing) this.making.done();
      this.show();
    });
    this.log.onGrow(() => this.#grown());
    this.store.onChange(() => this.show());
    this.store.onWithhold = () => this.leave();
    this.page.offer("mainline", () => this.restore());
    this.page.offer("showLine", (audience) => this.arranging.showTo(audience));
    addEventListener("online", () => this.store.save());
  }

  /** Begins to play on from here, or stops. */
  toggle() {
    if (this.making.on) this.making.done();
    else this.making.start();
  }

  /** Shows a variation. null: the mainline. @param {string | null} key @param {number} [event] */
  async openLine(key, event) {
    this.page.along = null;
    this.making.done();
    if (key === null) {
      this.restore();
      return;
    }
    const latest = Symbol();
    this.latest = latest;
    const known = this.store.lines.get(key);
    if (!known || (event ?? 0) > lengthOf(known)) await this.store.fetch(key);
    if (this.latest === latest && this.store.lines.has(key)) await this.open(key, event);
  }

  /** Loads all variations, then opens the place in a variation that the URL asks for. */
  async load() {
    const { round, event } = this.player.cursor;
    const share = new URLSearchParams(location.hash.slice(1)).get("share");
    const query = new URLSearchParams({
      only: "variations",
      ...(this.log.endHidden && { round: String(round), event: String(event) }),
      ...(share && { share }),
    });
    await this.store.load(this.log.notes, `?${query}`);
    const { along } = this.page;
    if (!along) return;
    if (this.store.lines.has(along.line)) await this.openAlong(along);
    else if (this.log.finished) {
      this.page.along = null;
      this.page.set({ tab: "what-if" });
      this.panel.say(gettext("The linked what-if is gone, or you can’t see it."));
    }
  }

  /** The record's own variations arrive with its last lines. */
  #grown() {
    const known = [...this.store.lines.values()].filter((line) => line.recorded).length;
    const written = this.log.notes.filter((note) => note.variation).length;
    if (written <= known) return;
    this.store.addRecorded(this.log.notes);
    const { along } = this.page;
    if (along && this.store.lines.has(along.line)) this.openAlong(along);
  }

  /** @param {{line: string, event: number | null}} along */
  async openAlong({ line, event }) {
    await this.open(line, event);
    this.page.along = null;
  }

  get line() {
    const { line } = this.page.state;
    return line === null ? null : (this.store.lines.get(line) ?? null);
  }

  /** When a variation branches off, as far as known. @param {Line} line */
  timeOf(line) {
    const round = this.mainline(line.round);
    return round ? branchTime(this.store.lines, line, round) : 0;
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
      this.bar.say(gettext("This what-if branches from one that no longer exists."), true);
      return;
    }
    const [root] = chain;
    this.restore();
    const { latest } = this;
    this.player.pause();
    await this.player.goTo({ round: root.round, event: root.event });
    const before = this.log.rounds[root.round - 2];
    if (before) await this.log.load(before);
    if (this.latest !== latest) return;
    const round = this.log.rounds[root.round - 1];
    if (!round?.timeline || round.events.length < root.event) return;
    this.stand(chain);
    const line = chain[chain.length - 1];
    await this.player.goTo({
      round: root.round,
      event: event ?? Math.min(line.event + 1, lengthOf(line)),
    });
  }

  /** Replaces a round by a variation of it. @param {Line[]} chain */
  stand(chain) {
    const line = chain[chain.length - 1];
    this.varied = new VariedRound(this.mainline(line.round), chain);
    this.page.set({ line: line.key });
    this.page.board.root.classList.add("is-variation");
    this.log.replace(this.varied);
  }

  /** Restores what happened, without moving the cursor. */
  restore() {
    this.latest = Symbol();
    if (!this.varied) return;
    const { mainline } = this.varied;
    this.varied = null;
    this.page.set({ line: null });
    this.making.forget();
    this.page.board.root.classList.remove("is-variation");
    this.log.replace(mainline);
    this.show();
  }

  /** Returns to what happened, at the point where the variation branched off. */
  async leave() {
    const [root] = chainOf(this.store.lines, this.page.state.line);
    this.making.done();
    this.restore();
    if (root) await this.player.goTo({ round: root.round, event: root.event });
  }

  show() {
    const { line, player } = this;
    const event = player.cursor.event;
    const own = line?.mine && event >= lengthOf(line);
    this.page.set({ lineFor: line?.mine ? line.visibility : "" });
    const title = this.making.on && !line ? gettext("Play any seat") : line ? titleOf(line) : "";
    this.bar.show({
      title,
      playing: this.making.on,
      along: line !== null,
      seat: this.hands.own.seat,
      mayTakeBack: Boolean(own),
    });
    this.panel.offerStart(!this.making.on && !line);
    this.race.show(this.#noRace());
    const mainline = this.mainline(player.cursor.round);
    const shape = `${this.page.state.line} ${mainline?.number} ${mainline?.events.length} ${this.store.version}`;
    if (mainline?.timeline && shape !== this.drawn) {
      this.drawn = shape;
      this.comparison = this.#compared();
      this.panel.show(line);
    }
    this.#sayDifference();
  }

  /** How the variation differs from the match, up to the cursor. */
  #sayDifference() {
    const { comparison, player } = this;
    const { t } = player.cursor;
    const differs = comparison !== null && this.varied !== null && t > comparison.from;
    this.bar.compare(differs ? differenceWords(comparison, t, this.page.names) : "");
  }

  /** Why no race can begin here. Empty if one can. */
  #noRace() {
    if (this.player.table?.ended) return gettext("The round is over here.");
    if (!chainOf(this.store.lines, this.page.state.line).some(({ recorded }) => recorded))
      return "";
    return gettext(
      "This what-if is part of the record. Play a card here first: then it goes on as your own.",
    );
  }

  #compared() {
    const [root] = chainOf(this.store.lines, this.page.state.line);
    const goal = this.log.match.rules ?? { target: 0, speedy: false };
    if (!root || !this.varied) return null;
    return compare(this.varied.mainline, this.varied, root.event, goal);
  }
}

/** @param {HTMLElement} panel @param {Page} page */
export async function open(panel, page) {
  const whatIf = new WhatIf(panel, page);
  whatIf.show();
  await whatIf.load();
  return whatIf;
}
