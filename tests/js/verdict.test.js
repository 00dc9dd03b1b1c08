import "./static.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { MOST_SHOWN, verdict } = await import("../../replays/static/replays/receipt/receipt.js");

test("a receipt that agrees is said to, with what was compared", () => {
  assert.deepEqual(verdict({ lines: 120, actions: 1, differences: [] }), {
    words: ["The record agrees with this receipt: 120 lines and 1 action."],
    wrong: false,
  });
});

test("each difference is named, up to a number of them", () => {
  const differences = Array.from({ length: MOST_SHOWN + 2 }, (_, place) => ({
    line: place + 1,
    message: "not the line that was sent",
  }));
  const { words, wrong } = verdict({ lines: 9, actions: 0, differences });
  assert.ok(wrong);
  assert.equal(words[1], "Line 1: not the line that was sent.");
  assert.equal(words.length, MOST_SHOWN + 2);
  assert.equal(words.at(-1), "… and 2 more differences.");
});

test("what is no receipt, and an answer that did not come, are said", () => {
  assert.match(verdict({ detail: "missing key 'seat'" }).words[0], /can’t be used: missing key/);
  assert.match(verdict(null).words[0], /Try again/);
});
