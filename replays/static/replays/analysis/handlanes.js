/**
 * Below the missed takes: for each player a lane with the times when they could have played, and
 * their missed takes above. One round at a time. A click watches it.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @import { Chance, RoundReport } from "./rounddata.js"
 */

import { scrolling } from "../../games/dom/controls.js";
import { box, drawn } from "../../games/dom/elements.js";
import { clock, seconds } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { filled, numbers } from "./csv.js";
import { CAUSES } from "./decisions.js";
import { RoundView } from "./rounddata.js";
import { watch } from "./watching.js";

const PER_SECOND = 28;
const LEFT = 18;
const WIDEST = 20_000;
const LANE = 54;
const FOOT = 18;
const TAKES = { y: 3, height: 16 };
const BASE = 48;
/** By state: not shown yet, hand busy, hand free. The table distinguishes the first two. */
const HEIGHTS = [6, 6, 22];
const RUN_UP_MS = 1000;
const HEADING = gettext("When there was something to play");

/**
 * The chances, those alike together: two fives of one hand that fit the same stack at the same time
 * are one chance for a viewer.
 * @template {Pick<Chance, "seat" | "slot" | "from" | "to">} C
 * @param {C[]} chances
 */
export function alike(chances) {
  /** @type {Map<string, C[]>} */
  const groups = new Map();
  for (const chance of chances) {
    const { seat, slot, from, to } = chance;
    const key = [seat, slot, from, to].join();
    groups.set(key, [...(groups.get(key) ?? []), chance]);
  }
  return [...groups.values()];
}

export class HandLanes {
  /**
   * @param {Player} player @param {import("./rounddata.js").RoundData} data @param {string[]} names
   */
  constructor(player, data, names) {
    this.player = player;
    this.names = names;
    /** @type {RoundReport | null} */
    this.report = null;
    this.perMs = PER_SECOND / 1000;
    this.note = box("p", "analysis-note");
    this.summary = box("table", "analysis-table");
    this.cursor = drawn("path", { class: "lane-cursor" });
    this.scroll = box("div", "lane-scroll framed");
    this.heading = box("h3", "analysis-title", HEADING);
    this.element = box(
      "div",
      "hand-lanes",
      this.heading,
      box(
        "p",
        "analysis-note",
        gettext(
          "When each player had a playable card, and the takes that others made instead. Click to watch that moment.",
        ),
      ),
      this.scroll,
      this.#key(),
      scrolling(gettext("Chances by player"), this.summary),
      this.note,
      this.#numbers(),
    );
    this.scroll.tabIndex = 0;
    this.scroll.setAttribute("role", "region");
    this.scroll.setAttribute(
      "aria-label",
      gettext("Opportunities over time. The numbers are in the table below"),
    );
    this.scroll.addEventListener("click", (event) => this.#clicked(event));
    const draw = (/** @type {RoundReport} */ report) => this.draw(report);
    this.view = new RoundView(player, data, this.element, draw, (words) => this.fail(words));
    player.onChange(() => this.moved());
  }

  show() {
    this.view.follow();
  }

  /** What the shapes mean. */
  #key() {
    const shapes = [
      ["lane-hand", "M1 13V1H15V13Z", gettext("hand free")],
      ["lane-hand", "M1 13V10H15V13Z", gettext("hand busy, or not on the screen yet (estimate)")],
      ["lane-take", "M2 2H14V12H2Z", gettext("missed take, and its cards")],
    ];
    const items = shapes.map(([kind, d, words]) => {
      const svg = drawn("svg", { viewBox: "0 0 16 14", class: "lane-sign", "aria-hidden": "true" });
      svg.append(drawn("path", { d, class: kind }));
      const item = box("li", "");
      item.append(svg, words);
      return item;
    });
    return box("ul", "lane-key row soft small", ...items);
  }

  /** @param {string} words */
  fail(words) {
    this.report = null;
    this.scroll.replaceChildren();
    this.summary.replaceChildren();
    this.note.textContent = gettext("Not shown: {words}.", { words });
  }

  /** @param {RoundReport} report */
  draw(report) {
    this.report = report;
    this.heading.textContent = gettext("When there was something to play, in round {round}", {
      round: report.round,
    });
    this.perMs = Math.min(PER_SECOND / 1000, WIDEST / Math.max(1, report.duration_ms));
    const head = [
      gettext("Player"),
      gettext("Hand free"),
      gettext("Busy"),
      gettext("Not on screen yet"),
      gettext("Missed"),
    ];
    const rows = report.hands.map((hand, seat) => [
      ...[this.names[seat], seconds(hand.free_ms), seconds(hand.busy_ms)],
      ...[seconds(hand.unseen_ms), hand.missed_takes],
    ]);
    this.summary.replaceChildren(...filled(head, rows));
    this.scroll.replaceChildren(this.#picture(report));
    this.note.textContent = "";
    this.moved();
  }

  /** @param {number} t */
  #x(t) {
    return Math.round((LEFT + t * this.perMs) * 10) / 10;
  }

  /** @param {RoundReport} report */
  #picture(report) {
    const width = this.#x(report.duration_ms) + 24;
    const height = report.hands.length * LANE + FOOT;
    const svg = drawn("svg", {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      class: "lane-svg",
    });
    svg.setAttribute("aria-hidden", "true");
    const step = this.perMs * 5000 > 40 ? 5000 : 60_000;
    for (let t = 0; t <= report.duration_ms; t += step) {
      const x = this.#x(t);
      svg.append(
        drawn("path", { d: `M${x} 0V${height - FOOT}`, class: "race-tick" }),
        drawn("text", { x: x + 2, y: height - 4, class: "lane-label" }, clock(t).slice(0, -2)),
      );
    }
    report.hands.forEach((hand, seat) => {
      svg.append(
        this.#lane(
          hand,
          seat,
          report.chances.filter((chance) => chance.seat === seat),
          width,
        ),
      );
    });
    svg.append(this.cursor);
    return svg;
  }

  /**
   * @param {import("./rounddata.js").Hand} hand @param {number} seat @param {Chance[]} chances
   * @param {number} width
   */
  #lane(hand, seat, chances, width) {
    const top = seat * LANE;
    const lane = drawn("g", { class: `hand-lane deck-${seat}` });
    lane.append(drawn("path", { d: `M0 ${top + BASE}H${width}`, class: "lane-ground" }));
    const boxes = hand.spans.map(([from, to, state]) => {
      const [x, end] = [this.#x(from), Math.max(this.#x(to), this.#x(from) + 0.6)];
      return `M${x} ${top + BASE}V${top + BASE - HEIGHTS[state]}H${end}V${top + BASE}Z`;
    });
    lane.append(drawn("path", { d: boxes.join(""), class: "lane-hand" }));
    for (const [chance] of alike(chances.filter(({ missed }) => missed))) {
      const x = this.#x(chance.from);
      const size = { x, y: top + TAKES.y, height: TAKES.height, rx: 3 };
      const long = Math.max(this.#x(chance.to) - x, 3);
      lane.append(
        drawn("rect", { ...size, width: long, class: "lane-take", "data-t": chance.from }),
        drawn("text", { x: x + long + 2, y: top + 15, class: "lane-label" }, String(chance.cards)),
      );
    }
    lane.append(
      drawn("use", {
        href: `#mark-${seat}`,
        x: 0,
        y: top + 26,
        width: 14,
        height: 14,
        class: "lane-mark",
      }),
    );
    return lane;
  }

  #numbers() {
    const head = [
      ...[
        gettext("Player"),
        gettext("Card"),
        gettext("Stack"),
        gettext("From, ms"),
        gettext("Shown (estimate), ms"),
        gettext("To, ms"),
        gettext("How it ended"),
      ],
      ...[
        gettext("Takes"),
        gettext("Missed"),
        gettext("Cards"),
        gettext("Hand busy, ms"),
        gettext("Hand free, ms"),
        gettext("Mostly"),
      ],
    ];
    const rows = () =>
      (this.report?.chances ?? []).map((chance) => [
        ...[this.names[chance.seat], chance.card, chance.slot + 1],
        ...[chance.from, chance.shown, chance.to, chance.end],
        ...[chance.takes ? "yes" : "no", chance.missed ? "yes" : "no", chance.cards],
        ...[chance.busy_ms, chance.free_ms, CAUSES[chance.cause]],
      ]);
    return numbers("chances", head, rows, gettext("Every chance of this round in numbers"));
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const svg = this.scroll.querySelector("svg");
    if (!svg || !this.report) return;
    const take = event.target instanceof Element ? event.target.getAttribute("data-t") : null;
    const x = event.clientX - svg.getBoundingClientRect().left;
    this.watch(take === null ? (x - LEFT) / this.perMs : Number(take));
  }

  /** Plays from a little before. @param {number} t */
  watch(t) {
    if (!this.report) return;
    watch(this.player, { round: this.report.round, t }, RUN_UP_MS);
  }

  /** The cursor's line. The lanes scroll along. */
  moved() {
    const { report } = this;
    const { round, t } = this.player.cursor;
    if (!report || this.element.closest("[hidden]")) return;
    const x = this.#x(Math.min(t, report.duration_ms));
    const height = report.hands.length * LANE;
    this.cursor.setAttribute("d", round === report.round ? `M${x} 0V${height}` : "");
    const { scrollLeft, clientWidth } = this.scroll;
    const near = x > scrollLeft + 20 && x < scrollLeft + clientWidth * 0.8;
    if (!near) this.scroll.scrollLeft = Math.max(0, x - clientWidth * 0.2);
  }
}
