import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { shortNames, splitNames, spokenNames } from "../../games/static/games/match/words.js";
import { filled } from "../../games/static/games/words/gettext.js";

test("short names stay, and a first word stands for a long name", () => {
  assert.deepEqual(shortNames(["Ragna 2", "Corvin Blackwood", "Al"]), ["Ragna 2", "Corvin", "Al"]);
  assert.deepEqual(shortNames(["Bartholomew", "Bo"]), ["Bartho…", "Bo"]);
});

test("names that begin alike are told apart by what differs", () => {
  assert.deepEqual(shortNames(["Ratuki Rabe", "Ratuki Rosa"]), ["R. Rabe", "R. Rosa"]);
  assert.deepEqual(shortNames(["Guest 7046", "Guest 7012"]), ["G. 7046", "G. 7012"]);
  assert.deepEqual(shortNames(["Anna Lena Berg", "Anna", "Bo"]), ["Anna L…", "Anna", "Bo"]);
  const [one, other] = shortNames(["Bartholomäus", "Bartholomew"]);
  assert.deepEqual([one, other], ["B…äus", "B…ew"]);
  assert.deepEqual(shortNames(["Bartholomew Fischer", "Bartholomew Fischbach"]), [
    "B…er",
    "B…bach",
  ]);
  assert.deepEqual(shortNames(["Maximilian-Friedrich 1", "Maximilian-Friedrich 2"]), [
    "M. 1",
    "M. 2",
  ]);
});

test("a letter of several signs is never cut in two", () => {
  assert.deepEqual(shortNames(["👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀", "Bo"]), [
    "👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀…",
    "Bo",
  ]);
});

test("a name may be cut but for the end that tells it from names that begin alike", () => {
  assert.deepEqual(splitNames(["Corvin Blackwood", "Corin", "Al"]), [
    ["Corvin Blackwood", ""],
    ["Corin", ""],
    ["Al", ""],
  ]);
  assert.deepEqual(splitNames(["Guest 7046", "Guest 7012"]), [
    ["Guest 70", "46"],
    ["Guest 70", "12"],
  ]);
  assert.deepEqual(splitNames(["Maximilian B", "Maximilian C"])[0], ["Maximilian\u00a0", "B"]);
  const [one, other] = splitNames(["Maximilian-Friedrich I", "Maximilian-Friedrich II"]);
  assert.deepEqual(one, ["Maximilian-Friedrich I", ""]);
  assert.deepEqual(other, ["Maximilian-Friedrich I", "I"]);
});

test("a sentence has a long name as the server's sentences have it", () => {
  const cases = JSON.parse(readFileSync(`${import.meta.dirname}/../web/spoken_names.json`, "utf8"));
  for (const { names, spoken } of cases) assert.deepEqual(spokenNames(names), spoken);
});

test("no full stop comes after a name that was cut", () => {
  assert.equal(filled("{name} won.", { name: "Wolfeschleg…" }), "Wolfeschleg… won.");
  assert.equal(filled("Next: {name}.", { name: "Wolfeschleg…" }), "Next: Wolfeschleg…");
});
