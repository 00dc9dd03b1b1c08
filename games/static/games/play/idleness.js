/**
 * Asks an idle player whether they are still there, and says when a bot plays for them: any key or
 * tap plays on.
 * @typedef {import("../live/awaywords.js").Present} Present
 */

import { write } from "../dom/elements.js";

/** Keys that somebody may hold or press without wanting to play. */
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "CapsLock", "Tab"]);

const SOON = "Still there? A bot will play for you soon.";
const NOW = "A bot is playing for you.";

export class Idleness {
  /**
   * @param {HTMLElement} root hidden while nothing is asked
   * @param {() => void} back says that the player is there
   */
  constructor(root, back) {
    this.root = root;
    this.words = /** @type {HTMLElement} */ (root.querySelector("span"));
    this.back = back;
    document.addEventListener("pointerdown", () => this.#answer(), true);
    document.addEventListener("keydown", ({ key }) => MODIFIERS.has(key) || this.#answer(), true);
  }

  /** @param {Present} own the player's seat @param {boolean} playing whether a round is played */
  show(own, playing) {
    const words = own.bot ? NOW : own.here && own.away_ms !== null ? SOON : "";
    this.root.hidden = !words || !playing;
    write(this.words, words);
  }

  #answer() {
    if (!this.root.hidden) this.back();
  }
}
