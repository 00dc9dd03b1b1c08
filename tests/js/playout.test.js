import "./static.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { BEHIND_MS, Playout } from "../../games/static/games/live/source.js";
import { HandClock } from "./handclock.js";

const { scoreWords, stackWords } = await import(
  "../../replays/static/replays/ghostrace/outcome.js"
);

function played() {
  const clock = new HandClock();
  /** @type {{at: number, seq: number, t: number}[]} */
  const out = [];
  const playout = new Playout(
    (seq, /** @type {any[]} */ lines) =>
      lines.forEach((line, at) => out.push({ at: clock.time, seq: seq + at, t: line.t })),
    clock,
  );
  return { clock, out, playout };
}

test("a batch is played out as it happened, a little later", () => {
  const { clock, out, playout } = played();
  playout.take({ seq: 5, now: 1000, lines: [{ t: 800 }, { t: 900 }, { t: 990 }] });
  clock.pass(BEHIND_MS);
  assert.deepEqual(out, [
    { at: BEHIND_MS - 200, seq: 5, t: 800 },
    { at: BEHIND_MS - 100, seq: 6, t: 900 },
    { at: BEHIND_MS - 10, seq: 7, t: 990 },
  ]);
});

test("batches follow each other without a gap or a crowd", () => {
  const { clock, out, playout } = played();
  playout.take({ seq: 5, now: 1000, lines: [{ t: 900 }] });
  clock.pass(250);
  playout.take({ seq: 6, now: 1250, lines: [{ t: 1100 }, { t: 1240 }] });
  clock.pass(1000);
  assert.deepEqual(
    out.map(({ at, t }) => at - t),
    [-600, -600, -600].map(() => BEHIND_MS - 1000),
  );
});

test("what happened long ago comes at once, and in its order", () => {
  const { clock, out, playout } = played();
  playout.take({ seq: 1, now: 60_000, lines: [{ t: 10 }, { t: 20 }, { t: 59_900 }] });
  assert.deepEqual(
    out.map(({ seq }) => seq),
    [1, 2],
  );
  clock.pass(BEHIND_MS);
  assert.deepEqual(
    out.map(({ seq }) => seq),
    [1, 2, 3],
  );
});

test("a line without a time never overtakes one before it", () => {
  const { clock, out, playout } = played();
  playout.take({ seq: 1, now: 0, lines: [{ round: 2, decks: [] }] });
  playout.take({ seq: 2, now: 900, lines: [{ t: 0 }, { t: 890 }] });
  clock.pass(BEHIND_MS + 10);
  assert.deepEqual(
    out.map(({ seq }) => seq),
    [1, 2, 3],
  );
});

test("what is dropped does not come", () => {
  const { clock, out, playout } = played();
  playout.take({ seq: 3, now: 200, lines: [{ t: 190 }] });
  playout.drop();
  clock.pass(2000);
  assert.equal(out.length, 0);
});

const NAMES = ["Ada", "taker"];

test("a race tells who was first to a stack, and by how much", () => {
  const told = (/** @type {boolean} */ won, /** @type {number} */ ms) =>
    stackWords({ won, other: 1, ms, cards: 11 }, NAMES);
  assert.equal(told(true, 180), "You beat taker to it by 180\u00a0ms: 11 cards.");
  assert.equal(told(false, 60), "taker beat you to it by 60\u00a0ms: 11 cards.");
  assert.equal(told(true, -40), "You took 11 cards that taker took in the match.");
});

test("a race ends with the player's points against the recorded ones", () => {
  assert.equal(
    scoreWords({ t: 62_300, score: 1, original: -8 }, "Ada"),
    "At 1:02.3 you have 1 point for the round. In the match Ada had −8 points then.",
  );
});
