import assert from "node:assert/strict";
import { test } from "node:test";

import "./static.js";

const { figureOf } = await import("../../replays/static/replays/analysis/judging.js");
const { costly } = await import("../../replays/static/replays/analysis/decisions.js");

test("of the decisions only the costly ones are listed, those first that cost most", () => {
  const decision = (/** @type {number} */ seat, /** @type {number} */ difference, told = true) =>
    /** @type {any} */ ({ seat, seats: [{ difference }, { difference }], told });
  const decisions = [
    decision(0, 0.05),
    decision(1, 0.2),
    decision(0, 0.11),
    decision(0, 0.3, false),
  ];
  const differences = (/** @type {number | null} */ seat) =>
    costly({ decisions, lost: [] }, seat).map(({ seats }) => seats[0].difference);
  assert.deepEqual(differences(null), [0.2, 0.11, 0.05]);
  assert.deepEqual(differences(0), [0.11, 0.05]);
  assert.deepEqual(differences(2), []);
});

test("an answer says the curve's chance and the difference, or that none is clear", () => {
  const words = (/** @type {string} */ figure) => figureOf(/** @type {any} */ ({ figure }));
  const clear = "20% → 27% (7 points more, ± 2)";
  assert.equal(words(clear), `Chance to win: ${clear}`);
  assert.equal(words(`no clear difference: ${clear}`), `No clear difference: ${clear}`);
});
