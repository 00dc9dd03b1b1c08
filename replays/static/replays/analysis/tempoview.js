/**
 * Tempo: how busy each player was, and how fast each reacted to what.
 * @typedef {import("api").SeatTempoJson} SeatTempo
 * @typedef {import("api").RoundTempoJson} RoundTempo
 * @typedef {{label: string, unit: string, of: (seat: SeatTempo) => number | null, says: string,
 *   digits?: number}} Figure
 */

import { picker } from "../../games/dom/controls.js";
import { box } from "../../games/dom/elements.js";
import { drawn } from "../../games/dom/svg.js";
import { numbers } from "./csv.js";

const WIDTH = 360;
const HEIGHT = 150;
const LEFT = 40;
const FOOT = 24;
const MOST_MARKS = 24;

/** @param {string} label @param {string} trigger @param {string} what @returns {Figure} */
const reaction = (label, trigger, what) => ({
  label,
  unit: " ms",
  of: (seat) => seat.reactions[trigger]?.median_ms ?? null,
  says: `Median time from ${what} until it was played. Lower is faster.`,
});

/** @type {Figure[]} */
const FIGURES = [
  {
    label: "Actions per minute",
    unit: "",
    of: (seat) => seat.actions_a_minute,
    says: "Everything a hand did: plays, draws, discards, late tries, ties and mistakes. Higher is busier.",
  },
  reaction(
    "Reaction to others’ plays",
    "another's play",
    "another player’s play that made a card fit",
  ),
  reaction("Reaction to own draw", "own draw", "drawing a card that fitted"),
  reaction("Reaction to own play", "own play", "the player’s own play that made a card fit"),
  reaction("Reaction to the deal", "deal", "the deal, for a card that fitted at once,"),
  {
    label: "Discards per draw",
    unit: "",
    digits: 2,
    of: (seat) => seat.churn,
    says: "How much of what was drawn was discarded again. High means a hand that kept changing.",
  },
];

/** @param {number | null} value */
const short = (value) => (value === null ? null : Math.round(value * 100) / 100);

/** The next number up with one or two round digits: a step that is easily read. @param {number} value */
function rounded(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  const of = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((each) => each * unit >= value) ?? 10;
  return Number((of * unit).toPrecision(2));
}

/** NaN of no values. @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export class TempoView {
  /** @param {RoundTempo[]} rounds @param {string[]} names */
  constructor(rounds, names) {
    this.rounds = rounds;
    this.names = names;
    const figures = FIGURES.map(({ label }, at) => /** @type {const} */ ([at, label]));
    this.select = picker({ "aria-label": "Figure" }, figures);
    this.select.addEventListener("change", () => this.draw());
    this.about = box("p", "analysis-note");
    this.sentence = box("p", "tempo-sentence");
    this.place = box("div", "");
    this.element = box(
      "div",
      "tempo",
      box("h3", "analysis-title", "Tempo"),
      box("div", "race-filters", this.select),
      this.sentence,
      this.place,
      this.about,
      this.#numbers(),
    );
    this.draw();
  }

  get figure() {
    return FIGURES[Number(this.select.value)];
  }

  draw() {
    this.about.textContent = this.figure.says;
    this.sentence.textContent = this.#sentence();
    this.place.replaceChildren(this.#picture());
  }

  /** Each player's middle value, the busiest or fastest first. */
  #sentence() {
    const { figure, rounds, names } = this;
    const middles = names.map((name, seat) => {
      const values = rounds.map(({ seats }) => figure.of(seats[seat])).filter((v) => v !== null);
      return { name, value: median(/** @type {number[]} */ (values)) };
    });
    const known = middles.filter(({ value }) => Number.isFinite(value));
    const down = !figure.unit;
    known.sort((a, b) => (down ? b.value - a.value : a.value - b.value));
    if (!known.length) return "Nothing to show yet.";
    return `In a typical round: ${known
      .map(
        ({ name, value }) =>
          `\u2068${name}\u2069 ${value.toFixed(figure.digits ?? 0)}${figure.unit}`,
      )
      .join(", ")}.`;
  }

  #picture() {
    const { figure, rounds, names } = this;
    const all = rounds.flatMap(({ seats }) => seats.map((seat) => figure.of(seat) ?? 0));
    const step = rounded(Math.max(...all, 1e-6) / 2);
    const most = 2 * step;
    const wide = WIDTH - LEFT - 14;
    const x = (/** @type {number} */ at) => LEFT + (wide * (at + 0.5)) / Math.max(1, rounds.length);
    const y = (/** @type {number} */ value) => 8 + (HEIGHT - FOOT - 8) * (1 - value / most);
    const svg = drawn("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "race-picture",
      role: "img",
      "aria-label": `${figure.label} by round; the numbers can be opened below.`,
    });
    for (const value of [0, step, most]) {
      svg.append(
        drawn("path", { d: `M${LEFT} ${y(value)}H${WIDTH - 6}`, class: "race-tick" }),
        drawn("text", { x: LEFT - 4, y: y(value) + 4, class: "tempo-label" }, String(value)),
      );
    }
    const every = Math.ceil(rounds.length / 12);
    rounds.forEach(({ round }, at) => {
      if (at % every) return;
      const place = { x: x(at), y: HEIGHT - 7, class: "race-label is-tick" };
      svg.append(drawn("text", place, String(round)));
    });
    names.forEach((_, seat) => svg.append(this.#line(seat, x, y)));
    return svg;
  }

  /** @param {number} seat @param {(at: number) => number} x @param {(value: number) => number} y */
  #line(seat, x, y) {
    const points = this.rounds.flatMap(({ seats }, at) => {
      const value = this.figure.of(seats[seat]);
      return value === null ? [] : [[x(at), y(value)]];
    });
    const group = drawn("g", { class: `tempo-seat deck-${seat}` });
    const d = points.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join("L");
    group.append(drawn("path", { d: d ? `M${d}` : "", class: "tempo-line" }));
    const every = Math.ceil(points.length / MOST_MARKS);
    points.forEach(([px, py], at) => {
      if (at % every) return;
      const size = { width: 14, height: 14 };
      group.append(drawn("use", { href: `#mark-${seat}`, x: px - 7, y: py - 7, ...size }));
    });
    return group;
  }

  #numbers() {
    const triggers = ["deal", "own draw", "own play", "another's play"];
    const head = [
      ...["Round", "Player", "Actions per minute", "Discards per draw"],
      ...triggers.flatMap((name) => [`After ${name}, ms`, "Times", "Before this round, ms"]),
    ];
    const rows = () =>
      this.rounds.flatMap(({ round, seats }) =>
        seats.map((seat, at) => [
          ...[round, this.names[at], short(seat.actions_a_minute), short(seat.churn)],
          ...triggers.flatMap((name) => {
            const reaction = seat.reactions[name];
            return reaction
              ? [reaction.median_ms, reaction.times, reaction.before_ms]
              : [null, 0, null];
          }),
        ]),
      );
    return numbers("tempo", head, rows, "All of this in numbers");
  }
}
