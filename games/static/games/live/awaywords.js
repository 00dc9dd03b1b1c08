/**
 * What each seat says of a player who is away or idle: the seconds until a bot plays on, and when
 * one does. No DOM; time is injected.
 * @typedef {{here: boolean, bot: boolean, kind: string | null, away_ms: number | null}} Present
 *   of the protocol's `state`
 * @import { Clock } from "../dom/clock.js"
 */

import { CLOCK } from "../dom/clock.js";

const TICK_MS = 500;

export class AwayWords {
  /**
   * @param {(words: string[]) => void} show what the seats say, "" for a player who is there
   * @param {Clock} [clock]
   */
  constructor(show, clock = CLOCK) {
    this.show = show;
    this.clock = clock;
    /** @type {Present[]} */
    this.seats = [];
    /** When a bot takes over each seat, on this page's clock. @type {(number | null)[]} */
    this.due = [];
  }

  /** What the newest state says. @param {Present[]} seats */
  state(seats) {
    const now = this.clock.now();
    this.seats = seats;
    this.due = seats.map(({ away_ms }) => (typeof away_ms === "number" ? now + away_ms : null));
    this.#say(seats);
  }

  /** @param {Present[]} seats those of an older state say no more */
  #say(seats) {
    if (seats !== this.seats) return;
    this.show(seats.map((seat, number) => this.#words(seat, this.due[number])));
    const counting = seats.some((seat, number) => this.due[number] !== null && !seat.bot);
    if (counting) this.clock.later(TICK_MS, () => this.#say(seats));
  }

  /** @param {Present} seat @param {number | null} due */
  #words(seat, due) {
    if (seat.kind !== "human") return "";
    const why = seat.here ? "idle" : "away";
    if (seat.bot) return `${why}, a bot plays`;
    if (seat.here && due === null) return "";
    const left = due === null ? 0 : Math.ceil((due - this.clock.now()) / 1000);
    return left > 0 ? `${why}, bot in ${left} s` : why;
  }
}
