// @ts-check
/**
 * Who is winning, as a strip along the whole match: at each moment the seats share its height by
 * their chances. A click goes there; a table beside it has the numbers. The chances at the viewer's
 * place stand above the tabs, where nobody has to scroll for them (`Outlook`).
 *
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("./analysis.js").Point} Point
 * @typedef {import("./chances.js").Axis} Axis
 */

import { box, byId } from "../../games/dom/elements.js";
import { drawn } from "../../games/dom/svg.js";
import { clock } from "../../games/match/words.js";
import { areas, axisOf, joins, known, placeAt, pointAt } from "./chances.js";
import { saving } from "./csv.js";
import { Outlook } from "./outlook.js";
import { percent } from "./percent.js";

const HEIGHT = 100;
const WIDTH = 1000;
const SAYS =
  "Each band is a player’s chance to win the match, estimated by a model: the taller, the better. ★ marks a key moment.";

/** The seats' areas and the joins of the rounds. @param {Point[]} curve @param {Axis} axis */
export function picture(curve, axis) {
  return [
    ...areas(curve, axis, WIDTH, HEIGHT).map((d, seat) =>
      drawn("path", { d, class: `chances-area deck-${seat}` }),
    ),
    ...joins(axis, WIDTH, HEIGHT).map((d) => drawn("path", { d, class: "chances-join" })),
  ];
}

export class ChanceStrip {
  /** @param {HTMLElement} root @param {Player} player @param {string[]} names */
  constructor(root, player, names) {
    this.root = root;
    this.player = player;
    this.names = names;
    /** @type {Point[]} */
    this.curve = [];
    this.axis = axisOf([]);
    this.svg = drawn("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    this.cursor = box("div", "chances-cursor");
    this.outlook = new Outlook(byId("outlook"));
    this.numbers = box("table", "analysis-table");
    this.marks = box("div", "chances-moments");
    this.marks.setAttribute("aria-hidden", "true");
    this.#build();
    player.onChange(() => this.moved());
  }

  #build() {
    const picture = box("div", "chances-picture", this.svg, this.cursor);
    picture.addEventListener("click", (event) => {
      const { left, width } = picture.getBoundingClientRect();
      const place = placeAt(this.axis, (event.clientX - left) / width);
      this.player.pause();
      if (place) this.player.goTo(place);
    });
    picture.title = SAYS;
    const details = box(
      "details",
      "chances-details",
      box("summary", "", "Chance to win through the match, in numbers"),
    );
    details.append(box("p", "analysis-note", SAYS), this.numbers);
    details.append(saving("chances-to-win", () => this.#columns()));
    this.root.replaceChildren(this.marks, picture, details);
    this.root.hidden = false;
  }

  /** @param {Point[]} curve */
  show(curve) {
    this.curve = curve;
    this.axis = axisOf(curve);
    this.svg.replaceChildren(...picture(curve, this.axis));
    this.numbers.replaceChildren(...this.#rows());
    this.moved();
  }

  /** Small stars at the moments that mattered; their list has the words. @param {import("./analysis.js").Moment[]} moments */
  mark(moments) {
    const marks = moments.map((moment) => {
      const at = (this.axis.x(moment.round, moment.t) / this.axis.length) * 100;
      const mark = box("span", "chances-moment", "★");
      mark.title = moment.text;
      mark.style.setProperty("inset-inline-start", `${at.toFixed(2)}%`);
      mark.addEventListener("click", () => {
        this.player.pause();
        this.player.goTo({ seq: moment.seq });
      });
      return mark;
    });
    this.marks.replaceChildren(...marks);
  }

  /** The whole curve, for download. */
  #columns() {
    const head = ["Line", "Round", "Time, ms", ...this.names.map((name) => `${name}, %`)];
    const rows = this.curve.map(({ seq, round, t, p }) => [
      ...[seq, round, t],
      ...p.map((share) => Math.round(share * 1000) / 10),
    ]);
    return { head, rows };
  }

  /** The chances at the end of each round. */
  #rows() {
    const head = box("tr", "", box("th", "", "After"));
    head.append(...this.names.map((name) => box("th", "", name)));
    const rows = this.axis.rounds.map(({ last }) => {
      const cells = last.p.map((share) => box("td", "", percent(share)));
      return box("tr", "", box("th", "", `round ${last.round}, ${clock(last.t)}`), ...cells);
    });
    return [box("thead", "", head), box("tbody", "", ...rows)];
  }

  /** Puts the cursor where the player is, and shows the chances there. */
  moved() {
    const { round, t } = this.player.cursor;
    const found = known(this.player) ? pointAt(this.curve, round, t) : null;
    this.cursor.hidden = !found;
    this.outlook.show(found?.p ?? null);
    if (!found) return;
    const at = this.axis.x(round, t) / this.axis.length;
    this.cursor.style.setProperty("inset-inline-start", `${(at * 100).toFixed(2)}%`);
  }
}
