import assert from "node:assert/strict";
import { test } from "node:test";

import { wayTo } from "../../games/static/games/play/keyboard.js";
import { Lessons } from "../../games/static/games/play/lessons.js";

test("with empty piles a newcomer goes on while a rule is still to be shown and a card fits", () => {
  const lessons = new Lessons(0, ["Ann", "patient"]);
  const table = {
    ended: null,
    drawPiles: [[]],
    discardPiles: [[]],
    stacks: [["B1a", "B2a", "B3a"]],
  };
  /** @type {any} a 4 fits on the 3; then a 5 will take */
  const own = {
    ...{ seat: 0, hand: ["A4a", "A5a"], waiting: [], table, top: () => 3 },
    distinctSlots: (/** @type {string} */ card) => (card === "A4a" ? [0] : []),
  };
  const pressed = () => lessons.now(own, { autodraw: true, quick: true })?.press;
  for (const lesson of ["start", "up", "down"]) lessons.done.add(lesson);
  const press = pressed();
  assert.deepEqual(press?.do === "play" && press.fitting.card, "A4a");
  for (const lesson of ["five", "wild"]) lessons.done.add(lesson);
  assert.deepEqual(pressed(), { do: "out" });
});

test("what to press is said for what the player uses", () => {
  const keys = { hand: ["q", "w", "e"], slots: ["1", "2"] };
  const places = ["A1a", "A4a"];
  const fitting = { card: "A4a", slot: 1, lesson: "up", height: 1, only: false };
  /** @type {import("../../games/static/games/play/lessons.js").Press} */
  const press = { do: "play", fitting };
  const way = (/** @type {string} */ by, /** @type {object} */ pressed = {}) =>
    wayTo(press, { places, ...pressed }, by, keys);
  assert.equal(way("touch"), "Tap your 4, then stack\u00a02.");
  assert.equal(way("mouse"), "Click your 4, then stack\u00a02.");
  assert.equal(way("keys"), "Press W, then 2.");
  assert.equal(way("mouse", { picked: "A4a" }), "Click stack\u00a02.", "it is picked up already");
  assert.equal(way("keys", { picked: "A4a" }), "Press 2.");
  assert.equal(way("touch", { discarding: true }), "Tap Discard, then your 4.", "undone first");
  const discard = /** @type {const} */ ({ do: "discard", card: "A1a" });
  assert.equal(wayTo(discard, { places }, "keys", keys), "Press D, then Q.");
  assert.equal(wayTo(discard, { places, discarding: true }, "keys", keys), "Press Q.");
  assert.equal(wayTo(discard, { places, picked: "A1a" }, "keys", keys), "Press D.");
  assert.equal(wayTo({ do: "out" }, { places }, "keys", keys), "Press O.");
});
