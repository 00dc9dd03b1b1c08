import assert from "node:assert/strict";
import { test } from "node:test";
import { LastSaid } from "../../games/static/games/live/chat.js";
import { AwayWords, REST_MS, talking, wordsOf } from "../../games/static/games/live/seatwords.js";
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
  assert.deepEqual(now(), ["", "away, bot in 20\u00a0s"]);
  clock.pass(18_500);
  assert.deepEqual(now(), ["", "away, bot in 2\u00a0s"]);
  clock.pass(1_500);
  assert.deepEqual(now(), ["", "away"], "the host has not said so yet");
  seats.state([HERE, { ...GONE, bot: true, away_ms: null }]);
  assert.deepEqual(now(), ["", "away"]);
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
  assert.deepEqual(now(), ["idle, bot in 4\u00a0s", "away", "", ""]);
});

test("without a time a bot takes over at some point", () => {
  const { seats, now } = table();
  seats.state([{ ...GONE, away_ms: null }]);
  assert.deepEqual(now(), ["away"]);
});

test("a phrase has words, unless the viewer wants none or it is unknown here", () => {
  assert.deepEqual(
    [wordsOf("good-luck", true), wordsOf("again", true), wordsOf(null, true)],
    ["Good luck", "Again?", ""],
  );
  assert.deepEqual(
    [wordsOf("good-luck", false), wordsOf(/** @type {any} */ ("hooray"), true)],
    ["", ""],
  );
});

test("a player says one phrase at a time, and the buttons show when the next may come", () => {
  const clock = new HandClock();
  /** @type {(string | boolean)[]} */
  const seen = [];
  const say = talking(
    (phrase) => seen.push(phrase),
    (resting) => seen.push(resting),
    (ms, run) => clock.later(ms, run),
  );
  say("good-luck");
  clock.pass(REST_MS - 1);
  say("ouch");
  assert.deepEqual(seen, ["good-luck", true]);
  clock.pass(1);
  say("ouch");
  assert.deepEqual(seen, ["good-luck", true, false, "ouch", true]);
});

test("what is refused comes back with the reason", () => {
  const said = new LastSaid();
  said.text = "Well played";
  const { why, text } = said.refused("too-often");
  assert.match(why, /^Slow down/);
  assert.equal(text, "Well played");
  assert.equal(said.refused("too-often").text, "", "and comes back once");
});

test("what was heard does not come back when something else is refused later", () => {
  const said = new LastSaid();
  said.text = "Well played";
  said.heard([{ by: "Bo", text: "Well played" }], "Bo");
  assert.equal(said.refused("too-often").text, "");
});

test("what others say, or was said before, does not count as heard", () => {
  const said = new LastSaid();
  said.text = "Well played";
  said.heard([{ by: "Ada", text: "Well played" }], "Bo");
  said.heard([{ by: "Bo", text: "Hello" }], "Bo");
  assert.equal(said.refused("too-often").text, "Well played");
});

test("a refusal of something else than a line of the chat says nothing about it", () => {
  const said = new LastSaid();
  said.text = "Well played";
  assert.deepEqual(said.refused("not-leader"), { why: "", text: "" });
  assert.deepEqual(said.refused("full"), { why: "", text: "" });
  assert.equal(said.refused("muted").text, "Well played");
});
