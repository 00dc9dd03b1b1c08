/**
 * Shows quietly that the site's data are consistent, or loudly that they are not, and offers the
 * receipt as a file. The receipt is kept in this browser.
 * @import { Line } from "../match/fold.js"
 * @import { Act, Frame } from "./socket.js"
 */

import { download } from "../dom/controls.js";
import { byId, write } from "../dom/elements.js";
import { browserStorage } from "../dom/storage.js";
import { gettext } from "../words/gettext.js";
import { keepReceipt, keptReceipt, Receipt } from "./receipt.js";

const QUIET = gettext("✓ Fair play");

export class Checked {
  /** @param {HTMLElement} root @param {string} match @param {number | null} seat */
  constructor(root, match, seat) {
    this.root = root;
    const kept = keptReceipt(browserStorage(), match);
    this.receipt = new Receipt(match, seat, kept?.seat === seat ? kept : null);
    // Their room is kept from the start, so that nothing moves when they appear.
    this.words = /** @type {HTMLElement} */ (root.querySelector(".checked-words"));
    this.offer = byId("save-receipt");
    this.offer.addEventListener("click", () => saveReceipt(this.receipt.json()));
    addEventListener("pagehide", () => this.#keep());
  }

  /** @param {Frame} frame */
  hear(frame) {
    this.receipt.hear(frame);
    if (frame.type === "lines" && frame.lines.some(ends)) this.#keep();
    if (frame.type === "bye") this.#keep();
    this.#show();
  }

  /** @param {{arrived: boolean, commit: string, salt: string}} salting */
  salted({ arrived, commit, salt }) {
    if (arrived) this.receipt.salted(commit, salt);
  }

  /** @param {Act} frame */
  ask(frame) {
    this.receipt.ask(frame);
  }

  #show() {
    const { trouble, checked } = this.receipt;
    write(this.words, trouble ? `${trouble} ${gettext("Save the receipt.")}` : QUIET);
    this.root.classList.toggle("is-wrong", trouble !== "");
    for (const part of [this.root, this.offer])
      part.classList.toggle("is-unchecked", !trouble && !checked);
  }

  #keep() {
    if (this.receipt.seq) keepReceipt(browserStorage(), this.receipt.json());
  }
}

/** @param {Line} line */
const ends = (line) => ("do" in line && line.do === "end") || "result" in line;

/** Saves a receipt as a file. @param {import("./receipt.js").Json} receipt */
export const saveReceipt = (receipt) =>
  download(`${receipt.match}.receipt`, "application/json", `${JSON.stringify(receipt)}\n`);
