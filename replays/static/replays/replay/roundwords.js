/**
 * A round, and the cursor's place in it, in words. No DOM.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("../../games/match/log.js").Round} Round
 */

import { clock, counted, points } from "../../games/match/words.js";

/** `Round 2 of 3`, or `Round 2` if the number of rounds is not known yet. @param {Player} player */
export const roundWords = ({ cursor, log }) =>
  log.finished && !log.endHidden
    ? `Round ${cursor.round} of ${log.rounds.length}`
    : `Round ${cursor.round}`;

/** The cursor's round, time and event; a hidden end is not told. @param {Player} player */
export function placeWords(player) {
  const { cursor, log, round } = player;
  const end = log.endHidden ? "" : ` of ${clock(round?.duration ?? 0)}`;
  return `${roundWords(player)}, ${clock(cursor.t)}${end}, ${counted(cursor.event, "event")}`;
}

/** The seats that are ahead after a round. @param {Round} round @returns {number[]} */
export function aheadAfter({ end }) {
  if (!end) return [];
  const best = Math.max(...end.totals);
  return end.totals.flatMap((total, seat) => (total === best ? [seat] : []));
}

/** `Round 3: Ada ahead with 12 points`. @param {Round} round @param {string[]} names */
export function leadWords(round, names) {
  const [first, ...others] = aheadAfter(round);
  if (first === undefined) return `Round ${round.number}`;
  const who = [first, ...others].map((seat) => names[seat]).join(" and ");
  return `Round ${round.number}: ${who} ahead with ${points(round.end?.totals[first] ?? 0)}`;
}
