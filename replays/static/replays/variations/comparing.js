// @ts-check
/**
 * A variation compared with what happened: each seat's round score, cards taken and cards left, on
 * one time axis. No DOM; every number is read from the folded tables.
 *
 * @typedef {import("../../games/match/log.js").Round} Round
 * @typedef {import("../../games/match/ranking.js").Goal} Goal
 * @typedef {{t: number, score: number[], taken: number[], left: number[], from: number[][]}} Standing
 *   `from`: for each seat, how many of the cards it has taken are from each deck
 * @typedef {{happened: Standing[], instead: Standing[], from: number, to: number}} Comparison
 *   `from` and `to`: ms in the round
 */

import { ownerOf } from "../../games/match/fold.js";
import { ranking } from "../../games/match/ranking.js";

/**
 * The standings from a place on, after each event.
 * @param {Round} round
 * @param {number} event
 * @param {Goal} goal
 * @returns {Standing[]}
 */
export function standings(round, event, goal) {
  const { timeline } = round;
  if (!timeline) return [];
  const nothing = timeline.table.hands.map(() => 0);
  return Array.from({ length: round.events.length - event + 1 }, (_, at) => {
    const table = timeline.tableAt(event + at);
    const score = ranking(table, nothing, goal).map(({ gain }) => gain);
    const taken = table.scorePiles.map((pile) => pile.length);
    const left = nothing.map(
      (_, seat) => table.drawPiles[seat].length + table.discardPiles[seat].length,
    );
    const from = table.scorePiles.map((pile) => countedBy(pile, nothing.length));
    return { t: table.t, score, taken, left, from };
  });
}

/** How many cards of each deck there are. @param {string[]} cards @param {number} decks */
const countedBy = (cards, decks) =>
  Array.from({ length: decks }, (_, deck) => cards.filter((card) => ownerOf(card) === deck).length);

/**
 * @param {Round} mainline
 * @param {Round} varied
 * @param {number} event where they diverge
 * @param {Goal} goal
 * @returns {Comparison}
 */
export function compare(mainline, varied, event, goal) {
  const happened = standings(mainline, event, goal);
  const instead = standings(varied, event, goal);
  const ends = [happened, instead].map((side) => side.at(-1)?.t ?? 0);
  return { happened, instead, from: instead[0]?.t ?? 0, to: Math.max(...ends) };
}

/** The standing at a time. @param {Standing[]} side @param {number} t @returns {Standing} */
export const standingBy = (side, t) => side.findLast((standing) => standing.t <= t) ?? side[0];
