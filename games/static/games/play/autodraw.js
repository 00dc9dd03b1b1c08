// @ts-check
/**
 * Draws for a player who has asked for it, once the hand is free and nothing is on its way.
 *
 * @typedef {import("./pending.js").PendingActions} PendingActions
 */

import { HAND } from "../match/fold.js";

/** The shortest wait, in ms, before looking again whether the hand is free. */
const LOOK_MS = 30;

export class AutoDraw {
  /** @param {PendingActions} pending @param {() => boolean} wanted whether it may draw now */
  constructor({ own, hand }, wanted) {
    this.own = own;
    this.hand = hand;
    this.wanted = wanted;
    this.timer = 0;
  }

  /** Draws now, or looks again once the hand is free. */
  check() {
    const { own, hand } = this;
    const room = own.hand.length < HAND && own.table?.drawPiles[own.seat].length;
    if (!room || !this.wanted() || own.waiting.length || this.timer) return;
    if (hand.wait === 0 && !hand.busy) own.draw();
    else this.timer = window.setTimeout(() => this.#again(), Math.max(hand.wait, LOOK_MS));
  }

  #again() {
    this.timer = 0;
    this.check();
  }
}
