/**
 * The chances on each match of a wall: a strip of chances to win under the table and each player's
 * chance beside the name. One request for the whole wall, while the page is visible.
 * @typedef {{seq: number, round: number, t: number, p: number[]}} Point
 */

import { request } from "../../games/dom/asking.js";
import { write } from "../../games/dom/elements.js";
import { onHung, wall } from "../../games/wall/wall.js";
import { axisOf, picture } from "../analysis/chances.js";
import { percents } from "../analysis/percent.js";

const AGAIN_MS = 5000;

const url = wall.dataset.chances ?? "";
/** The last answer, for matches that come onto the wall. @type {Map<string, Point[]>} */
const known = new Map();

/** @param {Element} place a match on the wall */
function draw(place) {
  const curve = known.get(/** @type {HTMLElement} */ (place).dataset.match ?? "");
  const latest = curve?.at(-1);
  if (!curve || !latest) return;
  place.querySelector(".wall-chances svg")?.replaceChildren(...picture(curve, axisOf(curve)));
  const words = percents(latest.p);
  for (const [seat, spot] of place.querySelectorAll(".wall-chance").entries())
    write(spot, words[seat]);
  place.classList.add("has-chances");
}

const drawAll = () => [...wall.children].forEach(draw);

async function follow() {
  if (!document.hidden && wall.children.length) {
    // If the site is unreachable, the tables say so themselves.
    const { ok, data } = await request("GET /api/v1/wall/chances", url);
    for (const { table, curve } of ok ? data.matches : []) known.set(table, curve);
    drawAll();
  }
  setTimeout(follow, AGAIN_MS);
}

onHung(draw);
document.addEventListener("visibilitychange", () => document.hidden || drawAll());
follow();
