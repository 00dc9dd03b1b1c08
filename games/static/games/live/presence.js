// @ts-check
/**
 * Shows at its seat that a player is away or idle, the seconds until a bot plays on, and when one
 * does.
 *
 * @typedef {import("../board/board.js").Board} Board
 * @typedef {{here: boolean, bot: boolean, kind: string | null, away_ms: number | null}} Present
 *   of the protocol's `state`
 */

import { box, write } from "../dom/elements.js";

export class Presence {
  constructor() {
    /** When a bot takes over each seat, on this page's clock. @type {(number | null)[]} */
    this.due = [];
    this.timer = 0;
  }

  /** What the newest state says. @param {Board} board @param {Present[]} seats */
  show(board, seats) {
    const now = performance.now();
    this.due = seats.map(({ away_ms }) => (typeof away_ms === "number" ? now + away_ms : null));
    this.#draw(board, seats);
  }

  /** @param {Board} board @param {Present[]} seats */
  #draw(board, seats) {
    seats.forEach((seat, number) => this.#mark(board, number, this.#words(seat, number)));
    clearTimeout(this.timer);
    const counting = seats.some((seat, at) => this.due[at] !== null && !seat.bot);
    if (counting) this.timer = window.setTimeout(() => this.#draw(board, seats), 500);
  }

  /** @param {Present} seat @param {number} number */
  #words(seat, number) {
    if (seat.kind !== "human") return "";
    const due = this.due[number] ?? null;
    const why = seat.here ? "idle" : "away";
    if (seat.bot) return `${why}, a bot plays`;
    if (seat.here && due === null) return "";
    const left = due === null ? 0 : Math.ceil((due - performance.now()) / 1000);
    return left > 0 ? `${why}, bot in ${left} s` : why;
  }

  /** @param {Board} board @param {number} number @param {string} words */
  #mark(board, number, words) {
    const { element } = board.seats[number];
    let mark = element.querySelector(".seat-away");
    if (!mark && !words) return;
    if (!mark) {
      mark = box("p", "seat-away");
      element.append(mark);
    }
    write(mark, words);
    element.classList.toggle("is-away", Boolean(words));
  }
}
