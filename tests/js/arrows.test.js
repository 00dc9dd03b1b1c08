import assert from "node:assert/strict";
import { test } from "node:test";

import "./static.js";

const { edgeOf } = await import("../../games/static/games/board/shapes.js");

test("an arrow begins where its way leaves a card, and in a middle while there is no size", () => {
  const card = { x: 10, y: 10, width: 20, height: 28 };
  assert.deepEqual(edgeOf(card, { x: 20, y: 100 }), { x: 20, y: 38 });
  assert.deepEqual(edgeOf(card, { x: 110, y: 24 }), { x: 30, y: 24 });
  const folded = { x: 0, y: 0, width: 0, height: 0 };
  assert.deepEqual(edgeOf(folded, { x: 0, y: 0 }), { x: 0, y: 0 });
});
