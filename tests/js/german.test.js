import assert from "node:assert/strict";
import test from "node:test";

test("a time has the language's own mark", async () => {
  Object.assign(globalThis, { catalogue: { language: "de", form: () => 0, texts: {} } });
  const { clock } = await import("../../games/static/games/match/words.js");
  assert.equal(clock(31_049), "0:31,0");
  assert.equal(clock(65_300), "1:05,3");
});
