/**
 * The place shown, as the page’s URL. No DOM.
 */

import { later } from "../../games/dom/clock.js";
import { beforeAddress } from "../addresses/copying.js";

/** Browsers limit how often the URL may change. */
export const EVERY = 600;
/** Parameters that are not a place, and stay: which hands are shown, what is played or practised, what opens it. */
const KEPT = ["hands", "playlist", "item", "chapter", "share", "practice"];

/**
 * @typedef {{
 *   query: () => string,
 *   write: (query: string) => void,
 *   later: import("../../games/dom/clock.js").Later,
 *   cancel: (timer: any) => void,
 *   asked: (write: () => void) => void,
 * }} World  `asked`: calls `write` before the URL is read, copied or sent with a form
 */

/** @type {World} */
const BROWSER = {
  query: () => location.search,
  write: (query) => history.replaceState(history.state, "", query + location.hash),
  later,
  cancel: (timer) => clearTimeout(timer),
  asked: (write) => {
    beforeAddress(write);
    addEventListener("submit", write, { capture: true });
  },
};

/** Keeps the URL at the place shown, without filling the history. */
export class AddressBar {
  /**
   * @param {import("../../games/match/player.js").Player} player
   * @param {() => string} shown the query of the present view
   * @param {World} [world]
   */
  constructor(player, shown, world = BROWSER) {
    this.player = player;
    this.shown = shown;
    this.world = world;
    /** @type {any} */
    this.timer = null;
    player.onChange(() => this.update());
    // Whether the end is followed is part of the place, and may change without a movement.
    player.onState(() => this.update());
    world.asked(() => {
      if (this.timer !== null) this.#write();
    });
  }

  /** What is shown may have changed. */
  update() {
    if (this.player.table) this.timer ??= this.world.later(EVERY, () => this.#write());
  }

  #write() {
    this.world.cancel(this.timer);
    this.timer = null;
    const now = new URLSearchParams(this.world.query());
    const kept = KEPT.flatMap((name) => {
      const value = now.get(name);
      return value === null ? [] : [`${name}=${encodeURIComponent(value)}`];
    }).join("&");
    const shown = this.shown();
    const query = `${shown}${kept && shown.length > 1 ? "&" : ""}${kept}`;
    if (query !== (this.world.query() || "?")) this.world.write(query);
  }
}
