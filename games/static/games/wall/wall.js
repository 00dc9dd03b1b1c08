/**
 * Live matches as small tables. Only those in view have a socket. New matches replace finished ones
 * automatically. Nothing else on the wall moves.
 * @typedef {import("./miniboard.js").Shown} Shown
 */

import { byId, freshen, write } from "../dom/elements.js";
import { Newest } from "../dom/newest.js";
import { pageAt } from "../dom/pages.js";
import { changes, MiniBoard, stateWords } from "./miniboard.js";

const LOOK_MS = 10_000;
/** How long, at least, the end of a match is shown. */
const REST_MS = 5_000;

export const wall = byId("wall-matches");
const { url = "", most = "" } = wall.dataset;
/** Called with each match that comes onto the wall. @type {(place: Element) => void} */
let hung = () => {};
/** @type {Map<Element, MiniBoard>} */
const tables = new Map();
const newest = new Newest();

const sight = new IntersectionObserver(
  (seen) => {
    for (const { target, isIntersecting } of seen)
      if (isIntersecting && !document.hidden) tables.get(target)?.start();
      else tables.get(target)?.stop();
  },
  { rootMargin: "80px" },
);

/** @param {Element} place */
const idOf = (place) => /** @type {HTMLElement} */ (place).dataset.match ?? "";

/** @param {ParentNode} page @param {string} id */
const placeOf = (page, id) => page.querySelector(`[data-match="${CSS.escape(id)}"]`);

/** @param {Document} page the page with the wall's data @returns {Shown[]} */
const shownIn = (page) => JSON.parse(page.getElementById("wall")?.textContent ?? "[]");

/** @param {Element} place @param {Shown[]} all */
function hang(place, all) {
  const shown = all.find(({ id }) => id === idOf(place));
  const board = /** @type {HTMLElement | null} */ (place.querySelector(".wall-board"));
  if (!shown || !board) return;
  const table = new MiniBoard(board, shown, () => say(place));
  tables.set(place, table);
  sight.observe(place);
  hung(place);
}

/** @param {(place: Element) => void} watcher */
export function onHung(watcher) {
  hung = watcher;
}

/** Updates the table's chip. A match that has just ended gives way. @param {Element} place */
function say(place) {
  const chip = /** @type {HTMLElement | null} */ (place.querySelector(".chips > .chip"));
  const table = tables.get(place);
  if (!chip || !table) return;
  write(chip, stateWords(table, chip.textContent));
  if (table.over && chip.classList.contains("live")) setTimeout(refresh, REST_MS);
  chip.classList.toggle("live", !table.over);
}

/** @param {Element} place */
function take(place) {
  sight.unobserve(place);
  tables.get(place)?.stop();
  tables.delete(place);
}

/** @param {Document} page the current wall */
function follow(page) {
  const here = new Map([...wall.children].map((place) => [idOf(place), place]));
  const now = [...page.querySelectorAll("[data-match]")].map(idOf);
  const resting = (/** @type {string} */ id) =>
    tables.get(/** @type {Element} */ (here.get(id)))?.resting(REST_MS) ?? false;
  const { swap, add, drop } = changes([...here.keys()], now, resting, Number(most));
  const said = now.filter((id) => here.has(id));
  for (const id of said) tellOf(/** @type {Element} */ (here.get(id)), placeOf(page, id));
  for (const [id, next] of swap) put(page, next, here.get(id));
  for (const id of add) put(page, id);
  for (const id of drop) {
    take(/** @type {Element} */ (here.get(id)));
    here.get(id)?.remove();
  }
}

/** @param {Element} place @param {Element | null} fresh */
function tellOf(place, fresh) {
  const chips = fresh?.querySelector(".chips");
  const shown = place.querySelector(".chips");
  if (chips && shown?.textContent !== chips.textContent) shown?.replaceWith(chips);
  say(place);
}

/** @param {Document} page @param {string} id @param {Element} [over] what it replaces */
function put(page, id, over) {
  const place = placeOf(page, id);
  if (!place) return;
  if (over) {
    take(over);
    over.replaceWith(place);
  } else wall.append(place);
  hang(place, shownIn(page));
}

async function refresh() {
  if (document.hidden) return;
  const current = newest.ask();
  const page = await pageAt(url);
  if (page && current()) {
    follow(page);
    freshen(page);
  }
  document.getElementById("wall-empty")?.toggleAttribute("hidden", wall.children.length > 0);
}

for (const place of wall.children) hang(place, shownIn(document));
setInterval(refresh, LOOK_MS);
document.addEventListener("visibilitychange", () => {
  for (const [place, table] of tables) {
    table.stop();
    sight.unobserve(place);
    sight.observe(place); // which looks at once
  }
  refresh();
});
