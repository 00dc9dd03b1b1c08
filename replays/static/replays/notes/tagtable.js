// @ts-check
/** The table of tags: a number plays its moments, on the pages of their matches. */

import { keepUnsaved, UNSAVED } from "./unsaved.js";

/** @type {Record<string, import("./unsaved.js").Item[]> | null} */
const spans = JSON.parse(document.getElementById("spans")?.textContent ?? "null");

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-cell]") : null;
  const cell = button?.getAttribute("data-cell") ?? "";
  const items = spans?.[cell];
  if (!items?.length) return;
  keepUnsaved(cell.split("\n").filter(Boolean).join(", ").slice(0, 100), items.slice(0, 200));
  location.assign(`/matches/${items[0].match}/?playlist=${UNSAVED}&item=1`);
});
