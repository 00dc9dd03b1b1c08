import assert from "node:assert/strict";
import { test } from "node:test";

import "./static.js";

const { passedUp } = await import("../../replays/static/replays/analysis/decisions.js");

const missed = (/** @type {object} */ part) =>
  /** @type {any} */ ({
    ...{
      round: 1,
      seat: 0,
      slot: 2,
      seq: 9,
      card: "A5a",
      from: 100,
      to: 900,
      moment: 1,
      free_ms: 500,
    },
    ...part,
  });
/** @type {any[]} */
const NONE = [];
/** @param {any[]} takes @param {any[]} judgements */
const logged = (takes, judgements = NONE) => ({ missed_takes: takes, judgements });

test("missed takes are one list: a judgement stands in the place of what the log shows", () => {
  const judged = (/** @type {object} */ part, /** @type {number} */ by, told = true) =>
    /** @type {any} */ ({ ...{ round: 1, seat: 0, slot: 2, t: 500, by, told }, ...part });
  const takes = [
    missed({ points: -4 }),
    missed({ points: -4, card: "A5b" }),
    missed({ points: -20, round: 2 }),
    missed({ points: -1, round: 3 }),
  ];
  const unclear = judged({ round: 2 }, 30, false);
  const dear = judged({}, 11);
  const open = judged({ round: 4, seat: 1 }, 5);
  const found = passedUp(logged(takes), [
    judged({}, 2),
    dear,
    unclear,
    open,
    judged({ slot: 0 }, 1, false),
  ]);
  const told = found.map(({ cost, missed: same, judged: by }) => [cost, same?.round, by]);
  assert.deepEqual(told, [
    [11, 1, dear],
    [5, undefined, open],
    [1, 3, null],
    [0, 2, unclear],
  ]);
  assert.deepEqual(
    passedUp(logged(takes), []).map(({ cost }) => cost),
    [20, 4, 1],
  );
});

test("a take that its player had no time for is no decision, whatever it cost", () => {
  const unseen = { points: -30, free_ms: 499 };
  const takes = [missed(unseen), missed({ points: -2, from: 950, to: 990, moment: 2 })];
  const judged = { ...{ round: 1, seat: 0, slot: 2, t: 500, by: 30 }, told: true };
  for (const decisions of [[], [/** @type {any} */ (judged)]])
    assert.deepEqual(
      passedUp(logged(takes), decisions).map(({ cost }) => cost),
      [2],
    );
});

test("takes of one moment are one, the costliest of them", () => {
  const takes = [
    missed({ points: -4, delta: -0.04, to: 300 }),
    missed({ points: -20, delta: -0.2, slot: 1, seq: 12, from: 300 }),
    missed({ points: -20, delta: -0.2, slot: 1, seq: 12, from: 400, card: "A5b" }),
    missed({ points: -30, delta: -0.3, seat: 1, moment: 3 }),
    missed({ points: -10, delta: -0.1, from: 901, to: 990, seq: 20, moment: 2 }),
  ];
  assert.deepEqual(
    passedUp(logged(takes), []).map(({ seat, cost, missed: same }) => [seat, cost, same?.slot]),
    [
      [1, 30, 2],
      [0, 20, 1],
      [0, 10, 2],
    ],
  );
});

test("mistakes are in the list, in its unit and with their cost", () => {
  const at = { round: 1, seat: 0, t: 900 };
  const mistake = { ...at, seq: 3, verdict: "mistake", figures: { points: -5 }, text: "wrong" };
  const blocked = { ...mistake, seq: 4, figures: { cost_ms: 2000 } };
  const judgements = /** @type {any} */ ([mistake, blocked]);
  assert.deepEqual(
    passedUp(logged([missed({ points: -1 })], judgements), []).map(({ cost, mistake: of }) => [
      cost,
      of?.text,
    ]),
    [
      [5, "wrong"],
      [1, undefined],
    ],
  );
});
