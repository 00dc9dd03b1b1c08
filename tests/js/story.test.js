import assert from "node:assert/strict";
import { test } from "node:test";
import { Log } from "../../games/static/games/match/log.js";
import { insight, wholeOf } from "../../games/static/games/play/advice.js";

const NAMES = ["Ada", "Bo"];
const DECKS = ["A1a A2a A3a A4a A5a ARa A1b", "B1a B2a B3a B4a B5a BRa B1b"];

/** @param {any[]} lines @param {number[]} result */
function played(lines, result) {
  const log = new Log({ id: "m", seats: NAMES.map((name) => ({ name, kind: "human" })) });
  log.append({ seq: 1, lines: [...lines, { result, totals: [] }] });
  return log;
}

/** @param {number} round @param {number[]} totals */
const round = (round, totals) => [
  { round, decks: DECKS },
  { t: 100, seat: 0, do: "play", card: "A1a", stack: 0 },
  { t: 300, seat: 1, do: "play", card: "B2a", stack: 0 },
  { t: 380, seat: 0, do: "late", card: "A2a", stack: 0 },
  { t: 900, seat: 0, do: "play", card: "ARa", stack: 0, takes: 3 },
  { t: 990, do: "end", reason: "blocked", scores: totals, totals },
];

test("a winner who came back is told of before the largest take", () => {
  const log = played([...round(1, [10, 34]), ...round(2, [104, 90])], [0]);
  const place = { round: 2, event: 0 };
  const own = "You were 24 points behind after round\u00a01, and came back.";
  assert.deepEqual(insight(log, NAMES, 0), { text: own, ...place });
  const other = "Ada was 24 points behind after round\u00a01, and came back.";
  assert.deepEqual(insight(log, NAMES, 1), { text: other, ...place });
});

test("else the largest take, shown just before it", () => {
  const always = played([...round(1, [34, 10]), ...round(2, [104, 90])], [0]);
  const place = { round: 1, event: 3 };
  const other = "The biggest take: Ada won 3 cards with a wild.";
  assert.deepEqual(insight(always, NAMES), { text: other, ...place });
  const own = "The biggest take: you won 3 cards with a wild.";
  assert.deepEqual(insight(played(round(1, [34, 33]), [0]), NAMES, 0), { text: own, ...place });
});

test("nothing is said of a match without a winner", () => {
  assert.equal(insight(played(round(1, [1, 2]), []), NAMES), null);
});

test("a page that was opened late knows the whole match", async () => {
  /** @type {any[]} */
  const lines = [...round(1, [10, 34]), ...round(2, [104, 90]), { result: [0], totals: [] }];
  const log = new Log({ id: "m", seats: NAMES.map((name) => ({ name, kind: "human" })) });
  log.append({ seq: 7, lines: lines.slice(6) });
  const asked = /** @type {string[]} */ ([]);
  const source = /** @type {any} */ ({
    fetchJson: async (/** @type {string} */ url) => {
      asked.push(url);
      const from = Number(new URL(url, "http://site").searchParams.get("from"));
      const [seq, end] = from < 7 ? [1, 7] : [7, 14];
      const chunk = { seq, lines: lines.slice(seq - 1, end - 1) };
      return { next: end, finished: end === 14, chunks: [chunk] };
    },
  });
  const whole = await wholeOf(log, "/log", source);
  assert.deepEqual(asked, ["/log?from=1", "/log?from=7"]);
  assert.match(insight(whole, NAMES)?.text ?? "", /^Ada was 24 points behind after round\u00a01/);
  assert.equal(await wholeOf(whole, "/log", source), whole);
});
