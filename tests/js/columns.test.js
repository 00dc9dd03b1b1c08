import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { unpackRound } from "../../games/static/games/match/columns.js";

/** @type {{packed: import("../../games/static/games/match/columns.js").Packed, lines: object[]}} */
const golden = JSON.parse(readFileSync(new URL("columns.golden.json", import.meta.url), "utf8"));

test("a packed round becomes the lines of its record, keys in their order", () => {
  const { lines } = unpackRound(golden.packed);
  assert.deepEqual(
    lines.map((line) => JSON.stringify(line)),
    golden.lines.map((line) => JSON.stringify(line)),
  );
});

test("the deal comes first, and a round without events is just that", () => {
  const { packed } = golden;
  const empty = {
    ...packed,
    a: "",
    h: "",
    l: "",
    s: "",
    n: "",
    w: "",
    g: "",
    b: [],
    o: [],
    e: null,
  };
  assert.deepEqual(unpackRound(empty).lines, [golden.lines[0]]);
});

test("columns of another version are refused", () => {
  assert.throws(() => unpackRound({ ...golden.packed, v: 2 }), /version 2/);
});
