/**
 * How long a question may be thought about, in words. No DOM.
 * @typedef {{timed: boolean, limit_ms: number | null}} Pace
 *   `limit_ms` null: as long as the player took, which is told with the verdict only
 */

import { clock } from "../../games/match/words.js";

/** @param {Pace} pace */
const long = ({ limit_ms }) =>
  limit_ms === null ? "as long as the player took" : `${limit_ms / 1000} s`;

/** On the way to the question. @param {Pace} pace */
export const ahead = (pace) =>
  `The match plays up to the question first. ${pace.timed ? `Then you have ${long(pace)}.` : "Then take your time."}`;

/** At the question. @param {Pace} pace */
export const now = (pace) => (pace.timed ? `Now: you have ${long(pace)}.` : "Take your time.");

/** How much of it has gone. @param {number} ms @param {Pace} pace */
export function gone(ms, { limit_ms }) {
  if (limit_ms === null) return clock(ms);
  return `${clock(ms)} of ${clock(limit_ms)}${ms > limit_ms ? ": time is up" : ""}`;
}
