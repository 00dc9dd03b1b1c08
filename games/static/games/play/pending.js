/**
 * The player's actions, from request to confirming line: keeps the queue of requests
 * (`actionqueue.js`) and the seat that shows pending cards (`seat.js`) in step.
 *
 * The rule here: everything that the seat shows as pending is in the hand's queue, or requested and
 * unanswered, or acknowledged as a line still to come. Otherwise it would wait for ever.
 *
 * No DOM and no rules.
 * @typedef {import("../match/fold.js").Table} Table
 * @import { Clock, Movement } from "./actionqueue.js"
 * @typedef {import("./seat.js").Uses} Uses
 * @import { Answer, Asked } from "../live/socket.js"
 */

import { ActionQueue } from "./actionqueue.js";
import { OwnSeat } from "./seat.js";

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
