/**
 * An invitation to a table or to a review appears on the page at once. A page that has none itself
 * names the one to take it from.
 */

import { freshen } from "../../games/dom/elements.js";
import { pageAt } from "../../games/dom/pages.js";

const LOOK_MS = 5_000;

const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-from]"));

async function look() {
  const page = document.hidden ? null : await pageAt(place?.dataset.from ?? location.href);
  if (page) freshen(page);
}

if (place) look();
setInterval(look, LOOK_MS);
document.addEventListener("visibilitychange", look);
