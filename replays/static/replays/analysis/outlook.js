/**
 * Who is winning at the viewer's place in the match: each player's chance beside the name, and a
 * bar that they share. The page has room for both from the start, so that nothing shifts; where
 * nothing is known they are empty.
 */

import { box, write } from "../../games/dom/elements.js";
import { chances } from "./percent.js";

export class Outlook {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.numbers = [...root.querySelectorAll("b")];
    this.bar = /** @type {HTMLElement} */ (root.querySelector(".outlook-bar"));
    this.shares = this.numbers.map((_, seat) => box("i", `outlook-share deck-${seat}`));
  }

  /** @param {number[] | null} p each seat's chance; null: not known */
  show(p) {
    if (!p) {
      this.bar.replaceChildren();
      for (const number of this.numbers) write(number, "");
      return;
    }
    if (!this.bar.childElementCount) this.bar.append(...this.shares);
    for (const [seat, words] of chances(p).entries()) write(this.numbers[seat], words);
    for (const [seat, share] of p.entries())
      this.shares[seat].style.setProperty("flex-grow", String(share));
  }
}
