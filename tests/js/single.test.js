import assert from "node:assert/strict";
import { test } from "node:test";

import { promised, settled } from "./handclock.js";

const { twice } = await import("../../games/static/games/dom/controls.js");
const { leave, single } = await import("../../games/static/games/dom/elements.js");

test("what is pressed again while it is under way is done once", async () => {
  /** @type {string[]} */
  const done = [];
  const { promise, keep } = promised();
  const press = single(async (/** @type {string} */ what) => {
    done.push(what);
    await promise;
  });
  press("first");
  press("second");
  keep();
  await settled();
  press("third");
  assert.deepEqual(done, ["first", "third"]);
});

test("what leads to another page is not pressed again until this one is shown again", async () => {
  const page = new EventTarget();
  Object.assign(globalThis, { addEventListener: page.addEventListener.bind(page) });
  let left = 0;
  const press = single(() => leave(() => (left += 1)));
  press();
  await settled();
  press();
  assert.equal(left, 1);
  page.dispatchEvent(new Event("pageshow"));
  await settled();
  press();
  assert.equal(left, 2);
});

test("what has failed can be pressed again", async () => {
  let pressed = 0;
  const press = single(async () => {
    pressed += 1;
    throw new Error("no");
  });
  await assert.rejects(press());
  await assert.rejects(press());
  assert.equal(pressed, 2);
});

test("what can't be taken back is done by a second press, if nothing else is pressed between", () => {
  const page = new EventTarget();
  const element = Object.assign(new EventTarget(), {
    textContent: "End it",
    contains: () => false,
    focus: () => {},
  });
  const { document } = globalThis;
  Object.assign(globalThis, { document: page });
  let done = 0;
  const press = twice(/** @type {any} */ (element), "Press again", () => {
    done += 1;
  });
  press();
  assert.deepEqual([element.textContent, done], ["Press again", 0]);
  for (const [where, kind] of /** @type {const} */ ([
    [page, "pointerdown"],
    [element, "blur"],
  ])) {
    where.dispatchEvent(new Event(kind));
    assert.deepEqual([element.textContent, done], ["End it", 0]);
    press();
  }
  press();
  assert.deepEqual([element.textContent, done], ["End it", 1]);
  Object.assign(globalThis, { document });
});
