/**
 * Releases batched lines as smoothly as they happened. No DOM. Time is injected.
 *
 * A batch says when it was made (`now`, on the round's clock), its lines when they happened (`t`).
 * Each line is released as long after its `t` as recent batches took to arrive, at most
 * `BEHIND_MS`. Anything older, such as the start of a round on joining, is released at once.
 * @typedef {import("../dom/clock.js").Clock} Clock
 */

import { CLOCK } from "../dom/clock.js";

/** How long the host collects events, plus network delay. */
export const BEHIND_MS = 400;

/** @template {object} Line those with a time have a `t` */
export class Playout {
  /**
   * @param {(seq: number, lines: Line[]) => void} out receives lines in order
   * @param {Clock} [clock]
   */
  constructor(out, clock = CLOCK) {
    this.out = out;
    this.clock = clock;
    /** @type {{at: number, seq: number, line: Line}[]} */
    this.waiting = [];
    this.turning = false;
  }

  /** @param {{seq: number, now: number, lines: Line[]}} batch */
  take({ seq, now, lines }) {
    const here = this.clock.now();
    let at = this.waiting.at(-1)?.at ?? -Infinity;
    lines.forEach((line, index) => {
      const { t = now } = /** @type {{t?: number}} */ (line);
      const age = Math.max(now - t, 0);
      at = Math.max(at, age > BEHIND_MS ? here : here + BEHIND_MS - age);
      this.waiting.push({ at, seq: seq + index, line });
    });
    this.#turn();
  }

  /** Release everything at once: the page is hidden, or the viewer wants the end. */
  flush() {
    this.#let(this.waiting.length);
  }

  /** Drop what is waiting: other lines will replace it. */
  drop() {
    this.waiting = [];
  }

  /** @param {number} count */
  #let(count) {
    const due = this.waiting.splice(0, count);
    if (due.length)
      this.out(
        due[0].seq,
        due.map(({ line }) => line),
      );
  }

  #turn() {
    const here = this.clock.now();
    const later = this.waiting.findIndex(({ at }) => at > here);
    this.#let(later < 0 ? this.waiting.length : later);
    if (this.turning || !this.waiting.length) return;
    this.turning = true;
    this.clock.later(this.waiting[0].at - here, () => {
      this.turning = false;
      this.#turn();
    });
  }
}
