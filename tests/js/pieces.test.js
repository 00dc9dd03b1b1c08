import assert from "node:assert/strict";
import { test } from "node:test";

import "./static.js";
import { CrowdSite } from "./crowdsite.js";
import { DEALS, LINES } from "./recorded.js";

const { BEHIND_BY_PIECES_MS, LiveSource } = await import("../../games/static/games/live/source.js");
const { Log } = await import("../../games/static/games/match/log.js");

/** The same numbers each time. @param {number} seed */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/**
 * A page that watches the site's match.
 * @param {CrowdSite} site @param {{pieces?: string, shares?: boolean}} [way] @param {object | null} [source]
 */
function watching(site, way = {}, source = null) {
  const log = new Log({ id: "m", seats: LINES[0].seats }, /** @type {any} */ (source));
  /** @type {{seq: number, at: number}[]} */
  const shown = [];
  const append = log.append.bind(log);
  log.append = (chunk) => {
    const { lines = [] } = chunk;
    lines.forEach((_, at) => shown.push({ seq: chunk.seq + at, at: site.clock.now() }));
    append(chunk);
  };
  /** @type {string[]} */
  const said = [];
  /** @type {{state: number, at: number}[]} */
  const states = [];
  const feed = new LiveSource(
    log,
    { url: "ws://test", shares: true, ...way, world: site.world },
    {
      news: (/** @type {any} */ { at }) => states.push({ state: at, at: site.clock.now() }),
      status: (status, why) => said.push(why ? `${status} ${why}` : status),
    },
  );
  feed.start();
  return { feed, log, shown, said, states };
}

/** The lines came each once, in order, without a gap. @param {{seq: number}[]} shown */
function inOrder(shown) {
  const seqs = shown.map(({ seq }) => seq);
  assert.deepEqual(
    seqs,
    seqs.map((_, at) => seqs[0] + at),
  );
}

const site = (seed = 1) => new CrowdSite(chance(seed));

test("a page whose socket is refused follows by pieces, a few seconds behind", async () => {
  const there = site();
  there.free = false;
  await there.pass(CrowdSite.when(DEALS[1]) + 20_000);
  const { feed, shown, said } = watching(there);
  await there.pass(60_000);
  assert.deepEqual(said, ["connecting", "live pieces"]);
  assert.equal(feed.behind, BEHIND_BY_PIECES_MS);
  assert.equal(shown[0].seq, DEALS[1], "the current round's deal");
  inOrder(shown);
  const behind = shown.slice(200).map(({ seq, at }) => at - CrowdSite.when(seq));
  assert.ok(Math.max(...behind) < 5_000, `${Math.max(...behind)}`);
  assert.ok(Math.min(...behind) > 2_000, `${Math.min(...behind)}`);
  assert.equal(there.counted, 1, "counted once a minute");
});

test("a page moves to a free socket, and neither jumps nor stands still", async () => {
  const there = site();
  there.free = false;
  await there.pass(CrowdSite.when(DEALS[1]) + 5_000);
  const { feed, shown, said } = watching(there);
  await there.pass(30_000);
  there.free = true;
  await there.pass(60_000);
  assert.deepEqual(said, ["connecting", "live pieces", "live"]);
  assert.equal(feed.behind, 0);
  inOrder(shown);
  const late = shown.slice(-20).map(({ seq, at }) => at - CrowdSite.when(seq));
  assert.ok(Math.max(...late) < 1_000, `${late}`);
  // It catches up by playing a little faster, not by leaping.
  const paces = shown.slice(100).flatMap(({ seq, at }, index, all) => {
    const before = all[index - 5];
    if (!before) return [];
    const ms = CrowdSite.when(seq) - CrowdSite.when(before.seq);
    return ms > 1_000 ? [(at - before.at) / ms] : [];
  });
  assert.ok(Math.min(...paces) > 0.6, `${Math.min(...paces)}`);
});

test("a socket that breaks gives way to pieces where others have taken its place", async () => {
  const there = site();
  await there.pass(CrowdSite.when(DEALS[1]) + 5_000);
  const { shown, said, states } = watching(there);
  await there.pass(20_000);
  there.free = false;
  const broken = there.clock.now();
  there.kill();
  await there.pass(30_000);
  assert.deepEqual(said, ["connecting", "live", "away", "connecting", "live pieces"]);
  const since = states.findIndex(({ at }) => at > broken);
  assert.ok(states[since].at - broken < 3_000, "it is current as soon as it is live");
  inOrder(shown);
});

for (const seed of [3, 7, 11])
  test(`whatever comes and goes, each line is shown once and in order (${seed})`, async () => {
    const there = site(seed);
    const random = chance(seed * 31);
    await there.pass(CrowdSite.when(DEALS[1]) + 1_000);
    const { log, shown } = watching(there, seed === 7 ? { pieces: "/live/m/" } : {});
    for (let turn = 0; turn < 14; turn += 1) {
      if (random() < 0.3) there.free = !there.free;
      if (random() < 0.2) there.kill();
      if (random() < 0.2) there.reachable = false;
      await there.pass(Math.round(random() * 80) * 50);
      there.reachable = true;
      await there.pass(Math.round(random() * 160) * 50);
    }
    await there.pass(Math.max(CrowdSite.ms - there.clock.now(), 0) + 20_000);
    inOrder(shown);
    assert.equal(log.next, LINES.length, "and none is left out");
  });

test("an embed begins with pieces, and takes a socket where there are none", async () => {
  const there = site();
  await there.pass(CrowdSite.when(DEALS[1]) + 5_000);
  const first = watching(there, { pieces: "/live/m/" });
  await there.pass(3_000);
  assert.deepEqual(first.said, ["live pieces"]);
  first.feed.stop();
  there.shared = false;
  const second = watching(there, { pieces: "/live/m/" });
  await there.pass(3_000);
  assert.deepEqual(second.said, ["live"]);
  inOrder(second.shown);
});

test("between two processes that send it to each other a page waits longer each time", async () => {
  const there = site();
  there.free = there.shared = there.agreed = false;
  await there.pass(CrowdSite.when(DEALS[1]) + 5_000);
  const { shown, said } = watching(there);
  await there.pass(60_000);
  assert.equal(said.at(-1), "away");
  assert.ok(there.asked.length < 10, `${there.asked.length}`);
  there.agreed = true;
  await there.pass(60_000);
  assert.equal(said.at(-1), "live");
  inOrder(shown);
});

test("a wall keeps its socket", async () => {
  const there = site();
  there.free = false;
  await there.pass(CrowdSite.when(DEALS[1]) + 5_000);
  const { said } = watching(there, { shares: false });
  await there.pass(2_000);
  assert.deepEqual(said, ["connecting", "live"]);
});

test("a log that begins with its first line gets all of it from pieces", async () => {
  const there = site();
  there.free = false;
  await there.pass(CrowdSite.when(DEALS[2]) + 5_000);
  const api = { fetchJson: () => assert.fail("the site's own log is not asked") };
  const { log, shown } = watching(there, {}, api);
  await there.pass(10_000);
  assert.equal(shown[0].seq, 1);
  inOrder(shown);
  assert.deepEqual(log.rounds[0].events, LINES.slice(DEALS[0] + 1, DEALS[1]));
});

test("a hidden page, whose timers rest, still follows by pieces", async () => {
  const there = site();
  there.free = false;
  await there.pass(CrowdSite.when(DEALS[1]) + 5_000);
  const { later } = there.world;
  const { shown, said } = watching(there);
  await there.pass(3_000);
  there.world.later = (ms, run) => later(Math.max(ms, 30_000), run);
  await there.pass(40_000);
  there.world.later = later;
  await there.pass(40_000);
  assert.deepEqual(said, ["connecting", "live pieces"]);
  inOrder(shown);
});

test("what is said of the table waits as long as its lines", async () => {
  const there = site();
  there.free = false;
  await there.pass(CrowdSite.when(DEALS[1]) + 5_000);
  const { states } = watching(there);
  await there.pass(20_000);
  const later = states.slice(1).map(({ state, at }) => at - state);
  assert.ok(Math.min(...later) >= BEHIND_BY_PIECES_MS, `${later}`);
});

test("pieces end with the match, and are not asked for again", async () => {
  const there = site();
  there.free = false;
  await there.pass(CrowdSite.ms - 5_000);
  const { feed, log, said } = watching(there);
  await there.pass(12_000);
  assert.equal(said.at(-1), "closed done");
  assert.equal(log.next, LINES.length);
  assert.ok(log.finished);
  const { length } = there.asked;
  feed.start();
  await there.pass(5_000);
  assert.equal(there.asked.length, length);
});

test("without an answer the page says so, but not at the first one", async () => {
  const there = site();
  there.free = false;
  await there.pass(CrowdSite.when(DEALS[1]) + 5_000);
  const { said } = watching(there);
  await there.pass(3_000);
  there.reachable = false;
  while (there.failed === 0) await there.pass(50);
  there.reachable = true;
  await there.pass(3_000);
  assert.equal(said.at(-1), "live pieces");
  there.reachable = false;
  await there.pass(7_000);
  assert.equal(said.at(-1), "away");
  there.reachable = true;
  await there.pass(11_000);
  assert.equal(said.at(-1), "live pieces");
});
