/**
 * Draws for a player who has asked for it, once the hand is free and nothing is on its way.
 * @typedef {import("../dom/clock.js").Clock} Clock
 * @typedef {import("./pending.js").PendingActions} PendingActions
 */

import { CLOCK } from "../dom/clock.js";
import { HAND } from "../match/fold.js";

/** The shortest wait, in ms, before looking again whether the hand is free. */
const LOOK_MS = 30;

export class AutoDraw {
  /**
   * @param {PendingActions} pending
   * @param {() => boolean} wanted whether it may draw now
   * @param {Clock} [clock]
   */
  constructor({ own, hand }, wanted, clock = CLOCK) {
    this.own = own;
    this.hand = hand;
    this.wanted = wanted;
    this.clock = clock;
    this.looking = false;
  }

  /** Draws now, or looks again once the hand is free. */
  check() {
    const { own, hand } = this;
    const room = own.hand.length < HAND && own.table?.drawPiles[own.seat].length;
    if (!room || !this.wanted() || own.waiting.length || this.looking) return;
    if (hand.wait === 0 && !hand.busy) own.draw();
    else {
      this.looking = true;
      this.clock.later(Math.max(hand.wait, LOOK_MS), () => this.#again());
    }
  }

  #again() {
    this.looking = false;
    this.check();
  }
}
