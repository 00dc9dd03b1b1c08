/**
 * A seat's one hand: its movements are sent one after another, spaced as the rules require.
 *
 * The rules here:
 * - A movement within `gap` ms of the previous one waits, and is then sent by itself.
 * - A movement that depends on something unsettled waits for it, and is returned if it no longer
 *   makes sense: an honest player is not charged with a mistake.
 * - A request refused only for a moment is repeated after that moment.
 * - OUT is not a movement and is sent at once.
 *
 * It has no DOM, and no rules except these times.
 * @typedef {{id: string, asked: Asked}} Movement
 * @typedef {import("../dom/clock.js").Clock} Clock
 * @typedef {import("../match/fold.js").Table} Table
 * @typedef {import("./seat.js").Uses} Uses
 * @import { Answer, Asked } from "../live/socket.js"
 */

import { CLOCK } from "../dom/clock.js";
import { OwnSeat } from "./seat.js";

/** Arrivals may be spaced a little more tightly than departures. */
const SLACK_MS = 12;
/** A refusal that asks for a longer wait than this is reported instead. */
const MOMENT_MS = 300;

export class ActionQueue {
  /**
   * @param {number} gap ms between two movements
   * @param {(asked: Asked) => string} send asks the host and returns the request's id
   * @param {(movement: Movement) => "go" | "wait" | "drop"} judge whether a movement's turn has come
   * @param {Clock} [clock]
   */
  constructor(gap, send, judge = () => "go", clock = CLOCK) {
    this.gap = gap + SLACK_MS;
    this.send = send;
    this.judge = judge;
    this.clock = clock;
    /** When the hand is free again. */
    this.free = -Infinity;
    /** @type {Movement[]} */
    this.queue = [];
    /** The requests by id. null: forgotten. @type {Map<string, Movement | null>} */
    this.asked = new Map();
    this.count = 0;
    this.turning = false;
  }

  /** Whether anything is waiting for its turn or for an answer. */
  get busy() {
    return this.queue.length > 0 || this.asked.size > 0;
  }

  /** How long the hand stays busy, in ms. */
  get wait() {
    return Math.max(this.free - this.clock.now(), 0);
  }

  /** Acts once the hand is free. @param {Asked} asked @returns {string} its id here */
  ask(asked) {
    this.count += 1;
    const movement = { id: `m${this.count}`, asked };
    if (asked.do === "out") this.#send(movement);
    else {
      this.queue.push(movement);
      // The caller first records what it has asked for.
      queueMicrotask(() => this.turn());
    }
    return movement.id;
  }

  /** @param {Movement} movement */
  #send(movement) {
    this.asked.set(this.send(movement.asked), movement);
  }

  /** Send the due movements. Call it whenever something has been settled. */
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
   * @param {Answer} frame
   * @returns {Movement | null} the answered movement. null if it is asked again, or forgotten
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

  /** Keep the hand busy for this long: a card has to be taken back. @param {number} ms */
  rest(ms) {
    this.free = Math.max(this.free, this.clock.now() + ms);
  }

  /** Drop what has not been sent: there is no connection. @returns {Movement[]} */
  drop() {
    return this.queue.splice(0);
  }

  /** The round is over or reloaded: later answers cause no repetition. */
  forget() {
    this.drop();
    for (const id of this.asked.keys()) this.asked.set(id, null);
  }
}

/**
 * The player's actions, from request to confirming line. The rule here: everything that the seat
 * shows as pending is in the hand's queue, or requested and unanswered, or acknowledged as a line
 * still to come. Otherwise it would wait for ever.
 */
export class PendingActions {
  /**
   * @param {{seat: number, uses: Uses, gap: number}} place `gap`: ms between two movements
   * @param {(asked: Asked) => string} send asks the host and returns the request's id
   * @param {() => void} late a card was too late for its stack, and was not sent
   * @param {Clock} [clock]
   */
  constructor({ seat, uses, gap }, send, late, clock) {
    this.late = late;
    this.hand = new ActionQueue(gap, send, (movement) => this.#judge(movement), clock);
    this.own = new OwnSeat(seat, uses, (asked) => this.hand.ask(asked));
    /** The seq of each answered movement whose line has not arrived. @type {Map<string, number>} */
    this.settled = new Map();
  }

  /** @param {Movement} movement @returns {"go" | "wait" | "drop"} */
  #judge(movement) {
    const judged = this.own.judge(movement);
    if (judged === "drop") this.late();
    return judged;
  }

  /** @param {Table} table including them @param {number} next the seq after the last one */
  confirm(table, next) {
    this.own.confirm(table);
    for (const [id, seq] of this.settled) if (seq < next) this.#settle(id);
    this.hand.turn();
  }

  /** @param {string} id */
  #settle(id) {
    this.settled.delete(id);
    this.own.settle(id);
  }

  /**
   * The host has answered.
   * @param {Answer} frame
   * @param {number} next the seq of the line that comes next
   * @returns {boolean} whether that settles something. Otherwise its line is awaited, or it is sent
   *   again
   */
  answered(frame, next) {
    const movement = this.hand.answered(frame);
    if (!movement) return false;
    if (frame.type === "ack" && frame.seq >= next) {
      this.settled.set(movement.id, frame.seq);
      return false;
    }
    if (frame.type === "refused" && frame.rule === "one-hand") this.hand.rest(frame.wait_ms);
    this.own.settle(movement.id);
    this.hand.turn();
    return true;
  }

  /** The connection is lost: return unsent movements. Sent ones will be answered. */
  lost() {
    for (const { id } of this.hand.drop()) this.own.settle(id);
  }

  /** A new or reloaded round: nothing is on its way any more. */
  forget() {
    this.own.clear();
    this.hand.forget();
    this.settled.clear();
  }
}
