import "./static.js";
import assert from "node:assert/strict";
import test from "node:test";

const { missedAny } = await import("../../replays/static/replays/analysis/missedtakes.js");

test("a way to missed takes is offered only to a seat that missed any", () => {
  const row = (/** @type {number} */ seat, /** @type {number} */ value) =>
    /** @type {any} */ ({ seat, missed_moments: { value, seqs: [] } });
  assert.equal(missedAny([row(0, 41), row(1, 3)], "1"), true);
  assert.equal(missedAny([row(0, 41), row(1, 0)], "1"), false);
});
