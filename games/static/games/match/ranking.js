/**
 * Who is ahead, including this round. No DOM, and no rules except the three that decide a match.
 * @import { Table } from "./fold.js"
 * @typedef {{target: number, speedy: boolean, floor_at_zero?: boolean, tie_window_ms?: number}} Goal  from the match's
 *   rules
 * @typedef {{total: number, gain: number | null, leads: boolean}} Rank
 *   `total`: the score if the round ended now. `gain`: this round's part of it. null: it is the
 *   first round, or over, or not dealt yet. `leads`: no one has more, and someone less.
 * @typedef {{totals: number[], winners: number[] | null, acting: number[], out: number | null}}
 *   Standing `totals`: before this round, or including it once it is over. `winners`: of the whole
 *   match. `acting`: the seats of the latest event. `out`: the seat that ended the round.
 */

import { ownerOf } from "./fold.js";

/** A match with an unknown target. */
export const ENDLESS = { target: 0, speedy: false };

/**
 * @param {Table} table
 * @param {number[]} totals before this round, or including it once it is over
 * @param {Goal} goal @returns {Rank[]}
 */
export function ranking(table, totals, goal) {
  const gains = totals.map((_, seat) => gainOf(table, seat, goal));
  const sums = totals.map((total, seat) => (table.ended ? total : total + gains[seat]));
  const most = Math.max(...sums);
  const whole = table.ended !== null || !table.dealt || !totals.some(Boolean);
  const equal = sums.every((sum) => sum === most);
  return sums.map((total, seat) => ({
    total,
    gain: whole ? null : gains[seat],
    leads: total === most && !equal,
  }));
}

/** The last round of a match, whatever the totals. */
const LAST_ROUND = 100;

/**
 * The winners of a match whose round has ended so. null: it goes on.
 * @param {number} round @param {import("./fold.js").End} end @param {Goal} goal
 * @returns {number[] | null}
 */
export function winnersOf(round, { reason, totals }, { speedy, target }) {
  if (reason === "abandoned") return [];
  const most = Math.max(...totals);
  if (!speedy && most < target && round < LAST_ROUND) return null;
  return totals.flatMap((total, seat) => (total === most ? [seat] : []));
}

/** The round's score by now. @param {Table} table @param {number} seat @param {Goal} goal */
export function gainOf(table, seat, goal) {
  const score = table.score(seat);
  return goal.floor_at_zero ? Math.max(score, 0) : score;
}

/**
 * Each seat's points after so many events of a round, as far as it is loaded.
 * @param {import("./log.js").Log} log @param {import("./log.js").Round} round @param {number} events
 */
export function pointsAt(log, round, events) {
  const { totals } = standingAt(log, round, events);
  if (!round.timeline) return totals;
  const ranks = ranking(round.timeline.tableAt(events), totals, log.match.rules ?? ENDLESS);
  return ranks.map(({ total }) => total);
}

/**
 * @param {import("./log.js").Log} log @param {import("./log.js").Round} round
 * @param {number} events how many of the round have happened
 * @returns {Standing}
 */
export function standingAt(log, round, events) {
  const event = round.events[events - 1];
  const over = event?.do === "end" ? event : null;
  const one = event && "seat" in event ? [event.seat] : [];
  const before = over ? round.events[events - 2] : event;
  return {
    totals: over?.totals ?? log.totalsBefore(round),
    winners: over && round.winners(log),
    acting: event?.do === "tie" ? event.cards.map(ownerOf) : one,
    out: before?.do === "out" ? before.seat : null,
  };
}
