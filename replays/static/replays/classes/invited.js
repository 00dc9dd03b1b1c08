/** An invitation to a table or to a review is on the page at once. */

import { pageAt } from "../../games/dom/asking.js";
import { freshen } from "../../games/dom/fresh.js";

const LOOK_MS = 5_000;

async function look() {
  const page = document.hidden ? null : await pageAt(location.href);
  if (page) freshen(page);
}

setInterval(look, LOOK_MS);
document.addEventListener("visibilitychange", look);
