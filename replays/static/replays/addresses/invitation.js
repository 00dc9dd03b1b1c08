/** The link to what is shown, for others; that of a private match opens it to them. */

import { copied } from "../../games/dom/controls.js";
import { address } from "./copying.js";

const SAID_MS = 3000;

/** @param {HTMLAnchorElement} link */
export function mount(link) {
  const { href, textContent: words } = link;
  const invites = link.getAttribute("href") !== "";
  const point = () => {
    const shown = address();
    const place = encodeURIComponent(shown.pathname + shown.search);
    link.href = invites ? `${href}.${place}` : shown.href;
  };
  // The address is needed only when the link is about to be used.
  for (const kind of ["pointerdown", "focus", "mouseenter", "contextmenu"])
    link.addEventListener(kind, point);
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    point();
    if (!(await copied(link.href))) window.prompt("The link to this match:", link.href);
    else link.textContent = "Link copied";
    window.setTimeout(() => {
      link.textContent = words;
    }, SAID_MS);
  });
}
