import assert from "node:assert/strict";
import { test } from "node:test";

import { commandOf } from "../../games/static/games/play/keyboard.js";

/** @param {string} key @param {object} [more] */
const pressed = (key, more = {}) => ({ key, code: /^\d$/.test(key) ? `Digit${key}` : "", ...more });

test("letters pick a card and digits a stack, or the other way round", () => {
  assert.deepEqual(commandOf(pressed("w"), "letters", 4), { do: "hand", number: 1 });
  assert.deepEqual(commandOf(pressed("3"), "letters", 4), { do: "slot", number: 2 });
  assert.deepEqual(commandOf(pressed("3"), "numbers", 4), { do: "hand", number: 2 });
  assert.deepEqual(commandOf(pressed("t"), "numbers", 5), { do: "slot", number: 4 });
});

test("a stack that is not there is no command", () => {
  assert.equal(commandOf(pressed("5"), "letters", 4), null);
  assert.equal(commandOf(pressed("t"), "numbers", 4), null);
});

test("Caps Lock, Shift and the layout change nothing", () => {
  assert.deepEqual(commandOf(pressed("Q"), "letters", 2), { do: "hand", number: 0 });
  assert.deepEqual(commandOf({ key: "é", code: "Digit2" }, "letters", 2), {
    do: "slot",
    number: 1,
  });
});

test("where letters are not Latin, or an input method has the key, its place counts", () => {
  const keys = { й: "KeyQ", θ: "KeyW", ק: "KeyE", Process: "KeyW", 1: "Digit1" };
  const done = Object.entries(keys).map(([key, code]) => commandOf({ key, code }, "letters", 4));
  const [hand, slot] = /** @type {const} */ (["hand", "slot"]);
  assert.deepEqual(done, [
    { do: slot, number: 0 },
    ...[0, 1, 2, 1].map((number) => ({ do: hand, number })),
  ]);
});

test("draw, discard, OUT, and nothing", () => {
  const done = [" ", "d", "o", "Escape"].map((key) => commandOf(pressed(key), "letters", 4)?.do);
  assert.deepEqual(done, ["draw", "discard", "out", "let"]);
});

test("arrows look back, also held down, and L ends that", () => {
  assert.deepEqual(commandOf(pressed("ArrowLeft"), "letters", 4), { do: "step", by: -1 });
  assert.deepEqual(commandOf(pressed("ArrowRight", { repeat: true }), "numbers", 4), {
    do: "step",
    by: 1,
  });
  assert.deepEqual(commandOf(pressed("l"), "letters", 4), { do: "now" });
});

test("other modifiers and a key held down are left to the browser", () => {
  for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { repeat: true }]) {
    assert.equal(commandOf(pressed("q", more), "letters", 4), null);
  }
});
