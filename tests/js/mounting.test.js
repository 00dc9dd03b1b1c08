import assert from "node:assert/strict";
import { test } from "node:test";

import { promised, settled } from "./handclock.js";

const { LATEST_MS, mountAll, whenIdle } = await import(
  "../../replays/static/replays/replay/page.js"
);

test("the parts of a page that is never idle are fetched soon all the same", () => {
  /** @type {number[]} */
  const times = [];
  const busy = {
    requestIdleCallback: (/** @type {any} */ _run, /** @type {{timeout: number}} */ how) =>
      times.push(how.timeout),
    setTimeout: () => assert.fail("it has idle moments"),
  };
  whenIdle(() => {}, busy);
  assert.deepEqual(times, [LATEST_MS]);
  let ran = 0;
  whenIdle(() => (ran += 1), { setTimeout: (/** @type {() => void} */ run) => run() });
  assert.equal(ran, 1);
});

test("parts are fetched at once and mounted in order, and one that fails leaves the others alone", async () => {
  /** @type {string[]} */
  const said = [];
  const first = promised();
  const fetched = async (/** @type {string} */ part) => {
    said.push(`fetch ${part}`);
    if (part === "charts") await first.promise;
    if (part === "notes") throw new Error("gone");
    return () => {
      said.push(`mount ${part}`);
      if (part === "what-if") throw new Error("broken");
    };
  };
  const all = mountAll(["charts", "notes", "what-if", "review"], fetched, (part, why) =>
    said.push(`${part}: ${/** @type {Error} */ (why).message}`),
  );
  await settled();
  const asked = ["fetch charts", "fetch notes", "fetch what-if", "fetch review"];
  assert.deepEqual(said, asked);
  first.keep();
  await all;
  assert.deepEqual(said.slice(asked.length), [
    "mount charts",
    "notes: gone",
    "mount what-if",
    "what-if: broken",
    "mount review",
  ]);
});
