/**
 * A match summarized in three facts, shown at its end. No DOM.
 * @import { Source } from "./log.js"
 */

import { faceOf, WILD } from "./fold.js";
import { Log } from "./log.js";
import { apart, capital, counted } from "./words.js";

/** @typedef {{name: string, was: string}} Person  as in the middle of a sentence */

/** The largest take. @param {Log} log @param {Person[]} people */
function largest(log, people) {
  const takes = log.rounds.flatMap((round) =>
    (round.timeline?.takes ?? []).map((number) => ({ round, event: round.events[number - 1] })),
  );
  /** @type {{round: number, seat: number, cards: number, wild: boolean} | null} */
  let best = null;
  for (const { round, event } of takes) {
    if (event.do !== "play" || (event.takes ?? 0) <= (best?.cards ?? 0)) continue;
    best = {
      round: round.number,
      seat: event.seat,
      cards: event.takes ?? 0,
      wild: faceOf(event.card) === WILD,
    };
  }
  if (!best) return "";
  const how = best.wild ? "a wild" : "a 5";
  const where = log.rounds.length > 1 ? `, in round ${best.round}` : "";
  return `The biggest take: ${people[best.seat].name} won ${counted(best.cards, "card")} with ${how}${where}.`;
}

/** The closest race, and how many there were. @param {Log} log @param {Person[]} people */
function closest(log, people) {
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
  const { name, was } = people[near?.seat ?? 0];
  const all = `${lates} late ${lates === 1 ? "try" : "tries"} and ${ties ? counted(ties, "tie") : "no ties"}`;
  if (near)
    return `The closest race: ${name} ${was} ${near.ms} ms behind ${people[near.first].name}. In all: ${all}.`;
  return ties ? `${counted(ties, "tie")}, and no one was late.` : "";
}

/** How the lead went. @param {Log} log @param {Person[]} people @param {number[]} winners */
function lead(log, people, winners) {
  if (log.rounds.some(({ end }) => !end)) return ""; // not all of it is known here
  const ends = log.rounds.flatMap(({ end }) => (end ? [end.totals] : []));
  const [winner] = winners;
  if (!ends.length || winner === undefined) return "";
  const final = ends[ends.length - 1];
  const others = final.filter((_, seat) => seat !== winner);
  const margin = final[winner] - Math.max(...others);
  if (ends.length > 1) {
    const { name, was } = people[winner];
    const behind = ends.slice(0, -1).map((totals) => Math.max(...totals) - totals[winner]);
    const most = Math.max(...behind);
    if (most > 0)
      return `${capital(name)} ${was} ${counted(most, "point")} behind after round ${behind.indexOf(most) + 1}, and came back.`;
    return `${capital(name)} led after every round.`;
  }
  return winners.length > 1
    ? "The match ended in a draw."
    : `The winning margin was ${counted(margin, "point")}.`;
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
  const people = names.map((name, seat) =>
    seat === you ? { name: "you", was: "were" } : { name: apart(name), was: "was" },
  );
  return [lead(log, people, log.result), largest(log, people), closest(log, people)].filter(
    Boolean,
  );
}
