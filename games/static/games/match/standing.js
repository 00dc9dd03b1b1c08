/**
 * The board's data besides the cards at a place in a log. No DOM.
 * @typedef {import("./fold.js").RoundEvent} RoundEvent
 * @typedef {{totals: number[], winners: number[] | null, acting: number[], out: number | null}}
 *   Standing `totals`: before this round, or including it once it is over. `winners`: of the whole
 *   match. `acting`: the seats of the latest event. `out`: the seat that ended the round.
 */

import { ownerOf } from "./fold.js";

/** @param {RoundEvent | undefined} event @returns {number[]} */
function actingIn(event) {
  if (event?.do === "tie") return event.cards.map(ownerOf);
  return event && "seat" in event ? [event.seat] : [];
}

/**
 * @param {import("./log.js").Log} log @param {import("./log.js").Round} round
 * @param {number} events how many of the round have happened
 * @returns {Standing}
 */
export function standingAt(log, round, events) {
  const event = round.events[events - 1];
  const over = event?.do === "end" ? event : null;
  const before = over ? round.events[events - 2] : event;
  return {
    totals: over?.totals ?? log.totalsBefore(round),
    winners: over && round.winners(log),
    acting: actingIn(event),
    out: before?.do === "out" ? before.seat : null,
  };
}
