import assert from "node:assert/strict";
import { test } from "node:test";

import { apply, deal } from "../../games/static/games/match/fold.js";
import { OwnSeat } from "../../games/static/games/play/seat.js";

/** What fits in `hasbro-2010`, as `every_use` in games/engine/fitting.py gives it. */
const USES = [
  [[], [null], [], [], [], [], [1]],
  [[], [], [null], [], [], [], [null, 2]],
  [[], [null], [], [null], [], [], [null, 1, 3]],
  [[], [], [null], [], [null], [], [null, 2, 4]],
  [[], [], [], [null], [], [null], [null, 3]],
];

function seated(decks = ["A1a A2a ARa A3a", "B1a B3a B4a B5a"]) {
  const table = deal({ round: 1, decks });
  /** @type {any[]} */
  const sent = [];
  const own = new OwnSeat(0, USES, (asked) => {
    sent.push(asked);
    return `a${sent.length}`;
  });
  own.confirm(table);
  return { own, sent, table };
}

test("a card whose only slot is clear needs no slot", () => {
  const { own, sent } = seated();
  assert.equal(own.play("A1a", null), "sent");
  assert.deepEqual(sent, [{ do: "play", card: "A1a", stack: 0, seen: 0 }]);
});

test("what fits nothing shown is not sent", () => {
  const { own, sent } = seated();
  assert.equal(own.play("A2a", null), "misfit");
  assert.equal(own.play("A2a", 1), "misfit");
  assert.equal(own.play(undefined, 1), "empty");
  assert.deepEqual(sent, []);
});

test("an unconfirmed card lies on its slot, and the next may go on it", () => {
  const { own, sent, table } = seated();
  own.play("A1a", 0);
  const shown = own.shown();
  assert.deepEqual(shown?.unconfirmed, ["A1a"]);
  assert.deepEqual(shown?.table.stacks, [["A1a"], []]);
  assert.deepEqual(own.hand, ["A2a", "ARa"]);
  assert.equal(own.play("A2a", null), "sent");
  assert.equal(sent[1].stack, 0);
  assert.deepEqual(table.stacks, [[], []], "the confirmed table stays as the host sent it");
});

test("a take is not guessed: its card waits on top of the stack", () => {
  const { own, table } = seated();
  apply(table, { t: 1, seat: 1, do: "play", card: "B1a", stack: 0 });
  own.confirm(table);
  own.play("ARa", 0);
  const shown = own.shown();
  assert.deepEqual(shown?.table.stacks[0], ["B1a", "ARa"]);
  assert.deepEqual(shown?.table.scorePiles, [[], []]);
});

test("a refused card is in the hand again; a confirmed one has left it", () => {
  const { own, table } = seated();
  own.play("A1a", 0);
  own.settle("a1");
  assert.deepEqual(own.hand, ["A1a", "A2a", "ARa"]);
  own.play("A1a", 0);
  apply(table, { t: 5, seat: 0, do: "play", card: "A1a", stack: 0 });
  own.confirm(table);
  assert.deepEqual(own.waiting, []);
  assert.deepEqual(own.hand, ["A2a", "ARa"]);
});

test("a wild takes unless it is given a number, and starts as a 1", () => {
  const { own, sent, table } = seated();
  assert.equal(own.play("ARa", 1), "sent");
  assert.equal(sent[0].as, 1);
  own.settle("a1");
  apply(table, { t: 1, seat: 1, do: "play", card: "B1a", stack: 0 });
  own.confirm(table);
  assert.equal(own.play("ARa", 0, 4), "misfit");
  assert.equal(own.play("ARa", 0, 2), "sent");
  assert.equal(sent[1].as, 2);
});

test("with several places for a card the player chooses", () => {
  const { own, table } = seated(["A2a A3a A3b A4a", "B1a B1b B4a B5a"]);
  apply(table, { t: 1, seat: 1, do: "play", card: "B1a", stack: 0 });
  apply(table, { t: 200, seat: 1, do: "play", card: "B1b", stack: 1 });
  own.confirm(table);
  assert.equal(own.play("A2a", null), "choose");
  assert.deepEqual(own.slotsFor("A2a"), [0, 1]);
});

test("one draw at a time, and none from an empty pile", () => {
  const { own, sent } = seated();
  assert.equal(own.draw(), "sent");
  assert.equal(own.draw(), "empty");
  assert.deepEqual(sent, [{ do: "draw" }]);
  assert.equal(seated(["A1a A2a ARa", "B1a B3a B4a B5a"]).own.draw(), "empty");
});
