/**
 * Words to the player alone: a message while it lasts, otherwise advice. No DOM.
 *
 * - A message lasts `NOTICE_MS`, or until another one.
 * - One that is kept lasts `READING_MS`, and until the player has done something: a player who is
 *   not looking yet, or has a slow machine, can still read it.
 * @typedef {{words: string, kind: string}} Message
 * @import { Later } from "../dom/clock.js"
 */

import { later } from "../dom/clock.js";

export const NOTICE_MS = 2200;
export const READING_MS = 9000;

export class Notice {
  /** @param {(message: Message) => void} show @param {Later} [wait] */
  constructor(show, wait = later) {
    this.show = show;
    this.later = wait;
    this.advice = "";
    /** @type {Message | null} */
    this.message = null;
    /** Whether the player must still do something before the message goes. */
    this.held = false;
    /** Whether its time is over. A timer says so: the clock may then be a little behind. */
    this.over = true;
  }

  /** @param {string} words @param {string} [kind] */
  say(words, kind = "") {
    this.#put({ words, kind }, false, NOTICE_MS);
  }

  /** @param {string} words */
  keep(words) {
    this.#put({ words, kind: "" }, true, READING_MS);
  }

  /** @param {Message} message @param {boolean} held @param {number} ms */
  #put(message, held, ms) {
    this.message = message;
    this.held = held;
    this.over = false;
    this.show(message);
    this.later(ms, () => {
      if (this.message !== message) return;
      this.over = true;
      this.#end();
    });
  }

  /** The player has done something. */
  acted() {
    this.held = false;
    this.#end();
  }

  #end() {
    if (!this.message || this.held || !this.over) return;
    this.message = null;
    this.#advise();
  }

  /** Shows advice until there is other advice. Messages take precedence. @param {string} words */
  advise(words) {
    this.advice = words;
    if (!this.message) this.#advise();
  }

  #advise() {
    this.show({ words: this.advice, kind: "advice" });
  }
}
