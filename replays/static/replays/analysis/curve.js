/**
 * Who is winning, in the timeline: along each round the seats share its height by their chances,
 * with a star at each moment that mattered. A round that hardly changes the chances keeps its
 * scores there. The chances at the viewer's place are above the tabs (`Outlook`).
 * @typedef {import("../../games/match/log.js").Round} Round
 * @import { Page } from "../replay/page.js"
 * @typedef {import("./analysis.js").Point} Point
 * @typedef {import("./chances.js").Axis} Axis
 * @typedef {{round: Round, from: number, width: number, length: number, until: number}} Stretch
 */

import { scrolling } from "../../games/dom/controls.js";
import { box, byId, drawn, write } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { areas, axisOf, isDecided, joins, known, pointAt, spread } from "./chances.js";
import { percent } from "./percent.js";

export class Outlook {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.numbers = [...root.querySelectorAll("b")];
    this.bar = /** @type {HTMLElement} */ (root.querySelector(".outlook-bar"));
    this.shares = this.numbers.map((_, seat) => box("i", `outlook-share deck-${seat}`));
  }

  /** @param {number[] | null} p each seat's chance. null: not known */
  show(p) {
    if (!p) {
      this.bar.replaceChildren();
      for (const number of this.numbers) write(number, "");
      return;
    }
    if (!this.bar.childElementCount) this.bar.append(...this.shares);
    for (const [seat, share] of p.entries()) {
      write(this.numbers[seat], percent(share));
      this.shares[seat].style.setProperty("flex-grow", String(share));
    }
  }
}

const HEIGHT = 100;
const WIDTH = 1000;
/** Where the timeline leaves room for it, in px from the top. */
const LANE = { top: 36, height: 44 };
const SAYS = gettext("Each player’s chance to win the match: the bands of the timeline.");

/** A whole match: the seats' areas and the joins of the rounds. @param {Point[]} curve @param {Axis} axis */
export function picture(curve, axis) {
  return [
    ...areas(curve, axis, WIDTH, HEIGHT).map((d, seat) =>
      drawn("path", { d, class: `chances-area deck-${seat}` }),
    ),
    ...joins(axis, WIDTH, HEIGHT).map((d) => drawn("path", { d, class: "chances-join" })),
  ];
}

export class Curve {
  /** @param {Page} page */
  constructor(page) {
    const { scrubber, player } = page;
    this.page = page;
    this.scrubber = scrubber;
    this.player = player;
    this.names = page.names;
    /** @type {Point[]} */
    this.curve = [];
    /** @type {{round: number, t: number}[]} */
    this.moments = [];
    this.svg = drawn("svg", { "aria-hidden": "true" });
    this.outlook = new Outlook(byId("outlook"));
    this.table = box("table", "analysis-table");
    scrubber.svg.after(this.svg);
    scrubber.onDraw(() => this.draw());
    player.onChange(() => this.moved());
    page.onChange(["aim"], () => this.moved());
  }

  /** @param {Point[]} curve */
  show(curve) {
    this.curve = curve;
    this.table.replaceChildren(...this.#rows());
    this.draw();
    this.moved();
  }

  /** @param {{round: number, t: number}[]} moments */
  mark(moments) {
    this.moments = moments;
    this.draw();
  }

  /** The timeline shows scores instead where there is no curve, and along a variation. */
  draw() {
    const { scrubber, curve } = this;
    const about = scrubber.stretches.every(({ round }) => round.happened >= round.events.length);
    const shown = about && curve.length > 0;
    this.svg.replaceChildren(
      ...(shown ? scrubber.stretches.flatMap((stretch) => this.#drawn(stretch)) : []),
    );
  }

  /** @param {Stretch} stretch */
  #drawn({ round, from, width, length }) {
    const x = (/** @type {number} */ _, /** @type {number} */ t) => from + (width * t) / length;
    const points = spread(this.curve, round, x);
    const bands = isDecided(points)
      ? []
      : areas(points, { x, length: 1 }, 1, LANE.height).map((d, seat) =>
          drawn("path", {
            d,
            class: `chances-area deck-${seat}`,
            transform: `translate(0 ${LANE.top})`,
          }),
        );
    const stars = this.moments
      .filter((moment) => moment.round === round.number)
      .map(({ t }) => drawn("text", { x: x(0, t), y: LANE.top + 4, class: "scrub-star" }, "★"));
    return [...bands, ...stars];
  }

  /** The chances after each round as a table. */
  numbers() {
    return box(
      "details",
      "analysis-numbers",
      box("summary", "", gettext("Chance to win through the match")),
      box("p", "analysis-note", SAYS),
      scrolling(gettext("Chance to win through the match"), this.table),
    );
  }

  #rows() {
    const head = box("tr", "", box("th", "", gettext("After")));
    head.append(...this.names.map((name) => box("th", "", name)));
    const rows = axisOf(this.curve).rounds.map(({ last }) => {
      const cells = last.p.map((share) => box("td", "", percent(share)));
      return box(
        "tr",
        "",
        box("th", "", gettext("round {round}, {time}", { round: last.round, time: clock(last.t) })),
        ...cells,
      );
    });
    return [box("thead", "", head), box("tbody", "", ...rows)];
  }

  /** Shows the chances where the player is: right before the play at which the page aims. */
  moved() {
    if (!this.curve.length) return;
    const { seq, t } = this.player.cursor;
    const until = this.page.state.aim ? Infinity : t;
    const point = known(this.player) ? pointAt(this.curve, seq, until) : null;
    this.outlook.show(point?.p ?? null);
  }
}
