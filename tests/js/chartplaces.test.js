import assert from "node:assert/strict";
import { test } from "node:test";

import "./static.js";

const { CONFIG } = await import("../../replays/static/replays/charts/plotly.js");
const { lastFilled, lineOf, placeOf } = await import(
  "../../replays/static/replays/charts/places.js"
);
const { belongs, chosenAfter, pickedOf, seatOfEnd } = await import(
  "../../replays/static/replays/charts/picking.js"
);
const { queryOf } = await import("../../replays/static/replays/charts/places.js");

const LOOK = { decks: [], ink: "", soft: "", line: "", surface: "", font: "", longest: 5 };
const WIDTH = 400; // narrow: 34 px are left of the plot and 76 right of it
const LAYOUT = {
  meta: {
    rounds: [
      { round: 1, offset: 0, width: 1000, duration: 1000 },
      { round: 2, offset: 1200, width: 400, duration: 800 },
    ],
  },
  xaxis: { range: [0, 2000] },
};

test("the cursor is at its moment, in its round, and at most at that round's end", () => {
  const px = (/** @type {number} */ round, /** @type {number} */ t) =>
    placeOf(LAYOUT, { round, t }, WIDTH, LOOK);
  assert.deepEqual([px(1, 0), px(1, 500), px(2, 800)], [34, 104.5, 259.6]);
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

test("the cells that the last take filled are marked", () => {
  const cells = [[5], [9], [], [5], [], []];
  assert.deepEqual(lastFilled(cells, 4), []);
  assert.deepEqual(lastFilled(cells, 8), [0, 3]);
  assert.deepEqual(lastFilled(cells, 99), [1]);
});

test("only a finished match whose end is not hidden is asked for whole", () => {
  const at = { round: 2, whole: false, seen: 41 };
  const over = { finished: true, endHidden: false, next: 600 };
  assert.equal(queryOf(over, at), "?round=2");
  assert.equal(queryOf(over, { ...at, whole: true }), "?round=all");
  assert.equal(queryOf({ ...over, finished: false }, at), "?round=2&until=599");
  for (const finished of [true, false])
    assert.equal(queryOf({ ...over, endHidden: true, finished }, at), "?round=2&until=41");
});

test("nothing that Plotly could offer leaves the site", () => {
  const { plotlyServerURL, topojsonURL, ...switches } = CONFIG;
  assert.deepEqual([plotlyServerURL, topojsonURL], ["", ""]);
  for (const on of Object.values(switches)) assert.equal(on, false);
  assert.deepEqual(Object.keys(switches), [
    "displayModeBar",
    "doubleClick",
    "showSendToCloud",
    "showTips",
  ]);
});

test("a player is picked by pointing or by a press, and let go by the next press", () => {
  assert.equal(pickedOf({ chosen: 2, over: null }), 2);
  assert.equal(pickedOf({ chosen: 2, over: 0 }), 0);
  assert.equal(chosenAfter(null, 1), 1);
  assert.equal(chosenAfter(1, 1), null);
  assert.equal(chosenAfter(1, 3), 3);
});

test("a picked player's cards and takes stand out, and what is nobody's stays", () => {
  const bands = [{ seat: 0, other: 1 }, { seat: 1, other: 0 }, { seat: 2, other: 1 }, { seat: 1 }];
  assert.deepEqual(
    bands.map((meta) => belongs(meta, 0)),
    [true, true, false, false],
  );
  assert.deepEqual(
    [[0], [1, 2], [0, 2]].map((seats) => belongs({ seats }, 2)),
    [false, true, true],
  );
  for (const meta of [undefined, {}]) assert.ok(belongs(meta, 0));
  assert.ok(bands.every((meta) => belongs(meta, null)));
  assert.deepEqual(["end 3", "part", undefined].map(seatOfEnd), [3, null, null]);
});
