/**
 * Who is winning, in the timeline: along each round the seats share its height by their chances,
 * with a star at each moment that mattered. A round that hardly changes the chances keeps its
 * scores there. The chances at the viewer's place are above the tabs (`Outlook`).
 * @typedef {import("../../games/match/log.js").Round} Round
 * @import { Page } from "../replay/page.js"
 * @typedef {import("./analysis.js").Point} Point
 * @typedef {{round: Round, from: number, width: number, length: number, until: number}} Stretch
 */

import { markOf } from "../../games/board/cards.js";
import { box, byId, drawn, placed, write } from "../../games/dom/elements.js";
import { pointsAt } from "../../games/match/ranking.js";
import { gettext } from "../../games/words/gettext.js";
import { areas } from "./chances.js";
import { percents } from "./percent.js";

class Outlook {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.numbers = [...root.querySelectorAll("b")];
    this.title = /** @type {HTMLElement} */ (root.querySelector(".outlook-title"));
    /** @type {number | null | undefined} */
    this.leader = undefined;
    this.bar = /** @type {HTMLElement} */ (root.querySelector(".outlook-bar"));
    this.shares = this.numbers.map((_, seat) => box("i", `outlook-share deck-${seat}`));
  }

  /** @param {number[] | null} p each seat's chance. null: not known */
  show(p) {
    this.root.hidden = !p;
    if (!p) return;
    if (!this.bar.childElementCount) this.bar.append(...this.shares);
    const words = percents(p);
    for (const [seat, share] of p.entries()) {
      write(this.numbers[seat], words[seat]);
      this.shares[seat].style.setProperty("flex-grow", String(share));
    }
  }

  /** @param {number | null} seat who leads on points, if not the likeliest winner @param {string[]} names */
  lead(seat, names) {
    if (seat === this.leader) return;
    this.leader = seat;
    if (seat === null) return this.title.replaceChildren(gettext("Chance to win"));
    const player = [markOf(seat), box("span", "spoken", names[seat])];
    const words = gettext("Chance to win · {player} leads on points");
    this.title.replaceChildren(...placed(words, { player }));
  }
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
    scrubber.svg.after(this.svg);
    scrubber.onDraw(() => this.draw());
    player.onChange(() => this.moved());
    page.onChange(["decides"], () => this.moved());
  }

  /** @param {Point[]} curve */
  show(curve) {
    this.curve = curve;
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
    const top = this.scrubber.height * 0.43; // below the marks
    const points = spread(this.curve, round, x);
    const bands = isDecided(points)
      ? []
      : areas(points, { x, length: 1 }, 1, this.scrubber.height * 0.52).map((d, seat) =>
          drawn("path", {
            d,
            class: `chances-area deck-${seat}`,
            transform: `translate(0 ${top})`,
          }),
        );
    const stars = this.moments
      .filter((moment) => moment.round === round.number)
      .map(({ t }) => drawn("text", { x: x(0, t), y: top + 4, class: "scrub-star" }, "★"));
    return [...bands, ...stars];
  }

  /** Shows the chances where the player is: right before the play at which the page aims. */
  moved() {
    if (!this.curve.length) return;
    const { seq, t } = this.player.cursor;
    const until = this.page.aim ? Infinity : t;
    const point = known(this.player) ? pointAt(this.curve, seq, until) : null;
    this.outlook.show(point?.p ?? null);
    this.outlook.lead(point ? this.#leader(point.p) : null, this.names);
  }

  /** Who leads on points, if not the likeliest winner. @param {number[]} p */
  #leader(p) {
    const { round, cursor, log } = this.player;
    if (!round || !cursor.event || !log.finished) return null; // live, the headline says it
    return otherLeader(pointsAt(log, round, cursor.event), p);
  }
}

/**
 * A round's points from its start to its end as far as it is known here, the last of each pixel.
 * @param {Point[]} curve @param {{number: number, duration: number}} round
 * @param {(round: number, t: number) => number} x
 */
export function spread(curve, { number, duration }, x) {
  const points = curve.filter((point) => point.round === number && point.t <= duration);
  const last = points.at(-1);
  if (!last) return [];
  let edge = -Infinity;
  /** @type {Point[]} */
  const kept = [];
  for (const point of points) {
    const at = x(number, point.t);
    if (at < edge + 1) kept.pop();
    else edge = at;
    kept.push(point);
  }
  return [{ ...points[0], t: 0 }, ...kept, { ...last, t: duration }];
}

/** From such a chance on a match is as good as won. */
const SURE = 0.95;

/** Whether one seat is as good as sure to win all along. @param {Point[]} points */
export const isDecided = (points) =>
  points.length > 0 && points[0].p.some((_, seat) => points.every(({ p }) => p[seat] > SURE));

/** The last point at or before a line and a time after it. @param {Point[]} curve @param {number} seq @param {number} t */
export function pointAt(curve, seq, t) {
  let [low, high] = [0, curve.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const point = curve[middle];
    if (point.seq < seq || (point.seq === seq && point.t <= t)) low = middle + 1;
    else high = middle;
  }
  return curve[low - 1] ?? null;
}

const CLEARLY = 0.02; // as in the analysis (`leads.py`)

/** The seat that leads on points, if another is clearly likelier to win. @param {number[]} points @param {number[]} p */
export function otherLeader(points, p) {
  const [first, second] = [...points.keys()].sort((a, b) => points[b] - points[a]);
  return points[first] > points[second] && Math.max(...p) >= p[first] + CLEARLY ? first : null;
}

/**
 * Whether the curve is about the table's position: not along a variation.
 * @param {{round: import("../../games/match/log.js").Round | undefined, cursor: {event: number}}} player
 */
export const known = ({ round, cursor }) => !round || cursor.event <= round.happened;
