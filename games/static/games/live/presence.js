/**
 * Shows at its seat that a player is away or idle.
 * @typedef {import("../board/board.js").Board} Board
 * @typedef {import("./awaywords.js").Present} Present
 */

import { box, write } from "../dom/elements.js";
import { AwayWords } from "./awaywords.js";

export class Presence {
  constructor() {
    /** @type {Board | null} */
    this.board = null;
    this.words = new AwayWords((words) =>
      words.forEach((said, seat) => this.board && mark(this.board.seats[seat].element, said)),
    );
  }

  /** What the newest state says. @param {Board} board @param {Present[]} seats */
  show(board, seats) {
    this.board = board;
    this.words.state(seats);
  }
}

/** @param {Element} seat @param {string} words */
function mark(seat, words) {
  let mark = seat.querySelector(".seat-away");
  if (!mark && !words) return;
  if (!mark) {
    mark = box("p", "seat-away");
    seat.append(mark);
  }
  write(mark, words);
  seat.classList.toggle("is-away", Boolean(words));
}
