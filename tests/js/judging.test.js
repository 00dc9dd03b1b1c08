import assert from "node:assert/strict";
import { test } from "node:test";

import "./static.js";

const { figureOf } = await import("../../replays/static/replays/analysis/judging.js");
const { passedUp } = await import("../../replays/static/replays/analysis/decisions.js");

const missed = (/** @type {object} */ part) =>
  /** @type {any} */ ({
    ...{ round: 1, seat: 0, slot: 2, seq: 9, card: "A5a", from: 100, to: 900 },
    ...part,
  });
/** @type {any[]} */
const NONE = [];
/** @param {any[]} takes @param {any[]} judgements @param {any[]} lessons */
const logged = (takes, judgements = NONE, lessons = NONE) => ({
  ...{ missed_takes: takes, judgements, lessons },
});

test("takes passed up are one list: a judgement stands in the place of what the log shows", () => {
  const judged = (/** @type {object} */ part, /** @type {number} */ difference, told = true) =>
    /** @type {any} */ ({
      ...{ round: 1, seat: 0, slot: 2, t: 500, seats: [{ difference }, { difference }], told },
      ...part,
    });
  const takes = [
    missed({ delta: -0.04 }),
    missed({ delta: -0.04, card: "A5b" }),
    missed({ delta: -0.2, round: 2 }),
    missed({ delta: -0.01, round: 3 }),
  ];
  const unclear = judged({ round: 2 }, 0.3, false);
  const dear = judged({}, 0.11);
  const open = judged({ round: 4, seat: 1 }, 0.05);
  const found = passedUp(logged(takes), [
    judged({}, 0.02),
    dear,
    unclear,
    open,
    judged({ slot: 0 }, 1, false),
  ]);
  const told = found.map(({ cost, missed: same, judged: by }) => [cost, same.length, by]);
  assert.deepEqual(told, [
    [0.11, 2, dear],
    [0.05, 0, open],
    [0.01, 1, null],
    [0, 1, unclear],
  ]);
  assert.deepEqual(
    passedUp(logged(takes), []).map(({ cost }) => cost),
    [0.2, 0.04, 0.01],
  );
});

test("takes of a seat that were open together are one, the costliest of them", () => {
  const takes = [
    missed({ delta: -0.04, to: 300 }),
    missed({ delta: -0.2, slot: 1, seq: 12, from: 300 }),
    missed({ delta: -0.2, slot: 1, seq: 12, from: 400, card: "A5b" }),
    missed({ delta: -0.3, seat: 1 }),
    missed({ delta: -0.1, from: 901, to: 990, seq: 20 }),
  ];
  assert.deepEqual(
    passedUp(logged(takes), []).map(({ seat, cost, missed: same }) => [seat, cost, same.length]),
    [
      [1, 0.3, 1],
      [0, 0.2, 2],
      [0, 0.1, 1],
    ],
  );
});

test("mistakes and lessons are in the list, in its unit and with its cost", () => {
  const at = { round: 1, seat: 0, t: 900 };
  const mistake = { ...at, seq: 3, verdict: "mistake", figures: { delta: -0.05 }, text: "wrong" };
  const blocked = { ...mistake, seq: 4, figures: { cost_ms: 2000 } };
  const often = { ...mistake, text: "twice" };
  const kept = { ...at, seq: 9, verdict: "missed take", figures: { delta: -0.001 }, text: "kept" };
  const takes = [missed({ delta: -0.001 }), missed({ delta: -0.002, from: 950, seq: 20 })];
  const found = passedUp(
    logged(takes, /** @type {any} */ ([mistake, blocked]), /** @type {any} */ ([often, kept])),
    [],
  );
  assert.deepEqual(
    found.map(({ cost, told }) => [cost, told?.text]),
    [
      [0.05, "twice"],
      [0.001, "kept"],
      [0.002, undefined],
    ],
  );
});

test("an answer says the curve's chance and the difference, or that none is clear", () => {
  const words = (/** @type {string} */ figure) => figureOf(/** @type {any} */ ({ figure }));
  const clear = "+7 points of chance to win (5 to 9): 20% → 27%";
  assert.equal(words(clear), `${clear}.`);
  assert.equal(words(`no clear difference: ${clear}`), `No clear difference: ${clear}.`);
});
