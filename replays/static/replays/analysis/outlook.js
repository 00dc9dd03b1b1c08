// @ts-check
/**
 * Who is winning at the viewer's place in the match: each player's chance beside the name, and a
 * bar that they share. The page has both from the start, so that nothing shifts.
 */

import { write } from "../../games/dom/elements.js";
import { chance } from "./percent.js";

export class Outlook {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.numbers = [...root.querySelectorAll("b")];
    this.shares = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(".outlook-share"));
  }

  /** @param {number[]} p each seat's chance */
  show(p) {
    for (const [seat, share] of p.entries()) {
      write(this.numbers[seat], chance(share));
      this.shares[seat].style.setProperty("flex-grow", String(share));
    }
  }
}
