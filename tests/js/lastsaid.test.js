import assert from "node:assert/strict";
import { test } from "node:test";

import { LastSaid } from "../../games/static/games/live/chat.js";

test("what is refused comes back with the reason", () => {
  const said = new LastSaid();
  said.text = "Well played";
  const { why, text } = said.refused("too-often");
  assert.match(why, /^Slow down/);
  assert.equal(text, "Well played");
  assert.equal(said.refused("too-often").text, "", "and comes back once");
});

test("what was heard does not come back when something else is refused later", () => {
  const said = new LastSaid();
  said.text = "Well played";
  said.heard([{ by: "Bo", text: "Well played" }], "Bo");
  assert.equal(said.refused("too-often").text, "");
});

test("what others say, or was said before, does not count as heard", () => {
  const said = new LastSaid();
  said.text = "Well played";
  said.heard([{ by: "Ada", text: "Well played" }], "Bo");
  said.heard([{ by: "Bo", text: "Hello" }], "Bo");
  assert.equal(said.refused("too-often").text, "Well played");
});

test("a refusal of something else than a line of the chat says nothing about it", () => {
  const said = new LastSaid();
  said.text = "Well played";
  assert.deepEqual(said.refused("not-leader"), { why: "", text: "" });
  assert.deepEqual(said.refused("full"), { why: "", text: "" });
  assert.equal(said.refused("muted").text, "Well played");
});
