import assert from "node:assert/strict";
import { test } from "node:test";

import { ActionQueue } from "../../games/static/games/play/actionqueue.js";
import { HandClock, settled } from "./handclock.js";

const DRAW = /** @type {const} */ ({ do: "draw" });
const PLAY = /** @type {const} */ ({ do: "play", card: "A1a", stack: 0 });

/** @param {(movement: any) => "go" | "wait" | "drop"} [judge] */
function handed(judge) {
  const clock = new HandClock();
  /** @type {{at: number, do: string}[]} */
  const sent = [];
  const send = (/** @type {any} */ asked) => {
    sent.push({ at: clock.time, do: asked.do });
    return `a${sent.length}`;
  };
  return { clock, sent, hand: new ActionQueue(120, send, judge, clock) };
}

test("the first movement goes at once, the next when the hand is free", async () => {
  const { clock, sent, hand } = handed();
  hand.ask(PLAY);
  hand.ask(DRAW);
  await settled();
  assert.deepEqual(sent, [{ at: 0, do: "play" }]);
  clock.pass(131);
  assert.equal(sent.length, 1);
  clock.pass(1);
  assert.deepEqual(sent[1], { at: 132, do: "draw" });
});

test("OUT waits for nothing", async () => {
  const { sent, hand } = handed();
  hand.ask(PLAY);
  hand.ask(DRAW);
  hand.ask({ do: "out" });
  await settled();
  assert.deepEqual(
    sent.map((frame) => frame.do),
    ["out", "play"],
  );
});

test("what is refused for a moment is asked again; a long wait is shown", async () => {
  const { clock, sent, hand } = handed();
  const id = hand.ask(PLAY);
  await settled();
  assert.equal(
    hand.answered({ type: "refused", id: "a1", rule: "one-hand", message: "", t: 0, wait_ms: 40 }),
    null,
  );
  assert.ok(hand.busy);
  clock.pass(200);
  assert.equal(sent.length, 2);
  const movement = hand.answered({
    type: "refused",
    id: "a2",
    rule: "one-hand",
    message: "",
    t: 0,
    wait_ms: 1500,
  });
  assert.deepEqual(movement, { id, asked: PLAY });
  assert.ok(!hand.busy);
});
