import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { apply, deal, digest, Table } from "../../games/static/games/match/fold.js";
import { ranking, winnersOf } from "../../games/static/games/match/ranking.js";

const MATCHES = new URL("../matches/", import.meta.url);
const NAMES = readdirSync(MATCHES).filter((name) => name.endsWith(".digests"));

/** @param {string} name @returns {string[]} */
const linesOf = (name) => readFileSync(new URL(name, MATCHES), "utf8").trimEnd().split("\n");

/** The digest after each deal and each event of a record. @param {string} name */
function digestsOf(name) {
  /** @type {import("../../games/static/games/match/fold.js").Table} */
  let table;
  return linesOf(name)
    .map((text) => JSON.parse(text))
    .flatMap((line) => {
      if ("decks" in line) table = deal(line);
      else if ("do" in line) apply(table, line);
      else return [];
      return [digest(table)];
    });
}

test("there are golden matches", () => assert.ok(NAMES.length >= 10));

for (const name of NAMES) {
  test(`${name} is folded as Python folds it`, () => {
    assert.deepEqual(digestsOf(name.replace(".digests", ".ratuki")), linesOf(name));
  });
}

/** Two seats with five cards each. */
const small = () => deal({ round: 1, decks: ["A1a A2a A3a A4a A5a", "B1a B2a B3a B4a BRa"] });

test("the first three cards of a deck are the hand, the next one lies on top", () => {
  const table = small();
  assert.deepEqual(table.hands[0], ["A1a", "A2a", "A3a"]);
  assert.equal(table.drawPiles[0].at(-1), "A4a");
});

test("a card that was hidden leaves a hand as the card that it turns out to be", () => {
  const table = deal({ round: 1, decks: ["A? A? A? A?", "B1a B2a B3a B4a"] });
  apply(table, { t: 1, seat: 0, do: "play", card: "A1c", stack: 1 });
  apply(table, { t: 2, seat: 0, do: "draw" });
  assert.deepEqual([table.hands[0], table.stacks[1]], [["A?", "A?", "A?"], ["A1c"]]);
});

test("tied cards go to their owners' discard piles", () => {
  const table = small();
  apply(table, { t: 9, do: "tie", stack: 0, cards: ["B1a", "A1a"], after: [0, 7] });
  assert.deepEqual(table.discardPiles, [["A1a"], ["B1a"]]);
  assert.deepEqual(table.stacks[0], []);
});

const GOAL = { target: 100, speedy: false };

/** Seats that have won so many cards and have so many left to draw. @param {number[]} won @param {number[]} left */
function table(won, left) {
  const made = new Table(won.map(() => ["A?"]));
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
});

test("no round has a score before the deal", () => {
  const [ada] = ranking(new Table([[], []]), [0, 0], GOAL);
  assert.deepEqual([ada.total, ada.gain], [0, null]);
});

test("after its end a round is in the totals already", () => {
  const over = table([10, 4], [2, 9]);
  over.ended = "out";
  assert.deepEqual(
    ranking(over, [38, 35], GOAL).map(({ total, gain }) => [total, gain]),
    [
      [38, null],
      [35, null],
    ],
  );
});

test("nobody leads where all are level, and two may lead a third", () => {
  const dealt = deal({ round: 1, decks: ["A1a A2a A3a A4a", "B1a B2a B3a B4a"] });
  assert.ok(ranking(dealt, [0, 0], GOAL).every(({ leads }) => !leads));
  const leads = ranking(table([5, 5, 1], [0, 0, 0]), [0, 0, 0], GOAL).map((rank) => rank.leads);
  assert.deepEqual(leads, [true, true, false]);
});

test("a round ends the match at the target, and the hundredth whatever the points", () => {
  const won = (/** @type {number} */ round, /** @type {number} */ most) => {
    const [scores, totals] = [
      [0, 0],
      [most, 1],
    ];
    return winnersOf(round, { t: 1, do: "end", reason: "out", scores, totals }, GOAL);
  };
  assert.deepEqual([won(1, GOAL.target), won(1, GOAL.target - 1)], [[0], null]);
  assert.deepEqual([won(99, 3), won(100, 3)], [null, [0]]);
});

test("where no round counts less than nothing, a bad round takes nothing away", () => {
  const [, bo] = ranking(table([10, 4], [2, 9]), [30, 40], { ...GOAL, floor_at_zero: true });
  assert.deepEqual([bo.total, bo.gain], [40, 0]);
});
