import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { promised } from "./handclock.js";
import { chunk, DEALS, LINES, META, opened, Server } from "./recorded.js";

const { isNear } = await import("../../games/static/games/match/player.js");
const { Round } = await import("../../games/static/games/match/log.js");
const { Timeline } = await import("../../games/static/games/match/timeline.js");
const { addressShown, placeOf } = await import("../../games/static/games/match/links.js");
const { Loop } = await import("../../games/static/games/match/loop.js");
const { SlowMotion } = await import("../../replays/static/replays/analysis/momentlist.js");

/** @type {Server} */
let server;
/** @type {import("./recorded.js").Frames} */
let frames;
/** @type {import("../../games/static/games/match/player.js").Player} */
let player;

/** @param {object} [more] what the page says beside the seats */
function open(more) {
  const made = opened(more, server);
  ({ player, frames } = made);
  return made.log;
}

beforeEach(() => {
  server = new Server();
  open().append(chunk(1));
});

const place = () => [player.cursor.round, player.cursor.event];

test("it stands on the first deal", () =>
  assert.deepEqual(player.cursor, { round: 1, event: 0, seq: 1, t: 0, moment: false }));

test("a round that is not here is fetched once", async () => {
  await Promise.all([player.goTo({ round: 3, t: 0 }), player.goTo({ round: 3, event: 2 })]);
  await player.goTo({ round: 3, event: 5 });
  assert.deepEqual([server.asked, place()], [[`log?from=${DEALS[2]}`], [3, 5]]);
});

test("the last of two requests counts, whichever answer comes first", async () => {
  await Promise.all([player.goTo({ round: 4, event: 1 }), player.goTo({ round: 1, event: 7 })]);
  assert.deepEqual(place(), [1, 7]);
});

/** Lets the server answer only when the test says so. @returns {() => void} that it may */
function hold() {
  const { promise, keep } = promised();
  const answer = server.answer.bind(server);
  server.answer = async (url) => {
    await promise;
    return { ...(await answer(url)), finished: false };
  };
  return keep;
}

/** What waits for a round that is not here, and what comes of it. @type {Record<string, [() => Promise<unknown>, unknown]>} */
const WAITING = {
  "a search": [() => player.stepTake(1), undefined],
  "following a match": [
    () => {
      open({ rounds: META.slice(0, 2) }).append(chunk(1));
      return player.follow();
    },
    undefined,
  ],
  "playing from a place": [() => player.playFrom({ round: 3, t: 0 }), false],
  "going right before a line": [() => player.goBefore(DEALS[2] + 5), false],
  "a loop": [
    async () => {
      const loop = new Loop(player);
      await loop.start({ round: 3, event: 5, until: 9 });
      return loop.running;
    },
    false,
  ],
  "slow motion": [() => new SlowMotion(player).play(3, 0, 500), undefined],
};

for (const [what, [begin, given]] of Object.entries(WAITING))
  test(`${what} is given up by who goes elsewhere before the round has come`, async () => {
    await player.goTo({ round: 1, event: META[0].events });
    const release = hold();
    const begun = begin();
    await player.goTo({ round: 1, event: 7 });
    release();
    assert.equal(await begun, given);
    const { following, playing, speed } = player;
    assert.deepEqual([following, playing, speed, place()], [false, false, 1, [1, 7]]);
  });

test("a seq is the event's own line", async () => {
  await player.goTo({ seq: DEALS[1] + 10 });
  assert.deepEqual([place(), player.cursor.seq], [[2, 10], DEALS[1] + 10]);
});

test("stepping crosses from round to round, both ways", async () => {
  await player.goTo({ round: 1, event: META[0].events });
  await player.stepEvent(1);
  assert.deepEqual(place(), [2, 0]);
  await player.stepEvent(-1);
  assert.deepEqual(place(), [1, META[0].events]);
});

test("a step of a second stands between the events", async () => {
  await player.stepTime(1000);
  assert.equal(player.cursor.t, 1000);
  const { round, cursor } = player;
  assert.ok(
    round && round.events[cursor.event - 1].t <= 1000 && round.events[cursor.event].t > 1000,
  );
});

test("right before a line the time is the line's, and the address leads back to it", async () => {
  await player.goBefore(DEALS[2] + 5);
  const next = player.round?.events[player.cursor.event];
  assert.equal(player.time, next?.t);
  const query = new URLSearchParams(addressShown(player, "all", null));
  const shown = player.time;
  await player.home();
  await player.goTo(placeOf(query) ?? { seq: 1 });
  assert.deepEqual([place(), player.time], [[3, 4], shown]);
});

test("what is written between two events is at the time of the first", async () => {
  await player.stepTime(1000);
  const { event } = player.cursor;
  await player.settle();
  assert.deepEqual([place(), player.time], [[1, event], player.round?.events[event - 1].t]);
});

test("takes are found forward and backward", async () => {
  await player.stepTake(1);
  const first = player.cursor.event;
  await player.stepTake(1);
  await player.stepTake(-1);
  assert.equal(player.cursor.event, first);
  assert.ok(player.event?.do === "play" && player.event.takes);
});

test("a take that lies far off is still to be seen happening", async () => {
  await player.goTo({ round: 1, event: 0 });
  const before = player.cursor;
  await player.stepTake(1);
  assert.deepEqual([player.cursor.moment, isNear(before, player.cursor)], [true, false]);
  await player.stepEvent(1);
  assert.equal(player.cursor.moment, false);
});

test("races are ties, late tries and notes, over all rounds", async () => {
  player.log.notes.push({ round: 2, event: 3 });
  await player.goTo({ round: 1, event: META[0].events });
  await player.stepRace(1);
  const [round, event] = place();
  assert.ok(round === 2 && event <= 3);
});

test("playing keeps the clock, whatever the frames", () => {
  player.play();
  frames.pass(1000);
  assert.ok(Math.abs(player.cursor.t - 980) <= 20);
  assert.equal(player.cursor.event, player.round?.eventBy(player.cursor.t));
});

test("at 8× it is eight times as far", () => {
  player.speed = 8;
  player.play();
  frames.pass(1000);
  assert.ok(Math.abs(player.cursor.t - 7840) <= 160);
});

test("the clock stops at the end of a round, however far a frame reaches", async () => {
  const { duration } = player.log.rounds[0];
  await player.goTo({ round: 1, t: duration - 7 });
  player.play();
  frames.pass(40);
  assert.equal(player.cursor.t, duration);
});

test("it plays on into the next round and stops after the last", async () => {
  await player.goTo({ round: 4, event: Infinity });
  await player.goTo({ round: 3, event: Infinity });
  player.play();
  frames.pass(3000);
  assert.equal(player.cursor.round, 4);
  await player.end();
  frames.pass(3000);
  assert.equal(player.playing, false);
});

test("smart tempo hurries through a wait and slows down before a take", async () => {
  const { smartFactor } = await import("../../games/static/games/match/timeline.js");
  const { round } = player;
  assert.ok(round?.timeline);
  const take = round.timeline?.takes[0] ?? 0;
  assert.ok(smartFactor(round, take - 1, round.events[take - 1].t - 10) < 1);
});

test("a follower comes along as the log grows, a detached viewer stays", async () => {
  const log = open({ rounds: [], finished: false });
  log.append({ seq: 1, lines: LINES.slice(1, 20) });
  await player.follow();
  log.append({ seq: 20, lines: LINES.slice(20, 25) });
  assert.deepEqual([place(), player.following], [[1, 23], true]);
  await player.stepEvent(-1);
  log.append({ seq: 25, lines: LINES.slice(25, 40) });
  assert.deepEqual([place(), player.following], [[1, 22], false]);
  await player.follow();
  assert.deepEqual(place(), [1, 38]);
});

test("whoever looks after a round was replaced by a shorter one sees its end", async () => {
  const { log } = player;
  await player.goTo({ round: 1, event: 9 });
  const shorter = new Round(1, log.rounds[0].seq);
  shorter.timeline = new Timeline(/** @type {any} */ (log.rounds[0].deal));
  for (const [at, event] of log.rounds[0].events.slice(0, 8).entries())
    shorter.add(event, log.rounds[0].seqs[at]);
  /** @type {(import("../../games/static/games/match/fold.js").RoundEvent | null)[]} */
  const seen = [];
  player.onState(() => seen.push(player.event));
  log.replace(shorter);
  assert.deepEqual([place(), seen], [[1, 8], [shorter.events[7]]]);
});

test("lines that come twice are taken once", () => {
  const log = open({ rounds: [], finished: false });
  log.append({ seq: 1, lines: LINES.slice(1, 20) });
  log.append({ seq: 10, lines: LINES.slice(10, 30) });
  assert.deepEqual([log.rounds[0].events.length, log.next], [28, 30]);
});

test("notes keep their rounds, and a result finishes the log", () => {
  const log = open({ rounds: [], finished: false });
  const note = { round: 1, event: 2, text: "Look." };
  log.append({ seq: 1, lines: [...LINES.slice(1, 5), { note }, { result: [0] }] });
  assert.deepEqual([log.notes, log.result, log.finished], [[note], [0], true]);
});

test("a log whose end is hidden is asked for slices ahead of the clock", async () => {
  const log = open({ spoilers: false });
  log.append({ seq: 1, lines: LINES.slice(1, 20) });
  player.play();
  frames.pass(40);
  await Promise.resolve();
  assert.match(server.asked[0], /from=20&until_t=3\d{4}$/);
});

test("a seek anywhere takes less of the processor than a frame", async () => {
  await player.log.loadAll();
  const started = process.cpuUsage();
  for (let step = 0; step < 100; step += 1)
    await player.goTo({ round: 1 + (step % 4), event: (step * 97) % 250 });
  const { user, system } = process.cpuUsage(started);
  assert.ok((user + system) / 1_000 / 100 < 16);
});
