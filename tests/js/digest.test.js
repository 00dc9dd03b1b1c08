import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { Chain, sha256, spectatorText } from "../../games/static/games/live/digest.js";
import { hex } from "../../games/static/games/live/salting.js";

/** @param {Uint8Array | string} bytes */
const expected = (bytes) => createHash("sha256").update(bytes).digest("hex");

test("SHA-256 is that of everybody else, at every length around a block", () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 37 + length) % 256);
    assert.equal(hex(sha256(bytes)), expected(bytes));
  }
});

test("a line is seen as by a spectator, whoever sees it", () => {
  const fair = { commit: "c", salts: ["", "9f"] };
  for (const [
    line,
    text,
  ] of /** @type {[import("../../games/static/games/match/fold.js").Line, string][]} */ ([
    [
      { round: 1, decks: ["A1a A3b A2c A? A?", "B? B?"], fair },
      '{"round":1,"decks":["A? A? A? A? A?","B? B?"],"fair":{"commit":"c","salts":["","9f"]}}',
    ],
    [{ t: 1, seat: 0, do: "draw", card: "A4b" }, '{"t":1,"seat":0,"do":"draw","card":"A?"}'],
    [
      { t: 1, seat: 1, do: "late", card: "BRa", stack: 0, as: 3, seen: 7 },
      '{"t":1,"seat":1,"do":"late","card":"B?","stack":0,"seen":7}',
    ],
    [
      { t: 1, seat: 1, do: "play", card: "BRa", stack: 0, as: 3, seen: 7 },
      '{"t":1,"seat":1,"do":"play","card":"BRa","stack":0,"as":3,"seen":7}',
    ],
    [{ result: [0], totals: [1, 2] }, '{"result":[0],"totals":[1,2]}'],
  ]))
    assert.equal(spectatorText(line), text);
});

/** @type {any[]} */
const LINES = [
  { round: 1, decks: ["A? A?", "B? B?"] },
  { t: 5, seat: 0, do: "play", card: "A1a", stack: 0 },
  { t: 9, seat: 1, do: "draw", card: "B?" },
];
const BEFORE = "ab".repeat(32);

/** The digests after `BEFORE` and so many of `LINES`. @param {number} count */
function digestAfter(count) {
  let digest = Buffer.from(BEFORE, "hex");
  for (const line of LINES.slice(0, count))
    digest = createHash("sha256").update(digest).update(JSON.stringify(line)).digest();
  return digest.toString("hex");
}

/** @param {number} from @param {number} to @param {object} [more] @returns {any} */
const frame = (from, to, more = {}) => ({
  type: "lines",
  seq: 7 + from,
  lines: LINES.slice(from, to),
  last: 6 + to,
  digest: digestAfter(to).slice(0, 32),
  ...(from ? {} : { before: BEFORE }),
  ...more,
});

test("a chain begins at a deal and follows every line, each once", () => {
  const chain = new Chain();
  /** @type {[number, string][]} */
  const told = [];
  /** @param {number} seq @param {string} digits */
  const each = (seq, digits) => told.push([seq, digits]);
  assert.ok(chain.take(frame(0, 1), each));
  assert.ok(chain.take(frame(1, 3), each));
  assert.ok(chain.take(frame(1, 3), each), "sent again");
  assert.deepEqual(told, [
    [6, BEFORE],
    [7, digestAfter(1)],
    [8, digestAfter(2)],
    [9, digestAfter(3)],
  ]);
});

test("another digest than that of what was sent is noticed", () => {
  const none = () => {};
  assert.ok(!new Chain().take(frame(0, 2, { digest: "00".repeat(16) }), none));
  const chain = new Chain();
  chain.take(frame(0, 3), none);
  assert.ok(!chain.take(frame(0, 1, { seq: 10, before: "00".repeat(32) }), none));
  assert.ok(chain.agrees({ last: 9, digest: digestAfter(3).slice(0, 32) }));
  assert.ok(!chain.agrees({ last: 9, digest: digestAfter(2).slice(0, 32) }));
});

test("a site that tells no digests is believed to tell none", () => {
  const chain = new Chain();
  assert.ok(
    chain.take({ type: "lines", seq: 7, round: 1, now: 0, lines: LINES }, () => assert.fail()),
  );
});
