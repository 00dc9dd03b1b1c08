// @ts-check
/**
 * Looking back in a match that one is playing: a step back and forward, and one back to now.
 * The table goes on meanwhile, and the page says so.
 *
 * @typedef {import("../match/player.js").Player} Player
 */

import { byId, write } from "../dom/elements.js";

/** @param {string} name */
const button = (name) =>
  /** @type {HTMLButtonElement} */ (document.querySelector(`[data-do=${name}]`));

export class LookBack {
  /** @param {Player} player @param {() => void} returned what is shown is now again */
  constructor(player, returned) {
    this.player = player;
    this.returned = returned;
    this.banner = byId("behind");
    this.time = byId("behind-time");
    button("back").addEventListener("click", () => this.step(-1));
    button("on").addEventListener("click", () => this.step(1));
    button("now").addEventListener("click", () => this.end());
    player.onState(() => this.show());
    player.onChange(() => this.show());
  }

  /** Whether the page shows what was, and not what is. */
  get back() {
    return this.player.detached;
  }

  /** A step; one on to the end comes along from there. @param {number} by */
  async step(by) {
    if (by > 0 && !this.back) return;
    await this.player.stepEvent(by);
    if (this.player.atEnd) await this.end();
  }

  /** Back to now. */
  async end() {
    await this.player.follow();
    this.returned();
  }

  show() {
    const { back } = this;
    document.body.classList.toggle("looking-back", back);
    this.banner.hidden = !back;
    button("now").hidden = !back;
    button("on").disabled = !back;
    if (back) write(this.time, `, ${(this.player.behind / 1000).toFixed(1)} s behind`);
  }
}
