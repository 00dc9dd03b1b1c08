// @ts-check
/**
 * A small table at the cursor, beside the charts, so that readers of a chart see the table too. On
 * a narrow page it is under the last chart pointed at.
 *
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("../../games/match/player.js").Change} Change
 */

import { Board } from "../../games/board/board.js";
import { markOf } from "../../games/board/cards.js";
import { box } from "../../games/dom/elements.js";
import { captionAt } from "../../games/match/caption.js";
import { standingAt } from "../../games/match/standing.js";
import { clock, sentence } from "../../games/match/words.js";

const NARROW = matchMedia("(width < 72rem)");

export class TableBeside {
  /** @param {Player} player @param {() => import("../../games/match/perspective.js").View} view */
  constructor(player, view) {
    this.player = player;
    this.view = view;
    this.names = player.log.match.seats.map((seat) => seat.name);
    this.caption = box("p", "beside-caption");
    this.place = box("div", "beside-table");
    this.place.setAttribute("aria-hidden", "true"); // the large one has the full description
    this.element = box("aside", "beside", this.place, this.caption);
    this.element.setAttribute("aria-label", "The table at this moment");
    this.element.hidden = NARROW.matches;
    this.near = false;
    /** @type {Board | null} */
    this.board = null;
  }

  /** Draws only while it may be visible. */
  start() {
    const sight = new IntersectionObserver((seen) => {
      this.near = seen.some((entry) => entry.isIntersecting);
      if (this.near) this.#draw({ applied: [], near: false });
    });
    sight.observe(this.element);
    this.player.onChange((_, change) => this.near && this.#draw(change));
  }

  /** Without space beside the charts: goes under the one pointed at. @param {HTMLElement} chart */
  standBy(chart) {
    if (!NARROW.matches) return;
    chart.after(this.element);
    this.element.hidden = false;
  }

  /** @param {Change} change */
  #draw({ applied, near }) {
    const { round, cursor, log } = this.player;
    if (!round?.timeline) return;
    this.board ??= new Board(this.place, log.match.seats, { goal: log.match.rules });
    this.board.show(round.timeline.tableAt(cursor.event), {
      view: this.view(),
      standing: standingAt(log, round, cursor.event),
      applied: near ? applied : [],
      lively: near,
    });
    const said = captionAt(round, cursor, 0, this.names, this.view());
    const time = box("b", "beside-time", `Round ${round.number}, ${clock(cursor.t)}`);
    const mark = said.seat === null ? [] : [markOf(said.seat)];
    this.caption.replaceChildren(time, ...mark, box("span", "", sentence(said, this.names)));
  }
}
