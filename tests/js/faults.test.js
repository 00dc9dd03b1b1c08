import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { listen, told } from "../../games/static/games/dom/faults.js";

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
