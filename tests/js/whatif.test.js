import "./static.js";

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { digest } from "../../games/static/games/match/fold.js";
import { addressAlong, alongOf } from "../../games/static/games/match/links.js";
import { Log } from "../../games/static/games/match/log.js";
import { standingAt } from "../../games/static/games/match/ranking.js";
import { promised } from "./handclock.js";
import { handStorage } from "./handstorage.js";

const { Branching } = await import("../../replays/static/replays/variations/making.js");
const { compare, differenceWords, standingBy } = await import(
  "../../replays/static/replays/variations/lines.js"
);
const { branchTime, chainOf, eventsAlong, recorded, siblingsOf, treeOf, VariedRound } =
  await import("../../replays/static/replays/variations/lines.js");
const { Page } = await import("../../replays/static/replays/replay/page.js");
const { Player } = await import("../../games/static/games/match/player.js");
const { Arranging } = await import("../../replays/static/replays/variations/making.js");
const { Making } = await import("../../replays/static/replays/variations/making.js");
const { LineStore, saveAll } = await import("../../replays/static/replays/variations/store.js");
const { browserStorage, stored } = await import("../../games/static/games/dom/storage.js");
const { keepDraft } = await import("../../replays/static/replays/variations/lines.js");
const { Waiting } = await import("../../replays/static/replays/variations/variations.js");
const { WhatIf } = await import("../../replays/static/replays/variations/whatif.js");

const LINES = readFileSync(new URL("../matches/valid-v2-branches.ratuki", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

function log() {
  const match = new Log({ id: "m", seats: LINES[0].seats });
  match.append({ seq: 0, lines: LINES });
  return match;
}

/** @param {Log} from */
const linesOf = (from) => new Map(recorded(from.notes).map((line) => [line.key, line]));

/** @param {import("../../games/static/games/match/log.js").Round} round @param {number} event */
function tableAt({ timeline }, event) {
  assert.ok(timeline);
  return digest(timeline.tableAt(event));
}

/** @param {object} [how] */
const line = (how) => ({
  ...{ key: "k", round: 1, event: 0, line: null, by: "Kim", text: "", tags: [], order: 0 },
  readers: [],
  ...{ events: /** @type {any[]} */ ([]), mine: true, recorded: false, visibility: "self" },
  revision: /** @type {number | null} */ (null),
  ...how,
});

test("a round along a variation has what happened before, then the variation's events", () => {
  const match = log();
  const lines = linesOf(match);
  const chain = chainOf(lines, "w");
  assert.deepEqual(
    chain.map(({ key }) => key),
    ["v", "w"],
  );
  const mainline = match.rounds[0];
  const varied = new VariedRound(mainline, chain);
  const [v, w] = chain;
  const expected = [...mainline.events.slice(0, 7), ...v.events.slice(0, 1), ...w.events];
  assert.deepEqual(varied.events, expected);
  assert.deepEqual(eventsAlong(chain), expected.slice(7));
  assert.equal(tableAt(varied, 7), tableAt(mainline, 7));
  assert.deepEqual(
    varied.seqs.toSorted((a, b) => a - b),
    varied.seqs,
  );
  assert.ok((varied.seqs.at(-1) ?? Infinity) < mainline.seqs[7]);
});

test("a variation that ends otherwise has winners of its own, or none yet", () => {
  const [mainline] = log().rounds;
  const chain = /** @type {any} */ ([line({ event: 7 })]);
  /** @param {number[]} totals @param {object} rules @param {string} [reason] */
  const won = (totals, rules, reason = "out") => {
    const match = log();
    match.match.rules = { target: 100, speedy: false, ...rules };
    match.result = [2]; // as it was recorded
    const end = { t: 90_000, do: "end", reason, scores: totals, totals };
    chain[0].events = [end];
    const varied = new VariedRound(mainline, chain);
    match.replace(varied);
    return standingAt(match, varied, varied.events.length).winners;
  };
  assert.deepEqual(won([39, 11, 27], { speedy: true }), [0]);
  assert.deepEqual(won([39, 11, 39], { speedy: true }), [0, 2]);
  assert.deepEqual(won([39, 111, 27], {}), [1]);
  assert.equal(won([39, 11, 27], {}), null);
  assert.deepEqual(won([39, 111, 27], {}, "abandoned"), []);
});

test("a branch of a branch begins where it leaves the other, not where that began", () => {
  const match = log();
  const lines = linesOf(match);
  const [v, w] = chainOf(lines, "w");
  const [mainline] = match.rounds;
  assert.equal(branchTime(lines, v, mainline), mainline.events[v.event - 1].t);
  const at = v.events[w.event - v.event - 1].t;
  assert.notEqual(at, branchTime(lines, v, mainline));
  assert.equal(branchTime(lines, w, mainline), at);
});

test("a log whose round is replaced grows behind it", () => {
  const match = log();
  const [mainline] = match.rounds;
  const before = mainline.events.length;
  const varied = new VariedRound(mainline, chainOf(linesOf(match), "v"));
  const length = varied.events.length;
  match.replace(varied);
  match.rounds[0].add({ t: 9e6, seat: 0, do: "out" }, (mainline.seqs.at(-1) ?? 0) + 1);
  assert.deepEqual([varied.events.length, mainline.events.length], [length, before + 1]);
});

test("variations are listed each below its parent", () => {
  const tree = treeOf(linesOf(log()));
  const listed = tree.map(({ line: { key }, depth }) => `${depth}${key}`);
  assert.deepEqual(listed.slice(0, 3), ["0v", "1w", "2x"]);
  assert.equal(chainOf(new Map([["a", line({ key: "a", line: "gone" })]]), "a").length, 0);
});

test("variations are listed as their owner has ordered them, then by place", () => {
  const lines = new Map(
    [
      line({ key: "a", event: 5 }),
      line({ key: "b", event: 9, order: -1 }),
      line({ key: "c", event: 2 }),
      line({ key: "other", round: 2 }),
      line({ key: "inner", line: "a", event: 7 }),
    ].map((variation) => [variation.key, variation]),
  );
  const keys = treeOf(lines).map(({ line: { key } }) => key);
  assert.deepEqual(keys, ["b", "c", "a", "inner", "other"]);
  const siblings = siblingsOf(lines, /** @type {any} */ (lines.get("a")));
  assert.deepEqual(
    siblings.map(({ key }) => key),
    ["b", "c", "a"],
  );
});

test("what waits for a hand is asked once more, so much later", async () => {
  /** @type {any[]} */
  const asked = [];
  const answers = [
    { lines: [], refused: [{ play: 0, rule: "one-hand", message: "", wait_ms: 120 }] },
    { lines: [{ variation: { events: [{ t: 620, seat: 0, do: "draw" }] } }], refused: [] },
  ];
  const branching = new Branching(line(), [], async (body) => {
    asked.push(body);
    return { t: 0, ended: null, .../** @type {any} */ (answers[asked.length - 1]) };
  });
  const { events, refused } = await branching.act({ t: 500, seat: 0, do: "draw" });
  assert.deepEqual([events.length, refused], [1, null]);
  assert.deepEqual(asked[1], { round: 1, event: 0, play: [{ t: 620, seat: 0, do: "draw" }] });
  assert.deepEqual(branching.next(100), 620);
});

test("after bots the next play goes on from what they have made", async () => {
  /** @type {any[]} */
  const asked = [];
  const made = { lines: [{ variation: { events: [{ t: 9, seat: 0, do: "draw" }] } }], refused: [] };
  const branching = new Branching(line(), [], async (body) => {
    asked.push(body);
    return { t: 9, ended: null, .../** @type {any} */ (made) };
  });
  await branching.bots({ ms: 5, seed: 1 });
  await branching.act({ t: 20, seat: 1, do: "draw" });
  assert.deepEqual([asked[1].event, asked[1].line, asked[1].variations.length], [1, "k", 1]);
});

test("both ways begin at the same standing and go on each by its own events", () => {
  const match = log();
  const [mainline] = match.rounds;
  const varied = new VariedRound(mainline, chainOf(linesOf(match), "v"));
  const comparison = compare(mainline, varied, 7, { target: 0, speedy: false });
  const { happened, instead, from } = comparison;
  const [start] = instead.standings;
  assert.deepEqual(happened.standings[0], start);
  assert.equal(from, mainline.events[6].t);
  assert.equal(standingBy(instead, 1100).taken[0] - start.taken[0], 5);
  const same = "At 0:01.1: the same points as in the match.";
  assert.equal(differenceWords(comparison, 1100, ["Ann", "Bea"]), same);
});

test("the difference is a sentence; of two finished rounds, that at their ends", () => {
  /** @param {boolean} ended @param {number} t @param {number[]} score */
  const side = (ended, t, score) => ({
    ended,
    standings: [
      { t: 0, score: [0, 0], taken: [] },
      { t, score, taken: [] },
    ],
  });
  /** @param {boolean} over what happened is known to its end @param {boolean} ended @param {number} t */
  const words = (over, ended, t) => {
    const sides = { happened: side(over, 900, [5, -2]), instead: side(ended, 1000, [2, 2]) };
    return differenceWords({ ...sides, from: 0 }, t, ["Ann", "Bea"]);
  };
  assert.equal(words(true, false, 1000), "At 0:01.0: Bea +4, Ann −3 compared with what happened.");
  assert.equal(words(true, true, 950), "At 0:00.9: Bea +2, Ann −5 compared with what happened.");
  assert.equal(
    words(true, true, 1000),
    "At the round’s end: Bea +4, Ann −3 compared with what happened.",
  );
  assert.match(words(false, true, 1000), /not shown that far/);
});

test("a place along a variation is an address, and back", () => {
  const address = addressAlong("v", 9, 1);
  assert.equal(address, "?line=v&event=9&pov=1");
  assert.deepEqual(alongOf(new URLSearchParams(address)), { line: "v", event: 9 });
  assert.equal(alongOf(new URLSearchParams("?round=1")), null);
});

/** A store whose server answers as given. @param {Storage} kept @param {(method: string, url: string, body: any) => any} server */
function storeOf(kept, server) {
  const urls = { notes: "/notes", variations: "/variations", variation: "/variations/KEY" };
  const store = new LineStore("m", urls, kept, () => {});
  store.ask = async (method, url, body) => {
    try {
      return { ok: true, status: 200, data: await server(method, url, body) };
    } catch {
      return { ok: false, status: 0, data: { detail: "There is no connection." } };
    }
  };
  return store;
}

test("a ghost race along a variation saves it first, or says why it cannot", async () => {
  const draft = () => /** @type {any} */ (line());
  const live = storeOf(handStorage(), (...[, , body]) => ({ ...body, mine: true, revision: 1 }));
  live.mayWrite = true;
  live.keep(draft());
  assert.equal(await saveAll(live, [draft()]), "");
  assert.equal(live.lines.get("k")?.revision, 1);
  const dead = storeOf(handStorage(), () => {
    throw new TypeError("no network");
  });
  dead.mayWrite = true;
  dead.keep(draft());
  assert.equal(await saveAll(dead, [draft()]), "There is no connection.");

  const reader = storeOf(handStorage(), () => {});
  reader.keep(draft());
  assert.equal(await saveAll(reader, [draft()]), "You can’t save what-ifs on this match.");
  assert.equal(await saveAll(reader, []), "", "what happened needs no saving");
});

test("what the server has not acknowledged is kept in the browser, and sent when it answers", async () => {
  const kept = handStorage();
  const dead = storeOf(kept, () => {
    throw new TypeError("no network");
  });
  dead.mayWrite = true;
  dead.keep(line());

  assert.equal(kept.length, 1);
  /** @type {string[]} */
  const asked = [];
  const store = storeOf(kept, (method, url, body) => {
    asked.push(`${method} ${url}`);
    if (method === "GET") return { may_write: true, name: "Kim", variations: [] };
    return { ...body, mine: true, revision: 1 };
  });
  await store.load([], "");
  while (!store.saved) await new Promise(setImmediate);
  assert.deepEqual(asked, ["GET /notes", "POST /variations"]);
  assert.deepEqual([kept.length, store.lines.get("k")?.revision], [0, 1]);
});

test("more what-ifs are fetched once, however often that is pressed", async () => {
  const keys = ["k1", "k2", "k3", "k4"];
  const store = storeOf(handStorage(), (_method, url) => {
    const after = Number(new URLSearchParams(url.split("?")[1]).get("after"));
    const variations = keys.slice(after, after + 1).map((key) => line({ key }));
    return { may_write: false, name: "", variations, left: keys.length - after - 1 };
  });
  await store.load([], "?only=variations");
  await Promise.all([store.more(), store.more()]);
  assert.deepEqual([[...store.lines.keys()], store.asked.left], [["k1", "k2"], 2]);
  await store.more();
  await store.more();
  assert.deepEqual([[...store.lines.keys()], store.asked.left], [keys, 0]);
});

test("what was changed after its answer was lost is saved too, and what was deleted is deleted", async (t) => {
  const { fetch } = globalThis;
  t.after(() => Object.assign(globalThis, { fetch }));
  /** What the server has stored: its answers to new lines are lost at first. @type {any} */
  let stored = null;
  /** @type {string[]} */
  let asked = [];
  let lost = true;
  const urls = { notes: "/notes", variations: "/variations", variation: "/variations/KEY" };
  const store = new LineStore("m", urls, handStorage(), () => {});
  store.mayWrite = true;
  /** @param {any} _url @param {any} how */
  globalThis.fetch = async (_url, { method, body }) => {
    const said = body && JSON.parse(body);
    asked.push(method);
    if (method === "POST" && stored) return Response.json({ now: stored }, { status: 409 });
    if (method === "POST" || method === "PUT")
      stored = { ...stored, ...said, mine: true, revision: (stored?.revision ?? 0) + 1 };
    if (method === "DELETE") stored = null;
    if (lost) throw new TypeError("no network");
    return Response.json(stored ?? { ...said, key: "k", events: [] });
  };
  const settled = async () => {
    while (store.outbox.saving) await store.outbox.saving;
  };
  store.keep(line({ text: "one" }));
  await settled();
  lost = false;
  store.keep(line({ text: "two" }));
  await settled();
  assert.deepEqual([asked, stored.text, store.saved], [["POST", "POST", "PUT"], "two", true]);

  [stored, asked, lost] = [null, [], true];
  store.lines.clear();
  store.keep(line({ key: "gone" }));
  await settled();
  lost = false;
  store.remove(/** @type {any} */ (store.lines.get("gone")));
  await settled();
  assert.deepEqual([asked, stored], [["POST", "DELETE"], null]);
});

test("what an account has made is neither shown nor sent while it is not logged in", async () => {
  const kept = handStorage();
  let [account, name] = ["7", "Kim"];
  /** @type {any[]} */
  const sent = [];
  const server = (
    /** @type {string} */ method,
    /** @type {string} */ _,
    /** @type {any} */ body,
  ) => {
    if (method === "GET")
      return { may_write: true, guest: !account, account, name, variations: [] };
    sent.push(body.as);
    throw Object.assign(new TypeError("no network"));
  };
  /** Who opens the page, and what is shown. @param {string} key @param {string} called */
  const shown = async (key, called) => {
    [account, name] = [key, called];
    const store = storeOf(kept, server);
    await store.load([], "");
    await new Promise(setImmediate);
    return store;
  };
  const kims = await shown("7", "Kim");
  kims.keep(line({ key: "kims" }));
  await new Promise(setImmediate);
  keepDraft("m", "", [{ ...line({ key: "guests" }), id: "guests", line: undefined }], kept);
  const keys = (/** @type {{lines: Map<string, object>}} */ store) => [...store.lines.keys()];
  assert.deepEqual(sent.splice(0), ["Kim"]);
  assert.deepEqual(keys(await shown("8", "Lee")), ["guests"]);
  assert.deepEqual(sent.splice(0), ["Lee"]);
  assert.deepEqual(keys(await shown("", "Guest 1")), ["guests"]);
  assert.deepEqual(keys(await shown("7", "Kim")), ["kims", "guests"]);
});

test("without storage nothing is said to be kept, and nothing fails", () => {
  const none = browserStorage(); // there is none here, as in a browser that blocks all cookies
  const given = { ...line({ key: "k" }), id: "k", line: undefined };
  assert.equal(keepDraft("m", "", [given], none), false);
  assert.equal(keepDraft("m", "", [given], handStorage()), true);
  assert.deepEqual([stored(none, "a", "b"), none.getItem("a")], [false, null]);
  none.removeItem("a");
});

test("a draft of an earlier release gets the fields that it lacks", async () => {
  const kept = handStorage();
  const { readers, order, ...old } = line({ key: "old" });
  kept.setItem("ratuki.what-if.m.old", JSON.stringify({ ...old, edit: 1 }));
  const store = storeOf(kept, () => ({ may_write: false, name: "", variations: [] }));
  await store.load([], "");
  const variation = store.lines.get("old");
  assert.deepEqual([variation?.readers, variation?.order], [[], 0]);
});

test("what a ghost race has left in the browser is sent as new", async () => {
  const kept = handStorage();
  keepDraft("m", "", [{ id: "raced", round: 1, event: 2, events: [], text: "so", tags: [] }], kept);
  /** @type {string[]} */
  const asked = [];
  const store = storeOf(kept, (method, url, body) => {
    asked.push(`${method} ${url}`);
    if (method === "GET") return { may_write: true, account: "", name: "", variations: [] };
    return { ...body, mine: true, revision: 1 };
  });
  await store.load([], "");
  while (!store.saved) await new Promise(setImmediate);
  assert.deepEqual(asked, ["GET /notes", "POST /variations"]);
});

test("what was changed while it was sent is sent again, from the new revision", async () => {
  /** @type {any[]} */
  const asked = [];
  const store = storeOf(handStorage(), (method, _, body) => {
    asked.push([method, body.text, body.revision]);
    if (asked.length === 1) store.keep({ ...line(), text: "second" });
    return { ...line(), ...body, revision: asked.length };
  });
  store.mayWrite = true;
  store.keep({ ...line(), text: "first" });
  while (!store.saved) await new Promise(setImmediate);
  assert.deepEqual(asked, [
    ["POST", "first", undefined],
    ["PUT", "second", 1],
  ]);
});

test("of two versions of a what-if its author chooses one", async () => {
  /** @type {any[]} */
  const asked = [];
  const theirs = { ...line(), text: "theirs", revision: 5 };
  const store = storeOf(handStorage(), () => {});
  store.ask = async (method, _, said) => {
    const body = /** @type {any} */ (said);
    asked.push([method, body.revision]);
    if (body.revision < 5)
      return { ok: false, status: 409, data: { detail: "", now: /** @type {any} */ (theirs) } };
    return { ok: true, status: 200, data: { ...line(), ...body, revision: 6 } };
  };
  store.mayWrite = true;
  const clash = async () => {
    store.keep({ ...line(), revision: 2, text: "mine" });
    await store.save();
    return store.outbox.choices.get("k");
  };
  const [difference] = (await clash())?.differing ?? [];
  assert.deepEqual([difference.mine, difference.theirs], ["mine", "theirs"]);
  store.keep({ .../** @type {any} */ (store.lines.get("k")), text: "mine still" });
  await store.save();
  assert.deepEqual(asked.splice(0), [["PUT", 2]], "nothing goes out before that");
  await store.outbox.choices.get("k")?.own();
  assert.deepEqual(asked.splice(0), [["PUT", 5]]);
  assert.deepEqual([store.saved, store.lines.get("k")?.text], [true, "mine still"]);
  (await clash())?.theirs();
  assert.deepEqual([store.saved, store.lines.get("k")?.text], [true, "theirs"]);
});

test("a what-if whose answer was lost is saved, and no conflict, unless another card was played", async () => {
  /** @type {(card: string) => any[]} */
  const played = (card) => [{ t: 500, seat: 0, do: "play", card, stack: 1 }];
  const store = storeOf(handStorage(), () => {});
  const now = /** @type {any} */ ({ ...line(), events: played("A1a"), revision: 3 });
  store.ask = async () => ({ ok: false, status: 409, data: { detail: "", now } });
  store.mayWrite = true;
  store.keep({ ...line(), revision: 2, events: played("A1a") });
  await store.save();
  assert.deepEqual([store.saved, store.lines.get("k")?.revision], [true, 3]);
  store.keep({ ...line(), revision: 2, events: played("A1b") });
  await store.save();
  const [difference] = store.outbox.choices.get("k")?.differing ?? [];
  assert.ok(!store.saved);
  assert.match(difference.mine, /^0:00\.5, a\s1, stack\s2$/);
});

/** What if on a page without its DOM, over a server whose answers a test gives by hand. */
function whatIfOf() {
  const match = log();
  /** @type {((line: object) => void)[]} */
  const answers = [];
  const store = storeOf(handStorage(), () => new Promise((give) => answers.push(give)));
  const root = { classList: { add: () => {}, remove: () => {} } };
  const player = new Player(match, () => {});
  const whatIf = Object.assign(Object.create(WhatIf.prototype), {
    ...{ page: new Page(/** @type {any} */ ({ board: { root }, player })), player, log: match },
    ...{ store, varied: null, making: { done: () => {}, forget: () => {} }, show: () => {} },
  });
  return { whatIf, answers, line: linesOf(match).get("v") };
}

test("of two places in a what-if, the one asked for later is shown, whichever answer comes first", async () => {
  const { whatIf, answers, line } = whatIfOf();
  const opened = [7, 8].map((event) => whatIf.openLine("v", event));
  answers[1]({ ...line, mine: true });
  await opened[1];
  answers[0]({ ...line, mine: true });
  await opened[0];
  assert.deepEqual([whatIf.page.state.line, whatIf.player.cursor.event], ["v", 8]);
});

test("the address leads to the what-if that it asked for, until that is shown", async () => {
  const { whatIf, line } = whatIfOf();
  const { page, player, store } = whatIf;
  page.along = { line: "v", event: 8 };
  const { promise, keep } = promised();
  Object.assign(globalThis, { location: { hash: "" } });
  store.load = () => promise;
  const loaded = whatIf.load();
  await player.goTo({ round: 1, event: 3 });
  assert.equal(page.addressed("?seq=7"), "?line=v&event=8");
  store.lines.set("v", line);
  keep(undefined);
  await loaded;
  assert.deepEqual([page.state.line, player.cursor.event], ["v", 8]);
  assert.equal(page.addressed("?seq=7"), "?seq=7");
});

test("places asked for while the rest of the part is fetched are shown in their turn", async () => {
  const { whatIf, line } = whatIfOf();
  whatIf.store.lines.set("v", line);
  const tab = { addEventListener: () => {} };
  Object.assign(globalThis, { document: { getElementById: () => tab } });
  const { promise, keep } = promised();
  const { page } = whatIf;
  const panel = /** @type {any} */ ({ dataset: {}, hidden: true });
  new Waiting(panel, page, () => promise);
  const opened = [7, 8].map((event) => page.call("openLine", "v", event));
  keep(whatIf);
  await Promise.all(opened);
  assert.deepEqual([whatIf.page.state.line, whatIf.player.cursor.event], ["v", 8]);
});

test("a what-if that arrives after the return to what happened is not shown", async () => {
  const { whatIf, answers, line } = whatIfOf();
  const opened = whatIf.openLine("v", 8);
  await whatIf.openLine(null);
  answers[0]({ ...line, mine: true });
  await opened;
  assert.equal(whatIf.page.state.line, null);
});

/** A what-if whose next play the test judges: at a place, where bots are asked to play on. */
async function botsPlaying() {
  const { whatIf, answers } = whatIfOf();
  const bar = { say: () => {}, wait: () => {}, botsMs: null };
  const making = new Making(Object.assign(whatIf, { bar, hands: { follow: () => {} } }));
  whatIf.making = making;
  whatIf.store.addRecorded(whatIf.log.notes);
  await whatIf.player.goTo({ round: 1, event: 5 });
  const made = making.bots();
  const judge = () => {
    const events = [{ t: 9000, do: "draw", seat: 0, card: "R1" }];
    answers[0]({ lines: [{ variation: { events } }], refused: [], t: 9000, ended: null });
    return made;
  };
  return { whatIf, judge };
}

test("what bots have made is shown to who waits for it", async () => {
  const { whatIf, judge } = await botsPlaying();
  await judge();
  assert.deepEqual([whatIf.line.events.length, whatIf.player.cursor.event], [1, 6]);
});

test("what bots have made is kept, and not shown to who has gone elsewhere", async () => {
  const { whatIf, judge } = await botsPlaying();
  const before = whatIf.store.lines.size;
  await whatIf.openLine("v");
  await judge();
  assert.deepEqual([whatIf.page.state.line, whatIf.store.lines.size], ["v", before + 1]);
});

test("an older answer does not replace what has been saved since", async () => {
  const { promise, keep } = promised();
  const store = storeOf(handStorage(), (method, _, body) =>
    method === "GET" ? promise : { ...line(), ...body, revision: (body.revision ?? 0) + 1 },
  );
  store.mayWrite = true;
  store.lines.set("k", line({ revision: 1 }));
  const read = store.fetch("k");
  store.keep({ ...line({ revision: 1 }), text: "mine" });
  await store.save();
  keep(line({ revision: 1, text: "before" }));
  await read;
  const variation = store.lines.get("k");
  assert.deepEqual([variation?.text, variation?.revision], ["mine", 2]);
});

test("a line is promoted from the revision to which it is being saved", async () => {
  /** @type {any[]} */
  const asked = [];
  const own = line({ line: "above", revision: 4 });
  const store = storeOf(handStorage(), async (method, url, body) => {
    asked.push([`${method} ${url}`, body.revision]);
    return { ...own, ...body, revision: body.revision + 1 };
  });
  store.mayWrite = true;
  store.lines.set("above", line({ key: "above" }));
  store.keep({ ...own, text: "renamed" });
  await store.promote(own);
  assert.deepEqual(asked, [
    ["PUT /variations/k", 4],
    ["POST /variations/k/promote", 5],
  ]);
});

test("a what-if is shown to a class with one's own that it branches off, and with no other", async () => {
  const own = { line: "a", revision: 1 };
  const lines = new Map(
    [
      line({ key: "other", mine: false }),
      line({ key: "public", line: "other", visibility: "everyone" }),
      line({ key: "a", line: "public", visibility: "people", readers: ["Kim"] }),
      line({ ...own, key: "b" }),
      line({ ...own, key: "sibling" }),
    ].map((one) => [one.key, one]),
  );
  const kept = /** @type {any[]} */ ([]);
  const store = { lines, keep: (/** @type {any} */ one) => kept.push(one), save: async () => {} };
  const whatIf = /** @type {any} */ ({ store, page: { state: { line: "b" } } });
  await new Arranging(whatIf).showTo("class:k");
  assert.deepEqual(
    kept.map(({ key, visibility, readers }) => [key, visibility, readers]),
    [
      ["a", "class:k", []],
      ["b", "class:k", []],
    ],
  );
});
