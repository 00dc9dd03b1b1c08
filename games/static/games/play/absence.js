/**
 * Shows a player who comes back, after a lost connection or a reload, what happened meanwhile.
 * @typedef {import("../match/log.js").Log} Log
 * @typedef {{kept: () => Storage, later: import("../dom/clock.js").Later,
 *   leaving: (run: () => void) => void}} World  what it needs from its environment: what the tab
 *   keeps over a reload, a timer, and a call before the page goes
 */

import { later } from "../dom/clock.js";
import { stored, tabStorage } from "../dom/storage.js";
import { meanwhile } from "../match/meanwhile.js";

/** How long, in ms, missed lines may take to arrive. */
const ARRIVAL_MS = 300;

/** @type {World} */
const BROWSER = {
  kept: tabStorage,
  later,
  leaving: (run) => addEventListener("pagehide", run),
};

export class Absence {
  /**
   * @param {Log} log @param {{id: string, seat: number}} place
   * @param {(words: string) => void} show @param {World} [world]
   */
  constructor(log, { id, seat }, show, world = BROWSER) {
    this.log = log;
    this.seat = seat;
    this.show = show;
    this.world = world;
    const key = `ratuki.seen.${id}`;
    /** The last seq that the player saw before going away; 0: not away. */
    this.seen = Number(world.kept().getItem(key) ?? 0);
    world.leaving(() => stored(world.kept(), key, String(this.seen || this.last)));
  }

  get last() {
    return this.log.next - 1;
  }

  leave() {
    this.seen ||= this.last;
  }

  /** Lines arrive again. @param {string[]} names */
  end(names) {
    const { seen } = this;
    this.seen = 0;
    if (!seen) return;
    this.world.later(ARRIVAL_MS, () => {
      const words = meanwhile(this.log, seen, names, this.seat);
      if (words) this.show(words);
    });
  }
}
