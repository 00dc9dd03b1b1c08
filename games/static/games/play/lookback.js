// @ts-check
/**
 * Looking back during the player's own match: step back, step forward, return to now. The match continues
 * meanwhile, and the page says so.
 *
 * @typedef {import("../match/player.js").Player} Player
 */

import { byId, write } from "../dom/elements.js";

/** @param {string} name */
const button = (name) =>
  /** @type {HTMLButtonElement} */ (document.querySelector(`[data-do=${name}]`));

export class LookBack {
  /** @param {Player} player @param {() => void} returned the present is shown again */
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

  /** Whether the page shows the past. */
  get back() {
    return this.player.detached;
  }

  /** Steps; a step that reaches the end follows from there. @param {number} by */
  async step(by) {
    if (by > 0 && !this.back) return;
    await this.player.stepEvent(by);
    if (this.player.atEnd) await this.end();
  }

  /** Returns to now. */
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
