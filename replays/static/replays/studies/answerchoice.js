/**
 * An answer from a list, for whoever does not answer on the table: a card, then a stack or the
 * discard pile; or to draw, or to wait.
 * @typedef {import("./moments.js").Answer} Answer
 * @typedef {import("../../games/match/fold.js").Table} Table
 */

import { cardElement } from "../../games/board/cards.js";
import { box, button } from "../../games/dom/elements.js";
import { faceOf, WILD } from "../../games/match/fold.js";

/** @param {string} card */
const cardWords = (card) => (faceOf(card) === WILD ? "the wild" : `the ${faceOf(card)}`);

/** @param {number} top */
const topWords = (top) => (top ? `on ${top}` : "free");

/** @param {Table} table @param {number} seat @param {(answer: Answer) => void} chosen */
export function answerChoice(table, seat, chosen) {
  const stacks = box("div", { class: "answer-stacks", hidden: true });
  /** @type {HTMLButtonElement[]} */
  const cards = [];
  /** @param {string} card @param {HTMLButtonElement} pressed */
  const pick = (card, pressed) => {
    for (const choice of cards) choice.setAttribute("aria-pressed", String(choice === pressed));
    stacks.hidden = false;
    stacks.replaceChildren(
      box("span", "answer-words", `Where does ${cardWords(card)} go?`),
      ...table.tops.map((top, stack) =>
        button("button small", `Stack ${stack + 1} (${topWords(top)})`, () =>
          chosen({ do: "play", card, stack }),
        ),
      ),
      button("button small", "Discard it", () => chosen({ do: "discard", card })),
    );
  };
  const hand = table.hands[seat].map((card) => {
    const kind = { class: "answer-card", "aria-label": `Play ${cardWords(card)}` };
    const press = button({ ...kind, "aria-pressed": "false" }, [cardElement(card)], () =>
      pick(card, press),
    );
    cards.push(press);
    return press;
  });
  const others = [
    button("button small", "Draw a card", () => chosen({ do: "draw" })),
    button("button small", "Wait", () => chosen({ do: "wait" })),
  ];
  return box("div", "answer-choice", box("div", "answer-hand", ...hand, ...others), stacks);
}
