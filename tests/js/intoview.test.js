import assert from "node:assert/strict";
import { test } from "node:test";

const { bringIntoView } = await import("../../games/static/games/dom/elements.js");

/**
 * What is scrolled so that an element at `at` px of the window is seen.
 * @param {{at: number, stage: {top: number, position: string} | null, within?: string}} where
 */
function scrolled({ at, stage, within = ".tabpanel" }) {
  /** @type {string[]} */
  const done = [];
  const box = (/** @type {string} */ name, /** @type {number} */ top) => ({
    getBoundingClientRect: () => ({ top, height: 400 }),
    scrollIntoView: (/** @type {{block: string}} */ how) => done.push(`${name} ${how.block}`),
    scrollBy: (/** @type {number} */ _, /** @type {number} */ by) => done.push(`${name} by ${by}`),
  });
  const shown = {
    ...box("element", at),
    closest: (/** @type {string} */ name) => (name === within ? box("panel", 100) : null),
    style: { setProperty: (/** @type {any[]} */ ...set) => done.push(set.join(" ")) },
  };
  Object.assign(globalThis, {
    document: { querySelector: () => stage && box("stage", stage.top) },
    getComputedStyle: () => ({ position: stage?.position }),
  });
  bringIntoView(/** @type {any} */ (shown));
  return done;
}

test("on a phone what was asked for begins below the table that stays on top", () => {
  assert.deepEqual(scrolled({ at: 1200, stage: { top: 0, position: "sticky" } }), [
    "scroll-margin-block-start 408px",
    "element start",
  ]);
});

test("beside the table the panel scrolls, and the table's top stays in the window", () => {
  const stage = { top: 60, position: "static" };
  assert.deepEqual(scrolled({ at: 700, stage }), ["panel by 592"]);
  assert.deepEqual(scrolled({ at: 700, stage: { ...stage, top: -90 } }), [
    "panel by 592",
    "stage start",
  ]);
});

test("far below the table only as much is scrolled as it takes", () => {
  for (const position of ["sticky", "static"]) {
    const stage = { top: 0, position };
    assert.deepEqual(scrolled({ at: 2000, stage, within: ".below" }), ["element nearest"]);
  }
});

test("a page without a table is left as it is", () => {
  assert.deepEqual(scrolled({ at: 700, stage: null }), []);
});
