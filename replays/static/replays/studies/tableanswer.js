/**
 * An answer given on the table, by pointer, touch or the keys of a live table, as long as the
 * table shows the moment that is asked about.
 * @import { Page } from "../replay/page.js"
 * @typedef {import("./moments.js").Answer} Answer
 * @typedef {{round: number, event: number}} Moment
 * @typedef {{chosen: (answer: Answer) => void, say: (words: string) => void,
 *   done?: () => void}} Handlers
 * @typedef {import("../../games/match/fold.js").Table} Table
 */

import { cardElement } from "../../games/board/cards.js";
import { box, button } from "../../games/dom/elements.js";
import { load } from "../../games/dom/settings.js";
import { faceName } from "../../games/match/words.js";
import { KEYS } from "../../games/play/keyboard.js";
import { gettext } from "../../games/words/gettext.js";
import { TableHands } from "../variations/hands.js";

/** The keys of the table, in words. @param {number} stacks */
export function keyWords(stacks) {
  const { hand, slots } = KEYS[load().keys] ?? KEYS.letters;
  const [cards, places] = [hand, slots.slice(0, stacks)].map((keys) =>
    keys.map((key) => key.toUpperCase()).join(" "),
  );
  return gettext("Keys: {cards} for a card, {places} for a stack, Space to draw, D to discard.", {
    cards,
    places,
  });
}

export class TableAnswer {
  /**
   * @param {Page} page
   * @param {number} seat who is asked
   * @param {Moment} moment @param {Handlers} handlers
   */
  constructor(page, seat, moment, handlers) {
    this.player = page.player;
    this.seat = seat;
    this.moment = moment;
    this.open = false;
    if (page.state.view !== "all") page.set({ view: seat }); // its hand must be open
    const uses = JSON.parse(document.getElementById("uses")?.textContent ?? "null");
    const ways = {
      ask: (/** @type {number} */ _, /** @type {any} */ asked) => {
        // Whoever leads to this has not finished its own press yet.
        queueMicrotask(() => this.#asked(asked, handlers));
      },
      say: handlers.say,
      chosen: () => {},
      back: () => {},
      done: () => handlers.done?.(),
    };
    this.hands = new TableHands(page.board, uses, ways, { only: seat, hints: load().hints });
    this.player.onChange(() => this.#follow());
  }

  /** @param {{do: string, card?: string, stack?: number}} asked @param {Handlers} handlers */
  #asked(asked, handlers) {
    this.#follow();
    const { do: what, card, stack } = asked;
    if (what === "play") handlers.chosen({ do: "play", card, stack });
    else if (what === "discard") handlers.chosen({ do: "discard", card });
    else if (what === "draw") handlers.chosen({ do: "draw" });
    else handlers.say(gettext("Choose a play, or draw, discard or wait."));
  }

  /** @param {boolean} open */
  toggle(open) {
    this.open = open;
    this.#follow();
  }

  #follow() {
    const { cursor, table } = this.player;
    const here = cursor.round === this.moment.round && cursor.event === this.moment.event;
    const open = this.open && here && table !== null;
    if (open) this.hands.follow(table);
    if (open !== this.hands.open) {
      this.hands.toggle(open);
      if (open) this.hands.choose(this.seat);
    }
  }
}

/** @param {number} stack from 1 @param {number} top */
const stackWords = (stack, top) =>
  top
    ? gettext("Stack {stack} (on {top})", { stack, top })
    : gettext("Stack {stack} (free)", { stack });

/** @param {Table} table @param {string[]} held @param {(answer: Answer) => void} chosen */
export function answerChoice(table, held, chosen) {
  const stacks = box("div", { class: "gap-1-half row", hidden: true });
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
  const hand = held.map((card) => {
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
  return box("div", "stack packed", box("div", "gap-1-half row", ...hand, ...others), stacks);
}
