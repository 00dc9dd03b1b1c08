/**
 * The chart library: where it is, its configuration, and its style sheet.
 * @typedef {HTMLElement & {on: (name: string, act: (event: any) => void) => void}} Drawn
 * @typedef {{react: (...args: any[]) => Promise<Drawn>}} Plotly
 */

import { styled } from "../../games/dom/elements.js";
import { later } from "../../games/dom/later.js";
import { gettext } from "../../games/words/gettext.js";

/**
 * Plotly writes its rules into the style sheet with this id. Without one it would create an inline
 * style, which the page's policy forbids. So our sheet has the id.
 */
const SHEET = "plotly.js-style-global";

/** How Plotly behaves here: no buttons of its own, and nothing leaves the site. */
export const CONFIG = {
  displayModeBar: false,
  doubleClick: false,
  plotlyServerURL: "",
  showSendToCloud: false,
  showTips: false,
  topojsonURL: "",
};

/** Resolves once the charts' style sheet has been loaded. */
export const chartsStyled = () => styled(new URL("./charts.css", import.meta.url).href, SHEET);

/** The library. Who asks for it says when it can't be loaded. @type {() => Promise<Plotly>} */
export const library = later(
  async () => {
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
  },
  () => {},
);
