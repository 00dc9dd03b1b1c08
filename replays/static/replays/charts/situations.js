// @ts-check
/** The chart on the page of situations. A table beside it has its numbers. */

import { byId } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { lookOf, onTheme, styleFigure } from "./chartstyle.js";
import { CONFIG, library } from "./plotly.js";

const plot = byId("situations");
const figure = JSON.parse(byId("situations-figure").textContent ?? "");

async function begin() {
  const plotly = await library();
  const draw = () => {
    const { clientWidth: width, clientHeight: height } = plot;
    const { data, layout } = styleFigure(figure, lookOf(plot, ["you", "anyone"]), width);
    return plotly.react(plot, data, { ...layout, width, height }, CONFIG);
  };
  new ResizeObserver(draw).observe(plot); // the first time at once
  onTheme(draw);
}

begin().catch(() => {
  plot.textContent = gettext("The chart could not be loaded. The table has its numbers.");
});
