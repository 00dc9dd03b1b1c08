/** Tags by player: a number plays its moments, on the pages of their matches. */

import { keepUnsaved, UNSAVED } from "./unsaved.js";

/** @typedef {import("./unsaved.js").Item & {note: string}} Span */

/** By cell: `row.column` of the table. @type {Record<string, Span[]> | null} */
const spans = JSON.parse(document.getElementById("spans")?.textContent ?? "null");

/** Of all cells that begin so: each once, in order. @param {string} begin */
function allOf(begin) {
  const cells = Object.entries(spans ?? {}).filter(([cell]) => cell.startsWith(begin));
  const each = new Map(cells.flatMap(([, items]) => items.map((item) => [item.note, item])));
  return [...each.values()].sort(
    (a, b) => a.match - b.match || a.round - b.round || a.event - b.event,
  );
}

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-cells]") : null;
  const { cells, title } = button instanceof HTMLElement ? button.dataset : {};
  if (cells === undefined || !title) return;
  const items = spans?.[cells] ?? allOf(cells);
  if (!items.length) return;
  keepUnsaved(title.slice(0, 100), items.slice(0, 200));
  location.assign(`/matches/${items[0].match}/?playlist=${UNSAVED}&item=1`);
});
