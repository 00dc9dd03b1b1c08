import assert from "node:assert/strict";
import { test } from "node:test";
import "./static.js";

const { verdictPieces } = await import("../../replays/static/replays/analysis/analysis.js");

/** The names, then what is left, of a verdict on a match of these players. */
const parted = (/** @type {string} */ words, /** @type {string[]} */ ...names) => {
  const pieces = verdictPieces(words, names);
  assert.equal(pieces.map(({ text }) => text).join(""), words);
  return [pieces.filter(({ name }) => name).map(({ text }) => text), pieces.at(-1)?.text];
};

test("the names that a verdict begins with are told from its words", () => {
  assert.deepEqual(parted("Ann won with 40 points.", "Ann", "Bo"), [
    ["Ann"],
    " won with 40 points.",
  ]);
  assert.deepEqual(parted("Ann, Bo and Al drew.", "Ann", "Bo", "Al"), [
    ["Ann", "Bo", "Al"],
    " drew.",
  ]);
});

test("of two names that begin alike the longer one is meant", () => {
  assert.deepEqual(parted("Ann and Bo drew with 3.", "Ann", "Ann and Bo"), [
    ["Ann and Bo"],
    " drew with 3.",
  ]);
});

test("a verdict without a name stays whole", () => {
  const words = "The match was abandoned.";
  assert.deepEqual(parted(words, "The moon", ""), [[], words]);
});
