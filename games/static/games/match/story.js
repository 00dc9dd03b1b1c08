/**
 * A match summarized in three facts, shown at its end. No DOM.
 * @import { Source } from "./log.js"
 */

import { gettext, ngettext } from "../words/gettext.js";
import { Log } from "./log.js";
import { apart, cardName } from "./words.js";

/** @typedef {import("./words.js").Readers} Readers */

/** The largest take. @param {Log} log @param {Readers} readers */
function largest(log, { names, you }) {
  const takes = log.rounds.flatMap((round) =>
    (round.timeline?.takes ?? []).map((number) => ({ round, event: round.events[number - 1] })),
  );
  /** @type {{round: number, seat: number, cards: number, card: string} | null} */
  let best = null;
  for (const { round, event } of takes) {
    if (event.do !== "play" || (event.takes ?? 0) <= (best?.cards ?? 0)) continue;
    best = {
      round: round.number,
      seat: event.seat,
      cards: event.takes ?? 0,
      card: cardName(event.card),
    };
  }
  if (!best) return "";
  const { cards: count, seat } = best;
  const all = { ...best, name: names[seat] };
  if (log.rounds.length > 1)
    return seat === you
      ? ngettext(
          "The biggest take: you won {count} card with {card}, in round {round}.",
          "The biggest take: you won {count} cards with {card}, in round {round}.",
          count,
          all,
        )
      : ngettext(
          "The biggest take: {name} won {count} card with {card}, in round {round}.",
          "The biggest take: {name} won {count} cards with {card}, in round {round}.",
          count,
          all,
        );
  return seat === you
    ? ngettext(
        "The biggest take: you won {count} card with {card}.",
        "The biggest take: you won {count} cards with {card}.",
        count,
        all,
      )
    : ngettext(
        "The biggest take: {name} won {count} card with {card}.",
        "The biggest take: {name} won {count} cards with {card}.",
        count,
        all,
      );
}

/** The closest race, and how many there were. @param {Log} log @param {Readers} readers */
function closest(log, readers) {
  let [ties, lates] = [0, 0];
  /** @type {{seat: number, first: number, ms: number} | null} */
  let near = null;
  for (const round of log.rounds)
    for (const number of round.timeline?.races ?? []) {
      const event = round.events[number - 1];
      if (event.do === "tie") ties += 1;
      if (event.do !== "late") continue;
      lates += 1;
      const first = round.timeline?.contexts[number - 1].first;
      if (first && first.ms < (near?.ms ?? Infinity))
        near = { seat: event.seat, first: first.seat, ms: first.ms };
    }
  if (near) return `${nearest(near, readers)} ${inAll(lates, ties)}`;
  return ties
    ? ngettext("{count} tie, and no one was late.", "{count} ties, and no one was late.", ties)
    : "";
}

/** @param {{seat: number, first: number, ms: number}} race @param {Readers} readers */
function nearest({ seat, first, ms }, { names, you }) {
  const all = { name: names[seat], first: names[first], ms };
  if (seat === you) return gettext("The closest race: you were {ms} ms behind {first}.", all);
  return first === you
    ? gettext("The closest race: {name} was {ms} ms behind you.", all)
    : gettext("The closest race: {name} was {ms} ms behind {first}.", all);
}

/** @param {number} lates @param {number} ties */
function inAll(lates, ties) {
  const tries = ngettext("{count} late try", "{count} late tries", lates);
  return ties
    ? ngettext("In all: {tries} and {count} tie.", "In all: {tries} and {count} ties.", ties, {
        tries,
      })
    : gettext("In all: {tries} and no ties.", { tries });
}

/** How the lead went. @param {Log} log @param {Readers} readers @param {number[]} winners */
function lead(log, { names, you }, winners) {
  if (log.rounds.some(({ end }) => !end)) return ""; // not all of it is known here
  const ends = log.rounds.flatMap(({ end }) => (end ? [end.totals] : []));
  const [winner] = winners;
  if (!ends.length || winner === undefined) return "";
  const final = ends[ends.length - 1];
  const others = final.filter((_, seat) => seat !== winner);
  const margin = final[winner] - Math.max(...others);
  if (ends.length > 1) {
    const all = { name: names[winner] };
    const behind = ends.slice(0, -1).map((totals) => Math.max(...totals) - totals[winner]);
    const most = Math.max(...behind);
    if (most > 0)
      return cameBack(most, { ...all, round: behind.indexOf(most) + 1 }, winner === you);
    return winner === you
      ? gettext("You led after every round.")
      : gettext("{name} led after every round.", all);
  }
  return winners.length > 1
    ? gettext("The match ended in a draw.")
    : ngettext(
        "The winning margin was {count} point.",
        "The winning margin was {count} points.",
        margin,
      );
}

/** @param {number} points @param {{name: string, round: number}} values @param {boolean} own */
function cameBack(points, values, own) {
  return own
    ? ngettext(
        "You were {count} point behind after round {round}, and came back.",
        "You were {count} points behind after round {round}, and came back.",
        points,
        values,
      )
    : ngettext(
        "{name} was {count} point behind after round {round}, and came back.",
        "{name} was {count} points behind after round {round}, and came back.",
        points,
        values,
      );
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
 * At most three sentences.
 * @param {Log} log the whole of it
 * @param {string[]} names
 * @param {number | null} [you] the seat of the player who reads it
 * @returns {string[]}
 */
export function story(log, names, you = null) {
  if (!log.result?.length) return [];
  const readers = { names: names.map(apart), you };
  return [lead(log, readers, log.result), largest(log, readers), closest(log, readers)].filter(
    Boolean,
  );
}
