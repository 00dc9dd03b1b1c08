import assert from "node:assert/strict";
import test from "node:test";
import {
  areas,
  axisOf,
  isDecided,
  joins,
  known,
  pointAt,
  spread,
} from "../../replays/static/replays/analysis/chances.js";
import "./static.js";

const { chances } = await import("../../replays/static/replays/analysis/percent.js");
const { alike } = await import("../../replays/static/replays/analysis/handlanes.js");
const { median } = await import("../../replays/static/replays/analysis/tempoview.js");
const { spansOf } = await import("../../replays/static/replays/analysis/momentlist.js");

const CURVE = [
  { seq: 1, round: 1, t: 0, p: [0.5, 0.5] },
  { seq: 4, round: 1, t: 2000, p: [0.75, 0.25] },
  { seq: 9, round: 2, t: 0, p: [0.7, 0.3] },
  { seq: 12, round: 2, t: 6000, p: [1, 0] },
];

test("no chance is told where a variation has left what happened", () => {
  const at = (/** @type {number} */ event, /** @type {number} */ happened) =>
    known({ round: /** @type {any} */ ({ happened }), cursor: { event } });
  assert.deepEqual([at(7, Infinity), at(7, 7), at(8, 7)], [true, true, false]);
});

test("rounds are joined end to end", () => {
  const axis = axisOf(CURVE);
  assert.equal(axis.length, 8000);
  assert.equal(axis.x(2, 1000), 3000);
  assert.equal(axis.x(1, 9000), 2000);
});

test("a round's curve reaches from its start to its end, with a point for each pixel at most", () => {
  const x = (/** @type {number} */ _, /** @type {number} */ t) => t / 100;
  const round = { number: 2, duration: 7000 };
  const close = { seq: 10, round: 2, t: 50, p: [0.6, 0.4] };
  const before = { seq: 11, round: 2, t: 5_990, p: [0.6, 0.4] };
  const [first, second, third, fourth] = CURVE;
  const points = spread([first, second, third, close, before, fourth], round, x);
  assert.deepEqual(
    points.map(({ seq, t }) => [seq, t]),
    [
      [9, 0],
      [10, 50],
      [12, 6000],
      [12, 7000],
    ],
  );
  assert.deepEqual(spread(CURVE, { number: 3, duration: 1 }, x), []);
});

test("a place has the last point before it, and nothing of a play that comes next", () => {
  const before = { seq: 3, round: 1, t: 2000, p: [0.6, 0.4] };
  const curve = [CURVE[0], before, ...CURVE.slice(1)];
  const seq = (/** @type {[number, number]} */ ...at) => pointAt(curve, ...at)?.seq;
  assert.deepEqual([seq(2, 1999), seq(3, 1999), seq(3, 2000)], [1, 1, 3]);
  assert.deepEqual([seq(3, Infinity), seq(4, 2000), seq(12, 6000)], [3, 4, 12]);
  assert.equal(pointAt([], 1, 0), null);
});

test("chances that differ only in the card are listed once", () => {
  const take = { seat: 0, slot: 1, from: 10, to: 90, takes: true, missed: true };
  const cards = (/** @type {any[]} */ chances) =>
    alike(chances).map((same) => same.map(({ card }) => card));
  const [first, second] = ["A5a", "A5b"].map((card) => ({ ...take, card }));
  const later = { ...take, card: "A5c", from: 20 };
  const another = { ...first, card: "B5a", seat: 1 };
  assert.deepEqual(cards([first, later, second, another]), [["A5a", "A5b"], ["A5c"], ["B5a"]]);
});

test("the areas share the height", () => {
  const [first, second] = areas(CURVE, axisOf(CURVE), 800, 100);
  assert.ok(first.startsWith("M0.0 0.0L200.0 0.0L"));
  assert.ok(second.startsWith("M0.0 50.0L200.0 50.0L200.0 75.0L"));
  assert.ok(second.includes("800.0 100.0"));
  assert.deepEqual(joins(axisOf(CURVE), 800, 100), ["M200.0 0V100"]);
});

test("highlights that touch are one span", () => {
  /** @param {number} round @param {number} t @param {number} seq */
  const at = (round, t, seq) => ({
    seq,
    round,
    t,
    kind: "take",
    seats: [0],
    delta: 0.1,
    points: 10,
    text: "",
  });
  assert.deepEqual(spansOf([at(2, 1000, 50), at(1, 20_000, 9), at(1, 26_000, 12)]), [
    { round: 1, from: 14_000, until: 29_000 },
    { round: 2, from: 0, until: 4000 },
  ]);
  assert.deepEqual(spansOf([]), []);
});

test("only certainties are written as certain", () => {
  assert.deepEqual(chances([0.004, 0.996]), ["<1%", ">99%"]);
  assert.deepEqual(chances([0, 1]), ["0%", "100%"]);
  assert.deepEqual(chances([0.335, 0.335, 0.33]), ["34%", "33%", "33%"]);
  assert.deepEqual(chances([0.125, 0.125, 0.25, 0.5]), ["13%", "12%", "25%", "50%"]);
});

test("a typical round is the median of those where something happened", () => {
  assert.equal(median([3, null, 1, 2]), 2);
  assert.equal(median([1, null, 2]), 1.5);
  assert.equal(median([null]), null);
});

test("a round is decided if one seat is sure to win all along", () => {
  const round = (/** @type {number[][]} */ shares) =>
    shares.map((p, at) => ({ seq: at, round: 9, t: at, p }));
  assert.ok(
    isDecided(
      round([
        [0.01, 0.99],
        [0.04, 0.96],
      ]),
    ),
  );
  assert.ok(
    !isDecided(
      round([
        [0.01, 0.99],
        [0.06, 0.94],
      ]),
    ),
  );
  assert.ok(
    !isDecided(
      round([
        [0.99, 0.01],
        [0.01, 0.99],
      ]),
    ),
  );
  assert.ok(!isDecided([]));
});
