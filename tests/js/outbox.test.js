import assert from "node:assert/strict";
import { test } from "node:test";

import { handStorage } from "./handstorage.js";
import "./static.js";

const { Autosave } = await import("../../replays/static/replays/outbox/autosave.js");
const { Kept, keeps, opened } = await import("../../replays/static/replays/outbox/kept.js");
const { Outbox } = await import("../../replays/static/replays/outbox/outbox.js");
const { forget, sendAll, waiting } = await import("../../replays/static/replays/outbox/sending.js");
const { LineStore } = await import("../../replays/static/replays/variations/store.js");

/** @type {any} */
const NOBODY = { ok: false, status: 0, data: { detail: "There is no connection." } };
const later = () => {};

/** Writes something of each kind while nobody answers. @type {Record<string, (storage: Storage) => Promise<unknown>>} */
const WRITTEN = {
  "a change of a chapter": (storage) => {
    const ways = { say: later, reload: later, merged: later };
    const chapter = { revision: 3, title: "Old" };
    const world = { storage, later, send: async () => NOBODY };
    const saver = new Autosave("/api/v1/studies/s/1", chapter, ways, "7", world);
    saver.change({ title: "New" });
    return saver.save();
  },
  "a what-if": async (storage) => {
    const urls = { notes: "/notes", variations: "/variations", variation: "/variations/KEY" };
    const store = new LineStore("m", urls, storage, later);
    store.ask = async () => NOBODY;
    Object.assign(store, { mayWrite: true, account: "7", signer: { as: "Ada" } });
    const line = { key: "v", round: 1, event: 2, line: null, events: [], text: "so", tags: [] };
    store.keep(/** @type {any} */ ({ ...line, mine: true, revision: null, visibility: "self" }));
    await store.save();
  },
};

for (const [what, write] of Object.entries(WRITTEN))
  test(`${what} is sent from another page once there is a connection`, async () => {
    const storage = handStorage();
    await write(storage);
    opened.splice(0); // its page is closed
    assert.equal(waiting(storage, "").length, 0, "not by a guest");
    assert.equal(waiting(storage, "8").length, 0, "not by another account");
    await sendAll(storage, "7", async () => NOBODY);
    assert.equal(waiting(storage, "7").length, 1);
    /** @type {any[]} */
    const sent = [];
    await sendAll(storage, "7", async (...request) => {
      sent.push(request);
      return { ok: true, status: 200, data: {} };
    });
    assert.equal(sent.length, 1);
    assert.match(sent[0].slice(0, 2).join(" "), /^(PUT|POST) \//);
    assert.equal(storage.length, 0);
  });

/** @type {any} */
const NO_WAYS = { saved: () => null, differences: () => [], based: later, taken: later };

/** An entry that waits. @param {Storage} storage */
function entry(storage) {
  const request = { method: "POST", url: "/notes", body: { text: "so" } };
  const kept = new Kept("notes.drafts.7", storage);
  const outbox = new Outbox(/** @type {any} */ (kept), { ...NO_WAYS, request: () => request });
  outbox.put({ key: "a", account: "7", revision: null });
  return outbox;
}

test("what the page sends itself is left to it", async () => {
  const storage = handStorage();
  const outbox = entry(storage);
  await sendAll(storage, "7", () => assert.fail());
  outbox.resume("8"); // who is here now does not send it, and neither does the page
  assert.deepEqual([outbox.entries.size, storage.length], [0, 1]);
  opened.splice(0);
});

test("what the site refuses waits for its writer, and what was changed meanwhile for the next time", async () => {
  const storage = handStorage();
  entry(storage);
  opened.splice(0);
  await sendAll(storage, "7", async () => {
    storage.setItem("ratuki.notes.drafts.7.a", JSON.stringify({ key: "a", text: "so far" }));
    return { ok: true, status: 200, data: {} };
  });
  assert.equal(storage.length, 1);
  entry(storage);
  opened.splice(0);
  const refused = { ok: /** @type {const} */ (false), status: 422, data: { detail: "too long" } };
  await sendAll(storage, "7", async () => refused);
  assert.equal(JSON.parse(storage.getItem("ratuki.notes.drafts.7.a") ?? "").trouble, "too long");
  await sendAll(storage, "7", () => assert.fail());
});

test("what is unsent is kept under its key, for its account alone, and known before it is needed", () => {
  const storage = handStorage();
  const drafts = new Kept("notes.drafts.7", storage);
  const known = (/** @type {number} */ match) => keeps(`notes.drafts.${match}`, storage);
  drafts.write(/** @type {any} */ ({ key: "kims", account: "7", text: "so" }));
  drafts.write(/** @type {any} */ ({ key: "kims", account: "7", text: "so far" }));
  drafts.write({ key: "guests" });
  const of = (/** @type {string} */ account) => drafts.of(account).map(({ key }) => key);
  assert.deepEqual([of(""), of("8"), of("7")], [["guests"], ["guests"], ["kims", "guests"]]);
  assert.equal(/** @type {any} */ (drafts.of("7")[0]).text, "so far");
  assert.deepEqual([known(7), known(70)], [true, false]);
  for (const key of of("7")) drafts.drop(key);
  assert.equal(known(7), false);
});

test("who may not send is looked up: another visitor sends nothing, the same one tries once more", async () => {
  for (const [account, attempts, left] of /** @type {const} */ ([
    ["8", 1, 0],
    ["7", 2, 1],
  ])) {
    const storage = handStorage();
    let sent = 0;
    const send = async () => {
      sent += 1;
      return /** @type {any} */ ({ ok: false, status: 403, data: { detail: "Not you." } });
    };
    /** @type {import("../../replays/static/replays/outbox/outbox.js").Outbox<any, any>} */
    const outbox = new Outbox(
      /** @type {any} */ (new Kept("test", storage)),
      {
        ...NO_WAYS,
        request: () => ({ method: "PUT", url: "/a", body: {} }),
        visitor: async () => outbox.resume(account),
      },
      { later, send },
    );
    outbox.put({ key: "a", account: "7" });
    await outbox.save();
    assert.deepEqual([sent, outbox.entries.size, storage.length], [attempts, left, 1]);
    const words = left ? "Not saved. Not you. It is kept in this browser." : "Saved.";
    assert.equal(outbox.words("a"), words);
  }
});

test("who logs out leaves words that are not sent yet, and the browser's settings", () => {
  const storage = handStorage();
  const stay = [
    "ratuki.notes.drafts.7.a",
    "ratuki.unsaved.7 /studies/a",
    "ratuki.settings",
    "theme",
  ];
  for (const name of [...stay, "ratuki.receipt.m", "ratuki.receipts", "ratuki.notes.seen.7"])
    storage.setItem(name, "{}");
  forget(storage);
  assert.deepEqual(
    Array.from({ length: storage.length }, (_, at) => storage.key(at)),
    stay,
  );
});

test("without an answer it waits longer each time, and as long as the site says", async () => {
  /** @type {{run: () => void, ms: number}[]} */
  const timers = [];
  /** @type {any} */
  let answer = NOBODY;
  /** @type {any} */
  const kept = new Kept("ratuki.test", handStorage());
  const request = () => ({ method: "PUT", url: "/a", body: {} });
  const outbox = new Outbox(
    kept,
    { ...NO_WAYS, request },
    { later: (run, ms) => timers.push({ run, ms }), send: async () => answer },
  );
  outbox.put({ key: "a" });
  const again = async () => {
    timers.shift()?.run();
    await outbox.save();
    return timers[0]?.ms ?? null;
  };
  const waits = [];
  for (let attempt = 0; attempt < 8; attempt++) waits.push(await again());
  assert.deepEqual(waits.slice(0, 4), [5_000, 10_000, 20_000, 40_000]);
  assert.deepEqual(waits.slice(-2), [300_000, 300_000]);
  answer = { ok: false, status: 429, data: { detail: "later" }, wait: 3_600_000 };
  assert.equal(await again(), 3_600_000);
  answer = { ok: true, status: 200, data: {} };
  assert.equal(await again(), null);
  answer = NOBODY;
  outbox.put({ key: "b" });
  await outbox.save();
  assert.equal(timers[0].ms, 5_000, "from the start again");
});
