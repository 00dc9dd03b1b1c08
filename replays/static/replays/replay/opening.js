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
  if (place) await player.goTo(await before(player, place));
  if (player.stood) return;
  const { finished, endHidden } = player.log;
  await (finished || endHidden ? player.home() : player.follow());
}

/** The place so many ms before an event, if the address asks for that. @param {Player} player @param {Place} place */
async function before({ log }, place) {
  if (!("event" in place && place.lead)) return place;
  const round = log.rounds[place.round - 1];
  if (round) await log.load(round);
  const t = round?.events[place.event - 1]?.t ?? 0;
  return { round: place.round, t: Math.max(0, t - place.lead) };
}
