/**
 * The one thing to see again of a match that is over. No DOM.
 * @typedef {import("./words.js").Readers} Readers
 * @typedef {{text: string, round: number, event: number}} Insight  a sentence, and the place just
 *   before what it says
 * @import { Source } from "./log.js"
 */

import { ngettext } from "../words/gettext.js";
import { Log } from "./log.js";
import { apart, cardName } from "./words.js";

/** The largest take. @param {Log} log @param {Readers} readers @returns {Insight | null} */
function largest(log, { names, you }) {
  let [most, best] = [0, /** @type {Insight | null} */ (null)];
  for (const round of log.rounds)
    for (const number of round.timeline?.takes ?? []) {
      const take = round.events[number - 1];
      if (take.do !== "play" || (take.takes ?? 0) <= most) continue;
      most = take.takes ?? 0;
      const all = { name: names[take.seat], card: cardName(take.card) };
      const text =
        take.seat === you
          ? ngettext(
              "The biggest take: you won {count} card with {card}.",
              "The biggest take: you won {count} cards with {card}.",
              most,
              all,
            )
          : ngettext(
              "The biggest take: {name} won {count} card with {card}.",
              "The biggest take: {name} won {count} cards with {card}.",
              most,
              all,
            );
      best = { text, round: round.number, event: number - 1 };
    }
  return best;
}

/**
 * How far the winner was behind, if not all of it was one lead.
 * @param {Log} log @param {Readers} readers @param {number} winner @returns {Insight | null}
 */
function comeback(log, { names, you }, winner) {
  if (log.rounds.some(({ end }) => !end)) return null; // not all of it is known here
  const ends = log.rounds.flatMap(({ end }) => (end ? [end.totals] : []));
  const behind = ends.map((totals) => Math.max(...totals) - totals[winner]);
  const most = Math.max(...behind);
  if (!most) return null;
  const round = behind.indexOf(most) + 1;
  const values = { name: names[winner], round };
  const text =
    winner === you
      ? ngettext(
          "You were {count} point behind after round {round}, and came back.",
          "You were {count} points behind after round {round}, and came back.",
          most,
          values,
        )
      : ngettext(
          "{name} was {count} point behind after round {round}, and came back.",
          "{name} was {count} points behind after round {round}, and came back.",
          most,
          values,
        );
  return { text, round: round + 1, event: 0 };
}

/**
 * The whole log of a match that is over: a page that was opened late has only its end.
 * @param {Log} log as far as the page knows it
 * @param {string} url @param {Source} source
 */
export async function wholeOf(log, url, source) {
  if (log.rounds.every(({ timeline }) => timeline)) return log;
  const whole = new Log({ ...log.match, urls: { log: url } }, source);
  while (!whole.finished && (await whole.grow()));
  return whole;
}

/**
 * A winner who came back, or else the largest take.
 * @param {Log} log the whole of it
 * @param {string[]} names
 * @param {number | null} [you] the seat of the player who reads it
 */
export function insight(log, names, you = null) {
  if (!log.result?.length) return null;
  const readers = { names: names.map(apart), you };
  return comeback(log, readers, log.result[0]) ?? largest(log, readers);
}
