import assert from "node:assert/strict";
import { test } from "node:test";

import "./static.js";

const { CONFIG } = await import("../../replays/static/replays/charts/plotly.js");
const { lastFilled, lineOf, placeOf } = await import(
  "../../replays/static/replays/charts/places.js"
);
const { queryOf } = await import("../../replays/static/replays/charts/query.js");

const LOOK = { decks: [], ink: "", soft: "", line: "", surface: "", font: "", longest: 5 };
const WIDTH = 400; // narrow: 50 px are left of the plot and 24 right of it
const LAYOUT = {
  meta: {
    rounds: [
      { round: 1, offset: 0, duration: 1000 },
      { round: 2, offset: 1200, duration: 800 },
    ],
  },
  xaxis: { range: [0, 2000] },
};

test("the cursor is at its moment, in its round, and at most at that round's end", () => {
  const px = (/** @type {number} */ round, /** @type {number} */ t) =>
    placeOf(LAYOUT, { round, t }, WIDTH, LOOK);
  assert.deepEqual([px(1, 0), px(1, 500), px(2, 800)], [50, 131.5, 376]);
  assert.equal(px(1, 9_999), px(1, 1000));
  assert.equal(px(3, 0), null, "a round that is not drawn");
});

test("a click leads to its line, and on a cell to one take after the other", () => {
  assert.equal(lineOf(17, 400), 17);
  const cell = [12, 40, 90];
  assert.deepEqual(
    [0, 12, 50, 90].map((seq) => lineOf(cell, seq)),
    [12, 40, 90, 12],
  );
  for (const nothing of [undefined, null, []]) assert.equal(lineOf(nothing, 5), null);
});

test("the cells that the last take filled are marked, and none of nobody's", () => {
  const cells = { x: [0, 1, 2, 0, 1, 2], customdata: [[5], [9], [3], [5], [], [30]] };
  assert.deepEqual(lastFilled(cells, 4), []);
  assert.deepEqual(lastFilled(cells, 8), [0, 3]);
  assert.deepEqual(lastFilled(cells, 99), [1]);
});

test("only a finished match whose end is not hidden is asked for whole", () => {
  const at = { round: 2, whole: false, seen: 41 };
  const over = { finished: true, open: false, next: 600 };
  assert.equal(queryOf(over, at), "?round=2");
  assert.equal(queryOf(over, { ...at, whole: true }), "?round=all");
  assert.equal(queryOf({ ...over, finished: false }, at), "?round=2&until=599");
  for (const finished of [true, false])
    assert.equal(queryOf({ ...over, open: true, finished }, at), "?round=2&until=41");
});

test("nothing that Plotly could offer leaves the site", () => {
  const { plotlyServerURL, topojsonURL, ...switches } = CONFIG;
  assert.deepEqual([plotlyServerURL, topojsonURL], ["", ""]);
  for (const name of ["showSendToCloud", "showEditInChartStudio", "showLink", "sendData"])
    assert.equal(switches[/** @type {"sendData"} */ (name)], false, name);
  assert.equal(switches.displayModeBar, false);
});
