import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import "./static.js";

const { Log } = await import("../../games/static/games/match/log.js");
const { rowsOf } = await import("../../replays/static/replays/charts/chart.js");
const { worded } = await import("../../replays/static/replays/charts/hover.js");

const LINES = readFileSync(new URL("../matches/valid-full-match-3.ratuki", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
const SEATS = LINES[0].seats.map((/** @type {any} */ seat) => ({ ...seat, name: "<b>&</b>" }));

/** @param {any[]} [seats] */
function logOf(seats = LINES[0].seats) {
  const log = new Log({ id: "m", seats });
  log.append({ seq: 1, lines: LINES.slice(1) });
  return log;
}

/** The texts of points at lines. @param {string} name @param {number[]} seqs @param {number[][]} values @param {any} [log] */
function texts(name, seqs, values, log = logOf()) {
  const points = { customdata: seqs, meta: { values } };
  return worded({ data: [{}, points], layout: {} }, name, log).data[1].text;
}

const take = LINES.findIndex((line) => line.takes);
const end = LINES.findIndex((line) => line.do === "end");

test("a point is described in the words of the events' list, with its numbers", () => {
  const play = LINES.findIndex((line) => line.do === "play" && !line.takes);
  const [text] = texts("ownership", [play], [[7, 1, 0, 2]]);
  assert.match(text, /^\d+:\d\d\.\d {2}P\d .*\.<br>7 cards high\. /);
  assert.match(text, / In the center: ● 1 {2}▲ 0 {2}■ 2$/);
});

test("a take is described by whose cards it won", () => {
  const { seat, stack } = LINES[take];
  const counts = [0, 1, 2].map((at) => (at === seat ? 1 : at + 2));
  const height = counts.reduce((sum, cards) => sum + cards, 0);
  const [text] = texts("ownership", [take], [[height, ...counts]]);
  const words = ` P${seat} takes stack\u00a0${stack + 1}: ${height} cards, ${height - 1} of them others’ (`;
  assert.ok(text.includes(words), text);
});

test("a piece of a bar names both players and the net", () => {
  const pieces = [
    { taker: 0, owner: 1, cards: 10, back: 3 },
    { taker: 2, owner: 2, cards: 1, back: 1 },
  ];
  const figure = { data: [{ meta: { pieces } }], layout: {} };
  assert.deepEqual(worded(figure, "ownership", logOf()).data[0].hovertext, [
    "P0 took 10 of P1’s cards, P1 took 3 of P0’s: +7 for P0",
    "P2 took 1 card of their own",
  ]);
});

test("what is still possible is worded differently from what is over", () => {
  const [now, over] = texts(
    "scores",
    [take, end],
    [
      [3, -2, 0],
      [3, -2, 0],
    ],
  );
  assert.match(now, /<br>If it ended now: ● \+3 {2}▲ −2 {2}■ 0$/);
  assert.match(over, /<br>Scores: ● \+3/);
  assert.match(
    texts("ownership", [end], [[0, 1, 2, 3]])[0],
    /<br>Left in the center: ● 1 {2}▲ 2 {2}■ 3$/,
  );
});

test("a deal and a draw are described as a spectator sees them", () => {
  const draw = LINES.findIndex((line) => line.do === "draw");
  const words = texts(
    "ownership",
    [1, draw],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  );
  assert.match(words[0], /^0:00\.0 {2}Round\u00a01/);
  assert.match(words[1], /P\d draws a card\.<br>/);
});

test("cells say who took more, and what it makes with all others", () => {
  const pieces = [
    { taker: 0, owner: 1, cards: 3, back: 5 },
    { taker: 0, owner: null, cards: -2, back: 0 },
  ];
  const figure = worded({ data: [{ meta: { pieces } }], layout: {} }, "fed", logOf());
  assert.deepEqual(figure.data[0].hovertext, [
    "P0 took 3 of P1’s cards, P1 took 5 of P0’s: −2 for P0",
    "P0 and all others: −2",
  ]);
});

test("a name is never markup", () => {
  const [text] = texts("scores", [take], [[1, 2, 3]], logOf(SEATS));
  assert.deepEqual([...new Set(text.match(/<[^>]*>/g))], ["<br>"]);
});

test("a chart's numbers are rows with what happened", () => {
  const names = ["P0", "P1", "P2"];
  const points = { customdata: [take], x: [LINES[take].t], meta: { values: [[3, -2, 0]] } };
  const layout = /** @type {any} */ ({ meta: { rounds: [{ round: 2 }] } });
  const figure = worded({ data: [{}, points], layout }, "scores", logOf());
  const [[round, time, ...rest]] = rowsOf("scores", figure, names);
  const text = figure.data[1].text[0];
  assert.ok(text.startsWith(`${time}  ${rest.pop()}<br>`));
  assert.deepEqual([round, ...rest], [2, take, 3, -2, 0]);
});

test("rounds of a match are told player by player, and are rows of a table", () => {
  const names = ["P0", "P1"];
  const values = [
    [0, 20, 12, 5, 0, 7, 3],
    [0, 4, 4, 4, 0, 0, 0],
    [1, 9, 5, 12, -7, 0, 3],
    [1, 6, 4, 4, 0, 0, 0],
  ];
  const layout = { meta: { cells: ["1–2", "3"], rounds: [] } };
  const figure = { data: [{ customdata: [1, 90, 1, 90], meta: { values } }], layout };
  const text = worded(figure, "ownership", logOf(LINES[0].seats.slice(0, 2))).data[0].text;
  assert.equal(text[0], "Rounds 1–2: P0 took 20, 12 of them others’, and lost 5: net +7 (▲ +7)");
  assert.match(text[3], /^Round\u00a03: P1 took 6, .*: net 0$/);
  const rows = rowsOf("ownership", figure, names);
  assert.deepEqual(rows[0], ["1–2", 20, 12, 5, 7, 9, 5, 12, -7, 3]);
});

test("each stack of a round is a row", () => {
  const meta = {
    stacks: [
      [1, 500, 11_200, 40, 2, 5, 1, 1, 3],
      [0, 900, null, null, null, 1, 1, 0, 0],
    ],
  };
  const rows = rowsOf("ownership", { data: [], layout: { meta } }, ["P0", "P1", "P2"]);
  assert.deepEqual(rows, [
    [2, "0:00.5", "0:11.2", 40, "P2", 5, 1, 1, 3],
    [1, "0:00.9", null, null, null, 1, 1, 0, 0],
  ]);
});

test("who fed whom is a row for each player", () => {
  const fed = [
    [2, 1, 0],
    [3, 4, 5],
  ];
  const data = [{ meta: { fed } }];
  assert.deepEqual(rowsOf("fed", { data, layout: {} }, ["Ann", "Bea"]), [
    ["Ann", 2, 1, 0],
    ["Bea", 3, 4, 5],
  ]);
});
