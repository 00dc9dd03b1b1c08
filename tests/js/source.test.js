import assert from "node:assert/strict";
import { test } from "node:test";

import "./static.js";
import { settled } from "./handclock.js";
import { HandWire } from "./handwire.js";
import { DEALS, LINES } from "./recorded.js";

const { BEHIND_MS } = await import("../../games/static/games/live/source.js");
const { LiveSource } = await import("../../games/static/games/live/source.js");
const { Log } = await import("../../games/static/games/match/log.js");

const [, SECOND] = DEALS;
const MATCH = { id: "m", seats: LINES[0].seats };

/** A log that knows the first lines of a match, and its feed. @param {number} known @param {boolean} [open] */
function fed(known, open = false) {
  const wire = new HandWire();
  const { clock, world } = wire;
  /** @type {string[]} */
  const asked = [];
  const log = new Log(MATCH, {
    unpack: () => ({ lines: [], timeline: null }),
    fetchJson: async (url) => {
      asked.push(url);
      const from = Number(url.split("from=")[1]);
      const chunks = [{ seq: from, lines: LINES.slice(from, SECOND) }];
      return { next: SECOND, finished: false, chunks };
    },
  });
  log.append({ seq: 1, lines: LINES.slice(1, known) });
  let restarted = 0;
  const feed = new LiveSource(
    log,
    { url: "ws://test", open, world },
    { news() {}, restarted: () => (restarted += 1) },
  );
  feed.start();
  const say = wire.say.bind(wire);
  return { clock, log, feed, asked, say, restarted: () => restarted };
}

const welcome = (/** @type {number} */ seq) => ({
  type: "welcome",
  epoch: 1,
  seq,
  round: 2,
  now: 0,
});

/** @param {number} seq @param {number} end */
const lines = (seq, end) => ({
  type: "lines",
  seq,
  round: 2,
  now: LINES[end - 1].t,
  lines: LINES.slice(seq, end),
});

test("a log grows by its feed, and what it missed before is fetched", async () => {
  const { clock, log, asked, say } = fed(10);
  say(welcome(SECOND));
  say(lines(SECOND, SECOND + 5));
  await settled();
  clock.pass(BEHIND_MS);
  assert.deepEqual(asked, ["log?from=10"]);
  assert.equal(log.next, SECOND + 5);
  assert.deepEqual(
    log.rounds.map((round) => round.events.length),
    [SECOND - 2, 4],
  );
});

test("what is known already is passed over", async () => {
  const { clock, log, asked, say } = fed(SECOND + 3);
  say(welcome(SECOND));
  say(lines(SECOND, SECOND + 8));
  await settled();
  clock.pass(BEHIND_MS);
  assert.deepEqual(asked, []);
  assert.deepEqual(log.rounds[1].events, LINES.slice(SECOND + 1, SECOND + 8));
});

test("open hands take the place of hidden ones", async () => {
  const { clock, log, say, restarted } = fed(SECOND + 3, true);
  say(welcome(SECOND));
  assert.deepEqual([log.next, log.rounds.length, restarted()], [SECOND, 1, 1]);
  say(lines(SECOND, SECOND + 2));
  await settled();
  clock.pass(BEHIND_MS);
  assert.equal(log.next, SECOND + 2);
});

/** A feed of a log that only knows what it is given, as on a wall. */
function wall() {
  const wire = new HandWire();
  const { clock, world } = wire;
  const log = new Log(MATCH, null, 1);
  const source = new LiveSource(log, { url: "ws://test", world }, { news() {} });
  source.start();
  const say = wire.say.bind(wire);
  return { clock, log, source, say };
}

test("a log that fetches nothing begins with the round that it is given", async () => {
  const { clock, log, say } = wall();
  say(welcome(SECOND));
  say(lines(SECOND, SECOND + 5));
  await settled();
  clock.pass(BEHIND_MS);
  assert.deepEqual([log.first, log.last?.events.length, log.next], [2, 4, SECOND + 5]);
});

test("a round that is left out leaves no gap to wait for", async () => {
  const { clock, log, say } = wall();
  const third = LINES.findIndex((line) => line.round === 3);
  say(welcome(SECOND));
  say(lines(SECOND, SECOND + 5));
  await settled();
  clock.pass(BEHIND_MS);
  say({ type: "resync", seq: third, round: 3, reason: "behind" });
  say(lines(third, third + 4));
  await settled();
  clock.pass(BEHIND_MS);
  assert.deepEqual([log.first, log.last?.number, log.last?.events.length], [3, 3, 3]);
});

test("a client that leaves a match hears nothing more of it", async () => {
  const { clock, log, source, say } = wall();
  say(welcome(SECOND));
  say(lines(SECOND, SECOND + 5));
  source.stop();
  await settled();
  clock.pass(BEHIND_MS);
  assert.equal(log.last, undefined);
});
