/**
 * The score race as lines: each seat's total, including the current round. A round that is shown by
 * itself has its own score, since a late round changes totals by little.
 *
 * A round's course is sampled every few pixels, from its own fold. Nothing is fetched.
 * @import { Log, Round } from "../../games/match/log.js"
 * @typedef {import("./stretches.js").Stretch} Stretch
 * @typedef {{low: number, high: number}} Scale  of totals
 * @typedef {{key: string, totals: number[][]}} Course  the totals at each sample
 */

import { ranking } from "../../games/match/ranking.js";

/** Px between two samples. */
const STEP = 3;
const ENDLESS = { target: 0, speedy: false };

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

  /** What a round has added to the totals. @param {Round} round @param {number[][]} totals */
  #own(round, totals) {
    const before = this.log.totalsBefore(round);
    return totals.map((sums) => sums.map((sum, seat) => sum - before[seat]));
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
    const courses = alone ? totals.map((sums, at) => this.#own(stretches[at].round, sums)) : totals;
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
