import assert from "node:assert/strict";
import { test } from "node:test";

import "./static.js";

const { ranked } = await import("../../replays/static/replays/analysis/pointparts.js");
const { playAt } = await import("../../replays/static/replays/analysis/oneplay.js");

const NONE = { speed: 0, noticing: 0, choice: 0, mistakes: 0, cards: 0, line: 0, rest: 0 };
test("what made most of a difference comes first, the rest last, and what made none is left out", () => {
  const seats = [
    { ...NONE, speed: 2, choice: -7, rest: 20 },
    { ...NONE, speed: -9, choice: 1, rest: -20 },
  ];
  assert.deepEqual(
    ranked(seats).map(([part]) => part),
    ["speed", "choice", "rest"],
  );
});

test("another move is tried of the play that the page is about", () => {
  const draw = { do: "draw", t: 1, seat: 0, card: "A1a" };
  const play = { do: "play", t: 2, seat: 0, card: "A1a", stack: 0 };
  const events = /** @type {any[]} */ ([play, draw, draw, play, draw]);
  const at = (/** @type {number} */ event, aimed = false) => playAt(events, event, aimed);
  assert.deepEqual(
    [at(0), at(1), at(2), at(4)],
    [1, 1, 4, 4],
    "the one at the cursor, else the next",
  );
  assert.equal(at(1, true), 4, "aimed at the next one, whatever came last");
  assert.equal(at(5), 0);
});
