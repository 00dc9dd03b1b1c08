/**
 * The moments that mattered, in match order, each with a small picture of the center. A
 * click goes there, with a little run-up.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("./analysis.js").Moment} Moment
 * @import { Page } from "../replay/page.js"
 * @typedef {{round: number, t: number}} Place
 */

import { cardElement, markOf } from "../../games/board/cards.js";
import { box, bringIntoView, button, byId, redraw, write } from "../../games/dom/elements.js";
import { Loop } from "../../games/match/loop.js";
import { positionWords } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { ghostRaceAddress } from "../addresses/copying.js";
import { startOf } from "./raceaxis.js";
import { sentence } from "./sentence.js";

/** How long before the first hand moves the ghost race begins, in ms. */
const LEAD_MS = 3000;

/**
 * Where the race is played, in the seat whose hand lost or tied.
 * @param {string} url of ghost races in the match
 * @param {import("./raceaxis.js").Race} race
 * @param {readonly {t: number}[]} events of its round
 */
export function playAddress(url, race, events) {
  const { seat } = race.attempts[race.kind === "tie" ? 0 : 1];
  const event = eventBefore(events, startOf(race));
  return ghostRaceAddress(url, { round: race.round, event, seat });
}

/** How many events of a round come before there is time to take it in. @param {readonly {t: number}[]} events @param {number} t */
export const eventBefore = (events, t) => events.filter((event) => event.t <= t - LEAD_MS).length;

/** @param {string} address @param {string} name whose seat it is */
export function playLink(address, name) {
  const title = gettext("From a moment before: the others play as they did");
  const words = gettext("Ghost race as {name}", { name });
  return box("a", { class: "button small", href: address, title }, words);
}

const RUN_UP_MS = 2500;

export class MomentList {
  /**
   * @param {Page} page @param {Moment[]} moments
   * @param {{url?: string, own?: string}} ghosts where ghost races in the match are, and the viewer's seat
   */
  constructor(page, moments, ghosts = {}) {
    const { player } = page;
    this.page = page;
    this.player = player;
    this.ghosts = ghosts;
    /** @type {Map<Moment, HTMLElement>} */
    this.items = new Map();
    /** In the order of the match. @type {Moment[]} */
    this.moments = [];
    this.element = box("ol", "moments stack gap-1-half");
    this.show(moments);
    player.onChange(() => this.#stand());
  }

  /** During a match the newest is on top. @param {Moment[]} moments */
  show(moments) {
    const runs = (/** @type {Moment} */ { kind }) => Number(kind === "run"); // after its first line
    this.moments = [...moments].sort((a, b) => a.seq - b.seq || runs(a) - runs(b));
    this.items.clear();
    write(byId("moments-count"), String(moments.length || ""));
    const rows = this.moments.map((moment) => this.#item(moment));
    const none = box("li", "analysis-note soft small", gettext("No moment stands out."));
    const { finished } = this.player.log;
    redraw(this.element, rows.length ? (finished ? rows : rows.reverse()) : [none]);
    this.#stand();
  }

  /** Marks the moment that comes next, else the one that has just come. */
  #stand() {
    const { round, cursor } = this.player;
    const at = (/** @type {number | undefined} */ line) => this.moments.find((m) => m.seq === line);
    const here = at(round?.seqs[cursor.event]) ?? at(cursor.seq);
    for (const [moment, { children }] of this.items)
      children[0].ariaCurrent = moment === here ? "true" : null;
  }

  /** The races that decided moments, once they are known. @param {import("./races.js").Show} show */
  offer(show) {
    for (const [{ seq, kind }, item] of this.items) {
      const race = kind === "run" ? null : show.race(seq); // no single play of a run stood out
      if (!race) continue;
      item.append(
        button("button small moment-race", gettext("See the race"), () => show.open(race)),
      );
    }
  }

  /** @param {Moment} moment */
  #item(moment) {
    const place = box(
      "span",
      "moment-place line gap-1-half whole soft small",
      positionWords(moment.round, moment.t),
      ...moment.seats.slice(0, 1).map((seat) => markOf(seat)),
    );
    const run = moment.kind === "run"; // quieter: it has no play to show
    const inside = [place, box("span", "breaks", ...sentence(moment.text, this.page.names))];
    if (!run) inside.push(centerAt(this.player, moment));
    const look = run ? "bare soft small" : "framed";
    const row = button(`row-button full starts ${look}`, inside, () => this.go(moment));
    const item = box("li", "anchor", row);
    this.items.set(moment, item);
    return item;
  }

  /** Under the moment that was chosen last: playing it, against those who did. @param {Moment} moment */
  async #offer(moment) {
    for (const item of this.items.values()) item.querySelector(".moment-ghost")?.remove();
    const { url, own } = this.ghosts;
    const round = this.player.log.rounds[moment.round - 1];
    if (!url || !round || !moment.seats.length) return;
    await this.player.log.load(round);
    const seat = own ?? moment.seats[0];
    const event = eventBefore(round.events, moment.t);
    const address = ghostRaceAddress(url, { round: moment.round, event, seat });
    const { name } = this.player.log.match.seats[Number(seat)];
    const link = playLink(address, name);
    link.classList.add("moment-ghost", "cut");
    if (!this.element.querySelector(".moment-ghost")) this.items.get(moment)?.append(link);
  }

  /** @param {Moment} moment */
  go(moment) {
    bringIntoView(this.page.board.root);
    this.#offer(moment);
    watch(this.page, moment, RUN_UP_MS);
  }

  /** Goes to the moment before or after the cursor. @param {number} by */
  step(by) {
    const next = neighbour(this.moments, this.player.cursor, by, RUN_UP_MS);
    if (next) this.go(next);
  }
}

/**
 * The center right before a line: a place for each stack, which the log fills.
 * @param {Player} player @param {{round: number, seq: number, slot?: number}} place `slot`: the
 *   stack it is about, by default the line's
 */
export function centerAt(player, place) {
  const slots = player.log.match.seats.map(() => box("span", "moment-slot"));
  fillCenter(player, place, slots);
  return box(
    "span",
    { class: "moment-picture line top gap-half", "aria-hidden": "true" },
    ...slots,
  );
}

/** @param {Player} player @param {{round: number, seq: number, slot?: number}} place @param {HTMLElement[]} slots */
async function fillCenter(player, place, slots) {
  const round = player.log.rounds[place.round - 1];
  if (!round) return;
  await player.log.load(round);
  const event = round.eventAt(place.seq);
  const table = event ? round.timeline?.tableAt(Math.max(0, event - 1)) : null;
  if (!table) return;
  const done = round.events[event - 1];
  const here = place.slot ?? ("stack" in done ? done.stack : -1);
  slots[here]?.classList.add("is-here");
  table.stacks.forEach((stack, at) => {
    const top = stack.at(-1);
    if (top) slots[at].append(cardElement(top, "small"));
  });
}

const BEFORE_MS = 6000;
const AFTER_MS = 3000;

/** The spans to play, in match order. Adjacent ones are merged. @param {Moment[]} moments */
export function spansOf(moments) {
  /** @type {import("../../games/match/loop.js").Stretch[]} */
  const spans = [];
  for (const { round, t } of [...moments].sort((a, b) => a.seq - b.seq)) {
    const from = Math.max(0, t - BEFORE_MS);
    const last = spans.at(-1);
    if (last && last.round === round && from <= last.to) last.to = t + AFTER_MS;
    else spans.push({ round, from, to: t + AFTER_MS });
  }
  return spans;
}

/** Plays the moments one after another, each with its run-up and a little after it. */
export class Highlights {
  /** @param {Page} page @param {Moment[]} moments */
  constructor(page, moments) {
    const { player } = page;
    this.page = page;
    this.player = player;
    this.at = 0;
    this.spans = spansOf(moments);
    // A viewer who pauses or looks elsewhere has seen enough.
    this.loop = new Loop(
      player,
      () => (this.at + 1 < this.spans.length ? this.#play(this.at + 1) : player.pause()),
      () => this.#say(),
    );
    this.button = button("button small highlights", "", () => {
      this.toggle(); // not waited for: the next press stops it
    });
    this.button.hidden = !this.spans.length;
    this.#say();
  }

  toggle() {
    if (this.loop.running) {
      this.loop.stop();
      this.player.pause();
    } else if (this.spans.length) this.#play(0);
  }

  /** @param {number} at */
  #play(at) {
    this.at = at;
    this.page.call("mainline");
    this.loop.start(this.spans[at]);
    this.#say();
  }

  #say() {
    const ms = this.spans.reduce((sum, { from, to }) => sum + to - from, 0);
    const words = this.loop.running
      ? gettext("Stop ({number} of {count})", { number: this.at + 1, count: this.spans.length })
      : gettext("Play the moments ({seconds} s)", { seconds: Math.round(ms / 1000) });
    write(this.button, words);
  }
}

/** What was last led up to. @type {(Place & {seq?: number}) | null} */
let watched = null;

/** @param {Page} page @param {Place & {seq?: number}} moment @param {number} runUpMs */
export function watch(page, moment, runUpMs) {
  watched = moment;
  page.call("mainline");
  return page.player.playFrom({ round: moment.round, t: moment.t - runUpMs });
}

/** Stops. Where a play is being led up to or has just come, stops right before it. @param {Player} player */
export function stopBefore(player) {
  if (!player.playing) return;
  player.pause();
  const { round, t, seq } = watched ?? { ...player.cursor, seq: undefined };
  if (seq && round === player.cursor.round && Math.abs(t - player.cursor.t) < BEFORE_MS)
    player.goBefore(seq);
}

/**
 * The moment before or after the cursor. One whose run-up has begun is not after it.
 * @template {Place} M
 * @param {M[]} moments in their order
 * @param {Place} cursor
 * @param {number} by
 * @param {number} runUpMs
 */
export function neighbour(moments, { round, t }, by, runUpMs) {
  const later = (/** @type {M} */ moment) =>
    moment.round > round || (moment.round === round && moment.t - runUpMs > t + 1);
  const earlier = (/** @type {M} */ moment) =>
    moment.round < round || (moment.round === round && moment.t < t - 1);
  return by > 0 ? moments.find(later) : moments.findLast(earlier);
}

const SLOW = 0.1;

/** Plays a stretch of a round slowly, then stops and restores the speed. */
export class SlowMotion {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    /** @type {{speed: number, smart: boolean} | null} */
    this.usual = null;
    this.loop = new Loop(
      player,
      () => player.pause(),
      () => this.#restore(),
    );
    // A viewer who changes the speed takes over.
    player.onState(() => {
      if (player.speed === SLOW) return;
      this.usual = null;
      this.loop.stop();
    });
  }

  /** @param {number} round @param {number} from ms in the round @param {number} to */
  async play(round, from, to) {
    this.stop();
    const { player } = this;
    const { speed, smart } = player;
    player.pause();
    player.setSpeed(SLOW, false);
    this.usual = { speed, smart };
    await this.loop.start({ round, from: Math.max(0, from), to });
  }

  stop() {
    this.loop.stop();
  }

  #restore() {
    const { usual } = this;
    this.usual = null;
    if (usual) this.player.setSpeed(usual.speed, usual.smart);
  }
}
