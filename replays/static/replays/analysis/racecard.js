/**
 * A race card: the tries on one time axis, with the numbers, the stake, and changes that would have
 * reversed the race.
 * @import { Attempt, Race } from "./raceaxis.js"
 */

import { cardElement, markOf } from "../../games/board/cards.js";
import { box, drawn } from "../../games/dom/elements.js";
import { positionWords } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { axisOf, firstAt, ticksOf, triesOf } from "./raceaxis.js";

const WIDTH = 360;
const ROW = 46;
const FOOT = 22;
const MARGIN = 12;

export class RaceCard {
  /** @param {Race} race @param {string[]} names @param {number} windowMs of a tie */
  constructor(race, names, windowMs) {
    this.race = race;
    this.names = names;
    this.windowMs = windowMs;
    this.axis = axisOf(race);
    this.cursor = drawn("path", { class: "race-cursor" });
    this.tries = triesOf(race);
    this.height = this.tries.length * ROW + FOOT;
    const { words } = race;
    this.picture = this.#picture();
    this.element = box(
      "article",
      "race-card",
      box("h3", "race-result", words.result),
      box("p", "race-place soft small", positionWords(race.round, race.t)),
      this.picture,
      box("p", "analysis-note", this.#caption()),
      this.#verdicts(),
    );
  }

  /** @param {number} t */
  #x(t) {
    return MARGIN + this.axis.share(t) * (WIDTH - 2 * MARGIN);
  }

  #caption() {
    const said = [
      gettext(
        "Each line is a hand: it begins where the hand moved (estimated) and ends where the card arrived.",
      ),
    ];
    if (this.race.shown) said.push(gettext("The dot below is when the other card showed there."));
    if (this.windowMs)
      said.push(gettext("Tries inside the shaded {ms} ms tie.", { ms: this.windowMs }));
    return said.join(" ");
  }

  #picture() {
    const { race, height } = this;
    const svg = drawn("svg", {
      viewBox: `0 0 ${WIDTH} ${height}`,
      class: "race-picture",
      role: "img",
      "aria-label": race.words.result,
    });
    const first = firstAt(race);
    const [x, end] = [this.#x(first), this.#x(first + this.windowMs)];
    svg.append(
      drawn("rect", { x, y: 0, width: end - x, height: height - FOOT, class: "race-window" }),
      ...ticksOf(race, this.axis).flatMap(({ t, words }) => [
        drawn("path", { d: `M${this.#x(t)} 0V${height - FOOT}`, class: "race-tick" }),
        drawn("text", { x: this.#x(t), y: height - 7, class: "race-label is-tick" }, words),
      ]),
      this.cursor,
      ...this.tries.flatMap((attempt, at) => this.#row(attempt, at)),
    );
    return svg;
  }

  /** @param {Attempt} attempt @param {number} at */
  #row(attempt, at) {
    const y = at * ROW + 34;
    const to = this.#x(attempt.t);
    const { seat, hand_t, t } = attempt;
    const after = t - firstAt(this.race);
    const name = this.names[seat];
    const short = name.length > 24 ? `${name.slice(0, 23)}…` : name;
    const words =
      after || at
        ? gettext("{name}, {ms} ms after", { name: short, ms: after })
        : gettext("{name}, first", { name: short });
    const mark = drawn("use", {
      href: `#mark-${seat}`,
      x: to - 9,
      y: y - 9,
      width: 18,
      height: 18,
    });
    const group = drawn("g", { class: `race-hand deck-${seat}` });
    if (hand_t !== null) {
      const from = this.#x(hand_t);
      group.append(
        drawn("path", { d: `M${from} ${y}H${to}`, class: "race-line" }),
        drawn("circle", { cx: from, cy: y, r: 4, class: "race-start" }),
      );
    }
    group.append(mark);
    if (at === this.tries.length - 1) group.append(...this.#shown(y));
    return [drawn("text", { x: 2, y: at * ROW + 16, class: "race-label" }, words), group];
  }

  /** When this player's screen showed what it was too late for. @param {number} y */
  #shown(y) {
    const { shown } = this.race;
    if (!shown) return [];
    const [low, likely, high] = shown.map((t) => this.#x(t));
    const before = this.tries[0].seat;
    return [
      drawn("path", { d: `M${low} ${y + 10}H${high}`, class: `race-shown deck-${before}` }),
      drawn("circle", { cx: likely, cy: y + 10, r: 4, class: `race-shown deck-${before}` }),
    ];
  }

  #verdicts() {
    const { words } = this.race;
    const cards = box(
      "div",
      "race-cards",
      ...this.race.attempts.map((attempt) =>
        box("span", "race-played", markOf(attempt.seat), cardElement(attempt.card, "small")),
      ),
    );
    cards.setAttribute("aria-hidden", "true");
    return box(
      "dl",
      "race-verdicts",
      box("dt", "", gettext("What they saw")),
      box("dd", "", words.screens),
      box("dt", "", gettext("What it decided")),
      box("dd", "", cards, words.decided),
      box("dt", "", gettext("With equal connections")),
      box("dd", "", words.equal_lines),
      box("dt", "", gettext("What would have changed the race")),
      box("dd", "", words.flip),
    );
  }

  /** Puts the cursor's line where the player is. @param {number} round @param {number} t */
  moved(round, t) {
    const { from, until } = this.axis;
    const inside = round === this.race.round && t >= from && t <= until;
    const x = this.#x(t).toFixed(1);
    this.cursor.setAttribute("d", inside ? `M${x} 0V${this.height - FOOT}` : "");
  }
}
