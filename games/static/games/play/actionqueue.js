// @ts-check
/**
 * A seat's one hand: its movements go out one after another, spaced as the rules ask.
 *
 * The law here:
 * - what comes sooner than `gap` ms after the movement before waits its turn, and goes by itself;
 * - what builds on something that is not settled waits for that, and is given back if it then
 *   cannot be meant any more: an honest player is not charged with a mistake;
 * - what the host refuses for a moment only is asked again after that moment;
 * - OUT is no movement and goes at once.
 *
 * It knows no DOM, and of the rules only these times.
 *
 * @typedef {import("../live/socket.js").Asked} Asked
 * @typedef {import("../live/socket.js").Frame} Frame
 * @typedef {{id: string, asked: Asked}} Movement
 * @typedef {{now: () => number, later: (ms: number, run: () => void) => any}} Clock
 */

/** Arrivals are spaced a little more tightly than departures, now and then. */
const SLACK_MS = 12;
/** A refusal that asks for more patience than this is told instead. */
const MOMENT_MS = 300;

/** @type {Clock} */
const BROWSER = { now: () => performance.now(), later: (ms, run) => setTimeout(run, ms) };

export class ActionQueue {
  /**
   * @param {number} gap ms between two movements
   * @param {(asked: Asked) => string} send asks the host; gives the id of the question
   * @param {(movement: Movement) => "go" | "wait" | "drop"} judge whether a movement's turn has come
   * @param {Clock} [clock]
   */
  constructor(gap, send, judge = () => "go", clock = BROWSER) {
    this.gap = gap + SLACK_MS;
    this.send = send;
    this.judge = judge;
    this.clock = clock;
    /** When the hand is free again. */
    this.free = -Infinity;
    /** @type {Movement[]} */
    this.queue = [];
    /** What was asked for, by the id of the question; null: forgotten. @type {Map<string, Movement | null>} */
    this.asked = new Map();
    this.count = 0;
    this.turning = false;
  }

  /** Whether something waits for its turn or for an answer. */
  get busy() {
    return this.queue.length > 0 || this.asked.size > 0;
  }

  /** How long the hand is not free yet, in ms. */
  get wait() {
    return Math.max(this.free - this.clock.now(), 0);
  }

  /** Do something, as soon as the hand is free. @param {Asked} asked @returns {string} its id here */
  ask(asked) {
    this.count += 1;
    const movement = { id: `m${this.count}`, asked };
    if (asked.do === "out") this.#send(movement);
    else {
      this.queue.push(movement);
      // The asker first notes what it has asked for.
      queueMicrotask(() => this.turn());
    }
    return movement.id;
  }

  /** @param {Movement} movement */
  #send(movement) {
    this.asked.set(this.send(movement.asked), movement);
  }

  /** See whose turn it is; call it whenever something has been settled. */
  turn() {
    if (this.turning || !this.queue.length) return;
    if (this.wait > 0) {
      this.turning = true;
      this.clock.later(this.wait, () => {
        this.turning = false;
        this.turn();
      });
      return;
    }
    const judged = this.judge(this.queue[0]);
    if (judged === "wait") return;
    const [movement] = this.queue.splice(0, 1);
    if (judged === "go") {
      this.free = this.clock.now() + this.gap;
      this.#send(movement);
    }
    this.turn();
  }

  /**
   * The host has answered.
   * @param {Frame} frame
   * @returns {Movement | null} what the answer is about; null if it is asked again, or forgotten
   */
  answered(frame) {
    const movement = this.asked.get(frame.id) ?? null;
    this.asked.delete(frame.id);
    const soon =
      frame.type === "refused" && frame.rule === "one-hand" && frame.wait_ms <= MOMENT_MS;
    if (!movement || !soon) return movement;
    this.rest(frame.wait_ms + SLACK_MS);
    this.queue.unshift(movement);
    this.turn();
    return null;
  }

  /** The hand is not free for so long: a card has to be taken back. @param {number} ms */
  rest(ms) {
    this.free = Math.max(this.free, this.clock.now() + ms);
  }

  /** Give up what has not been asked yet: nobody listens. @returns {Movement[]} */
  drop() {
    return this.queue.splice(0);
  }

  /** The round is over, or told anew: whatever is answered from now on, nothing is asked again. */
  forget() {
    this.drop();
    for (const id of this.asked.keys()) this.asked.set(id, null);
  }
}
