import assert from "node:assert/strict";
import { test } from "node:test";

import { apply, deal } from "../../games/static/games/fold.js";
import { OneHand } from "../../games/static/games/onehand.js";
import { OwnSeat } from "../../games/static/games/seat.js";
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
  return { clock, sent, hand: new OneHand(120, send, judge, clock) };
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
  assert.deepEqual(sent.map((one) => one.do), ["out", "play"]);
});

test("what is refused for a moment is asked again; a long wait is told", async () => {
  const { clock, sent, hand } = handed();
  const id = hand.ask(PLAY);
  await settled();
  assert.equal(hand.answered({ type: "refused", id: "a1", rule: "one-hand", wait_ms: 40 }), null);
  assert.ok(hand.busy);
  clock.pass(200);
  assert.equal(sent.length, 2);
  const movement = hand.answered({ type: "refused", id: "a2", rule: "one-hand", wait_ms: 1500 });
  assert.deepEqual(movement, { id, asked: PLAY });
  assert.ok(!hand.busy);
});

test("after a mistake the hand rests", async () => {
  const { clock, sent, hand } = handed();
  hand.rest(2000);
  hand.ask(DRAW);
  await settled();
  clock.pass(1999);
  assert.deepEqual(sent, []);
  clock.pass(1);
  assert.equal(sent.length, 1);
});

test("what nobody listens to is forgotten", async () => {
  const { clock, sent, hand } = handed();
  hand.ask(PLAY);
  hand.ask(DRAW);
  await settled();
  hand.drop();
  clock.pass(1000);
  assert.equal(sent.length, 1);
});

/** What fits where only a 1 starts and neighbours follow. */
const USES = [
  [[], [null], [], [], [], [], []],
  [[], [], [null], [], [], [], [null]],
  [[], [null], [], [null], [], [], [null]],
  [[], [], [null], [], [null], [], [null]],
  [[], [], [], [null], [], [null], [null]],
];

/** A seat that has laid a 1 and a 2 on it, faster than anybody could say yes. */
async function hasty() {
  const clock = new HandClock();
  /** @type {any[]} */
  const sent = [];
  const table = deal({ round: 1, decks: ["A1a A2a A5a A3a", "B1a B3a B4a B5a"] });
  const hand = new OneHand(
    120,
    (asked) => `a${sent.push(asked)}`,
    (movement) => own.judge(movement),
    clock,
  );
  /** @type {OwnSeat} */
  const own = new OwnSeat(0, USES, (asked) => hand.ask(asked));
  own.confirm(table);
  own.play("A1a", 0);
  own.play("A2a", 0);
  await settled();
  clock.pass(500);
  return { clock, sent, table, hand, own };
}

test("a card on an own card waits until that one lies", async () => {
  const { sent, table, hand, own } = await hasty();
  assert.equal(sent.length, 1, "the 2 is not sent while the 1 may still be lost");
  apply(table, { t: 50, seat: 0, do: "play", card: "A1a", stack: 0 });
  own.confirm(table);
  hand.answered({ type: "ack", id: "a1", seq: 2 });
  hand.turn();
  assert.deepEqual(sent.map((asked) => asked.card), ["A1a", "A2a"]);
});

test("it is taken back when the own card below it was lost", async () => {
  const { sent, table, hand, own } = await hasty();
  apply(table, { t: 20, seat: 1, do: "play", card: "B3a", stack: 0 });
  own.confirm(table);
  own.settle(String(hand.answered({ type: "ack", id: "a1", seq: 3 })?.id));
  table.tops[0] = 4;
  hand.turn();
  assert.equal(sent.length, 1);
  assert.deepEqual(own.waiting, []);
  assert.deepEqual(own.hand, ["A1a", "A2a", "A5a"]);
});
