/**
 * The score race as lines: each seat's total, including the current round. A round that is shown by
 * itself has its own score, since a late round changes totals by little.
 *
 * A round's course is sampled every few pixels, from its own fold. Nothing is fetched.
 * @import { Log, Round } from "../../games/match/log.js"
 * @typedef {{low: number, high: number}} Scale  of totals
 * @typedef {{key: string, totals: number[][]}} Course  the totals at each sample
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {{round: Round, from: number, width: number, length: number, until: number}} Stretch
 *   `from` and `width`: px. `length`: the width in ms. `until`: ms, anything later is not shown.
 */

import { ENDLESS, ranking } from "../../games/match/ranking.js";

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

/**
 * Rounds side by side, in proportion to their duration. In a long match only the current round is
 * laid out. If results are hidden, nothing lies beyond the viewer's progress, and no length reveals
 * the end of a round.
 */
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

  get current() {
    return this.stretches.find(({ round }) => round.number === this.player.cursor.round);
  }
}

/** Px between two samples. */
const STEP = 3;

export class ScoreRace {
  /** @param {Log} log */
  constructor(log) {
    this.log = log;
    this.goal = log.match.rules ?? ENDLESS;
    /** @type {Map<Round, Course>} */
    this.courses = new Map();
  }

  /** As far as known and allowed. @param {Stretch} stretch @returns {number[][]} */
  course({ round, width, length, until }) {
    const { timeline } = round;
    if (!timeline) return [];
    const before = this.log.totalsBefore(round);
    const shown = round.eventBy(until);
    const key = [width.toFixed(1), length, shown, ...before].join();
    const known = this.courses.get(round);
    if (known?.key === key) return known.totals;
    const totals = [];
    for (let x = 0; x <= width; x += STEP) {
      const t = (x / Math.max(width, 1)) * length;
      if (t > until) break;
      const table = timeline.tableAt(round.eventBy(t));
      const sums = table.ended && round.end ? round.end.totals : before;
      totals.push(ranking(table, sums, this.goal).map(({ total }) => total));
    }
    this.courses.set(round, { key, totals });
    return totals;
  }

  /** With zero. @param {number[][][]} courses @param {boolean} alone @returns {Scale} */
  scale(courses, alone) {
    let [low, high] = [0, 10];
    for (const totals of courses)
      for (const sums of totals)
        for (const sum of sums) {
          if (sum < low) low = sum;
          if (sum > high) high = sum;
        }
    const { target, speedy } = this.goal;
    return {
      low,
      high: !alone && !speedy && target && high > target * 0.6 ? Math.max(high, target) : high,
    };
  }

  /**
   * A line for each seat over all stretches, as the `d` of a path.
   * @param {Stretch[]} stretches
   * @param {{top: number, bottom: number}} room px
   * @param {boolean} [alone] whether it is one round of many, with a scale of its own
   */
  lines(stretches, { top, bottom }, alone = false) {
    const totals = stretches.map((stretch) => this.course(stretch));
    const before = stretches.map(({ round }) => this.log.totalsBefore(round));
    const courses = alone // what the round has added to the totals
      ? totals.map((sums, at) =>
          sums.map((sum) => sum.map((each, seat) => each - before[at][seat])),
        )
      : totals;
    const { low, high } = this.scale(courses, alone);
    /** @param {number} total */
    const y = (total) => bottom - ((total - low) / (high - low)) * (bottom - top);
    const seats = this.log.match.seats.map((_, seat) =>
      courses
        .map((totals, at) => lineOf(totals, stretches[at].from, (sums) => y(sums[seat])))
        .join(""),
    );
    const { target, speedy } = this.goal;
    const aim = !alone && !speedy && target && high >= target ? y(target) : null;
    return { seats, zero: y(0), aim };
  }
}

/** @param {number[][]} totals @param {number} from @param {(sums: number[]) => number} y */
function lineOf(totals, from, y) {
  if (!totals.length) return "";
  let d = `M${from.toFixed(1)} ${y(totals[0]).toFixed(1)}`;
  let last = totals[0];
  totals.forEach((sums, at) => {
    if (y(sums) !== y(last)) d += `H${(from + at * STEP).toFixed(1)}V${y(sums).toFixed(1)}`;
    last = sums;
  });
  return `${d}H${(from + (totals.length - 1) * STEP).toFixed(1)}`;
}
