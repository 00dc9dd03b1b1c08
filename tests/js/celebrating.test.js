import assert from "node:assert/strict";
import { test } from "node:test";

import { weightOf } from "../../games/static/games/board/choreography.js";
import { tonesOf } from "../../games/static/games/dom/sounds.js";

test("the more cards a take has, the larger its word and the longer its sound", () => {
  const weights = [2, 3, 6, 9, 15, 30].map(weightOf);
  assert.deepEqual(weights, [0, 0, 0.25, 0.5, 1, 1]);
  const tones = [0, 2, 4, 5, 8, 30].map((cards) => tonesOf("take", cards).length);
  assert.deepEqual(tones, [3, 3, 3, 4, 5, 8]);
});

test("what has no sound is silent, and notes rise one after the other", () => {
  assert.deepEqual(tonesOf("draw"), []);
  const starts = tonesOf("take", 30).map(([, start]) => start);
  assert.deepEqual(
    starts,
    starts.toSorted((a, b) => a - b),
  );
});
