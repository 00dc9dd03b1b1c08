import assert from "node:assert/strict";
import { test } from "node:test";

import { chunk, DEALS, META, opened } from "./recorded.js";

const { aheadAfter, leadWords, placeWords, roundWords } = await import(
  "../../replays/static/replays/replay/scrubber.js"
);
const { ScoreRace } = await import("../../replays/static/replays/replay/scorerace.js");
const { GAP, Layout, placeAt, xOf } = await import(
  "../../replays/static/replays/replay/scorerace.js"
);

const WIDTH = 800;
const ROOM = { top: 0, bottom: 100 };
const NAMES = ["Ada", "Bo", "Cleo"];

/** A viewer's timeline, whole or with a hidden end. @param {object} [more] */
async function timeline(more) {
  const { log, player } = opened(more);
  const layout = new Layout(player);
  log.append(chunk(1));
  if (log.endHidden) return { log, player, layout };
  await log.loadAll();
  layout.layOut(WIDTH);
  return { log, player, layout };
}

test("rounds lie side by side in proportion to their duration, and fill the width", async () => {
  const { layout } = await timeline();
  const [first, second] = layout.stretches;
  assert.equal(layout.stretches.length, DEALS.length);
  assert.equal(second.from, first.width + GAP);
  const share = first.width / second.width;
  assert.ok(Math.abs(share - META[0].duration_ms / META[1].duration_ms) < 1e-9);
  const last = layout.stretches[DEALS.length - 1];
  assert.ok(Math.abs(last.from + last.width - WIDTH) < 1e-9);
});

test("a point of the timeline is a place in its round, and beyond its ends the ends", async () => {
  const { stretches } = (await timeline()).layout;
  const { from, width } = stretches[1];
  const duration = META[1].duration_ms;
  assert.deepEqual(placeAt(stretches, from + width / 2), { round: 2, t: duration / 2 });
  assert.equal(xOf(stretches[1], duration / 2), from + width / 2);
  assert.deepEqual(placeAt(stretches, -5), { round: 1, t: 0 });
  assert.deepEqual(placeAt(stretches, from - 1), { round: 1, t: META[0].duration_ms });
  assert.deepEqual(placeAt(stretches, WIDTH + 50), {
    round: DEALS.length,
    t: META[DEALS.length - 1].duration_ms,
  });
});

test("of more than six rounds the cursor's alone is laid out", async () => {
  const rounds = Array.from({ length: 7 }, (_, at) => ({ ...META[0], round: at + 1, seq: 1 + at }));
  const few = new Layout(opened({ rounds: rounds.slice(0, 6), finished: true }).player);
  few.layOut(WIDTH);
  assert.deepEqual([few.long, few.stretches.length], [false, 6]);
  const layout = new Layout(opened({ rounds, finished: true }).player);
  layout.layOut(WIDTH);
  assert.deepEqual([layout.long, layout.stretches.length], [true, 1]);
  assert.equal(layout.moved(), false);
  layout.player.cursor = { round: 4, event: 0, seq: 4, t: 0, moment: false };
  assert.equal(layout.moved(), true);
  layout.layOut(WIDTH);
  assert.deepEqual([layout.stretches[0].round.number, layout.stretches[0].width], [4, WIDTH]);
});

test("where results are hidden nothing lies beyond what was reached, and no length tells", async () => {
  const { player, layout } = await timeline({ spoilers: false });
  layout.layOut(WIDTH);
  assert.deepEqual(
    layout.stretches.map(({ length, until }) => [length, until]),
    [[60_000, 0]],
  );
  await player.goTo({ round: 1, t: 9_700 });
  assert.equal(layout.moved(), true);
  layout.layOut(WIDTH);
  assert.deepEqual([layout.stretches[0].length, layout.stretches[0].until], [60_000, 9_700]);
  await player.goTo({ round: 1, t: 9_900 });
  assert.equal(layout.moved(), false, "within half a second");
  await player.goTo({ round: 1, t: 0 });
  assert.equal(layout.moved(), false, "a step back takes nothing away");
  layout.layOut(WIDTH);
  assert.equal(layout.stretches[0].until, 9_900);
});

test("a round that was left behind is shown whole, the next one as far as it was reached", async () => {
  const { player, layout } = await timeline({ spoilers: false });
  await player.goTo({ round: 2, t: 1_000 });
  assert.equal(layout.moved(), true);
  layout.layOut(WIDTH);
  assert.deepEqual(
    layout.stretches.map(({ length, until }) => [length, until]),
    [
      [META[0].duration_ms, Infinity],
      [60_000, 1_000],
    ],
  );
});

/** Where a line ends. @param {string} line the `d` of a path */
const endOf = (line) => Number(/H([\d.]+)$/.exec(line)?.[1]);

test("the score race goes from the first deal to the far side, a line for each seat", async () => {
  const { log, layout } = await timeline();
  const { seats } = new ScoreRace(log).lines(layout.stretches, ROOM);
  assert.equal(seats.length, 3);
  for (const line of seats) {
    assert.match(line, /^M0\.0 /);
    assert.ok(endOf(line) > WIDTH - 2 * GAP, line.slice(-20));
    assert.equal(line.split("M").length - 1, DEALS.length, "a piece for each round");
  }
});

test("the score race ends where a viewer who hides results has come to", async () => {
  const { log, player, layout } = await timeline({ spoilers: false });
  await player.goTo({ round: 1, t: 30_000 });
  layout.moved();
  layout.layOut(WIDTH);
  const [line] = new ScoreRace(log).lines(layout.stretches, ROOM).seats;
  assert.ok(Math.abs(endOf(line) - WIDTH / 2) <= 3, line.slice(-20));
});

test("how many rounds there are is told of a match that is over, and shows its results", async () => {
  assert.equal(roundWords((await timeline()).player), `Round\u00a01 of ${DEALS.length}`);
  assert.equal(roundWords((await timeline({ finished: false })).player), "Round\u00a01");
  assert.equal(roundWords((await timeline({ spoilers: false })).player), "Round\u00a01");
  const { player } = await timeline();
  Object.assign(player.log.rounds[DEALS.length - 1], { finished: false });
  assert.equal(roundWords(player), "Round\u00a01", "a question stops there");
});

test("the slider says round, time and event, and no end that is hidden", async () => {
  const { player } = await timeline();
  await player.goTo({ round: 1, t: 34_100 });
  const event = player.cursor.event;
  assert.match(
    placeWords(player),
    new RegExp(`^Round\u00a01 of 4, 0:34.1 of \\d:\\d\\d.\\d, ${event} ev`),
  );
  const hidden = (await timeline({ spoilers: false })).player;
  await hidden.goTo({ round: 1, t: 34_100 });
  assert.equal(placeWords(hidden), `Round\u00a01, 0:34.1, ${event} events`);
});

test("a round's cell says who was ahead after it", () => {
  /** @param {number[]} totals */
  const round = (...totals) => /** @type {any} */ ({ number: 3, end: { totals } });
  assert.equal(leadWords(round(4, 12, -3), NAMES), "Round\u00a03: Bo ahead with 12");
  assert.equal(leadWords(round(1, -2, 1), NAMES), "Round\u00a03: Ada and Cleo ahead with 1");
  assert.deepEqual(aheadAfter(round(1, -2, 1)), [0, 2]);
  assert.equal(leadWords(/** @type {any} */ ({ number: 3, end: null }), NAMES), "Round\u00a03");
});

test("a round that is shown by itself has the whole height for its own score", async () => {
  const { log } = await timeline();
  log.match.rules = { target: 5000, speedy: false };
  const round = log.rounds[0];
  log.carried = [3000, 2000, 1000];
  const stretch = { round, from: 0, width: 600, length: round.duration, until: Infinity };
  const { seats, aim } = new ScoreRace(log).lines([stretch], ROOM, true);
  const heights = seats.map((d) =>
    [...d.matchAll(/[MV](?:[\d.]+ )?(-?[\d.]+)/g)].map(([, y]) => Number(y)),
  );
  const spread = Math.max(...heights.map((ys) => Math.max(...ys) - Math.min(...ys)));
  assert.ok(spread > 50, `the steepest line covers ${spread} of 100 px`);
  assert.equal(aim, null);
  assert.equal(new Set(heights.map(([y]) => y)).size, 1, "nobody is ahead before it begins");
  assert.equal(new Set(heights.map((ys) => ys.at(-1))).size, seats.length);
});
