import assert from "node:assert/strict";
import { test } from "node:test";

import { settled } from "./handclock.js";
import "./static.js";

const { ResultsHidden } = await import("../../games/static/games/dom/asking.js");
const { retrying } = await import("../../replays/static/replays/replay/retry.js");

/** @param {number} failures how many attempts fail before one succeeds @param {Error} [failure] */
async function fetched(failures, failure = new Error("lost")) {
  /** @type {number[]} */
  const waits = [];
  let troubled = 0;
  let left = failures;
  const json = retrying({
    ask: async (url) => {
      assert.equal(troubled, 0, "nothing is said while it is asked again");
      left -= 1;
      if (left >= 0) throw failure;
      return url;
    },
    trouble: (by) => (troubled += by),
    anotherTry: async (ms) => {
      assert.equal(troubled, 1, "while it waits the page says so");
      waits.push(ms);
    },
    reload: async (words) => /** @type {never} */ (`reload: ${words}`),
  });
  return { answer: await json("log?from=1"), waits, troubled };
}

test("what arrives at once waits for nothing and says nothing", async () => {
  assert.deepEqual(await fetched(0), { answer: "log?from=1", waits: [], troubled: 0 });
});

test("what fails is asked for again, less and less often, until it arrives", async () => {
  const { answer, waits, troubled } = await fetched(7);
  assert.deepEqual([answer, troubled], ["log?from=1", 0]);
  assert.deepEqual(waits, [2000, 4000, 8000, 16000, 30000, 30000, 30000]);
});

test("who has hidden results elsewhere is asked to reload, and nothing is asked for again", async () => {
  const { answer, waits } = await fetched(1, new ResultsHidden());
  assert.deepEqual([answer, waits], [`reload: ${new ResultsHidden().message}`, []]);
});

test("what failed before results were hidden says no more than to reload", async () => {
  /** @type {string[]} */
  const said = [];
  /** @type {() => void} */
  let again = () => {};
  const json = retrying({
    ask: async (url) => {
      throw url === "hidden" ? new ResultsHidden() : new Error("lost");
    },
    trouble: (by) => said.push(`trouble ${by}`),
    anotherTry: () =>
      new Promise((tried) => {
        again = () => tried(null);
      }),
    reload: async () => /** @type {never} */ (said.push("reload")),
  });
  json("lost");
  await settled();
  await Promise.all([json("hidden"), json("hidden")]);
  again();
  await settled();
  assert.deepEqual(said, ["trouble 1", "reload"]);
});
