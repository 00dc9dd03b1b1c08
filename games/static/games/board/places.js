/**
 * Where each card of a table is to be drawn, for one viewer. No DOM.
 *
 * A key identifies a card's element while the card is there: its code or, for a hidden card, its
 * place. Only a pile's top cards are shown; the others are beneath them.
 * @typedef {import("../match/fold.js").Table} Table
 * @typedef {import("../match/perspective.js").View} View
 * @typedef {{key: string, card: string, up: boolean, spot: string, index: number, of: number,
 *   shown: boolean}} Placed  `spot`: `hand-0`, `draw-0`, `discard-0`, `score-0` or `slot-0`
 */

import { faceOf } from "../match/fold.js";
import { seesHand } from "../match/perspective.js";

/** How many cards of a pile have an element. The rest are under them. */
const PILE_SHOWN = 2;

/**
 * @param {string[]} cards bottom first
 * @param {string} spot @param {boolean} up
 * @param {number} shown how many of the last ones are drawn
 * @returns {Placed[]}
 */
function spread(cards, spot, up, shown) {
  return cards.map((card, index) => {
    const known = faceOf(card) > 0;
    const key = known ? card : `${card}${spot}:${index}`;
    const of = cards.length;
    return { key, card, up: up && known, spot, index, of, shown: index >= of - shown };
  });
}

/** @param {Table} table @param {number} seat @param {View} view */
function seatPlaces(table, seat, view) {
  return [
    ...spread(table.drawPiles[seat], `draw-${seat}`, false, PILE_SHOWN),
    ...spread(table.discardPiles[seat], `discard-${seat}`, false, PILE_SHOWN),
    ...spread(table.scorePiles[seat], `score-${seat}`, true, PILE_SHOWN),
    ...spread(table.hands[seat], `hand-${seat}`, seesHand(view, seat), Infinity),
  ];
}

/** Every card of the table. @param {Table} table @param {View} view */
export function places(table, view) {
  const middle = table.stacks.map((stack, slot) => spread(stack, `slot-${slot}`, true, Infinity));
  const seats = table.hands.map((_, seat) => seatPlaces(table, seat, view));
  return [...middle.flat(), ...seats.flat()];
}
