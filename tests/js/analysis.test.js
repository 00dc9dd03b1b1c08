import "./static.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { areas, axisOf, joins } = await import("../../replays/static/replays/analysis/chances.js");
const { isDecided, known, otherLeader, pointAt, spread } = await import(
  "../../replays/static/replays/analysis/curve.js"
);
const { percent, percents } = await import("../../replays/static/replays/analysis/percent.js");
const { MomentList, spansOf } = await import("../../replays/static/replays/analysis/momentlist.js");
const { openLate } = await import("../../replays/static/replays/analysis/analysis.js");
const { spokenPieces, verdictPieces } = await import(
  "../../replays/static/replays/analysis/sentence.js"
);
const { against, shareWords } = await import("../../replays/static/replays/analysis/account.js");
const { playAt } = await import("../../replays/static/replays/analysis/oneplay.js");
const { arrivedAt, seenBy, wordsOf } = await import(
  "../../replays/static/replays/analysis/screenview.js"
);

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
  const behind = spread([first, before, fourth], { number: 2, duration: 5_995 }, x);
  assert.equal(behind.at(-1)?.seq, before.seq, "a page that is behind shows no more than it has");
});

test("a place has the last point before it, and nothing of a play that comes next", () => {
  const before = { seq: 3, round: 1, t: 2000, p: [0.6, 0.4] };
  const curve = [CURVE[0], before, ...CURVE.slice(1)];
  const seq = (/** @type {[number, number]} */ ...at) => pointAt(curve, ...at)?.seq;
  assert.deepEqual([seq(2, 1999), seq(3, 1999), seq(3, 2000)], [1, 1, 3]);
  assert.deepEqual([seq(3, Infinity), seq(4, 2000), seq(12, 6000)], [3, 4, 12]);
  assert.equal(pointAt([], 1, 0), null);
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
    { round: 1, from: 14_000, to: 29_000 },
    { round: 2, from: 0, to: 4000 },
  ]);
  assert.deepEqual(spansOf([]), []);
});

test("only certainties are written as certain", () => {
  assert.deepEqual([0.004, 0.996].map(percent), ["<1%", ">99%"]);
  assert.deepEqual([0, 1].map(percent), ["0%", "100%"]);
});

test("a half is rounded to the even number, as in the server’s sentences", () => {
  assert.deepEqual([0.465, 0.535].map(percent), ["46%", "54%"]);
  assert.deepEqual([0.125, 0.375, 0.3351].map(percent), ["12%", "38%", "34%"]);
});

test("the chances of a match sum to 100%", () => {
  assert.deepEqual(percents([0.454, 0.263, 0.283]), ["46%", "26%", "28%"]);
  assert.deepEqual(percents([0.155, 0.547, 0.298]), ["15%", "55%", "30%"]);
  assert.deepEqual(percents([0.004, 0.996]), ["<1%", ">99%"]);
  assert.deepEqual(percents([1, 0, 0]), ["100%", "0%", "0%"]);
});

test("who leads is told only if another is likelier to win", () => {
  assert.equal(otherLeader([5, 9, 1], [0.6, 0.3, 0.1]), 1);
  assert.equal(otherLeader([5, 9, 1], [0.3, 0.6, 0.1]), null);
  assert.equal(otherLeader([9, 9, 1], [0.3, 0.1, 0.6]), null, "two lead");
  assert.equal(otherLeader([5, 9, 1], [0.415, 0.399, 0.186]), null, "not clearly");
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

/** The names, then what is left, of a verdict on a match of these players. */
const parted = (/** @type {string} */ words, /** @type {string[]} */ ...names) => {
  const pieces = verdictPieces(words, names);
  assert.equal(pieces.map(({ text }) => text).join(""), words);
  return [pieces.filter(({ name }) => name).map(({ text }) => text), pieces.at(-1)?.text];
};

test("a name that was cut ends its sentence", () => {
  const names = ["Wolfeschlegelsteinhausen", "Bo"];
  const said = spokenPieces(`Bo passed ${names[0]}. ${names[0]} came back.`, names);
  assert.equal(
    said.map(({ text }) => text).join(""),
    "Bo passed Wolfeschleg… Wolfeschleg… came back.",
  );
});

test("the names in a verdict are told from its words", () => {
  assert.deepEqual(parted("Bo won. Bo took both 5s.", "Bo", "5"), [["Bo", "Bo"], " took both 5s."]);
  assert.deepEqual(parted("Ann won with 40 points.", "Ann", "Bo"), [
    ["Ann"],
    " won with 40 points.",
  ]);
  assert.deepEqual(parted("Ann, Bo and Al drew.", "Ann", "Bo", "Al"), [
    ["Ann", "Bo", "Al"],
    " drew.",
  ]);
});

test("of two names that begin alike the longer one is meant", () => {
  assert.deepEqual(parted("Ann and Bo drew with 3.", "Ann", "Ann and Bo"), [
    ["Ann and Bo"],
    " drew with 3.",
  ]);
});

test("a verdict without a name stays whole", () => {
  const words = "The match was abandoned.";
  assert.deepEqual(parted(words, "The moon", ""), [[], words]);
});

test("a seat's cards of a stack are set against those who could take it", () => {
  const stack = (/** @type {number} */ taker, /** @type {number[]} */ others, cards = 9) =>
    /** @type {any} */ ({ taker, cards, rivals: others.map((seat) => ({ seat })) });
  const stacks = [stack(0, [1, 2]), stack(1, [0], 6)];
  assert.deepEqual(
    [0, 1, 2, 3].map((seat) => against(stacks, seat)),
    [3, 0, -3, 0],
  );
});

test("a player reads how many cards more than an even share luck does not explain", () => {
  const words = (/** @type {number} */ rivals, /** @type {number} */ share) =>
    shareWords(/** @type {any} */ ({ rivals, share, luck: 15 }));
  assert.deepEqual(
    [words(50, 50), words(35, 50), words(66, 50), words(34, 50)],
    [
      "You took about an even share of their cards.",
      "You took about an even share of their cards.",
      "You took 16 cards more than an even share.",
      "You took 16 cards fewer than an even share.",
    ],
  );
});

test("another move is tried of the play that the page is about", () => {
  const draw = { do: "draw", t: 1, seat: 0, card: "A1a" };
  const play = { do: "play", t: 2, seat: 0, card: "A1a", stack: 0 };
  const events = /** @type {any[]} */ ([play, draw, draw, play, draw]);
  const at = (/** @type {number} */ event, aimed = false) => playAt(events, event, aimed);
  assert.deepEqual(
    [at(0), at(1), at(2), at(4)],
    [1, 1, 4, 4],
    "the one at the cursor, else the next",
  );
  assert.equal(at(1, true), 4, "aimed at the next one, whatever came last");
  assert.equal(at(5), 0);
});

/** @type {any[]} */
const events = [
  { t: 100, do: "draw", seat: 0, card: "A2a" },
  { t: 200, do: "play", seat: 1, card: "B1a", stack: 1, seen: 0 },
  { t: 260, do: "draw", seat: 1, card: "B3a" },
  { t: 300, do: "late", seat: 0, card: "A1a", stack: 1, seen: 1 },
];
const screen = {
  low: [110, 310, 320, 330],
  likely: [140, 340, 350, 360],
  high: [200, 390, 400, 410],
};
const names = ["Ann", "Bo"];

test("what had arrived is told with its bounds, and never more than had happened", () => {
  assert.deepEqual(arrivedAt(screen, { event: 4, t: 345 }), { event: 2, from: 1, to: 4 });
  assert.deepEqual(arrivedAt(screen, { event: 1, t: 9000 }), { event: 1, from: 1, to: 1 });
});

test("at a try of that seat it is what the try had seen", () => {
  assert.equal(seenBy(events[3], 0), 1);
  assert.equal(seenBy(events[3], 1), null);
  assert.equal(seenBy(undefined, 1), null);
  /** @type {any} */
  const tie = { t: 1, do: "tie", stack: 0, cards: ["A1a", "B1a"], after: [0, 9], seen: [4, 3] };
  assert.equal(seenBy(tie, 1), 3);
});

test("what was on its way is told without faces that the seat could not see", () => {
  const seen = { event: 1, from: 1, to: 1 };
  assert.equal(
    wordsOf({ events }, 4, seen, names, 0),
    "Not yet on Ann’s screen: Bo 1 ▸ new stack\u00a02; Bo draws a card.",
  );
  const unsure = { event: 2, from: 1, to: 2 };
  assert.equal(
    wordsOf({ events }, 2, unsure, names, 0),
    "Perhaps not yet on Ann’s screen: Bo 1 ▸ new stack\u00a02.",
  );
  /** @type {any} */
  const tie = { t: 400, do: "tie", stack: 0, cards: ["A1a", "B1a"], after: [0, 9], seen: [4, 3] };
  assert.equal(
    wordsOf({ events: [...events, tie] }, 5, { event: 4, from: 4, to: 4 }, names, 0),
    "Not yet on Ann’s screen: Ann and Bo tie on stack\u00a01.",
  );
  const all = { event: 3, from: 3, to: 3 };
  assert.equal(wordsOf({ events }, 4, all, names, 0), "Ann’s screen shows all of this.");
});

test("an analysis that comes soon opens the page where it says, and moves no one who is elsewhere", (t) => {
  const now = t.mock.method(performance, "now", () => 3_999);
  /** @param {object} [cursor] @param {object} [more] @param {object} [other] of the player */
  const opens = (cursor, more, other) => {
    /** @type {number[]} */
    const gone = [];
    const player = {
      ...{ cursor: { seq: 5, ...cursor }, playing: false },
      ...{ log: { match: { opening: 0 } }, ...other },
      goBefore: (/** @type {number} */ seq) => gone.push(seq),
    };
    const page = { player, opened: 5, placed: false, state: { tab: "events" }, ...more };
    openLate(/** @type {any} */ (page), 9);
    return gone;
  };
  assert.deepEqual(opens(), [9]);
  for (const stays of [
    opens({ seq: 6 }),
    opens({}, { placed: true }),
    opens({}, { state: { tab: "notes" } }),
    opens({}, {}, { log: { match: { opening: 9 } } }),
    opens({}, {}, { playing: true }),
  ])
    assert.deepEqual(stays, []);
  now.mock.mockImplementation(() => 4_000);
  assert.deepEqual(opens(), [], "too late");
});

test("no race is offered at a run, of which no single play stood out", () => {
  /** @type {number[]} */
  const asked = [];
  const items = new Map(["run", "take"].map((kind, seq) => [{ seq, kind }, null]));
  const show = { race: (/** @type {number} */ seq) => void asked.push(seq) };
  MomentList.prototype.offer.call(/** @type {any} */ ({ items }), /** @type {any} */ (show));
  assert.deepEqual(asked, [1]);
});
