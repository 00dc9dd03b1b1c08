/**
 * A moment is watched from a little before it. No DOM.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {{round: number, t: number}} Moment
 */

/** @param {Player} player @param {Moment} moment @param {number} runUpMs */
export const watch = (player, moment, runUpMs) =>
  player.playFrom({ round: moment.round, t: moment.t - runUpMs });

/**
 * The moment before or after the cursor. One whose run-up has begun is not after it.
 * @template {Moment} M
 * @param {M[]} moments in their order
 * @param {Moment} cursor
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
