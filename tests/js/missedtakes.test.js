import "./static.js";
import assert from "node:assert/strict";
import test from "node:test";

const { missedCount } = await import("../../replays/static/replays/analysis/missedtakes.js");

test("missed takes are counted by card and by moment", () => {
  const row = (/** @type {number} */ takes, /** @type {number} */ moments) => {
    const [missed_takes, missed_moments] = [takes, moments].map((value) => ({ value, seqs: [] }));
    return /** @type {any} */ ({ missed_takes, missed_moments });
  };
  assert.equal(missedCount([row(129, 41)]), "129, in 41 moments");
  assert.equal(missedCount([row(1, 1), row(0, 0)]), "1, in 1 moment");
  assert.equal(missedCount([row(0, 0)]), "");
});
