// @ts-check
/**
 * What the player does, from the wish to the line that confirms it: the hand that asks
 * (`actionqueue.js`) and the seat that shows what is on its way (`seat.js`), kept in step.
 *
 * The law here: whatever the seat shows as on its way is in the hand's queue, or asked and
 * not answered, or acknowledged as a line that is still to come. Else it would wait for ever.
 *
 * No DOM and no rules.
 *
 * @typedef {import("../match/fold.js").Table} Table
 * @typedef {import("./actionqueue.js").Clock} Clock
 * @typedef {import("./actionqueue.js").Movement} Movement
 * @typedef {import("./seat.js").Uses} Uses
 * @typedef {import("../live/socket.js").Asked} Asked
 * @typedef {import("../live/socket.js").Frame} Frame
 */

import { ActionQueue } from "./actionqueue.js";
import { OwnSeat } from "./seat.js";

export class PendingActions {
  /**
   * @param {{seat: number, uses: Uses, gap: number}} place `gap`: ms between two movements
   * @param {(asked: Asked) => string} send asks the host; gives the id of the question
   * @param {() => void} late a card came too late for its stack, and was not sent
   * @param {Clock} [clock]
   */
  constructor({ seat, uses, gap }, send, late, clock) {
    this.late = late;
    this.hand = new ActionQueue(gap, send, (movement) => this.#judge(movement), clock);
    this.own = new OwnSeat(seat, uses, (asked) => this.hand.ask(asked));
    /** The seq of each answered movement whose line is still to come. @type {Map<string, number>} */
    this.settled = new Map();
  }

  /** @param {Movement} movement @returns {"go" | "wait" | "drop"} */
  #judge(movement) {
    const judged = this.own.judge(movement);
    if (judged === "drop") this.late();
    return judged;
  }

  /** The host's lines have come. @param {Table} table with them @param {number} next the seq after the last one */
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
   * @param {Frame} frame
   * @param {number} next the seq of the line that comes next
   * @returns {boolean} whether that settles something; else its line is awaited, or it is asked again
   */
  answered(frame, next) {
    const movement = this.hand.answered(frame);
    if (!movement) return false;
    if (frame.type === "ack" && frame.seq >= next) {
      this.settled.set(movement.id, frame.seq);
      return false;
    }
    if (frame.rule === "one-hand") this.hand.rest(frame.wait_ms);
    this.own.settle(movement.id);
    this.hand.turn();
    return true;
  }

  /** Nobody listens: what has not been asked yet is given back. What has been asked will be answered. */
  lost() {
    for (const { id } of this.hand.drop()) this.own.settle(id);
  }

  /** Another round, or this one told anew: nothing is on its way any more. */
  forget() {
    this.own.clear();
    this.hand.forget();
    this.settled.clear();
  }
}
