import assert from "node:assert/strict";
import { test } from "node:test";

const { announce } = await import("../../games/static/games/dom/elements.js");

class Element {
  /** @type {(Element | string)[]} */
  children = [];
  setAttribute() {}
  /** @param {string[]} inside */
  append(...inside) {
    this.children.push(...inside);
  }
  /** @param {Element[]} inside */
  replaceChildren(...inside) {
    this.children = inside;
  }
}

test("the same words are announced again: a screen reader reads nodes that are added", () => {
  Object.assign(globalThis, { document: { createElement: () => new Element() } });
  const region = new Element();
  const added = ["Ada takes 5.", "Ada takes 5.", ""].map((words) => {
    announce(/** @type {any} */ (region), words);
    return region.children;
  });
  const [[first], [second], none] = /** @type {Element[][]} */ (added);
  assert.deepEqual([first.children, second.children], [["Ada takes 5."], ["Ada takes 5."]]);
  assert.notEqual(first, second);
  assert.deepEqual(none, []);
});
