/**
 * A variation compared with the match: each seat's round score and cards taken at any time. No DOM.
 * Every number is read from the folded tables.
 * @typedef {import("../../games/match/log.js").Round} Round
 * @typedef {import("../../games/match/ranking.js").Goal} Goal
 * @typedef {{t: number, score: number[], taken: number[]}} Standing
 * @typedef {{standings: Standing[], ended: boolean}} Side
 * @typedef {{happened: Side, instead: Side, from: number}} Comparison `from`: ms in the round
 */

import { gainOf } from "../../games/match/ranking.js";
import { clock, signed } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";

/** @param {Round} round @param {number} event @param {Goal} goal @returns {Standing[]} */
function standings(round, event, goal) {
  const { timeline } = round;
  if (!timeline) return [];
  return Array.from({ length: round.events.length - event + 1 }, (_, at) => {
    const table = timeline.tableAt(event + at);
    const score = table.hands.map((_, seat) => gainOf(table, seat, goal));
    const taken = table.scorePiles.map((pile) => pile.length);
    return { t: table.t, score, taken };
  });
}

/** @param {Round} round @param {number} event @param {Goal} goal @returns {Side} */
const sideOf = (round, event, goal) => ({
  standings: standings(round, event, goal),
  ended: round.events.at(-1)?.do === "end",
});

/**
 * The two ways from where they part: to the end of the round if the variation gets there, otherwise
 * as far as the variation goes.
 * @param {Round} mainline @param {Round} varied
 * @param {number} event where they part
 * @param {Goal} goal @returns {Comparison}
 */
export function compare(mainline, varied, event, goal) {
  const happened = sideOf(mainline, event, goal);
  const instead = sideOf(varied, event, goal);
  return { happened, instead, from: instead.standings[0]?.t ?? 0 };
}

/** The standing at a time. @param {Side} side @param {number} t @returns {Standing} */
export const standingBy = ({ standings }, t) =>
  standings.findLast((standing) => standing.t <= t) ?? standings[0];

/**
 * Both ways when the variation is at `t`. If that is its round's end, it is compared with the end
 * of the match's round, whenever that was.
 * @param {Comparison} comparison @param {number} t
 */
export function bothAt({ happened, instead }, t) {
  const end = instead.ended && happened.ended && t >= (instead.standings.at(-1)?.t ?? 0);
  const until = end ? Infinity : t;
  return { was: standingBy(happened, until), is: standingBy(instead, until), end };
}

/**
 * The difference in a sentence: "At 0:34.1: Bea +4, Ann −3 compared with what happened."
 * @param {Comparison} comparison @param {number} t @param {string[]} names
 */
export function differenceWords(comparison, t, names) {
  const { happened } = comparison;
  const known = happened.ended || (happened.standings.at(-1)?.t ?? 0) >= t;
  if (!known)
    return gettext("What happened is not shown that far, so the two can’t be compared yet.");
  const { was, is, end } = bothAt(comparison, t);
  const when = end ? gettext("At the round’s end") : gettext("At {time}", { time: clock(t) });
  const changes = changesIn(was.score, is.score, names);
  if (changes) return gettext("{when}: {changes} compared with what happened.", { when, changes });
  const cards = changesIn(was.taken, is.taken, names);
  return cards
    ? gettext("{when}: the same points as in the match. Cards taken: {cards}.", { when, cards })
    : gettext("{when}: the same points as in the match.", { when });
}

/** Who has more or less, the most first. @param {number[]} was @param {number[]} is @param {string[]} names */
function changesIn(was, is, names) {
  return names
    .map((name, seat) => ({ name, by: is[seat] - was[seat] }))
    .filter(({ by }) => by)
    .sort((a, b) => b.by - a.by)
    .map(({ name, by }) => `${name} ${signed(by)}`)
    .join(", ");
}
