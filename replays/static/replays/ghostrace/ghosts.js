/**
 * Who still does what the record says, and who has become a bot, when and why.
 * @typedef {import("./ghostrace.js").Taken} Taken
 * @typedef {import("../../games/board/board.js").Board} Board
 */

import { markOf } from "../../games/board/cards.js";
import { box, write } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";

/** Why a ghost gave way, by the rule that the server names. @type {Record<string, string>} */
const REASONS = {
  "record-over": "the record of this round has ended",
  "other-card": "another card came off the draw pile",
  "not-meant": "the stack is not the one that player saw",
  "one-hand": "the hand was still busy",
  "not-in-hand": "the card is no longer in that hand",
  "hand-full": "the hand is full",
  "no-card-to-draw": "no card is left to draw",
  "refill-first": "the hand had to be filled first",
  "not-out": "that player is not out yet",
};
const OTHER = "what that player did is no longer possible";

export class Ghosts {
  /**
   * @param {HTMLElement} root @param {{seat: number, seats: {name: string}[]}} page
   * @param {(words: string) => void} say
   */
  constructor(root, { seat, seats }, say) {
    this.seats = seats;
    this.say = say;
    this.announced = 0;
    this.states = seats.map(() => box("span", "ghost-state", "ghost"));
    const rows = seats.map(({ name }, at) =>
      box("li", `ghost deck-${at}`, markOf(at), box("bdi", "ghost-name", name), this.states[at]),
    );
    root.replaceChildren(...rows.filter((_, at) => at !== seat));
  }

  /** @param {Taken[]} taken @param {Board | null} board */
  show(taken, board) {
    for (const { seat, t, rule } of taken.slice(this.announced)) {
      const why = REASONS[rule] ?? OTHER;
      write(this.states[seat], `bot since ${clock(t)}: ${why}`);
      this.states[seat].classList.add("is-bot");
      const kind = board?.seats[seat].element.querySelector(".seat-kind");
      if (kind) write(kind, "bot");
      this.say(`${this.seats[seat].name}: a bot plays on, since ${why}.`);
    }
    this.announced = taken.length;
  }
}
