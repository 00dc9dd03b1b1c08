import assert from "node:assert/strict";
import { test } from "node:test";

import { settled } from "./handclock.js";
import { chunk, DEALS, META, opened } from "./recorded.js";

const { openAt, placeOf } = await import("../../games/static/games/match/links.js");
const { aimWith } = await import("../../replays/static/replays/replay/aim.js");
const { bindCommands } = await import("../../replays/static/replays/replay/shortcuts.js");
const { Page } = await import("../../replays/static/replays/replay/page.js");
const { commandOf } = await import("../../replays/static/replays/replay/shortcuts.js");

const START = 60;
const FIRST = chunk(1).lines.filter((line) => "do" in line);
const T = FIRST[START - 1].t;
const ROUNDS = DEALS.length;

/** How many events of the first round had happened by then. @param {number} t */
const by = (t) => FIRST.filter((event) => event.t <= t).length;

/** Which events of the first round are like this. @param {(event: any) => boolean} like */
const numbers = (like) => FIRST.flatMap((event, at) => (like(event) ? [at + 1] : []));

const TAKES = numbers((event) => event.takes);
const RACES = numbers((event) => ["tie", "late"].includes(event.do));
const OVER = { rounds: META, finished: true };
const GROWING = { rounds: META.slice(0, 1), finished: false };

/** A viewer who stands in the first round and presses keys. @param {object} [more] */
async function viewer(more) {
  const { log, player, frames } = opened(more);
  log.append(chunk(1));
  await player.goTo({ round: 1, event: START });
  const page = new Page(/** @type {any} */ ({ player }));
  bindCommands(page);
  /** @param {string} key e.g. `Shift+ArrowLeft` */
  const press = async (key) => {
    const [name, shift] = key.split("+").reverse();
    const event = { key: name, shiftKey: Boolean(shift), getModifierState: () => false };
    const command = commandOf(/** @type {any} */ (event));
    assert.ok(command && page.run(command));
    await settled();
  };
  return { log, player, frames, press, page, place: () => placeOfCursor(player) };
}

/** @param {import("../../games/static/games/match/player.js").Player} player */
const placeOfCursor = ({ cursor }) => [cursor.round, cursor.event];

/** @type {[key: string, round: number, event: number | undefined][]} */
const STEPS = [
  ["ArrowRight", 1, START + 1],
  ["ArrowLeft", 1, START - 1],
  ["Shift+ArrowRight", 1, by(T + 1000)],
  ["Shift+ArrowLeft", 1, by(T - 1000)],
  ["]", 1, TAKES.find((event) => event > START)],
  ["[", 1, TAKES.findLast((event) => event < START)],
  ["n", 1, RACES.find((event) => event > START)],
  ["p", 1, RACES.findLast((event) => event < START)],
  ["Home", 1, 0],
  ["End", ROUNDS, META[ROUNDS - 1].events],
];

for (const [key, round, event] of STEPS)
  test(`${key} goes from event ${START} to event ${event} of round ${round}`, async () => {
    const { press, place } = await viewer();
    await press(key);
    assert.deepEqual(place(), [round, event]);
  });

test("a step by hand stops playing, a second's step plays on", async () => {
  for (const [key, playing] of /** @type {[string, boolean][]} */ ([
    ...["ArrowRight", "ArrowLeft", "]", "[", "n", "p", "Home", "End"].map((key) => [key, false]),
    ...["Shift+ArrowRight", "Shift+ArrowLeft"].map((key) => [key, true]),
  ])) {
    const { player, press } = await viewer();
    player.play();
    await press(key);
    assert.equal(player.playing, playing, key);
  }
});

test("Space and k play and pause", async () => {
  for (const key of [" ", "k"]) {
    const { player, press, frames, place } = await viewer();
    await press(key);
    frames.pass(3000);
    assert.deepEqual([player.playing, place()], [true, [1, by(T + 2980)]]);
    await press(key);
    frames.pass(3000);
    assert.deepEqual([player.playing, place()], [false, [1, by(T + 2980)]]);
  }
});

test("< and > change the speed, down to 0.1× and up to 8×", async () => {
  const { player, press } = await viewer();
  const speeds = [];
  for (const key of ">>>>>><<<<<<<<<") {
    await press(key);
    speeds.push(player.speed);
  }
  const down = [4, 2, 1.5, 1, 0.5, 0.25, 0.1, 0.1, 0.1];
  assert.deepEqual(speeds, [1.5, 2, 4, 8, 8, 8, ...down]);
});

test("a round forward begins the next one, a round back begins this one first", async () => {
  const { page, press, place } = await viewer();
  const places = [];
  for (const command of /** @type {const} */ ([
    "roundOn",
    "roundBack",
    "roundOn",
    "roundOn",
    "roundBack",
  ])) {
    page.run(command);
    await settled();
    places.push(place());
  }
  assert.deepEqual(places, [
    [2, 0],
    [1, 0],
    [2, 0],
    [3, 0],
    [2, 0],
  ]);
  await press("ArrowLeft");
  assert.deepEqual(place(), [1, FIRST.length]);
  page.run("roundBack");
  await settled();
  assert.deepEqual(place(), [1, 0]);
});

test("where results are hidden there is no end to go to", async () => {
  const { player, press, place } = await viewer({ spoilers: false });
  player.play();
  await press("End");
  assert.deepEqual([player.playing, place()], [false, [1, START]]);
});

/** Where a page with this address opens. @param {string} query @param {object} [more] */
async function opens(query, more) {
  const { log, player } = opened(more);
  log.append(chunk(1));
  const seq = await openAt(player, placeOf(new URLSearchParams(query)));
  assert.ok(seq === 0 || player.log.roundOf(seq).eventAt(seq) === player.cursor.event + 1);
  return [...placeOfCursor(player), player.following];
}

test("an address opens at its round and time, or at its seq in any round", async () => {
  const second = chunk(2).lines.filter((line) => "do" in line);
  const event = second.filter(({ t }) => t <= 9000).length;
  assert.deepEqual(await opens("round=2&t=9000&pov=1"), [2, event, false]);
  assert.deepEqual(await opens(`seq=${DEALS[2] + 12}`), [3, 12, false]);
  assert.deepEqual(await opens("round=2&event=20"), [2, 20, false]);
  const before = second.filter(({ t }) => t <= second[19].t - 3000).length;
  assert.deepEqual(await opens("round=2&event=20&lead=3000"), [2, before, false]);
});

test("an address of no place opens at the start, one beyond the end at the end", async () => {
  for (const query of ["", "round=99", "t=-4&round=x", "pov=9"])
    assert.deepEqual(await opens(query), [1, 0, false], query);
  assert.deepEqual(await opens("seq=999999"), [ROUNDS, META[ROUNDS - 1].events, false]);
  assert.deepEqual(await opens("round=1&t=999999"), [1, FIRST.length, false]);
});

test("a replay opens right before its first moment, else at its first round's largest take", async () => {
  const seq = DEALS[1] + 12;
  assert.deepEqual(await opens("", { ...OVER, opening: seq }), [2, 11, false]);
  const [largest] = TAKES.toSorted((a, b) => FIRST[b - 1].takes - FIRST[a - 1].takes);
  assert.deepEqual(await opens("", { ...OVER, opening: 0 }), [1, largest - 1, false]);
  assert.deepEqual(await opens("round=1&t=0", { ...OVER, opening: seq }), [1, 0, false]);
  assert.deepEqual(await opens("", { ...OVER, opening: seq, spoilers: false }), [1, 0, false]);
});

test("the play that decides is aimed at only while the cursor stands right before it", async () => {
  const { log, player } = opened();
  log.append(chunk(1));
  const page = new Page(/** @type {any} */ ({ player }));
  /** @type {unknown[]} */
  const drawn = [];
  aimWith(page, { show: (drawings) => drawn.push(...drawings) });
  const play = FIRST[TAKES[0] - 1];
  page.set({ decides: new Set([DEALS[0] + TAKES[0]]) });
  await player.goTo({ round: 1, event: TAKES[0] - 1 });
  assert.equal(page.aim, play);
  const arrows = [`card:${play.card}>stack:${play.stack}`];
  assert.deepEqual(drawn, [{ marks: [`card:${play.card}`], arrows }]);
  await player.stepEvent(1);
  assert.equal(page.aim, null);
  await player.stepEvent(-1);
  page.set({ line: "other" });
  await player.stepEvent(-1);
  await player.stepEvent(1);
  assert.equal(page.aim, null);
  assert.equal(drawn.length, 2);
});

test("a growing log opens at its end and follows, unless the address names a place", async () => {
  assert.deepEqual(await opens("", GROWING), [1, FIRST.length, true]);
  assert.deepEqual(await opens("round=1&t=0", GROWING), [1, by(0), false]);
  assert.deepEqual(await opens("", { spoilers: false }), [1, 0, false]);
});
