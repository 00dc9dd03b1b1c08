import assert from "node:assert/strict";
import { test } from "node:test";

import { changes, stateWords } from "../../games/static/games/wall/miniboard.js";

const STAYS = { swap: [], add: [], drop: [] };

/** @param {string} here @param {string} now @param {string} [resting] @param {number} [most] */
const between = (here, now, resting = "", most = 9) =>
  changes([...here], [...now], (id) => resting.includes(id), most);

test("what is played on stays where it is, whatever the order", () => {
  assert.deepEqual(between("abc", "cab"), STAYS);
});

test("what is played anew takes the place of what is over, then a free one", () => {
  assert.deepEqual(between("abc", "dace"), { swap: [["b", "d"]], add: ["e"], drop: [] });
});

test("an end is to be seen for a while before anything takes its place", () => {
  assert.deepEqual(between("ab", "bc", "a"), { swap: [], add: ["c"], drop: [] });
  assert.deepEqual(between("a", "c", "a", 1), STAYS);
});

test("what is over goes, but the last one stays as it ended", () => {
  assert.deepEqual(between("ab", "b"), { swap: [], add: [], drop: ["a"] });
  assert.deepEqual(between("ab", ""), { swap: [], add: [], drop: ["b"] });
  assert.deepEqual(between("a", ""), STAYS);
});

test("a wall holds so many and no more", () => {
  assert.deepEqual(between("ab", "abcd", "", 3), { swap: [], add: ["c"], drop: [] });
  assert.deepEqual(between("a", "bc", "", 1), { swap: [["a", "b"]], add: [], drop: [] });
});

test("a chip says the round that its table shows, not the one that the page remembers", () => {
  assert.equal(stateWords({ over: false, round: 0 }, "round\u00a01"), "round\u00a01");
  assert.equal(stateWords({ over: false, round: 2 }, "round\u00a01"), "round\u00a02");
  assert.equal(stateWords({ over: true, round: 2 }, "round\u00a02"), "over");
});
