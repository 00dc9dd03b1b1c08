// @ts-check
/**
 * Shows a player who comes back, after a lost connection or a reload, what happened meanwhile.
 *
 * @typedef {import("../match/log.js").Log} Log
 */

import { stored, tabStorage } from "../dom/storage.js";
import { meanwhile } from "../match/meanwhile.js";

/** How long, in ms, missed lines may take to arrive. */
const ARRIVAL_MS = 300;

export class Absence {
  /**
   * @param {Log} log
   * @param {{id: string, seat: number}} place
   * @param {(words: string) => void} show
   */
  constructor(log, { id, seat }, show) {
    this.log = log;
    this.seat = seat;
    this.show = show;
    const key = `ratuki.seen.${id}`;
    /** The last seq that the player saw before going away; 0: not away. */
    this.seen = Number(tabStorage().getItem(key) ?? 0);
    addEventListener("pagehide", () => stored(tabStorage(), key, String(this.seen || this.last)));
  }

  get last() {
    return this.log.next - 1;
  }

  /** The connection is lost. */
  leave() {
    this.seen ||= this.last;
  }

  /** Lines arrive again. @param {string[]} names */
  end(names) {
    const { seen } = this;
    this.seen = 0;
    if (!seen) return;
    setTimeout(() => {
      const words = meanwhile(this.log, seen, names, this.seat);
      if (words) this.show(words);
    }, ARRIVAL_MS);
  }
}
