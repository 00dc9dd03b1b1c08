import "./static.js";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { listen, told } from "../../games/static/games/dom/faults.js";
import { settled } from "./handclock.js";

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

/** @type {string[]} */
let sent;
/** @type {EventTarget} */
let page;
const AT = "https://ratuki.example/static/1.0.0-abc/replays/notes/reading.js";

beforeEach(() => {
  sent = [];
  page = new EventTarget();
  listen((body) => sent.push(body), page);
});

/** @param {string} kind @param {object} fields */
const happens = (kind, fields) => page.dispatchEvent(Object.assign(new Event(kind), fields));

test("a fault is told by its kind and place, without its words", () => {
  const error = new TypeError("“my secret note” is not JSON");
  error.stack = `TypeError: “my secret note”\n    at read (${AT}:120:3)\n    at ${AT}:7:1`;
  assert.equal(told(error), "TypeError replays/notes/reading.js:120:3");
  happens("unhandledrejection", { reason: error });
  happens("error", { error: null, filename: AT, lineno: 8, colno: 2 });
  assert.deepEqual(sent, [told(error), "Error replays/notes/reading.js:8:2"]);
});

test("what is no fault of a script of ours is told without its place, or not at all", () => {
  happens("unhandledrejection", { reason: "gone" });
  happens("error", { error: new Error("x"), filename: "", lineno: 0, colno: 0 });
  assert.deepEqual(sent, ["Error somewhere"]);
  const odd = Object.assign(new Error("x"), { name: "a b\nc", stack: "" });
  assert.equal(told(odd), "Error somewhere");
});

test("a page that fails again and again tells so three times", () => {
  for (let count = 0; count < 9; count += 1) happens("unhandledrejection", { reason: null });
  assert.equal(sent.length, 3);
});
