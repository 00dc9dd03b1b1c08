/**
 * A round, and the cursor's place in it, in words. No DOM.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("../../games/match/log.js").Round} Round
 */

import { clock } from "../../games/match/words.js";
import { gettext, listed, ngettext } from "../../games/words/gettext.js";

/** `Round 2 of 3`, or `Round 2` if more may follow, or be hidden. @param {Player} player */
export const roundWords = ({ cursor, log }) =>
  log.finished && !log.endHidden && log.rounds.at(-1)?.finished
    ? gettext("Round {round} of {count}", { round: cursor.round, count: log.rounds.length })
    : gettext("Round {round}", { round: cursor.round });

/** The cursor's round, time and event, without a hidden end. @param {Player} player */
export function placeWords(player) {
  const { cursor, log, round } = player;
  const end = clock(round?.duration ?? 0);
  const all = { round: roundWords(player), time: clock(cursor.t), end };
  return log.endHidden
    ? ngettext(
        "{round}, {time}, {count} event",
        "{round}, {time}, {count} events",
        cursor.event,
        all,
      )
    : ngettext(
        "{round}, {time} of {end}, {count} event",
        "{round}, {time} of {end}, {count} events",
        cursor.event,
        all,
      );
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
  if (first === undefined) return gettext("Round {round}", { round: round.number });
  return gettext("Round {round}: {names} ahead with {points}", {
    round: round.number,
    names: listed([first, ...others].map((seat) => names[seat])),
    points: round.end?.totals[first] ?? 0,
  });
}
