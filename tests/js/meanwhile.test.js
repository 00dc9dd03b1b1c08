import assert from "node:assert/strict";
import { test } from "node:test";

import { Log } from "../../games/static/games/match/log.js";
import { meanwhile } from "../../games/static/games/play/lookback.js";

const NAMES = ["Ada", "Bo", "Cy"];
const DECKS = ["A1a A2a A5a A3a", "B1a B5a B4a B5b", "C1a C2a C5a C3a"];

/** @param {any[]} events */
function logOf(events) {
  const seats = NAMES.map((name) => ({ name, kind: "human" }));
  const log = new Log({ id: "m", seats });
  log.append({ seq: 2, lines: [{ round: 1, decks: DECKS }, ...events] });
  return log;
}

const EVENTS = [
  { t: 1_000, seat: 0, do: "play", card: "A1a", stack: 0 },
  { t: 9_000, seat: 1, do: "play", card: "B5a", stack: 0, takes: 2 },
  { t: 11_000, seat: 0, do: "play", card: "A2a", stack: 1 },
  { t: 12_000, seat: 2, do: "play", card: "C5a", stack: 1, takes: 3 },
  { t: 13_000, seat: 0, do: "play", card: "A5a", stack: 2, takes: 1 },
];

test("a player who comes back learns what was played for them and who took what", () => {
  assert.equal(
    meanwhile(logOf(EVENTS), 3, NAMES, 0),
    "You missed 12\u00a0s. A bot played 2 cards for you and took 1. Cy took 3 cards. Bo took 2 cards.",
  );
});

test("a moment's absence is not worth a word", () => {
  assert.equal(meanwhile(logOf(EVENTS), 5, NAMES, 0), "");
});

test("a round that began meanwhile is named", () => {
  assert.equal(
    meanwhile(logOf(EVENTS.slice(0, 1)), 1, NAMES, 2),
    "Round\u00a01 began while you were away. Nothing was played for you. No one else took a stack.",
  );
});

test("what is over is left to the scores", () => {
  const end = { t: 20_000, do: "end", reason: "out", scores: [0, 0, 0], totals: [0, 0, 0] };
  assert.equal(meanwhile(logOf([...EVENTS, end]), 3, NAMES, 0), "");
});
