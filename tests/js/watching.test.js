import assert from "node:assert/strict";
import { test } from "node:test";

import { chunk, opened } from "./recorded.js";

const { SlowMotion } = await import("../../replays/static/replays/analysis/momentlist.js");
const { Page } = await import("../../replays/static/replays/replay/page.js");
const { neighbour, watch } = await import("../../replays/static/replays/analysis/momentlist.js");

/** The recorded match at its start. */
function recorded() {
  const { log, player, frames } = opened();
  log.append(chunk(1));
  return { player, frames };
}

test("a moment is watched from a little before it, but within its round", async () => {
  const { player } = recorded();
  const page = new Page(/** @type {any} */ ({ player }));
  let left = 0;
  page.offer("mainline", () => (left += 1));
  await watch(page, { round: 2, t: 20_000 }, 1500);
  assert.deepEqual([player.cursor.round, player.cursor.t, player.playing], [2, 18_500, true]);
  assert.equal(left, 1, "a what-if gives way");
  await watch(page, { round: 2, t: 400 }, 1500);
  assert.equal(player.cursor.t, 0);
});

test("the next moment is not the one that is being led up to, the previous one not the one just seen", () => {
  const moments = [10_000, 20_000].map((t) => ({ round: 1, t })).concat({ round: 2, t: 5000 });
  const from = (/** @type {number} */ round, /** @type {number} */ t, /** @type {number} */ by) =>
    moments.indexOf(/** @type {any} */ (neighbour(moments, { round, t }, by, 2500)));
  assert.deepEqual([from(1, 0, 1), from(1, 7500, 1), from(1, 17_500, 1)], [0, 1, 2]);
  assert.deepEqual([from(2, 2500, 1), from(2, 2500, -1), from(1, 20_000, -1)], [-1, 1, 0]);
  assert.deepEqual([from(1, 20_002, -1), from(1, 10_000, -1)], [1, -1]);
});

test("slow motion plays a stretch slowly, then stops and gives the speed back", async () => {
  const { player, frames } = recorded();
  player.setSpeed(2, true);
  const slow = new SlowMotion(player);
  await slow.play(1, 5000, 5600);
  assert.deepEqual([player.speed, player.smart, player.playing], [0.1, false, true]);
  frames.pass(3000);
  assert.ok(player.cursor.t > 5200 && player.cursor.t < 5400, `${player.cursor.t}`);
  assert.equal(player.playing, true);
  frames.pass(4000);
  assert.ok(player.cursor.t > 5600 && player.cursor.t < 5610, `${player.cursor.t}`);
  assert.deepEqual([player.speed, player.smart, player.playing], [2, true, false]);
});

test("who pauses slow motion, goes elsewhere or chooses a speed takes over", async () => {
  const { player } = recorded();
  const slow = new SlowMotion(player);
  await slow.play(1, 5000, 5600);
  player.pause();
  assert.deepEqual([player.speed, player.playing], [1, false]);
  await slow.play(1, 5000, 5600);
  await player.home();
  assert.equal(player.speed, 0.1, "what was before the stretch leads into it");
  await player.goTo({ round: 2, event: 3 });
  assert.deepEqual([player.speed, player.playing], [1, false]);
  await slow.play(1, 5000, 5600);
  player.changeSpeed(1);
  assert.deepEqual([player.speed, player.playing], [0.25, true]);
});
