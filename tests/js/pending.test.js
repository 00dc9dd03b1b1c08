import assert from "node:assert/strict";
import { test } from "node:test";

import { apply, deal } from "../../games/static/games/match/fold.js";
import { PendingActions } from "../../games/static/games/play/actionqueue.js";
import { HandClock, settled } from "./handclock.js";
import { USES } from "./uses.js";

/** A seat with a hand of its own; `sent` is what the host has been asked, as a1, a2 and so on. */
function seated() {
  const clock = new HandClock();
  /** @type {any[]} */
  const sent = [];
  const counts = { late: 0 };
  const table = deal({ round: 1, decks: ["A1a A2a A5a A3a", "B1a B3a B4a B5a"] });
  const send = (/** @type {any} */ asked) => `a${sent.push(asked)}`;
  const moves = new PendingActions(
    { seat: 0, uses: USES, gap: 120 },
    send,
    () => (counts.late += 1),
    clock,
  );
  moves.confirm(table, 2);
  const pass = async (ms = 500) => {
    await settled();
    clock.pass(ms);
  };
  return { clock, sent, counts, table, moves, own: moves.own, pass };
}

/** A seat that has laid a 1 and a 2 on it, faster than anybody could say yes. */
async function hasty() {
  const all = seated();
  all.own.play("A1a", 0);
  all.own.play("A2a", 0);
  await all.pass();
  return all;
}

test("a card on an own card waits until that one lies", async () => {
  const { sent, table, moves } = await hasty();
  assert.equal(sent.length, 1, "the 2 is not sent while the 1 may still be lost");
  moves.answered({ type: "ack", id: "a1", seq: 2 }, 2);
  apply(table, { t: 50, seat: 0, do: "play", card: "A1a", stack: 0 });
  moves.confirm(table, 3);
  assert.deepEqual(
    sent.map((asked) => asked.card),
    ["A1a", "A2a"],
  );
});

test("it is taken back when the own card below it was lost", async () => {
  const { sent, counts, table, moves, own } = await hasty();
  apply(table, { t: 20, seat: 1, do: "play", card: "B3a", stack: 0 });
  table.tops[0] = 4;
  moves.confirm(table, 3);
  assert.ok(moves.answered({ type: "ack", id: "a1", seq: 2 }, 3));
  assert.equal(sent.length, 1);
  assert.equal(counts.late, 1);
  assert.deepEqual(own.waiting, []);
  assert.deepEqual(own.hand, ["A1a", "A2a", "A5a"]);
});

test("an acknowledged card stays where it was laid until its line comes", async () => {
  const { table, moves, own, pass } = seated();
  own.discard("A5a");
  await pass();
  assert.ok(!moves.answered({ type: "ack", id: "a1", seq: 2 }, 2));
  assert.deepEqual(own.hand, ["A1a", "A2a"]);
  moves.confirm(table, 2);
  assert.deepEqual(own.hand, ["A1a", "A2a"]);
  apply(table, { t: 90, seat: 0, do: "discard", card: "A5a" });
  moves.confirm(table, 3);
  assert.deepEqual(own.waiting, []);
});

test("what was not asked when the connection went is in the hand again, and may be done anew", async () => {
  const { sent, table, moves, own, pass } = seated();
  own.play("A1a", 0);
  own.discard("A5a");
  own.draw();
  await pass(0);
  moves.lost();
  assert.deepEqual(own.hand, ["A2a", "A5a"], "only the 1 has been asked for");
  await pass();
  assert.equal(sent.length, 1);
  apply(table, { t: 50, seat: 0, do: "play", card: "A1a", stack: 0 });
  moves.confirm(table, 3);
  assert.ok(moves.answered({ type: "ack", id: "a1", seq: 2 }, 3));
  assert.equal(own.draw(), "sent");
  own.discard("A5a");
  await pass();
  assert.deepEqual(sent.slice(1), [{ do: "draw" }, { do: "discard", card: "A5a" }]);
});

test("in another round nothing is on its way, and no answer brings it back", async () => {
  const { sent, table, moves, own, pass } = await hasty();
  moves.forget();
  assert.deepEqual(own.hand, ["A1a", "A2a", "A5a"]);
  assert.ok(
    !moves.answered(
      { type: "refused", id: "a1", rule: "one-hand", message: "", t: 0, wait_ms: 40 },
      2,
    ),
  );
  moves.confirm(table, 2);
  await pass();
  assert.equal(sent.length, 1);
});

test("after a refusal for long the hand rests before its next movement", async () => {
  const { clock, sent, moves, own, pass } = seated();
  own.discard("A5a");
  own.discard("A2a");
  await pass(0);
  assert.ok(
    moves.answered(
      { type: "refused", id: "a1", rule: "one-hand", message: "", t: 0, wait_ms: 1500 },
      2,
    ),
  );
  clock.pass(1499);
  assert.equal(sent.length, 1);
  clock.pass(1);
  assert.deepEqual(sent[1], { do: "discard", card: "A2a" });
});
