import assert from "node:assert/strict";
import { test } from "node:test";
import "./static.js";

const { scoreWords, stackWords } = await import(
  "../../replays/static/replays/ghostrace/outcome.js"
);
const NAMES = ["Ada", "taker"];

test("a race tells who was first to a stack, and by how much", () => {
  const told = (/** @type {boolean} */ won, /** @type {number} */ ms) =>
    stackWords({ won, other: 1, ms, cards: 11 }, NAMES);
  assert.equal(told(true, 180), "You beat taker to it by 180 ms: 11 cards.");
  assert.equal(told(false, 60), "taker beat you to it by 60 ms: 11 cards.");
  assert.equal(told(true, -40), "You took 11 cards that taker took in the match.");
});

test("a race ends with the player's points against the recorded ones", () => {
  assert.equal(
    scoreWords({ t: 62_300, score: 1, original: -8 }, "Ada"),
    "At 1:02.3 you have 1 point for the round. In the match Ada had −8 points then.",
  );
});
