/**
 * The place where a replay opens. No DOM.
 * @import { Place, Player } from "../../games/match/player.js"
 */

/**
 * Goes to a place, otherwise to the end of a growing log, otherwise right before the play
 * that the server names, otherwise to the start.
 * @param {Player} player
 * @param {Place | null} place the one in the address, which may not exist
 * @returns {Promise<number>} the seq of the play before which it opens, 0: it opens elsewhere
 */
export async function openAt(player, place) {
  if (place) await player.goTo(await before(player, place));
  if (player.stood) return 0;
  const { finished, endHidden, match } = player.log;
  if (!endHidden && !finished) await player.follow();
  else if (endHidden || !match.opening) await player.home();
  else await player.goBefore(match.opening);
  return (!endHidden && finished && match.opening) || 0;
}

/** The place so many ms before an event, if the address asks for that. @param {Player} player @param {Place} place */
async function before({ log }, place) {
  if (!("event" in place && place.lead)) return place;
  const round = log.rounds[place.round - 1];
  if (round) await log.load(round);
  const t = round?.events[place.event - 1]?.t ?? 0;
  return { round: place.round, t: Math.max(0, t - place.lead) };
}
