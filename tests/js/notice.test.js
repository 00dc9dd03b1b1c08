import assert from "node:assert/strict";
import { test } from "node:test";

import { NOTICE_MS, Notice, READING_MS } from "../../games/static/games/play/announcements.js";
import { HandClock } from "./handclock.js";

function told() {
  const clock = new HandClock();
  /** @type {string[]} */
  const shown = [];
  const notice = new Notice(
    ({ words, kind }) => shown.push(`${kind}:${words}`),
    (ms, run) => clock.later(ms, run),
  );
  return { clock, notice, now: () => shown.at(-1) };
}

test("a message covers the advice for a while", () => {
  const { clock, notice, now } = told();
  notice.advise("Draw a card.");
  notice.say("Too late.", "warn");
  notice.advise("Nothing fits.");
  clock.pass(NOTICE_MS - 1);
  assert.equal(now(), "warn:Too late.");
  clock.pass(1);
  assert.equal(now(), "advice:Nothing fits.");
});

test("the newer message counts, for its whole time", () => {
  const { clock, notice, now } = told();
  notice.say("One card at a time.");
  clock.pass(NOTICE_MS - 1);
  notice.say("Your hand is full.");
  clock.pass(NOTICE_MS - 1);
  assert.equal(now(), ":Your hand is full.");
  clock.pass(1);
  assert.equal(now(), "advice:");
});

test("what was missed stays until the player does something", () => {
  const { clock, notice, now } = told();
  notice.keep("You missed 12 s.");
  clock.pass(10 * READING_MS);
  assert.equal(now(), ":You missed 12 s.");
  notice.acted();
  assert.equal(now(), "advice:");
});

test("who plays on at once has time to read what was missed", () => {
  const { clock, notice, now } = told();
  notice.keep("You missed 12 s.");
  notice.acted();
  clock.pass(READING_MS - 1);
  assert.equal(now(), ":You missed 12 s.");
  clock.pass(1);
  assert.equal(now(), "advice:");
});
