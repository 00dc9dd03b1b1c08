import "./static.js";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  keepReceipt,
  keptReceipt,
  MOST_KEPT,
  Receipt,
} from "../../games/static/games/live/receipt.js";

const { MOST_SHOWN, verdict } = await import("../../replays/static/replays/receipt/receipt.js");

const BEFORE = "ab".repeat(32);
const FAIR = { commit: "c1".repeat(32), salts: ["", ""] };
/** @type {any[]} */
const LINES = [
  { round: 1, decks: ["A? A?", "B? B?"], fair: FAIR },
  { t: 5, seat: 0, do: "play", card: "A1a", stack: 0 },
  { t: 9, seat: 1, do: "draw", card: "B?" },
  { t: 20, do: "tie", stack: 0, cards: ["A2a", "B2a"], after: [0, 7] },
];

/** @param {number} count */
function digestAfter(count, lines = LINES) {
  let digest = Buffer.from(BEFORE, "hex");
  for (const line of lines.slice(0, count))
    digest = createHash("sha256").update(digest).update(JSON.stringify(line)).digest();
  return digest.toString("hex");
}

/** @param {number} from @param {number} to @returns {any} */
const frame = (from, to, lines = LINES) => ({
  type: "lines",
  seq: 1 + from,
  lines: lines.slice(from, to),
  last: to,
  digest: digestAfter(to, lines).slice(0, 32),
  ...(from ? {} : { before: BEFORE }),
});

/** What the page reads of a state. @param {object} news @returns {any} */
const state = (news) => ({ type: "state", round: 0, ...news });

/** @param {number} count */
const told = (count) => ({ last: count, digest: digestAfter(count).slice(0, 32) });

test("a receipt holds a digest for each line, and the own actions with their times", () => {
  const receipt = new Receipt("m", 0);
  receipt.hear(frame(0, 1));
  receipt.ask({ type: "act", id: "a1", round: 1, do: "play", card: "A1a", stack: 0, seen: 0 });
  receipt.ask({ type: "act", id: "a2", round: 1, do: "draw" });
  receipt.ask({ type: "act", id: "a3", round: 1, do: "play", card: "A2a", stack: 0, as: 2 });
  receipt.hear({ type: "ack", id: "a1", seq: 2, ...told(2) });
  receipt.hear(frame(1, 3));
  receipt.hear({
    type: "refused",
    id: "a2",
    rule: "one-hand",
    message: "",
    wait_ms: 4,
    t: 12,
    ...told(3),
  });
  receipt.hear({ type: "ack", id: "a3", seq: 4, ...told(4) });
  receipt.hear(frame(3, 4));
  assert.equal(receipt.trouble, "");
  const digits = [BEFORE, ...[1, 2, 3, 4].map((count) => digestAfter(count))];
  assert.deepEqual(receipt.json(), {
    receipt: 1,
    match: "m",
    seat: 0,
    seq: 4,
    digest: digestAfter(4).slice(0, 32),
    digests: [[0, digits.map((digest) => digest.slice(0, 8)).join("")]],
    actions: [
      { id: "a1", round: 1, do: "play", card: "A1a", stack: 0, seq: 2, t: 5 },
      { id: "a2", round: 1, do: "draw", refused: "one-hand", t: 12 },
      { id: "a3", round: 1, do: "play", card: "A2a", stack: 0, as: 2, seq: 4, t: 20 },
    ],
  });
});

test("another page goes on with what was kept, and notices another past", () => {
  const first = new Receipt("m", null);
  first.hear(frame(0, 2));
  const second = new Receipt("m", null, first.json());
  second.hear(frame(0, 4));
  assert.equal(second.trouble, "");
  assert.equal(second.json().digests[0][1].length, 5 * 8);
  const other = new Receipt("m", null, first.json());
  other.hear(frame(0, 4, [LINES[0], { ...LINES[1], t: 6 }, ...LINES.slice(2)]));
  assert.match(other.trouble, /Line 3 is not what was sent before/);
});

test("what does not go together is noticed at once", () => {
  const digest = new Receipt("m", null);
  digest.hear({ ...frame(0, 2), digest: "00".repeat(16) });
  assert.match(digest.trouble, /digest of line 3/);

  const commit = new Receipt("m", null);
  commit.hear(state({ commit: "d2".repeat(32), revealed: null }));
  commit.hear(frame(0, 1));
  assert.match(commit.trouble, /another seed/);

  const salt = new Receipt("m", 0);
  salt.salted(FAIR.commit, FAIR.salts[0]);
  salt.hear(frame(0, 1));
  assert.equal(salt.trouble, "");
  const other = new Receipt("m", 0);
  other.salted(FAIR.commit, "07");
  other.hear(frame(0, 1));
  assert.match(other.trouble, /not dealt with the salt that you sent/);

  const answer = new Receipt("m", 0);
  answer.hear(frame(0, 2));
  answer.ask({ type: "act", id: "a", round: 1, do: "draw" });
  answer.hear({
    type: "refused",
    id: "a",
    rule: "one-hand",
    message: "",
    wait_ms: 0,
    t: 1,
    last: 2,
    digest: "00",
  });
  assert.match(answer.trouble, /doesn’t match the log/);

  const line = new Receipt("m", 0);
  line.hear(frame(0, 2));
  line.ask({ type: "act", id: "a", round: 1, do: "draw" });
  line.hear({ type: "ack", id: "a", seq: 3, ...told(2) });
  line.hear(frame(2, 3));
  assert.match(line.trouble, /Line 4 is not the action/);
});

test("a seed that is thrown away is shown, and is the one committed to", () => {
  const seed = "07".repeat(32);
  const commit = createHash("sha256").update(Buffer.from(seed, "hex")).digest("hex");
  const receipt = new Receipt("m", null);
  receipt.hear(state({ commit, revealed: null }));
  receipt.hear(state({ commit: null, revealed: { commit, seed } }));
  receipt.hear(frame(0, 1));
  assert.equal(receipt.trouble, "", "the round was dealt from a later one");
  receipt.hear(state({ commit: null, revealed: { commit: "00", seed } }));
  assert.match(receipt.trouble, /thrown away/);
});

/** @returns {any} */
function storage(room = 10_000) {
  /** @type {Map<string, string>} */
  const held = new Map();
  return {
    held,
    getItem: (/** @type {string} */ name) => held.get(name) ?? null,
    setItem(/** @type {string} */ name, /** @type {string} */ text) {
      if (text.length > room) throw new Error("full");
      held.set(name, text);
    },
    removeItem: (/** @type {string} */ name) => held.delete(name),
  };
}

test("the receipts of the latest matches are kept", () => {
  const place = storage();
  for (let match = 0; match < MOST_KEPT + 3; match += 1)
    assert.ok(keepReceipt(place, new Receipt(`m${match}`, null).json()));
  assert.ok(keepReceipt(place, new Receipt("m5", 1).json()));
  assert.equal(keptReceipt(place, "m2"), null);
  assert.equal(keptReceipt(place, "m5")?.seat, 1);
  assert.equal(place.held.size, MOST_KEPT + 1);
});

test("a browser without room keeps none, and one with rubbish begins anew", () => {
  assert.ok(!keepReceipt(storage(10), new Receipt("m", null).json()));
  const place = storage();
  place.setItem("ratuki.receipts", "{");
  place.setItem("ratuki.receipt.m", "{");
  assert.equal(keptReceipt(place, "m"), null);
  assert.ok(keepReceipt(place, new Receipt("m", null).json()));
});

test("a receipt that agrees is said to, with what was compared", () => {
  assert.deepEqual(verdict({ lines: 120, actions: 1, differences: [] }), {
    words: ["The record agrees with this receipt: 120 lines and 1 action."],
    wrong: false,
  });
});

test("each difference is named, up to a number of them", () => {
  const differences = Array.from({ length: MOST_SHOWN + 2 }, (_, place) => ({
    line: place + 1,
    message: "not the line that was sent",
  }));
  const { words, wrong } = verdict({ lines: 9, actions: 0, differences });
  assert.ok(wrong);
  assert.equal(words[1], "Line 1: not the line that was sent.");
  assert.equal(words.length, MOST_SHOWN + 2);
  assert.equal(words.at(-1), "… and 2 more differences.");
});

test("what is no receipt, and an answer that did not come, are said", () => {
  assert.match(verdict({ detail: "Missing key 'seat'." }).words[0], /can’t be used. Missing key/);
  assert.match(verdict(null).words[0], /Try again/);
});
