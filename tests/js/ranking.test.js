import assert from "node:assert/strict";
import { test } from "node:test";
import { deal, Table } from "../../games/static/games/match/fold.js";
import { ranking } from "../../games/static/games/match/ranking.js";

const GOAL = { target: 100, speedy: false };

/** Seats that have won so many cards and have so many left to draw. @param {number[]} won @param {number[]} left */
function table(won, left) {
  const made = new Table(won.map(() => []));
  won.forEach((count, seat) => {
    made.scorePiles[seat] = Array(count).fill("A1a");
    made.drawPiles[seat] = Array(left[seat]).fill("A?");
  });
  return made;
}

test("the total so far holds what this round adds", () => {
  const [ada, bo] = ranking(table([10, 4], [2, 9]), [30, 40], GOAL);
  assert.deepEqual([ada.total, ada.gain, bo.total, bo.gain], [38, 8, 35, -5]);
  assert.deepEqual([ada.leads, bo.leads], [true, false]);
  assert.deepEqual([ada.left, bo.left], [70, 60], "what a round adds counts at its end");
});

test("after its end a round is in the totals already", () => {
  const over = table([10, 4], [2, 9]);
  over.ended = "out";
  assert.deepEqual(
    ranking(over, [38, 35], GOAL).map(({ total }) => total),
    [38, 35],
  );
});

test("nobody leads where all are level, and two may lead a third", () => {
  const dealt = deal({ round: 1, decks: ["A1a A2a A3a A4a", "B1a B2a B3a B4a"] });
  assert.ok(ranking(dealt, [0, 0], GOAL).every(({ leads }) => !leads));
  const leads = ranking(table([5, 5, 1], [0, 0, 0]), [0, 0, 0], GOAL).map((rank) => rank.leads);
  assert.deepEqual(leads, [true, true, false]);
});

test("where no round counts less than nothing, a bad round takes nothing away", () => {
  const [, bo] = ranking(table([10, 4], [2, 9]), [30, 40], { ...GOAL, floor_at_zero: true });
  assert.deepEqual([bo.total, bo.gain], [40, 0]);
});

test("one round alone has no target", () => {
  const [ada] = ranking(table([10, 4], [2, 9]), [0, 0], { target: 100, speedy: true });
  assert.equal(ada.left, null);
});
