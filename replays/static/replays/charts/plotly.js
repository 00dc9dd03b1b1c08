/**
 * The chart library: where it is, its configuration, and its style sheet.
 * @typedef {HTMLElement & {on: (name: string, act: (event: any) => void) => void}} Drawn
 * @typedef {{react: (...args: any[]) => Promise<Drawn>}} Plotly
 */

import { styled } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";

/**
 * Plotly writes its rules into the style sheet with this id. Without one it would create an inline
 * style, which the page's policy forbids. So our sheet has the id.
 */
const SHEET = "plotly.js-style-global";

/** How Plotly behaves here: no buttons of its own, and nothing leaves the site. */
export const CONFIG = {
  displayModeBar: false,
  displaylogo: false,
  doubleClick: false,
  plotlyServerURL: "",
  responsive: false,
  scrollZoom: false,
  sendData: false,
  showEditInChartStudio: false,
  showLink: false,
  showSendToCloud: false,
  showTips: false,
  topojsonURL: "",
};

/** Resolves once the charts' style sheet has been loaded. */
export const chartsStyled = () => styled(new URL("./charts.css", import.meta.url).href, SHEET);

/** @type {Promise<Plotly> | null} */
let coming = null;

/** The library, fetched on first use. @returns {Promise<Plotly>} */
export function library() {
  coming ??= fetched();
  coming.catch(() => {
    coming = null;
  });
  return coming;
}

/** @returns {Promise<Plotly>} */
async function fetched() {
  const script = document.createElement("script");
  script.src = new URL("./vendor/plotly-basic-4.1.1.min.js", import.meta.url).href;
  await new Promise((ready, failed) => {
    Object.assign(script, {
      onload: ready,
      onerror: () => failed(new Error(gettext("the chart library could not be loaded"))),
    });
    document.head.append(script);
  });
  return /** @type {any} */ (window).Plotly;
}
