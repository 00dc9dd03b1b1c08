/**
 * Where a replay opens. No DOM.
 * @import { Log } from "../../games/match/log.js"
 * @import { Place, Player } from "../../games/match/player.js"
 */

/**
 * Goes to a place, otherwise to the end of a growing log, otherwise right before its first moment or
 * take, otherwise to the start.
 * @param {Player} player
 * @param {Place | null} place the one in the address, which may not exist
 * @returns {Promise<number>} the seq of the play before which it opens, 0: it opens elsewhere
 */
export async function openAt(player, place) {
  if (place) await player.goTo(await before(player, place));
  if (player.stood) return 0;
  const { finished, endHidden } = player.log;
  if (!endHidden && !finished) await player.follow();
  else if (!endHidden) return beforeFirst(player);
  else await player.home();
  return 0;
}

/** @param {Player} player */
async function beforeFirst(player) {
  const { log } = player;
  const seq = log.match.opening || (await firstTake(log));
  if (seq) {
    const round = log.roundOf(seq);
    await log.load(round);
    await player.goTo({ round: round.number, event: round.eventAt(seq) - 1 });
  } else await player.home();
  return seq;
}

/** The seq of the first take of the first round, where a match may open there. Otherwise 0. @param {Log} log */
async function firstTake(log) {
  const [round] = log.rounds;
  if (log.match.opening === undefined || !round) return 0;
  await log.load(round);
  return round.seqs[(round.timeline?.takes[0] ?? 0) - 1] ?? 0;
}

/** The place so many ms before an event, if the address asks for that. @param {Player} player @param {Place} place */
async function before({ log }, place) {
  if (!("event" in place && place.lead)) return place;
  const round = log.rounds[place.round - 1];
  if (round) await log.load(round);
  const t = round?.events[place.event - 1]?.t ?? 0;
  return { round: place.round, t: Math.max(0, t - place.lead) };
}
