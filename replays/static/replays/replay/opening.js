/**
 * Where a replay opens. No DOM.
 * @import { Place, Player } from "../../games/match/player.js"
 */

/**
 * Goes to a place, otherwise to the end of a growing log, otherwise to the start.
 * @param {Player} player
 * @param {Place | null} place the one that the address asks for; there may be no such place
 */
export async function openAt(player, place) {
  if (place) await player.goTo(place);
  if (player.stood) return;
  const { finished, endHidden } = player.log;
  await (finished || endHidden ? player.home() : player.follow());
}
