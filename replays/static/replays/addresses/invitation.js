// @ts-check
/** The link that opens a private match for others, at what is shown. */

import { address, copied } from "./copying.js";

const SAID_MS = 3000;

/** @param {HTMLAnchorElement} link */
export function mount(link) {
  const { href, textContent: words } = link;
  const point = () => {
    const { pathname, search } = address();
    link.href = `${href}.${encodeURIComponent(pathname + search)}`;
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
