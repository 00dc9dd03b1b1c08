/**
 * Looking back at a round, and at what happened while the player was away or behind.
 * @typedef {import("../match/player.js").Player} Player
 * @typedef {import("../match/log.js").Log} Log
 * @typedef {{kept: () => Storage, later: import("../dom/clock.js").Later,
 *   leaving: (run: () => void) => void}} World  what it needs from its environment: what the tab
 *   keeps over a reload, a timer, and a call before the page goes
 */

import { later } from "../dom/clock.js";
import { byId, write } from "../dom/elements.js";
import { stored, tabStorage } from "../dom/storage.js";
import { meanwhile } from "../match/meanwhile.js";
import { seconds } from "../match/words.js";
import { gettext } from "../words/gettext.js";

export class LookBack {
  /** @param {Player} player @param {() => void} returned the present is shown again */
  constructor(player, returned) {
    this.player = player;
    this.returned = returned;
  }

  /** Whether the page shows the past. */
  get back() {
    return this.player.detached;
  }

  /** Steps. A step that reaches the end follows from there. @param {number} by */
  async step(by) {
    if (by > 0 && !this.back) return;
    await this.player.stepEvent(by);
    if (this.player.atEnd) await this.end();
  }

  async end() {
    await this.player.follow();
    this.returned();
  }

  /** Whether the page shows the present. If not it returns there, and the key does nothing else. */
  here() {
    if (!this.back) return true;
    this.end();
    return false;
  }
}

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
    /** The last seq that the player saw before going away. 0: not away. */
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

/** @param {string} name */
const button = (name) =>
  /** @type {HTMLButtonElement} */ (document.querySelector(`[data-do=${name}]`));

export class Behind {
  /** @param {LookBack} lookback */
  constructor(lookback) {
    this.lookback = lookback;
    this.banner = byId("behind");
    this.time = byId("behind-time");
    button("back").addEventListener("click", () => lookback.step(-1));
    button("on").addEventListener("click", () => lookback.step(1));
    button("now").addEventListener("click", () => lookback.end());
    lookback.player.onState(() => this.show());
    lookback.player.onChange(() => this.show());
  }

  show() {
    const { back, player } = this.lookback;
    document.body.classList.toggle("looking-back", back);
    this.banner.hidden = !back;
    button("now").hidden = !back;
    button("on").disabled = !back;
    if (back) write(this.time, gettext("{time} behind", { time: seconds(player.behind) }));
  }
}
