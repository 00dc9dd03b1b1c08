import assert from "node:assert/strict";
import { test } from "node:test";

import { chunk, META, opened } from "./recorded.js";

const { EventRows } = await import("../../replays/static/replays/replay/events.js");

const FIRST = chunk(1).lines.filter((line) => "do" in line);

/** @param {(event: any) => boolean} like */
const numbers = (like) => FIRST.flatMap((event, at) => (like(event) ? [at + 1] : []));

const isTake = (/** @type {any} */ event) => Boolean(event.takes);
const isRace = (/** @type {any} */ event) => ["tie", "late"].includes(event.do);

/** @param {object} [more] */
function list(more) {
  const { log, player } = opened(more);
  const rows = new EventRows(player);
  player.onChange(() => rows.moved());
  log.append(chunk(1));
  return { log, player, rows, first: () => rows.numbers(log.rounds[0]) };
}

test("a round's rows are its deal, what the filter asks for, and its end", () => {
  const { rows, first } = list();
  const end = FIRST.length;
  assert.deepEqual(first(), [0, ...numbers((event) => isTake(event) || isRace(event)), end]);
  rows.filter = "takes";
  assert.deepEqual(first(), [0, ...numbers(isTake), end]);
  rows.filter = "races";
  assert.deepEqual(first(), [0, ...numbers(isRace), end]);
  rows.filter = "plays";
  assert.deepEqual(first(), [0, ...numbers((event) => !["draw", "discard"].includes(event.do))]);
  rows.filter = "all";
  assert.deepEqual(first(), [...FIRST.keys(), end]);
});

test("of a match being played the plays are listed, the newest first", () => {
  const { rows } = list({ finished: false });
  assert.deepEqual([rows.filter, rows.newestFirst], ["plays", true]);
});

test("the list of all events is as long as the match, before its rounds have come", async () => {
  const { log, rows } = list();
  rows.filter = "all";
  const length = META.reduce((sum, { events }) => sum + events + 1, 0);
  assert.equal(rows.length, length);
  const { round, event } = rows.at(META[0].events + 1 + 5);
  assert.deepEqual([round.number, event], [2, 5]);
  await log.loadAll();
  assert.equal(rows.length, length);
});

test("the current row is the last that has happened", async () => {
  const { player, rows } = list();
  const [take, next] = numbers(isTake);
  rows.filter = "takes";
  await player.goTo({ round: 1, event: next - 1 });
  assert.deepEqual(rows.at(rows.current).event, take);
  await player.goTo({ round: 1, event: next });
  assert.deepEqual(rows.at(rows.current).event, next);
  await player.goTo({ round: 2, event: 0 });
  assert.equal(rows.current, numbers(isTake).length + 2);
});

test("a round that grows has more rows", () => {
  const { log, rows } = list({ finished: false });
  rows.filter = "all";
  const before = rows.length;
  const [deal, event] = chunk(2).lines;
  log.append({ seq: chunk(2).seq, lines: [deal] });
  assert.equal(rows.length, before + 1);
  log.append({ seq: chunk(2).seq, lines: [deal, event] });
  assert.equal(rows.length, before + 2);
});

test("where results are hidden a row appears when its event has been reached, and stays", async () => {
  const { player, rows } = list({ spoilers: false });
  assert.equal(rows.length, 1, "the deal");
  const [take] = numbers(isTake);
  rows.filter = "takes";
  await player.goTo({ round: 1, event: take - 1 });
  assert.equal(rows.length, 1);
  await player.goTo({ round: 1, event: take });
  assert.equal(rows.length, 2);
  await player.home();
  assert.equal(rows.length, 2);
  await player.goTo({ round: 2, event: 0 });
  assert.equal(rows.length, numbers(isTake).length + 2 + 1, "the first round, and a deal");
});

test("what happens in a live match stands above what came before", async () => {
  const { log, player } = opened({ finished: false, rounds: [] });
  const rows = new EventRows(player);
  log.append(chunk(1));
  rows.filter = "all";
  const { length } = rows;
  const newest = { round: 1, event: length - 1 };
  const places = [rows.at(0), rows.at(length - 1)].map(({ round, event }) => [round.number, event]);
  assert.deepEqual(places, [
    [1, newest.event],
    [1, 0],
  ]);
  await player.goTo(newest);
  assert.equal(rows.current, 0);
  log.append({ seq: chunk(2).seq, lines: chunk(2).lines.slice(0, 3) });
  assert.equal(rows.length, length + 3);
  assert.equal(rows.current, 3);
});
