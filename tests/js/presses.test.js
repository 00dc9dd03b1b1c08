import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { HandClock, promised, settled } from "./handclock.js";
import { handStorage } from "./handstorage.js";
import { chunk, LINES, opened } from "./recorded.js";

const { Kept } = await import("../../replays/static/replays/outbox/kept.js");
const { Presses } = await import("../../replays/static/replays/notes/presses.js");
const { pressAt, STARTERS } = await import("../../replays/static/replays/notes/presses.js");

const [FEEDING] = STARTERS;
const FIRST = chunk(1).lines.filter((line) => "do" in line);

/** How many events had happened by then. @param {number} t */
const by = (t) => FIRST.filter((event) => event.t <= t).length;

/** A site that keeps notes, unless it is told what to answer. */
class Notes {
  constructor() {
    this.url = "/matches/7/notes";
    this.may = { account: "ada" };
    this.signer = { as: "Ada" };
    /** @type {any[]} */
    this.items = [];
    /** @type {any[]} */
    this.heard = [];
    /** @type {any[]} */
    this.answers = [];
    /** @type {Promise<void>} */
    this.way = Promise.resolve();
    this.loads = 0;
  }

  /** @param {string} method @param {string} path @param {any} body @param {boolean} [keepalive] */
  async change(method, path, body, keepalive = false) {
    this.heard.push({ method, path, body, keepalive });
    await this.way;
    const answer = this.answers.shift() ?? { ok: true, status: 200, data: {} };
    if (answer.ok && method === "POST") this.items.push({ key: body.key, revision: 3 });
    return answer;
  }

  /** @param {string} key */
  find(key) {
    return this.items.find((item) => item.key === key) ?? null;
  }

  /** @param {any} item */
  take(item) {
    this.items.push(item);
  }

  async load() {
    this.loads += 1;
  }
}

/** @type {Notes} */
let notes;
/** @type {HandClock} */
let clock;
/** @type {string[]} */
let said;
/** What the next visit would find. @type {Storage} */
let storage;
const kept = () => keptIn().of("ada");
/** @returns {import("../../replays/static/replays/notes/presses.js").Kept} */
const keptIn = () => new Kept("tags.pending.7", storage);

beforeEach(() => {
  notes = new Notes();
  clock = new HandClock();
  said = [];
  storage = handStorage();
});

/** The presses of a match that has been played up to a line. @param {number} until */
function played(until) {
  const { log } = opened({ finished: false });
  log.append({ seq: 1, lines: LINES.slice(1, until) });
  const presses = new Presses(
    /** @type {any} */ (notes),
    log,
    keptIn(),
    (words) => said.push(words),
    (run, ms) => clock.later(ms, run),
  );
  log.onGrow(() => presses.settle());
  return { log, presses };
}

/** A press at a time of the first round. @param {number} t @param {object} [more] */
const pressed = (t, more = {}) => ({
  ...pressAt(FEEDING, { round: 1, t }, null, "self"),
  account: "ada",
  ...more,
});

const keys = () => kept().map(({ key }) => key);
const sent = () => notes.heard.map(({ body }) => body.key);
const LATE = 1 + by(10_000) + 1;

test("a press is saved once its span has been played, and waits for it until then", async () => {
  const { log, presses } = played(LATE);
  const press = pressed(FIRST[LATE - 3].t);
  await presses.add(press);
  assert.deepEqual([sent(), keys()], [[], [press.key]]);
  log.append({ seq: LATE, lines: LINES.slice(LATE, LATE + 60) });
  await settled();
  const { method, path, body, keepalive } = notes.heard[0];
  assert.deepEqual([method, path, keepalive], ["POST", notes.url, false]);
  assert.deepEqual([body.key, body.as, body.tags], [press.key, "Ada", ["feeding"]]);
  assert.deepEqual([body.event, body.until], [by(press.from), by(press.to)]);
  assert.deepEqual([sent(), keys()], [[press.key], []]);
});

test("presses go one after another", async () => {
  const { presses } = played(LATE);
  const { promise, keep } = promised();
  notes.way = promise;
  const [first, second] = [pressed(2000), pressed(3000)];
  presses.add(first);
  presses.add(second);
  await settled();
  assert.deepEqual(sent(), [first.key]);
  keep();
  await settled();
  assert.deepEqual(sent(), [first.key, second.key]);
});

test("who leaves saves what was played of the span, even if the page is gone", async () => {
  const { presses } = played(LATE);
  const press = pressed(FIRST[LATE - 3].t);
  await presses.add(press);
  await presses.cut();
  const { body, keepalive } = notes.heard[0];
  assert.deepEqual([body.key, body.until, keepalive], [press.key, LATE - 2, true]);
  assert.deepEqual(keys(), []);
});

test("what was saved on leaving and is sent again is saved once, as it was", async () => {
  const press = pressed(2000);
  const now = { key: press.key, round: 1, event: 5, revision: 1, text: "", tags: [], marks: [] };
  notes.answers = [{ ok: false, status: 409, data: { now } }];
  keptIn().write(press);
  const { presses } = played(LATE);
  await presses.load();
  await presses.settle();
  assert.deepEqual([keys(), said, notes.find(press.key)?.key], [[], [], press.key]);
});

test("what cannot be sent now is kept, said, and sent again later", async () => {
  for (const status of [0, 500, 429]) {
    notes.answers = [{ ok: false, status, data: { detail: "there is no connection" } }];
    const { presses } = played(LATE);
    const press = pressed(2000);
    await presses.add(press);
    assert.deepEqual(keys(), [press.key]);
    const words = "Not saved: there is no connection. 1 tag kept here, to be sent later.";
    assert.equal(said.at(-1), words);
    clock.pass(5000);
    await settled();
    assert.deepEqual(keys(), [], String(status));
  }
});

test("who was logged out is asked who they are, and nothing is sent for somebody else", async () => {
  notes.answers = [{ ok: false, status: 403, data: { detail: "log in again" } }];
  notes.load = async () => {
    notes.may.account = "";
  };
  const { presses } = played(LATE);
  const press = pressed(2000);
  await presses.add(press);
  assert.equal(said.at(-1), "Not saved: log in again. 1 tag kept here, to be sent later.");
  clock.pass(60_000);
  await presses.settle();
  await presses.cut();
  assert.deepEqual([sent(), keys(), presses.own], [[press.key], [press.key], []]);
  notes.may.account = "ada";
  await presses.settle();
  assert.deepEqual(keys(), []);
});

test("what is refused for good is dropped", async () => {
  notes.answers = [{ ok: false, status: 400, data: { detail: "too many notes" } }];
  const { presses } = played(LATE);
  const [first, second] = [pressed(2000), pressed(3000)];
  presses.add(first);
  await presses.add(second);
  await settled();
  assert.deepEqual([said, keys()], [["Not saved: too many notes."], []]);
  assert.deepEqual(sent(), [first.key, second.key], "the next one goes");
});

test("a press that is taken back is not sent, or removed once it has been saved", async () => {
  const { presses } = played(LATE);
  const waiting = pressed(FIRST[LATE - 3].t);
  await presses.add(waiting);
  assert.equal(await presses.undo(waiting), "");
  assert.deepEqual([sent(), keys()], [[], []]);

  const { promise, keep } = promised();
  notes.way = promise;
  const underWay = pressed(2000);
  presses.add(underWay);
  await settled();
  const undone = presses.undo(underWay);
  assert.equal(notes.heard.length, 1, "it is being saved");
  keep();
  assert.equal(await undone, "");
  const { method, path, body } = notes.heard[1];
  assert.deepEqual(
    [method, path, body],
    ["DELETE", `/api/v1/notes/${underWay.key}`, { revision: 3 }],
  );
});

test("what cannot be taken back is told", async () => {
  const { presses } = played(LATE);
  const press = pressed(2000);
  await presses.add(press);
  notes.answers = [{ ok: false, status: 409, data: { detail: "it was answered" } }];
  assert.equal(await presses.undo(press), "it was answered");
});

test("a press whose answer was lost is not said to be removed before the site has been heard", async () => {
  const lost = { ok: false, status: 0, data: { detail: "there is no connection" } };
  notes.answers = [lost, lost];
  const { presses } = played(LATE);
  const press = pressed(2000);
  await presses.add(press);
  assert.equal(await presses.undo(press), "there is no connection");
  assert.deepEqual(keys(), [press.key]);
  assert.equal(await presses.undo(press), "", "by now the site answers");
  const methods = notes.heard.map(({ method }) => method);
  assert.deepEqual([methods, keys()], [["POST", "POST", "POST", "DELETE"], []]);
});
