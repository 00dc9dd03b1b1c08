// @ts-check
/** The chart on the page of situations; a table beside it has its numbers. */

import { byId } from "../../games/dom/elements.js";
import { lookOf, styleFigure } from "./chartstyle.js";
import { CONFIG, library } from "./plotly.js";

const plot = byId("hazard");
const figure = JSON.parse(byId("hazard-figure").textContent ?? "");
const NAMES = ["you", "anybody"];

/** @param {import("./plotly.js").Plotly} plotly */
function draw(plotly) {
  const { clientWidth: width, clientHeight: height } = plot;
  const { data, layout } = styleFigure(figure, lookOf(plot, NAMES), width);
  return plotly.react(plot, data, { ...layout, width, height }, CONFIG);
}

async function begin() {
  const plotly = await library();
  new ResizeObserver(() => draw(plotly)).observe(plot); // the first time at once
  document.addEventListener("themechange", () => draw(plotly));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw(plotly));
}

begin().catch(() => {
  plot.textContent = "The chart could not be loaded; the table has its numbers.";
});
