import assert from "node:assert/strict";
import { test } from "node:test";

import "./static.js";

const { later } = await import("../../games/static/games/dom/later.js");

test("what could not be fetched is fetched again by the next press, and then once", async () => {
  /** @type {string[]} */
  const said = [];
  let asked = 0;
  const read = later(
    async () => {
      asked += 1;
      if (asked < 3) throw new TypeError("Failed to fetch");
      return asked;
    },
    (words) => said.push(words),
  );
  await assert.rejects(read({ quiet: true }));
  assert.deepEqual(said, [], "nobody has pressed anything");
  await assert.rejects(read());
  assert.match(said.join(), /could not be loaded: there is no connection. Try again/);
  assert.deepEqual(await Promise.all([read(), read()]), [3, 3]);
  assert.equal(await read(), 3);
  assert.equal(said.length, 1);
});
