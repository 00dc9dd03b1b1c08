/** Draws how long learners took. The table beside it has the same numbers. */

import { lookOf } from "../charts/chartstyle.js";
import { CONFIG, chartsStyled, library } from "../charts/plotly.js";

const TONES = [1, 0.55, 0.25];

async function draw() {
  const place = document.getElementById("times");
  const text = document.getElementById("times-figure")?.textContent;
  if (!place || !text) return;
  const figure = JSON.parse(text);
  await chartsStyled();
  const plotly = await library();
  const look = lookOf(place, [""]);
  figure.data.forEach((/** @type {any} */ trace, /** @type {number} */ at) => {
    const color = look.ink.replace("rgb(", "rgba(").replace(")", `,${TONES[at]})`);
    trace.marker = { color, line: { color: look.surface, width: 1 } };
  });
  for (const shape of figure.layout.shapes) shape.line = { color: look.ink, dash: "dot", width: 2 };
  const axis = { gridcolor: look.line, zerolinecolor: look.line, fixedrange: true };
  const layout = {
    ...figure.layout,
    height: 260,
    width: place.clientWidth,
    margin: { l: 44, r: 12, t: 34, b: 44 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: look.font, color: look.ink, size: 13 },
    xaxis: { ...figure.layout.xaxis, ...axis },
    yaxis: { ...figure.layout.yaxis, ...axis },
    legend: { orientation: "h", y: 1.2, x: 1, xanchor: "right" },
    showlegend: true,
  };
  await plotly.react(place, figure.data, layout, CONFIG);
}

draw();
