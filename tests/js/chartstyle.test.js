// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  matrixMargins,
  styleFigure,
  timeMargins,
} from "../../replays/static/replays/charts/chartstyle.js";

const LOOK = {
  decks: ["rgb(1,1,1)", "rgb(2,2,2)"],
  ink: "rgb(0,0,0)",
  soft: "rgb(9,9,9)",
  line: "rgb(8,8,8)",
  surface: "rgb(255,255,255)",
  font: "sans-serif",
  longest: 5,
};

const alongTime = () => ({
  data: [
    {
      meta: { seat: 1 },
      line: { dash: "dot", color: "#fff" },
      fill: "tozeroy",
      fillpattern: { shape: "/" },
    },
    { meta: { ink: true }, marker: { symbol: "x", line: { width: 2 } } },
  ],
  layout: {
    title: { text: "A title" },
    meta: { rounds: [{ round: 1, offset: 0, duration: 1000 }] },
    xaxis: {
      title: { text: "time" },
      tickmode: "array",
      tickvals: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      ticktext: [..."0123456789"],
    },
    yaxis: { title: { text: "cards" } },
    shapes: [{ name: "boundary", line: { width: 1 } }],
    annotations: [
      { name: "end 0", text: "● Ada &amp; Bo and company\u00a0+3" },
      { name: "round", text: "Round\u00a01" },
    ],
  },
});

test("a seat is painted in its deck's colour and keeps its other marks", () => {
  const [area, marks] = styleFigure(alongTime(), LOOK, 1200).data;
  assert.equal(area.line.color, "rgb(2,2,2)");
  assert.equal(area.line.dash, "dot");
  assert.match(area.fillcolor, /^rgba\(2,2,2,0\.\d+\)$/);
  assert.equal(area.fillpattern.shape, "/");
  assert.equal(marks.marker.color, LOOK.ink);
  assert.equal(marks.marker.line.color, LOOK.surface);
});

test("the figure can be styled again", () => {
  const figure = alongTime();
  styleFigure(figure, LOOK, 1200);
  assert.deepEqual(figure, alongTime());
});

test("a narrow chart has numbers below long names, no title beside the axis, and ticks apart", () => {
  const wide = styleFigure(alongTime(), LOOK, 1200).layout;
  const narrow = styleFigure(alongTime(), LOOK, 350).layout;
  assert.equal(wide.xaxis.tickvals.length, 10);
  assert.deepEqual(narrow.xaxis, { ...wide.xaxis, tickfont: narrow.xaxis.tickfont }, "all fit");
  const many = alongTime();
  many.layout.xaxis.ticktext = [..."abcdefghij"].map((letter) => letter.repeat(4));
  const apart = styleFigure(many, LOOK, 350).layout.xaxis;
  assert.deepEqual(apart.tickvals, [0, 2, 4, 6, 8]);
  assert.deepEqual(apart.ticktext, ["aaaa", "cccc", "eeee", "gggg", "iiii"]);
  assert.equal(wide.annotations[0].text, "● Ada &amp; Bo and company\u00a0+3");
  assert.equal(narrow.annotations[0].text, "● Ada &amp; Bo…<br>+3");
  const one = alongTime();
  one.layout.annotations[0].text = "● Ragna\u00a0−32";
  assert.equal(styleFigure(one, LOOK, 350).layout.annotations[0].text, "● Ragna\u00a0−32");
  assert.equal(narrow.annotations[1].text, "Round\u00a01");
  assert.equal(narrow.yaxis.title.text, "");
  assert.equal(wide.yaxis.title.text, "cards");
});

test("words of a part are short on a narrow chart, whatever the language", () => {
  const figure = alongTime();
  Object.assign(figure.layout.meta, { short: { "part lost": "verloren" } });
  figure.layout.annotations.push({ name: "part lost", text: "an andere verloren" });
  const words = (/** @type {number} */ width) =>
    styleFigure(figure, LOOK, width).layout.annotations.at(-1).text;
  assert.deepEqual([words(1200), words(350)], ["an andere verloren", "verloren"]);
});

test("the plot lies where the cursor believes it to lie, names at its rows", () => {
  const { data, layout } = alongTime();
  const ticktext = ["● Ada Lovelace\u00a0+3", "▲ Bo\u00a00"];
  const rows = { ...layout, xaxis2: {}, yaxis2: { title: {}, ticktext } };
  for (const width of [350, 1200])
    for (const asked of [layout, rows]) {
      const { margin } = styleFigure({ data, layout: asked }, LOOK, width).layout;
      const { left, right } = timeMargins(asked, width, LOOK);
      assert.deepEqual([margin.l, margin.r], [left, right]);
    }
  const texts = [1200, 350].map((width) => styleFigure({ data, layout: rows }, LOOK, width).layout);
  assert.deepEqual(
    texts.map(({ yaxis2 }) => yaxis2.ticktext),
    [ticktext, ["● Ada Love…<br>+3", "▲ Bo\u00a00"]],
  );
});

test("the nets of all rounds are written, or of none", () => {
  const { data, layout } = alongTime();
  const nets = { mode: "text", text: ["+3", "0"], meta: { nets: true } };
  const written = (/** @type {number} */ rounds) => {
    const meta = { ...layout.meta, cells: Array(rounds).fill("1") };
    return styleFigure({ data: [...data, nets], layout: { ...layout, meta } }, LOOK, 390).data.at(
      -1,
    ).text;
  };
  assert.deepEqual([written(6), written(16), written(30)], [["+3", "0"], ["+3", "0"], ""]);
});

test("a matrix keeps its names whole, and escaped, as far as there is room", () => {
  const axis = (/** @type {string} */ side) => ({
    title: { text: side },
    side,
    ticktext: ["● A &lt;b&gt; &amp; company", "alle", "▲ WWWWWWWWWWWW"],
  });
  const figure = {
    data: [],
    layout: { xaxis: axis("top"), yaxis: axis("left"), shapes: [{ name: "cell 0 0.5" }] },
  };
  const wide = styleFigure(figure, LOOK, 1000).layout;
  assert.deepEqual(wide.xaxis.ticktext, [
    "●<br>A &lt;b&gt; &amp; company",
    "alle",
    "▲<br>WWWWWWWWWWWW",
  ]);
  assert.deepEqual(styleFigure(figure, LOOK, 350).layout.xaxis.ticktext, [
    "●<br>A &lt;b&gt; &amp; co…",
    "alle",
    "▲<br>WWWWWWW…",
  ]);
  assert.equal(wide.shapes[0].fillcolor, "rgba(1,1,1,0.5)");
  assert.equal(wide.margin.l, matrixMargins(1000).left);
});

test("marks that would cover each other are drawn once, and none that stands apart is lost", () => {
  const figure = alongTime();
  const x = [0, 4, 500, 505, 505, 1000];
  const y = [1, 1, 1, 1, 9, 1];
  const marks = { mode: "markers", meta: { ink: true }, x, y, marker: { line: { width: 1 } } };
  const layout = { ...figure.layout, xaxis: { ...figure.layout.xaxis, range: [0, 1000] } };
  const styled = styleFigure({ data: [marks], layout }, LOOK, 390).data[0];
  assert.deepEqual(styled.x, [0, 500, 505, 1000]);
  assert.deepEqual(styled.y, [1, 1, 9, 1]);
  assert.equal(marks.x, x);
});

test("numbers that would cover each other are left out, the smallest first", () => {
  const figure = alongTime();
  const look = { mode: "markers+text", marker: { line: {} } };
  const first = { ...look, meta: { seat: 0 }, x: [0, 500], y: [1, 1], text: ["2", "3"] };
  const second = {
    ...look,
    meta: { seat: 1 },
    x: [10, 505, 505],
    y: [1, 1, 9],
    text: ["7", "3", "1"],
  };
  const layout = { ...figure.layout, xaxis: { range: [0, 1000] }, yaxis: { range: [0, 10] } };
  const styled = styleFigure({ data: [first, second], layout }, LOOK, 390).data;
  assert.deepEqual(
    styled.map(({ text }) => text),
    [
      ["", "3"],
      ["7", "", "1"],
    ],
  );
});

test("the axis of the bars leaves room for the sums at its ends, in any width", () => {
  const figure = {
    data: [{ meta: { sums: true }, x: [173, -94, 101, -132], y: [4, 4, 3, 3] }],
    layout: { xaxis: {}, yaxis: {}, xaxis2: { range: [0, 1] }, meta: { rounds: [] } },
  };
  figure.layout.xaxis = figure.layout.yaxis = { title: { text: "" }, range: [0, 1] };
  for (const width of [350, 1200]) {
    const { left, right } = timeMargins(figure.layout, width, LOOK);
    const [low, high] = styleFigure(figure, LOOK, width).layout.xaxis2.range;
    const card = (width - left - right) / (high - low);
    const beside = [(-132 - low) * card, (high - 173) * card].map(Math.round);
    assert.deepEqual(beside, [31, 31]);
  }
});
