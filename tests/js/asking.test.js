import assert from "node:assert/strict";
import { test } from "node:test";

import { inTurn, jsonAt, ResultsHidden } from "../../games/static/games/dom/asking.js";
import { promised, settled } from "./handclock.js";

/** A site that gives one response. @param {number} status @param {string} text */
const site = (status, text) => /** @type {any} */ (async () => new Response(text, { status }));

test("what the site says comes back", async () => {
  assert.deepEqual(await jsonAt("/log", site(200, '{"next": 9}')), { next: 9 });
});

test("a refusal carries the site's words, or its status where it has none", async () => {
  await assert.rejects(jsonAt("/log", site(409, '{"error": "not over"}')), /not over/);
  await assert.rejects(jsonAt("/log", site(502, "<html>")), /502 \/log/);
});

test("half a response is none", async () => {
  await assert.rejects(jsonAt("/log", site(200, '{"next"')));
});

test("results hidden in another tab are told apart from a failure", async () => {
  const hidden = site(403, '{"error": "results are hidden", "results": "hidden"}');
  await assert.rejects(jsonAt("/charts/", hidden), ResultsHidden);
  await assert.rejects(jsonAt("/charts/", site(403, '{"error": "no"}')), (error) => {
    return !(error instanceof ResultsHidden);
  });
});

test("one thing is worked out at a time, also where another tab has asked", async () => {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  /** @type {any} */
  const locks = {
    request: (/** @type {string} */ name, /** @type {() => Promise<unknown>} */ run) => {
      assert.equal(name, "worked-out");
      const mine = last.then(run);
      last = mine.catch(() => {});
      return mine;
    },
  };
  /** @type {string[]} */
  const begun = [];
  const first = promised();
  const failing = inTurn(async () => {
    begun.push("charts");
    await first.promise;
    throw new Error("busy");
  }, locks);
  const other = inTurn(async () => begun.push("analysis"), locks);
  await settled();
  assert.deepEqual(begun, ["charts"]);
  first.keep();
  await assert.rejects(failing, /busy/);
  assert.equal(await other, 2);
});

test("without locks, on an insecure address, all is asked at once", async () => {
  assert.equal(await inTurn(async () => 7, null), 7);
});
