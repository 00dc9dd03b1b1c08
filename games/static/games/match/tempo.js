/**
 * How fast a replay's clock runs. No DOM.
 *
 * Smart tempo looks at the events around a moment: it slows down just before and after a race or a
 * take, and speeds up while nothing happens.
 * @typedef {import("./log.js").Round} Round
 */

import { isRace } from "./timeline.js";
import { isTake } from "./words.js";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 1.5, 2, 4, 8];

const SLOW = 0.4;
const HASTE = 6;
/** How long before and after a race or take the tempo is slow, in ms of the round. */
const BEFORE = 250;
const AFTER = 450;
/** A longer wait than this is dead time, apart from its edges. */
const DEAD = 1000;
const EDGE = 350;

/** The next of SPEEDS, or the last. @param {number} speed @param {number} by */
export function nextSpeed(speed, by) {
  const at = SPEEDS.indexOf(speed) + by;
  return SPEEDS[Math.min(Math.max(at, 0), SPEEDS.length - 1)];
}

/** @param {Round} round @param {number} event how many have happened @param {number} t */
export function smartFactor(round, event, t) {
  const last = round.events[event - 1];
  const next = round.events[event];
  if (last && t - last.t < AFTER && (isRace(last) || isTake(last))) return SLOW;
  if (next && next.t - t < BEFORE && (isRace(next) || isTake(next))) return SLOW;
  if (!next) return 1;
  const since = t - (last?.t ?? 0);
  const dead = next.t - (last?.t ?? 0) > DEAD;
  return dead && since > EDGE && next.t - t > EDGE ? HASTE : 1;
}
