import assert from "node:assert/strict";
import test from "node:test";

import { Salting } from "../../games/static/games/live/salting.js";

function salted(seat = 1) {
  /** @type {{salt: string, commit: string}[]} */
  const sent = [];
  let byte = 0;
  const salting = new Salting(
    seat,
    (frame) => sent.push(frame),
    (bytes) => bytes.fill(++byte),
  );
  /** @param {string | null} commit */
  const state = (commit, arrived = false) =>
    salting.state({ commit, seats: [{ salted: true }, { salted: arrived }] });
  return { salting, sent, state };
}

test("a salt is sent once there is a commitment, and not again once it has arrived", () => {
  const { salting, sent, state } = salted();
  state(null);
  assert.deepEqual(sent, []);
  state("c1");
  assert.deepEqual(sent, [{ type: "salt", salt: "01".repeat(16), commit: "c1" }]);
  state("c1", true);
  assert.equal(sent.length, 1);
  assert.ok(salting.arrived);
});

test("a salt that was lost is sent again, the same one for the same commitment", () => {
  const { sent, state } = salted();
  state("c1");
  state("c1");
  state("c1", true);
  assert.deepEqual(
    sent.map(({ salt }) => salt),
    ["01".repeat(16), "01".repeat(16)],
  );
});

test("a salt that an earlier page sent for the same commitment is left", () => {
  const { salting, sent, state } = salted();
  state("c1", true);
  state("c1", true);
  assert.deepEqual(sent, []);
  assert.ok(!salting.arrived, "it is not this page's");
});

test("another commitment gets another salt, which names it", () => {
  const { sent, state } = salted();
  state("c1");
  state(null);
  state("c2");
  assert.deepEqual(
    sent.map(({ salt, commit }) => [salt, commit]),
    [
      ["01".repeat(16), "c1"],
      ["02".repeat(16), "c2"],
    ],
  );
});

test("a release that has no commitments is sent nothing", () => {
  /** @type {object[]} */
  const sent = [];
  new Salting(0, (frame) => sent.push(frame)).state({ seats: [{}] });
  assert.deepEqual(sent, []);
});

test("salts are random", () => {
  /** @type {string[]} */
  const sent = [];
  const salting = new Salting(0, (frame) => sent.push(frame.salt));
  for (const commit of ["a", "b"]) salting.state({ commit, seats: [{ salted: false }] });
  assert.match(sent[0], /^[0-9a-f]{32}$/);
  assert.notEqual(sent[0], sent[1]);
});
