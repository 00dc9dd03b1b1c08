/**
 * Looking back in the page: its buttons, and a banner while the table shows the past.
 * @typedef {import("./lookback.js").LookBack} LookBack
 */

import { byId, write } from "../dom/elements.js";

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
    if (back) write(this.time, `, ${(player.behind / 1000).toFixed(1)} s behind`);
  }
}
