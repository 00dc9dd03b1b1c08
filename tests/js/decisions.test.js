import "./static.js";
import assert from "node:assert/strict";
import test from "node:test";

const { costly, figureOf } = await import("../../replays/static/replays/analysis/decisions.js");
const { pointsOf } = await import("../../replays/static/replays/analysis/trials.js");

test("of the decisions only the costly ones are listed, those first that cost most", () => {
  const decision = (/** @type {number} */ seat, /** @type {number} */ delta, told = true) =>
    /** @type {any} */ ({ seat, delta, told });
  const decisions = [
    decision(0, -0.05),
    decision(1, -0.2),
    decision(0, -0.11),
    decision(0, -0.3, false),
  ];
  const deltas = (/** @type {number | null} */ seat) =>
    costly({ decisions, lost: [] }, seat).map(({ delta }) => delta);
  assert.deepEqual(deltas(null), [-0.2, -0.11, -0.05]);
  assert.deepEqual(deltas(0), [-0.11, -0.05]);
  assert.deepEqual(deltas(2), []);
});

test("a decision's figure has its error and the points", () => {
  const words = (/** @type {number} */ error, /** @type {number} */ points_delta) =>
    figureOf(/** @type {any} */ ({ error, points_delta }));
  assert.equal(words(0.012, -9.14), "± 2% · −9.1 points");
  assert.equal(words(0.001, 0.25), "± 1% · +0.3 points");
});

test("a what-if that is cut says after how long", () => {
  const words = (/** @type {number | null} */ cut_ms) => pointsOf(/** @type {any} */ ({ cut_ms }));
  assert.equal(words(null), "Round scores");
  assert.equal(words(10_000), "Score pile less draw and discard pile after 10 s");
});
