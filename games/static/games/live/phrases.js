// @ts-check
/**
 * Players' quick phrases: sent with a button, shown at the seat until the host removes them.
 *
 * @typedef {import("../board/board.js").Board} Board
 */

import { box, write } from "../dom/elements.js";

/** The same as in the protocol. @type {Record<string, string>} */
const PHRASES = {
  "good-luck": "Good luck",
  "well-played": "Well played",
  ouch: "Ouch",
  "one-moment": "One moment",
  again: "Again?",
};
const REST_MS = 2000;

/**
 * Shows what the seats say, or nothing if the viewer has turned phrases off.
 * @param {Board} board
 * @param {{says?: string | null}[]} seats as in the protocol's `state`
 * @param {boolean} heard
 */
export function showPhrases(board, seats, heard) {
  seats.forEach(({ says }, number) => {
    const { element } = board.seats[number];
    const words = (heard && says && PHRASES[says]) || "";
    let bubble = element.querySelector(".seat-says");
    if (!bubble) {
      bubble = box("p", "seat-says");
      bubble.setAttribute("role", "status");
      element.append(bubble);
    }
    write(bubble, words);
  });
}

/** A player's buttons. @param {HTMLElement} root @param {(phrase: string) => void} say */
export function offerPhrases(root, say) {
  const buttons = Object.entries(PHRASES).map(([phrase, words]) => {
    const button = /** @type {HTMLButtonElement} */ (box("button", "phrase", words));
    button.type = "button";
    button.addEventListener("pointerdown", (event) => event.preventDefault());
    button.addEventListener("click", () => {
      say(phrase);
      rest();
    });
    return button;
  });
  const rest = () => {
    for (const button of buttons) button.setAttribute("aria-disabled", "true");
    setTimeout(() => buttons.forEach((button) => button.removeAttribute("aria-disabled")), REST_MS);
  };
  root.addEventListener(
    "click",
    (event) => {
      const button =
        event.target instanceof Element ? event.target.closest("[aria-disabled=true]") : null;
      if (button) event.stopImmediatePropagation();
    },
    true,
  );
  root.replaceChildren(...buttons);
}
