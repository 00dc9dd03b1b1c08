import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { unpackRound } from "../../games/static/games/match/columns.js";
import { digest } from "../../games/static/games/match/fold.js";
import { Log } from "../../games/static/games/match/log.js";
import { Player } from "../../games/static/games/match/player.js";
import { standingAt } from "../../games/static/games/match/ranking.js";
import { DEALS, LINES } from "./recorded.js";

const at = (/** @type {string} */ name) => new URL(`../matches/${name}`, import.meta.url);
const DIGESTS = readFileSync(at("valid-full-match-3.digests"), "utf8").split("\n");
const golden = JSON.parse(readFileSync(new URL("columns.golden.json", import.meta.url), "utf8"));

/** A log that knows only what it is given. @param {number} [keep] */
const emptyLog = (keep) => new Log({ id: "m", seats: LINES[0].seats }, null, keep);

/** @param {number} seq @param {number} [end] */
const chunk = (seq, end) => ({ seq, lines: LINES.slice(seq, end) });

/** A player that follows. @param {Log} log */
async function following(log) {
  const player = new Player(log, () => {});
  await player.follow();
  return player;
}

const EMPTY = { next: 1, finished: false, chunks: [] };

test("the table after any event is the one that folding gives, in whatever order it is asked", () => {
  const log = emptyLog();
  log.append(chunk(DEALS[0], DEALS[1]));
  const { timeline } = log.rounds[0];
  assert.ok(timeline);
  for (const n of [200, 3, 64, 63, 65, 0, 128, 129, 127, 1, timeline.events.length])
    assert.equal(digest(timeline.tableAt(n)), DIGESTS[n]);
});

test("a packed round is folded where it is unpacked, and not again", () => {
  /** @type {any} */
  let made;
  const unpack = (/** @type {any} */ packed) => {
    made = unpackRound(packed);
    return made;
  };
  const seats = golden.lines[0].decks.map(() => ({ name: "", kind: "bot" }));
  const log = new Log({ id: "m", seats }, { unpack, fetchJson: async () => EMPTY });
  log.append({ seq: 1, packed: golden.packed });
  const round = log.last;
  assert.ok(round);
  assert.equal(round.timeline, made.timeline);
  assert.equal(round.events.length, round.seqs.length);
  assert.equal(round.timeline?.table.events, round.events.length);
});

test("a packed round goes on from the events that are known of it", () => {
  const seats = golden.lines[0].decks.map(() => ({ name: "", kind: "bot" }));
  const source = { unpack: unpackRound, fetchJson: async () => EMPTY };
  const log = new Log({ id: "m", seats }, source);
  log.append({ seq: 1, lines: golden.lines.slice(0, 4) });
  log.append({ seq: 1, packed: golden.packed });
  const whole = unpackRound(golden.packed).timeline;
  assert.deepEqual(log.last?.timeline?.events, whole.events);
  assert.deepEqual(log.last?.timeline?.contexts, whole.contexts);
});

test("a log that begins late has no rounds before its first", async () => {
  const log = emptyLog();
  log.carried = [40, 50, 60];
  const player = await following(log);
  log.append(chunk(DEALS[2], DEALS[2] + 3));
  assert.deepEqual([log.first, log.rounds.length, player.cursor.round], [3, 3, 3]);
  assert.deepEqual(standingAt(log, log.rounds[2], 2).totals, [40, 50, 60]);
  await player.stepEvent(-5);
  assert.deepEqual([player.cursor.round, player.cursor.event], [3, 0]);
  await player.stepEvent(-1);
  await player.stepRound(-1);
  await player.stepTake(-1);
  await player.home();
  assert.deepEqual([player.cursor.round, player.cursor.event], [3, 0]);
});

test("only the latest rounds are kept, where no more are wanted", () => {
  const log = emptyLog(2);
  for (const [number, seq] of DEALS.entries()) log.append(chunk(seq, DEALS[number + 1]));
  assert.deepEqual(
    log.rounds.map((round) => round.timeline !== null),
    DEALS.map((_, number) => number >= DEALS.length - 2),
  );
  assert.equal(log.first, DEALS.length - 1);
});

test("a follower sees the last event, even if it comes with the result", async () => {
  const log = emptyLog();
  const player = await following(log);
  log.append(chunk(DEALS.at(-1) ?? 0));
  assert.equal(player.event?.do, "end");
  assert.deepEqual([player.following, player.detached], [false, false]);
  await player.stepEvent(-1);
  assert.equal(player.detached, true);
});

test("a round that is sent again is shown again, even at its deal", async () => {
  const log = emptyLog();
  const player = await following(log);
  let shown = 0;
  player.onChange(() => {
    shown += 1;
  });
  log.append(chunk(DEALS[0], DEALS[0] + 1));
  log.forgetFrom(DEALS[0]);
  log.append(chunk(DEALS[0], DEALS[0] + 1));
  assert.equal(shown, 2);
});
