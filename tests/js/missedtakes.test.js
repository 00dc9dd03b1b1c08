import "./static.js";
import assert from "node:assert/strict";
import test from "node:test";

const { missedCount } = await import("../../replays/static/replays/analysis/missedtakes.js");

test("missed takes are counted by moment", () => {
  const row = (/** @type {number} */ seat, /** @type {number} */ value) =>
    /** @type {any} */ ({ seat, missed_moments: { value, seqs: [] } });
  assert.equal(missedCount([row(0, 41), row(1, 3)], 1), 3);
  assert.equal(missedCount([row(0, 41)], 1), 0);
});
