// @ts-check
/**
 * The charts of a report that is one file: the site's own, of the whole match, with the library that
 * stands in the file; and the curve of its chances to win.
 *
 * @typedef {import("./chartstyle.js").Figure} Figure
 * @typedef {{names: string[], figures: Record<string, Figure>, curve: any[]}} Drawings
 */

import { box, byId, write } from "../../games/dom/elements.js";
import { drawn } from "../../games/dom/svg.js";
import { areas, axisOf, joins } from "../analysis/chances.js";
import { CHARTS, Chart } from "./chart.js";
import { lookOf } from "./chartstyle.js";
import { worded } from "./hover.js";

const { names, figures, curve } = /** @type {Drawings} */ (
  JSON.parse(byId("drawings").textContent ?? "")
);
const place = byId("charts");
const reading = box("p", "chart-reading");
const acts = { go: () => {}, read: (/** @type {string} */ words) => write(reading, words) };
/** Without what tells to press, and what follows the table: here is none. @param {string} about */
const still = (about) => about.replace(/ (Press|Outlined).*/, "");
const charts = CHARTS.map((what) => new Chart({ ...what, match: still(what.match) }, names, acts));
const log = /** @type {any} */ ({ match: { seats: names.map((name) => ({ name })) } });

function picture() {
  const axis = axisOf(curve);
  const bands = areas(curve, axis, 1000, 100).map((d, seat) => ({ d, class: `deck-${seat}` }));
  const rounds = joins(axis, 1000, 100).map((d) => ({ d, class: "join" }));
  const svg = { viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true" };
  const element = drawn("svg", svg);
  element.append(...[...bands, ...rounds].map((path) => drawn("path", path)));
  return element;
}

function draw() {
  const look = lookOf(place, names);
  for (const chart of charts) chart.draw(/** @type {any} */ (globalThis).Plotly, look);
}

byId("curve").append(picture());
place.style.setProperty("--seats", String(names.length));
place.append(...charts.map(({ element }) => element), reading);
for (const chart of charts) chart.figure = worded(figures[chart.name], chart.name, log);
draw();
addEventListener("resize", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
for (const [kind, printing] of /** @type {const} */ ([
  ["beforeprint", true],
  ["afterprint", false],
]))
  addEventListener(kind, () => {
    document.documentElement.classList.toggle("is-printing", printing);
    draw();
  });
