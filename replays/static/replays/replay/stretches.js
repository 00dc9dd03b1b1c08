/**
 * A match's layout on its timeline: rounds side by side, in proportion to their duration. No DOM.
 *
 * In a long match only the current round is laid out. If results are hidden, nothing lies beyond
 * the viewer's progress, and no length reveals the end of a round.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("../../games/match/log.js").Round} Round
 * @typedef {{round: Round, from: number, width: number, length: number, until: number}} Stretch
 *   `from` and `width`: px. `length`: the width in ms. `until`: ms, anything later is not shown.
 */

export const GAP = 4;
/** A match with more rounds shows one at a time. */
const FEW = 6;
/** If results are hidden, a round is assumed to last at least this long. */
const HIDDEN_MS = 60_000;
/** The timeline of a log with a hidden end grows in steps of this many ms. */
const REACH_MS = 500;

/** The px of a time in a stretch. @param {Stretch} stretch @param {number} t */
export const xOf = ({ from, width, length }, t) => from + (width * t) / length;

/** The place at so many px. @param {Stretch[]} stretches @param {number} x */
export function placeAt(stretches, x) {
  const { round, from, width, length } =
    stretches.findLast((each) => each.from <= x) ?? stretches[0];
  const share = Math.min(Math.max((x - from) / width, 0), 1);
  return { round: round.number, t: share * length };
}

export class Layout {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    /** @type {Stretch[]} */
    this.stretches = [];
    /** The furthest place the viewer has reached. */
    this.reached = { round: 1, t: 0 };
    /** The only round that is laid out, or 0. */
    this.alone = 0;
  }

  /** Whether one round is shown at a time. */
  get long() {
    return this.player.log.rounds.length > FEW;
  }

  /** Lays the rounds side by side. Even one that has just begun is wide enough to click. @param {number} px */
  layOut(px) {
    const { log, cursor } = this.player;
    this.alone = this.long ? cursor.round : 0;
    const rounds = this.long ? log.rounds.slice(cursor.round - 1, cursor.round) : log.rounds;
    const room = Math.max(px - GAP * (rounds.length - 1), 1);
    const lengths = rounds.map((round) => this.#lengthOf(round));
    const sum = lengths.reduce((total, length) => total + length, 0);
    let from = 0;
    this.stretches = rounds.map((round, at) => {
      const width = (room * lengths[at]) / sum;
      const stretch = { round, from, width, length: lengths[at], until: this.#until(round) };
      from += width + GAP;
      return stretch;
    });
  }

  /** The duration drawn for a round. @param {Round} round ms */
  #lengthOf(round) {
    const { endHidden } = this.player.log;
    const passed = round.number < this.reached.round;
    if (!endHidden || passed) return Math.max(round.duration, 1000);
    return Math.max(Math.ceil((this.reached.t * 1.1) / HIDDEN_MS) * HIDDEN_MS, HIDDEN_MS);
  }

  /** The time after which nothing is shown. @param {Round} round ms */
  #until(round) {
    if (!this.player.log.endHidden || round.number < this.reached.round) return Infinity;
    return round.number === this.reached.round ? this.reached.t : -1;
  }

  /** The cursor has moved. Returns whether that changes the layout. */
  moved() {
    const grown = this.#reach();
    return grown || (this.long && this.alone !== this.player.cursor.round);
  }

  /** If results are hidden, the timeline grows as the viewer advances. */
  #reach() {
    const { log, cursor } = this.player;
    const { round, t } = this.reached;
    if (cursor.round < round || (cursor.round === round && cursor.t <= t)) return false;
    this.reached = { round: cursor.round, t: cursor.t };
    const step = (/** @type {number} */ ms) => Math.floor(ms / REACH_MS);
    return log.endHidden && (cursor.round !== round || step(cursor.t) !== step(t));
  }

  /** The cursor's stretch. */
  get current() {
    return this.stretches.find(({ round }) => round.number === this.player.cursor.round);
  }
}
