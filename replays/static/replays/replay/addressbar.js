// @ts-check
/** The place shown, as the page's URL. */

import { beforeAddress } from "../addresses/copying.js";

/** Browsers limit how often the URL may change. */
const EVERY = 600;
/** Parameters that are not a place, and stay: which hands are shown, what is played, what opens it. */
const KEPT = ["hands", "playlist", "item", "chapter", "share"];

/** Keeps the URL at the cursor without filling the history. */
export class AddressBar {
  constructor() {
    this.wanted = "";
    this.timer = 0;
    beforeAddress(() => this.#flush());
  }

  /** @param {string} address */
  show(address) {
    this.wanted = address;
    this.timer ||= window.setTimeout(() => this.#write(), EVERY);
  }

  /** Writes what waits to be written. */
  #flush() {
    if (!this.timer) return;
    window.clearTimeout(this.timer);
    this.#write();
  }

  #write() {
    this.timer = 0;
    const now = new URLSearchParams(location.search);
    const kept = KEPT.flatMap((name) => {
      const value = now.get(name);
      return value === null ? [] : [`${name}=${encodeURIComponent(value)}`];
    }).join("&");
    const address = `${this.wanted}${kept && this.wanted.length > 1 ? "&" : ""}${kept}`;
    if (address !== (location.search || "?"))
      history.replaceState(history.state, "", address + location.hash);
  }
}
