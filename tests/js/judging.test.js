import assert from "node:assert/strict";
import { test } from "node:test";

import "./static.js";

const { figureOf } = await import("../../replays/static/replays/analysis/judging.js");
const { passedUp } = await import("../../replays/static/replays/analysis/decisions.js");

test("takes passed up are one list: a judgement stands in the place of what the log shows", () => {
  const at = { round: 1, seat: 0, slot: 2 };
  const missed = (/** @type {object} */ part) =>
    /** @type {any} */ ({ ...at, card: "A5a", from: 100, to: 900, ...part });
  const judged = (/** @type {object} */ part, /** @type {number} */ difference, told = true) =>
    /** @type {any} */ ({ ...at, t: 500, seats: [{ difference }, { difference }], told, ...part });
  const takes = [
    missed({ delta: -0.04 }),
    missed({ delta: -0.04, card: "A5b" }),
    missed({ delta: -0.2, round: 2 }),
    missed({ delta: -0.01, round: 3 }),
  ];
  const unclear = judged({ round: 2 }, 0.3, false);
  const dear = judged({}, 0.11);
  const open = judged({ round: 4, seat: 1 }, 0.05);
  const found = passedUp(takes, [
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
    passedUp(takes, []).map(({ cost }) => cost),
    [0.2, 0.04, 0.01],
  );
});

test("an answer says the curve's chance and the difference, or that none is clear", () => {
  const words = (/** @type {string} */ figure) => figureOf(/** @type {any} */ ({ figure }));
  const clear = "+7 points of chance to win (5 to 9): 20% → 27%";
  assert.equal(words(clear), `${clear}.`);
  assert.equal(words(`no clear difference: ${clear}`), `No clear difference: ${clear}.`);
});
