// @ts-check
/**
 * Players' quick phrases: sent with a button, shown at the seat until the host removes them.
 *
 * @import { Phrase } from "frames"
 * @typedef {import("../board/board.js").Board} Board
 */

import { box, write } from "../dom/elements.js";
import { PHRASES, Talking, wordsOf } from "./talking.js";

/**
 * Shows what the seats say, or nothing if the viewer has turned phrases off.
 * @param {Board} board
 * @param {{says?: Phrase | null}[]} seats as in the protocol's `state`
 * @param {boolean} heard
 */
export function showPhrases(board, seats, heard) {
  seats.forEach(({ says }, number) => {
    const { element } = board.seats[number];
    let bubble = element.querySelector(".seat-says");
    if (!bubble) {
      bubble = box("p", "seat-says");
      bubble.setAttribute("role", "status");
      element.append(bubble);
    }
    write(bubble, wordsOf(says, heard));
  });
}

/** A player's buttons. @param {HTMLElement} root @param {(phrase: Phrase) => void} say */
export function offerPhrases(root, say) {
  const talking = new Talking(say, (resting) => {
    for (const button of buttons) button.setAttribute("aria-disabled", String(resting));
  });
  const phrases = /** @type {[Phrase, string][]} */ (Object.entries(PHRASES));
  const buttons = phrases.map(([phrase, words]) => {
    const button = /** @type {HTMLButtonElement} */ (box("button", "phrase", words));
    button.type = "button";
    button.addEventListener("pointerdown", (event) => event.preventDefault());
    button.addEventListener("click", () => talking.say(phrase));
    return button;
  });
  root.replaceChildren(...buttons);
}
