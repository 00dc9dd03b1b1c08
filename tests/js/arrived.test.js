import "./static.js";
import assert from "node:assert/strict";
import test from "node:test";

const { arrivedAt, seenBy, wordsOf } = await import(
  "../../replays/static/replays/analysis/screenview.js"
);

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
    "Not yet on Ann’s screen: Bo 1 ▸ new stack 2; Bo draws a card.",
  );
  const unsure = { event: 2, from: 1, to: 2 };
  assert.equal(
    wordsOf({ events }, 2, unsure, names, 0),
    "Perhaps not yet on Ann’s screen: Bo 1 ▸ new stack 2.",
  );
  /** @type {any} */
  const tie = { t: 400, do: "tie", stack: 0, cards: ["A1a", "B1a"], after: [0, 9], seen: [4, 3] };
  assert.equal(
    wordsOf({ events: [...events, tie] }, 5, { event: 4, from: 4, to: 4 }, names, 0),
    "Not yet on Ann’s screen: Ann and Bo tie on stack 1.",
  );
  const all = { event: 3, from: 3, to: 3 };
  assert.equal(wordsOf({ events }, 4, all, names, 0), "Ann’s screen shows all of this.");
});
