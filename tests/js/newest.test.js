import assert from "node:assert/strict";
import { test } from "node:test";

const { Newest } = await import("../../games/static/games/dom/asking.js");

test("an answer that a later request's has overtaken is not shown", () => {
  const newest = new Newest();
  const [first, second, third] = [newest.ask(), newest.ask(), newest.ask()];
  assert.deepEqual([second(), first(), third()], [true, false, true]);
});
