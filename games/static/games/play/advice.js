/**
 * The page’s words to a player beside the table: advice, and facts of the match.
 * @typedef {import("./seat.js").OwnSeat} OwnSeat
 * @typedef {import("./scoreboard.js").State} State
 */

import { byId, write } from "../dom/elements.js";
import { faceOf, HAND, WILD } from "../match/fold.js";
import { gettext, listed, ngettext } from "../words/gettext.js";
import { wayTo } from "./keyboard.js";

const OVER = new Set(["finished", "abandoned"]);

/**
 * @param {OwnSeat} own
 * @param {import("./lessons.js").Hand} hand
 * @param {{by: string, keys: {hand: string[], slots: string[]}, quick: boolean, shout?: boolean,
 *   drawn?: boolean}} how `by`: the player's input. `quick`: a card that fits one stack alone goes
 *   there at once. `shout`: a round ends when someone says OUT. `drawn`: cards are drawn unasked
 * @returns {string} empty if there is nothing to say
 */
export function advice(own, hand, { by, keys, quick, shout = false, drawn = false }) {
  const { table, seat } = own;
  if (!table || table.ended || own.waiting.length) return "";
  if (hand.discarding) return gettext("Choose the card to discard.");
  /** @param {import("./lessons.js").Press} press */
  const way = (press) => wayTo(press, hand, by, keys);
  const cards = hand.picked ? [hand.picked] : own.hand;
  const fitting = cards.flatMap((card) => fittings(own, card, quick));
  const best = fitting.find(({ card, height }) => faceOf(card) >= 5 && height) ?? fitting[0];
  if (best) return `${whatOf(best)} ${way({ do: "play", fitting: best })}`;
  if (hand.picked)
    return faceOf(hand.picked) === WILD
      ? gettext("Your wild fits no stack now.")
      : gettext("Your {card} fits no stack now.", { card: faceOf(hand.picked) });
  const piles = table.drawPiles[seat].length + table.discardPiles[seat].length;
  if (!piles) {
    if (!shout) return "";
    const words = gettext("You have no cards left: shout OUT!");
    return by === "keys" ? `${words} ${way({ do: "out" })}` : words;
  }
  if (own.hand.length < HAND && table.drawPiles[seat].length)
    return drawn ? "" : `${gettext("Draw a card.")} ${way({ do: "draw" })}`;
  return own.hand.length ? gettext("Nothing fits. Press Discard, then a card.") : "";
}

/** Where a card fits. @param {OwnSeat} own @param {string} card @param {boolean} quick */
export function fittings(own, card, quick) {
  const slots = own.distinctSlots(card);
  const only = quick && slots.length === 1;
  return slots.map((slot) => {
    return { card, slot, only, height: own.table?.stacks[slot].length ?? 0, lesson: "" };
  });
}

/** @param {import("./lessons.js").Fitting} fitting */
export function whatOf({ card, slot, height }) {
  const wild = faceOf(card) === WILD;
  const all = { card: faceOf(card), stack: slot + 1 };
  if (!height)
    return wild
      ? gettext("Your wild starts a stack.")
      : gettext("Your {card} starts a stack.", all);
  if (faceOf(card) < 5) return gettext("Your {card} fits on stack {stack}.", all);
  if (wild)
    return ngettext(
      "Your wild takes stack {stack}, {count} card.",
      "Your wild takes stack {stack}, {count} cards.",
      height + 1,
      all,
    );
  return ngettext(
    "Your {card} takes stack {stack}, {count} card.",
    "Your {card} takes stack {stack}, {count} cards.",
    height + 1,
    all,
  );
}

/** @param {{name: string | null}[]} seats */
const namesOf = (seats) => listed(seats.map((seat) => seat.name ?? ""));

/**
 * @param {State} news @param {{seat: number, rules: {speedy: boolean, target: number,
 *   empty_minutes: number}}} page
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
  const leaving = document.getElementById("leave-words");
  if (leaving) write(leaving, leaveWords(news, seat, rules.empty_minutes));
  const abandon = document.querySelector("#leaving [value=abandon]");
  abandon?.toggleAttribute("hidden", leaving !== null && isAlone(news, seat));
  showVotes(news, seat);
}

/** Whether no one else plays or watches. @param {State} news @param {number} seat */
const isAlone = ({ seats, watching }, seat) =>
  !(watching || seats.some(({ here, bot }, number) => number !== seat && here && !bot));

/**
 * What becomes of the match without the player.
 * @param {State} news @param {number} seat @param {number} minutes after which it is abandoned
 */
export function leaveWords(news, seat, minutes) {
  return isAlone(news, seat)
    ? ngettext(
        "A bot plays for you until you come back. If no one plays or watches for {count} minute, no one wins.",
        "A bot plays for you until you come back. If no one plays or watches for {count} minutes, no one wins.",
        minutes,
      )
    : gettext("A bot plays for you. You can come back until the match is over.");
}

/** What it means to abandon the match now. @param {State} news @param {number} seat */
export function abandonWords({ seats }, seat) {
  if (seats[seat].votes.includes("abandon"))
    return gettext("You have agreed to this. Press again to take it back.");
  const others = seats.filter((_, number) => number !== seat);
  return others.every(({ bot, votes }) => bot || votes.includes("abandon"))
    ? gettext("It ends now, and no one wins.")
    : gettext("It ends when everyone wants this. Until then you play on.");
}

/**
 * Who else wants to abandon the match.
 * @param {State} news @param {number} seat of the player who reads it
 */
export function giveUpWords({ seats }, seat) {
  const others = seats.filter(({ votes }, number) => number !== seat && votes.includes("abandon"));
  return others.length
    ? ngettext(
        "{names} wants to abandon the match. It ends when everyone does.",
        "{names} want to abandon the match. It ends when everyone does.",
        others.length,
        { names: namesOf(others) },
      )
    : "";
}

/** What a player can still do besides playing. @param {State} news @param {number} seat */
function showVotes(news, seat) {
  const over = OVER.has(news.phase);
  write(byId("giving-up"), over ? "" : giveUpWords(news, seat));
  document.querySelector("[data-do=leave]")?.toggleAttribute("hidden", over);
  const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("leaving"));
  if (dialog) write(byId("abandon-words"), abandonWords(news, seat));
  if (over) dialog?.close("");
  const heard = news.seats.some(({ kind }, number) => kind === "human" && number !== seat);
  document.getElementById("phrases")?.toggleAttribute("hidden", !heard);
}
