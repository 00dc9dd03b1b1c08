/**
 * Players' quick phrases: sent with a button, shown at the seat until the host removes them.
 * @import { Phrase } from "frames"
 * @typedef {import("../board/board.js").Board} Board
 */

import { box, button, write } from "../dom/elements.js";
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
      bubble = box("p", { class: "seat-says", role: "status" });
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
    const made = button("phrase", words, () => talking.say(phrase));
    made.addEventListener("pointerdown", (event) => event.preventDefault());
    return made;
  });
  root.replaceChildren(...buttons);
}
