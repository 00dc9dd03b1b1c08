/**
 * An answer from a list, for learners who do not answer on the table: a card, then a stack or the
 * discard pile. Or to draw, or to wait.
 * @typedef {import("./moments.js").Answer} Answer
 * @typedef {import("../../games/match/fold.js").Table} Table
 */

import { cardElement } from "../../games/board/cards.js";
import { box, button } from "../../games/dom/elements.js";
import { faceName } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";

/** @param {number} stack from 1 @param {number} top */
const stackWords = (stack, top) =>
  top
    ? gettext("Stack {stack} (on {top})", { stack, top })
    : gettext("Stack {stack} (free)", { stack });

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
      box("span", "answer-words", gettext("Where does the {card} go?", { card: faceName(card) })),
      ...table.tops.map((top, stack) =>
        button("button small", stackWords(stack + 1, top), () =>
          chosen({ do: "play", card, stack }),
        ),
      ),
      button("button small", gettext("Discard it"), () => chosen({ do: "discard", card })),
    );
  };
  const hand = table.hands[seat].map((card) => {
    const kind = {
      class: "answer-card",
      "aria-label": gettext("Play the {card}", { card: faceName(card) }),
    };
    const press = button({ ...kind, "aria-pressed": "false" }, [cardElement(card)], () =>
      pick(card, press),
    );
    cards.push(press);
    return press;
  });
  const others = [
    button("button small", gettext("Draw a card"), () => chosen({ do: "draw" })),
    button("button small", gettext("Wait"), () => chosen({ do: "wait" })),
  ];
  return box("div", "answer-choice", box("div", "answer-hand", ...hand, ...others), stacks);
}
