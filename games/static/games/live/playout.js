// @ts-check
/**
 * Plays batches of lines out as smoothly as they happened. No DOM; time comes from outside.
 *
 * A batch says when it was made (`now`, on the round's clock), its lines when they happened
 * (`t`). Each line is let out so long after its `t` as the latest batches took to come, at most
 * `BEHIND_MS`; what is older than that, such as a round's beginning on arrival, comes at once.
 *
 * @typedef {{seq: number, now: number, lines: any[]}} Batch
 * @typedef {{now: () => number, later: (ms: number, run: () => void) => any}} Clock
 */

/** The host gathers so long, and the network adds to it. */
export const BEHIND_MS = 400;

/** @type {Clock} */
const BROWSER = { now: () => performance.now(), later: (ms, run) => setTimeout(run, ms) };

export class Playout {
  /** @param {(seq: number, lines: any[]) => void} out gets lines in their order @param {Clock} [clock] */
  constructor(out, clock = BROWSER) {
    this.out = out;
    this.clock = clock;
    /** @type {{at: number, seq: number, line: any}[]} */
    this.waiting = [];
    this.turning = false;
  }

  /** @param {Batch} batch */
  take({ seq, now, lines }) {
    const here = this.clock.now();
    let at = this.waiting.at(-1)?.at ?? -Infinity;
    lines.forEach((line, index) => {
      const age = Math.max(now - (line.t ?? now), 0);
      at = Math.max(at, age > BEHIND_MS ? here : here + BEHIND_MS - age);
      this.waiting.push({ at, seq: seq + index, line });
    });
    this.#turn();
  }

  /** Let out at once what waits: nobody looks, or the viewer asks for the end. */
  flush() {
    this.#let(this.waiting.length);
  }

  /** Forget what waits: other lines come in its place. */
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
