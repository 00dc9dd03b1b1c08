import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import "./static.js";

const { KEYS, commandOf } = await import("../../replays/static/replays/replay/shortcuts.js");
const { addressOf, placeOf, viewOf } = await import("../../games/static/games/match/links.js");

/** @param {string} key @param {Partial<KeyboardEvent>} [held] @returns {any} */
const press = (key, held = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  getModifierState: () => false,
  ...held,
});

test("each key has one command", () => {
  const plain = KEYS.flatMap(({ keys, shift }) =>
    keys.map((key) => `${shift ? "Shift+" : ""}${key}`),
  );
  assert.equal(new Set(plain).size, plain.length);
});

test("the page lists each key", () => {
  const page = readFileSync(new URL("../../templates/replays/keys.html", import.meta.url), "utf8");
  const listed = [...page.matchAll(/<dt>(.*)<\/dt>/g)].map(([, row]) =>
    [...row.matchAll(/<kbd>(?:{% translate ")?([^"<]+)/g)].map(([, key]) => key),
  );
  const names = /** @type {Record<string, string>} */ ({
    ...{ " ": "Space", ArrowLeft: "←", ArrowRight: "→", "<": "&lt;", ">": "&gt;" },
  });
  const known = KEYS.map(({ keys, shift }) => [
    ...(shift ? ["Shift"] : []),
    ...keys.map((key) => names[key] ?? key),
  ]);
  assert.deepEqual(listed, known);
});

test("Shift with an arrow is a second, without it an event", () => {
  assert.deepEqual(
    [commandOf(press("ArrowLeft")), commandOf(press("ArrowLeft", { shiftKey: true }))],
    ["eventBack", "secondBack"],
  );
});

test("signs typed with Shift count, letters with Shift do not", () => {
  assert.equal(commandOf(press("?", { shiftKey: true })), "help");
  assert.equal(commandOf(press("<", { shiftKey: true })), "slower");
  assert.equal(commandOf(press("K", { shiftKey: true })), null);
  assert.equal(commandOf(press("K")), "toggle", "Caps Lock");
  assert.equal(commandOf(press(" ", { shiftKey: true })), null);
});

test("where letters are not Latin, a key is known by its place", () => {
  assert.equal(commandOf(press("л", { code: "KeyK" })), "toggle");
  assert.equal(commandOf(press("х", { code: "BracketLeft" })), "takeBack");
  assert.equal(commandOf(press("Б", { code: "Comma", shiftKey: true })), "slower");
  assert.equal(commandOf(press("Process", { code: "KeyA" })), "note");
  assert.equal(commandOf(press(".", { code: "Slash" })), "momentOn");
  assert.equal(commandOf(press("ö", { code: "Semicolon" })), null);
});

test("other modifiers leave the key to the browser, AltGr only makes a sign", () => {
  for (const held of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }]) {
    assert.equal(commandOf(press("k", held)), null);
  }
  const altGr = { ctrlKey: true, altKey: true, getModifierState: () => true };
  assert.equal(commandOf(press("[", altGr)), "takeBack");
});

test("an address names a round and time, or a seq", () => {
  assert.deepEqual(placeOf(new URLSearchParams("round=2&t=34100")), { round: 2, t: 34100 });
  assert.deepEqual(placeOf(new URLSearchParams("seq=812&pov=1")), { seq: 812 });
  assert.equal(placeOf(new URLSearchParams("round=x&t=-1")), null);
});

test("a perspective is a seat that exists, the spectator's, or all", () => {
  const seen = ["pov=1", "pov=9", "pov=spectator", "pov=nobody", ""].map((text) =>
    viewOf(new URLSearchParams(text), 3),
  );
  assert.deepEqual(seen, [1, "all", "spectator", "all", "all"]);
});

test("an address is by seq where the time alone would lead elsewhere", () => {
  const cursor = { round: 2, event: 7, seq: 300, t: 1234.6, moment: false };
  assert.equal(addressOf(cursor, "all", true), "?round=2&t=1234");
  assert.equal(addressOf(cursor, 0, false), "?seq=300&pov=0");
});
