/**
 * What the page tells a player beside the table: advice on what to do, and facts of the match.
 * @typedef {import("./seat.js").OwnSeat} OwnSeat
 * @typedef {import("./scoreboard.js").State} State
 */

import { byId, write } from "../dom/elements.js";
import { faceOf, WILD } from "../match/fold.js";

/** @param {string[]} keys of the hand's places @param {(string | null)[]} places @param {string} card */
const keyOf = (keys, places, card) => keys[places.indexOf(card)]?.toUpperCase() ?? "";

/** @param {number} face */
const named = (face) => (face === WILD ? "wild" : String(face));

/**
 * @param {OwnSeat} own
 * @param {(string | null)[]} places the hand, by place
 * @param {string[] | null} keys of the hand's places; null: the player taps
 * @param {{shout?: boolean, drawn?: boolean}} [how] whether a round ends when somebody says OUT, and
 *   cards are drawn without being asked for
 * @returns {string} empty if there is nothing to say
 */
export function advice(own, places, keys, { shout = false, drawn = false } = {}) {
  const { hand, table, seat } = own;
  if (!table || table.ended || own.waiting.length) return "";
  const fitting = hand.flatMap((card) => {
    const slots = own.distinctSlots(card);
    return slots.map((slot) => ({ card, slot, only: slots.length === 1 }));
  });
  const taking = fitting.find(({ card, slot }) => faceOf(card) >= 5 && own.top(slot));
  /** Picked up first if it fits elsewhere too. @param {{card: string, only: boolean}} fitting */
  const pressed = ({ card, only }) => {
    const key = keys && keyOf(keys, places, card);
    if (only) return key ? `tap it, or press ${key}` : "tap it";
    return key
      ? `tap it, then the stack, or press ${key} and the stack’s key`
      : "tap it, then the stack";
  };
  if (taking) {
    const { card, slot } = taking;
    return `Your ${named(faceOf(card))} takes stack ${slot + 1}, ${table.stacks[slot].length + 1} cards: ${pressed(taking)}.`;
  }
  if (fitting.length) {
    const { card, slot } = fitting[0];
    const how = own.top(slot) ? `fits on stack ${slot + 1}` : "starts a stack";
    return `Your ${named(faceOf(card))} ${how}: ${pressed(fitting[0])}.`;
  }
  if (hand.length < 3 && table.drawPiles[seat].length)
    return drawn ? "" : keys ? "Draw a card: Space." : "Draw a card.";
  if (!table.drawPiles[seat].length && !table.discardPiles[seat].length)
    return shout ? `You have no cards left: shout OUT!${keys ? " (O)" : ""}` : "";
  if (!hand.length) return "";
  return keys
    ? "Nothing fits. Discard a card: D, then the card."
    : "Nothing fits. Tap Discard, then a card.";
}

/** @param {{name: string | null}[]} seats */
const namesOf = (seats) => seats.map((seat) => seat.name).join(", ");

/**
 * @param {State} news @param {{seat: number, rules: {speedy: boolean, target: number}}} page
 * @param {number | null} lag ms
 */
export function showFacts(news, { seat, rules }, lag) {
  const goal = rules.speedy ? "one round" : `to ${rules.target}`;
  const watching = news.watching ? `, ${news.watching} watching` : "";
  const replaced = news.seats.filter(
    ({ bot, kind }, number) => bot && kind === "human" && number !== seat,
  );
  const bots = replaced.length ? `. A bot is playing for ${namesOf(replaced)}` : "";
  write(byId("facts"), `Round ${Math.max(news.round, 1)}, ${goal}${watching}${bots}`);
  write(byId("lag"), lag === null ? "" : `${lag} ms`);
  showVotes(news, seat);
}

/** @param {State} news @param {number} seat */
function showVotes({ seats }, seat) {
  const quitting = seats.filter(({ votes }) => votes.includes("abandon"));
  const verb = quitting.length === 1 ? "wants" : "want";
  const words = `${namesOf(quitting)} ${verb} to abandon the match. It ends when everyone does.`;
  write(byId("giving-up"), words);
  byId("giving-up").hidden = !quitting.length;
  const mine = seats[seat].votes.includes("abandon");
  document.querySelector("[data-do=abandon]")?.setAttribute("aria-pressed", String(mine));
}
