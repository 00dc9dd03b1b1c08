// @ts-check
/**
 * Shows at its seat that a player is away, the seconds until a bot plays on, and when one does.
 *
 * @typedef {import("../board/board.js").Board} Board
 * @typedef {{here: boolean, bot: boolean, kind: string | null}} Present  of the protocol's `state`
 */

import { box, write } from "../dom/elements.js";

export class Presence {
  /** @param {number} limit ms until a bot plays for an absent player; 0: unknown */
  constructor(limit = 0) {
    this.limit = limit;
    /** Since when each seat has been seen away. @type {(number | null)[]} */
    this.since = [];
    this.timer = 0;
  }

  /** @param {Board} board @param {Present[]} seats */
  show(board, seats) {
    const now = performance.now();
    const known = this.since.length > 0;
    this.since = seats.map((seat, number) => {
      if (seat.here || seat.kind !== "human") return null;
      // For players already away, nobody can say how long.
      return this.since[number] ?? (known ? now : -Infinity);
    });
    seats.forEach((seat, number) => this.#mark(board, number, this.#words(seat, number)));
    clearTimeout(this.timer);
    const counting = seats.some((seat, at) => Number.isFinite(this.since[at]) && !seat.bot);
    if (counting) this.timer = window.setTimeout(() => this.show(board, seats), 500);
  }

  /** @param {Present} seat @param {number} number */
  #words(seat, number) {
    if (seat.kind !== "human") return "";
    if (seat.bot) return "away, a bot plays";
    const since = this.since[number];
    if (typeof since !== "number") return "";
    const left = Math.ceil((this.limit - (performance.now() - since)) / 1000);
    return this.limit && Number.isFinite(left) && left > 0 ? `away, bot in ${left} s` : "away";
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
