import assert from "node:assert/strict";
import { test } from "node:test";

import { REST_MS, Talking, wordsOf } from "../../games/static/games/live/seatwords.js";
import { HandClock } from "./handclock.js";

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
  const talking = new Talking(
    (phrase) => seen.push(phrase),
    (resting) => seen.push(resting),
    (ms, run) => clock.later(ms, run),
  );
  talking.say("good-luck");
  clock.pass(REST_MS - 1);
  talking.say("ouch");
  assert.deepEqual(seen, ["good-luck", true]);
  clock.pass(1);
  talking.say("ouch");
  assert.deepEqual(seen, ["good-luck", true, false, "ouch", true]);
});
