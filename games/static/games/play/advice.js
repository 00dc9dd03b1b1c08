/**
 * The page's words to a player beside the table: advice, and facts of the match.
 * @typedef {import("./seat.js").OwnSeat} OwnSeat
 * @typedef {import("./scoreboard.js").State} State
 */

import { byId, write } from "../dom/elements.js";
import { faceOf } from "../match/fold.js";
import { faceName } from "../match/words.js";
import { gettext, listed, ngettext } from "../words/gettext.js";

/** @param {string[]} keys of the hand's places @param {(string | null)[]} places @param {string} card */
const keyOf = (keys, places, card) => keys[places.indexOf(card)]?.toUpperCase() ?? "";

/**
 * @param {OwnSeat} own
 * @param {(string | null)[]} places the hand, by place
 * @param {string[] | null} keys of the hand's places. null: the player taps
 * @param {{shout?: boolean, drawn?: boolean}} [how] whether a round ends when someone says OUT, and
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
  const wayTo = ({ card, only }) => {
    const key = keys && keyOf(keys, places, card);
    if (only) return key ? gettext("tap it, or press {key}", { key }) : gettext("tap it");
    return key
      ? gettext("tap it, then the stack, or press {key} and the stack’s key", { key })
      : gettext("tap it, then the stack");
  };
  /** @param {{card: string, slot: number, only: boolean}} fitting */
  const about = (fitting) => {
    const { card, slot } = fitting;
    return { card: faceName(card), stack: slot + 1, way: wayTo(fitting) };
  };
  if (taking) {
    const count = table.stacks[taking.slot].length + 1;
    return ngettext(
      "Your {card} takes stack {stack}, {count} card: {way}.",
      "Your {card} takes stack {stack}, {count} cards: {way}.",
      count,
      about(taking),
    );
  }
  if (fitting.length) {
    const all = about(fitting[0]);
    return own.top(fitting[0].slot)
      ? gettext("Your {card} fits on stack {stack}: {way}.", all)
      : gettext("Your {card} starts a stack: {way}.", all);
  }
  if (hand.length < 3 && table.drawPiles[seat].length) {
    if (drawn) return "";
    return keys ? gettext("Draw a card: Space.") : gettext("Draw a card.");
  }
  if (!table.drawPiles[seat].length && !table.discardPiles[seat].length) {
    if (!shout) return "";
    return keys
      ? gettext("You have no cards left: shout OUT! (O)")
      : gettext("You have no cards left: shout OUT!");
  }
  if (!hand.length) return "";
  return keys
    ? gettext("Nothing fits. Discard a card: D, then the card.")
    : gettext("Nothing fits. Tap Discard, then a card.");
}

/** @param {{name: string | null}[]} seats */
const namesOf = (seats) => listed(seats.map((seat) => seat.name ?? ""));

/**
 * @param {State} news @param {{seat: number, rules: {speedy: boolean, target: number}}} page
 * @param {number | null} lag ms
 */
export function showFacts(news, { seat, rules }, lag) {
  const round = Math.max(news.round, 1);
  const facts = [
    rules.speedy
      ? gettext("Round {round}, one round", { round })
      : gettext("Round {round}, to {target}", { round, target: rules.target }),
  ];
  if (news.watching) facts.push(ngettext("{count} watching", "{count} watching", news.watching));
  const replaced = news.seats.filter(
    ({ bot, kind }, number) => bot && kind === "human" && number !== seat,
  );
  const bots = gettext("A bot is playing for {names}", { names: namesOf(replaced) });
  write(byId("facts"), [facts.join(", "), ...(replaced.length ? [bots] : [])].join(". "));
  write(byId("lag"), lag === null ? "" : gettext("{lag} ms", { lag }));
  showVotes(news, seat);
}

/** @param {State} news @param {number} seat */
function showVotes({ seats }, seat) {
  const quitting = seats.filter(({ votes }) => votes.includes("abandon"));
  const words = ngettext(
    "{names} wants to abandon the match. It ends when everyone does.",
    "{names} want to abandon the match. It ends when everyone does.",
    quitting.length,
    { names: namesOf(quitting) },
  );
  write(byId("giving-up"), words);
  byId("giving-up").hidden = !quitting.length;
  const mine = seats[seat].votes.includes("abandon");
  document.querySelector("[data-do=abandon]")?.setAttribute("aria-pressed", String(mine));
}
