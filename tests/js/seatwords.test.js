import assert from "node:assert/strict";
import { test } from "node:test";

import { AwayWords } from "../../games/static/games/live/seatwords.js";
import { HandClock } from "./handclock.js";

const HERE = { here: true, bot: false, kind: "human", away_ms: null };
const GONE = { ...HERE, here: false, away_ms: 20_000 };

/** A table's seats in words, and the clock that they go by. */
function table() {
  const clock = new HandClock();
  /** @type {string[][]} */
  const shown = [];
  const seats = new AwayWords((words) => shown.push(words), clock);
  return { clock, seats, shown, now: () => shown.at(-1) };
}

test("who is away is counted down until a bot plays, and then nothing is counted", () => {
  const { clock, seats, shown, now } = table();
  seats.state([HERE, GONE]);
  assert.deepEqual(now(), ["", "away, bot in 20 s"]);
  clock.pass(18_500);
  assert.deepEqual(now(), ["", "away, bot in 2 s"]);
  clock.pass(1_500);
  assert.deepEqual(now(), ["", "away"], "the host has not said so yet");
  seats.state([HERE, { ...GONE, bot: true, away_ms: null }]);
  assert.deepEqual(now(), ["", "away, a bot plays"]);
  const told = shown.length;
  clock.pass(60_000);
  assert.equal(shown.length, told);
});

test("a newer state ends an older one's countdown", () => {
  const { clock, seats, shown, now } = table();
  seats.state([GONE]);
  seats.state([HERE]);
  clock.pass(60_000);
  assert.deepEqual(now(), [""]);
  assert.equal(shown.length, 2);
});

test("somebody idle is there, and a bot or an empty seat is never away", () => {
  const { seats, now } = table();
  const idle = { ...HERE, away_ms: 3_200 };
  const empty = { ...HERE, here: false, kind: null };
  seats.state([idle, { ...idle, bot: true }, { ...HERE, kind: "bot", bot: true }, empty]);
  assert.deepEqual(now(), ["idle, bot in 4 s", "idle, a bot plays", "", ""]);
});

test("without a time a bot takes over at some point", () => {
  const { seats, now } = table();
  seats.state([{ ...GONE, away_ms: null }]);
  assert.deepEqual(now(), ["away"]);
});
