/** The table of tags: a number plays its moments, on the pages of their matches. */

import { keepUnsaved, UNSAVED } from "./unsaved.js";

/** @typedef {import("./unsaved.js").Item & {note: string}} Span */

/** By tag and player, on two lines. @type {Record<string, Span[]> | null} */
const spans = JSON.parse(document.getElementById("spans")?.textContent ?? "null");

/** Of one tag or all: each once, in order. @param {string} [tag] */
function allOf(tag) {
  const cells = Object.entries(spans ?? {}).filter(([cell]) => !tag || cell.startsWith(`${tag}\n`));
  const each = new Map(cells.flatMap(([, items]) => items.map((item) => [item.note, item])));
  return [...each.values()].sort(
    (a, b) => a.match - b.match || a.round - b.round || a.event - b.event,
  );
}

/** @param {string} title @param {Span[]} items */
function play(title, items) {
  if (!items.length) return;
  keepUnsaved(title.slice(0, 100), items.slice(0, 200));
  location.assign(`/matches/${items[0].match}/?playlist=${UNSAVED}&item=1`);
}

document.addEventListener("click", ({ target }) => {
  const button =
    target instanceof Element ? target.closest("[data-cell], [data-tag], [data-every]") : null;
  const { cell, tag, every } = button instanceof HTMLElement ? button.dataset : {};
  if (cell) play(cell.split("\n").filter(Boolean).join(", "), spans?.[cell] ?? []);
  else if (tag) play(tag, allOf(tag));
  else if (every) play(every, allOf());
});
