/**
 * The text under a table: the last important event, rather than a trivial later one. No DOM.
 *
 * Takes, ties, late tries, mistakes and ends stay for `HOLD_MS`, whatever follows. Draws and
 * discards happen all the time, so they are never mentioned.
 * @typedef {import("./fold.js").RoundEvent} RoundEvent
 * @typedef {import("./log.js").Round} Round
 * @typedef {import("./words.js").Saying} Saying
 */

import { isTake, sayingAt } from "./words.js";

export const HOLD_MS = 2000;

/**
 * How long an important event stays, in ms of the round. During play, a while of the viewer's time.
 * Manually, each step is described.
 * @param {{playing: boolean, following: boolean, speed: number}} player
 */
export const holdOf = ({ playing, following, speed }) =>
  playing ? HOLD_MS * speed : following ? HOLD_MS : 0;

const LOUD = new Set(["tie", "late", "miss", "out", "end"]);
const QUIET = new Set(["draw", "discard", "deal"]);

/** Whether it stays on the line. @param {RoundEvent} event */
const isLoud = (event) => isTake(event) || LOUD.has(event.do);

/** Whether a saying of this kind is never shown. @param {string} kind */
export const isQuiet = (kind) => QUIET.has(kind);

/**
 * The number of the event to show, 0 for the deal.
 * @param {Round} round
 * @param {number} events how many have happened
 * @param {number} t ms in the round
 * @param {number} hold how long, in ms of the round, an important event stays. 0: not at all
 */
export function captioned(round, events, t, hold) {
  for (let number = events; number && round.events[number - 1].t > t - hold; number -= 1)
    if (isLoud(round.events[number - 1])) return number;
  for (let number = events; number; number -= 1)
    if (!QUIET.has(round.events[number - 1].do)) return number;
  return 0;
}

/**
 * @param {Round} round @param {{event: number, t: number}} cursor
 * @param {number} hold as in `captioned`
 * @param {string[]} names @param {import("./perspective.js").View} [view]
 * @param {number | null} [you] the seat of the player who reads it
 * @returns {Saying}
 */
export const captionAt = (round, { event, t }, hold, names, view, you) =>
  sayingAt(round, captioned(round, event, t, hold), names, view, you);
