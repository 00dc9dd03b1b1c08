import assert from "node:assert/strict";
import { test } from "node:test";

import { GOT_MS, LiveSocket, PING_MS, QUIET_MS } from "../../games/static/games/live/socket.js";
import { HandWire } from "./handwire.js";

const WINDOW = 16;

/** @param {number} seq @param {number} [epoch] @param {number | null} [seat] */
const welcome = (seq, epoch = 1, seat = 0) => ({
  type: "welcome",
  v: 1,
  epoch,
  seat,
  seq,
  round: 1,
  now: 0,
  window: WINDOW,
  got_every: seat === null ? WINDOW / 2 : 1,
});

/**
 * @param {{seq?: number, epoch?: number}} options
 * @param {import("../../games/static/games/live/socket.js").Listener} listener
 */
function connected(options = {}, listener = {}) {
  const wire = new HandWire();
  const live = new LiveSocket("ws://test", listener, { ...options, world: wire.world });
  live.start();
  wire.socket.onopen();
  return { wire, live };
}

test("hello names what is known, and a welcome from elsewhere starts anew", () => {
  /** @type {any[]} */
  const restarts = [];
  const { wire, live } = connected({ seq: 7, epoch: 2 }, { restart: (seq) => restarts.push(seq) });
  assert.deepEqual(wire.socket.sent, [{ type: "hello", v: 1, epoch: 2, seq: 7 }]);
  wire.say(welcome(7, 2));
  assert.deepEqual(restarts, []);
  wire.say({ type: "resync", seq: 90, round: 2, reason: "behind" });
  assert.deepEqual(restarts, [90]);
  assert.equal(live.seq, 90);
});

test("lines come once, in order, and are acknowledged", () => {
  /** @type {any[]} */
  const got = [];
  const { wire } = connected({}, { lines: (frame) => got.push([frame.seq, frame.lines]) });
  wire.say(welcome(3));
  wire.say({ type: "lines", seq: 3, lines: ["a", "b"] });
  wire.say({ type: "lines", seq: 4, lines: ["b", "c"] });
  assert.deepEqual(got, [
    [3, ["a", "b"]],
    [5, ["c"]],
  ]);
  assert.deepEqual(wire.socket.sent.at(-1), { type: "got", seq: 6 });
});

test("a spectator acknowledges several frames at once, and none for too long", () => {
  const { wire } = connected();
  const acknowledged = () => wire.said("got").map(({ seq }) => seq);
  wire.say(welcome(1, 1, null));
  for (let seq = 1; seq <= WINDOW + 3; seq += 1) wire.say({ type: "lines", seq, lines: ["a"] });
  assert.deepEqual(acknowledged(), [WINDOW / 2 + 1, WINDOW + 1]);
  wire.clock.pass(GOT_MS - 1);
  assert.equal(acknowledged().length, 2);
  wire.clock.pass(1);
  assert.deepEqual(acknowledged().at(-1), WINDOW + 4);
  wire.say({ type: "pong", n: 3, now: 0 });
  wire.clock.pass(PING_MS);
  assert.equal(acknowledged().length, 3, "there is nothing new to acknowledge");
});

test("what a spectator owes ends with the connection", () => {
  const { wire } = connected();
  wire.say(welcome(1, 1, null));
  wire.say({ type: "lines", seq: 1, lines: ["a"] });
  wire.socket.onclose({ code: 1006, reason: "" });
  wire.clock.pass(500);
  wire.socket.onopen();
  wire.say(welcome(2, 1, null));
  for (const n of [2, 3]) {
    wire.clock.pass(PING_MS);
    wire.say({ type: "pong", n, now: 0 });
  }
  assert.deepEqual(wire.said("got"), []);
});

test("a gap is never shown: the connection ends and asks from the missing line", () => {
  /** @type {any[]} */
  const got = [];
  const { wire } = connected({}, { lines: (frame) => got.push(frame) });
  wire.say(welcome(3));
  wire.socket.close = (/** @type {number} */ code) => wire.socket.onclose({ code, reason: "gap" });
  wire.say({ type: "lines", seq: 5, lines: ["late"] });
  assert.deepEqual(got, []);
  wire.clock.pass(500);
  wire.socket.onopen();
  assert.deepEqual(wire.socket.sent[0], { type: "hello", v: 1, epoch: 1, seq: 3 });
});

test("an unanswered action is sent again with its id, an answered one is not", () => {
  /** @type {any[]} */
  const answers = [];
  const { wire, live } = connected(
    {},
    { answer: (frame, asked) => answers.push([frame.type, asked.do]) },
  );
  wire.say(welcome(1));
  const first = live.act(1, { do: "draw" });
  const second = live.act(1, { do: "out" });
  wire.say({ type: "ack", id: first, seq: 2 });
  wire.say({ type: "ack", id: first, seq: 2 });
  wire.socket.onclose({ code: 1006, reason: "" });
  wire.clock.pass(500);
  wire.socket.onopen();
  wire.say(welcome(1));
  const again = wire.said("act").map(({ id }) => id);
  assert.deepEqual(again, [second]);
  assert.deepEqual(answers, [["ack", "draw"]]);
});

test("it comes back with growing waits, and not after a final word", () => {
  /** @type {any[]} */
  const said = [];
  const { wire } = connected({}, { status: (status) => said.push(status) });
  for (const wait of [500, 1000, 2000, 4000, 8000, 10000, 10000]) {
    const before = wire.sockets.length;
    wire.socket.onclose({ code: 1012, reason: "restart" });
    wire.clock.pass(wait - 1);
    assert.equal(wire.sockets.length, before);
    wire.clock.pass(1);
    assert.equal(wire.sockets.length, before + 1);
  }
  wire.socket.onclose({ code: 4404, reason: "no-such-match" });
  const before = wire.sockets.length;
  wire.clock.pass(60_000);
  assert.equal(wire.sockets.length, before);
  assert.equal(said.at(-1), "closed");
});

test("a player, without whom the match goes on, never waits long to come back", () => {
  const { wire } = connected();
  wire.say(welcome(3));
  for (const wait of [500, 1000, 2000, 2000, 2000]) {
    const before = wire.sockets.length;
    wire.socket.onclose({ code: 1012, reason: "no-database" });
    wire.clock.pass(wait - 1);
    assert.equal(wire.sockets.length, before);
    wire.clock.pass(1);
    assert.equal(wire.sockets.length, before + 1);
  }
});

test("a client that was admitted and then closed comes back once, with what is known", () => {
  /** @type {any[]} */
  const said = [];
  const { wire } = connected({}, { status: (status) => said.push(status) });
  wire.say(welcome(3));
  wire.socket.onclose({ code: 4403, reason: "not-allowed" });
  assert.equal(said.at(-1), "away");
  wire.clock.pass(500);
  wire.socket.onopen();
  assert.deepEqual(wire.socket.sent[0], { type: "hello", v: 1, epoch: 1, seq: 3 });
  wire.say(welcome(3));
  wire.clock.pass(5_000);
  wire.socket.onclose({ code: 4403, reason: "not-allowed" });
  assert.equal(said.at(-1), "closed");
});

test("a client that was refused does not come back", () => {
  /** @type {any[]} */
  const said = [];
  const { wire } = connected({}, { status: (status) => said.push(status) });
  wire.socket.onclose({ code: 4403, reason: "not-allowed" });
  assert.equal(said.at(-1), "closed");
});

test("a silent connection is given up; a pong measures the lag", () => {
  /** @type {any[]} */
  const said = [];
  const { wire, live } = connected({}, { status: (status) => said.push(status) });
  wire.say(welcome(1));
  wire.clock.pass(40);
  wire.say({ type: "pong", n: 1, now: 0 });
  assert.equal(live.lagMs, 40);
  wire.clock.pass(QUIET_MS + 2 * PING_MS);
  assert.ok(said.includes("away"));
});

test("the reason of a close is what the server said in its farewell, where the close has none", () => {
  /** @type {any[]} */
  const said = [];
  const { wire, live } = connected({}, { status: (status, why) => said.push([status, why]) });
  wire.say({ type: "bye", code: 4404, reason: "no-such-match", retry_ms: null });
  wire.socket.onclose({ code: 4404, reason: "" });
  assert.deepEqual(said.at(-1), ["closed", "no-such-match"]);
  assert.equal(live.status, "closed");
});

test("what is sent without a connection is not said to be sent", () => {
  const { wire, live } = connected();
  assert.equal(live.send({ type: "chat", text: "too early" }), false);
  wire.say(welcome(1));
  assert.equal(live.send({ type: "chat", text: "in time" }), true);
  wire.socket.onclose({ code: 1006, reason: "" });
  assert.equal(live.send({ type: "chat", text: "too late" }), false);
});

test("a socket that is closing takes nothing, and says so", () => {
  const { wire, live } = connected();
  wire.say(welcome(1));
  assert.equal(live.send({ type: "chat", text: "hello" }), true);

  wire.socket.readyState = 2; // WebSocket.CLOSING
  const before = wire.socket.sent.length;
  assert.equal(live.send({ type: "chat", text: "lost?" }), false);
  const id = live.act(1, { do: "draw" });
  wire.clock.pass(PING_MS);
  assert.equal(wire.socket.sent.length, before);
  wire.socket.onclose({ code: 1012, reason: "restart" });
  wire.clock.pass(1000);
  wire.socket.onopen();
  wire.say(welcome(1));
  assert.ok(wire.said("act").some((act) => act.id === id));
});

test("a server older than the page gets a hello that it knows", () => {
  /** @type {any[]} */
  const errors = [];
  const wire = new HandWire();
  const more = () => ({ viewer: "hers" });
  const options = { key: "k3y", more, world: wire.world };
  const live = new LiveSocket("ws://test", { error: (frame) => errors.push(frame) }, options);
  live.start();
  wire.socket.onopen();
  const fault = { type: "error", code: "bad-frame", message: 'hello: unknown key "viewer"' };
  wire.say(fault);
  const plain = { type: "hello", v: 1, key: "k3y" };
  assert.deepEqual(wire.said("hello"), [{ ...plain, viewer: "hers" }, plain]);
  wire.say(welcome(1));
  assert.equal(live.status, "live");
  assert.deepEqual(errors, []);

  wire.say(fault);
  assert.deepEqual(errors, [fault], "later faults are none of a hello's");
  wire.socket.onclose({ code: 1012, reason: "restart" });
  wire.clock.pass(1000);
  wire.socket.onopen();
  const known = { epoch: 1, seq: 1 };
  assert.deepEqual(wire.said("hello"), [{ ...plain, ...known, viewer: "hers" }]);
});
