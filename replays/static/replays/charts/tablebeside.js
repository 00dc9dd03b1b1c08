/**
 * A small table at the cursor, so that readers of a chart see the table too: once a moment has been
 * selected, at the window's edge, until it is closed.
 * @import { Change } from "../../games/match/player.js"
 * @import { Page } from "../replay/page.js"
 */

import { Board } from "../../games/board/board.js";
import { markOf } from "../../games/board/cards.js";
import { box, button } from "../../games/dom/elements.js";
import { captionAt } from "../../games/match/caption.js";
import { standingAt } from "../../games/match/standing.js";
import { clock, sentence } from "../../games/match/words.js";

export class TableBeside {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.player = page.player;
    this.caption = box("p", "beside-caption");
    // The large one has the full description.
    this.place = box("div", { class: "beside-table", "aria-hidden": "true" });
    const close = button("beside-close", "Close", () => {
      this.element.hidden = true;
    });
    const kind = { class: "beside", "aria-label": "The table at this moment", hidden: true };
    this.element = box("aside", kind, this.place, this.caption, close);
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

  show() {
    this.element.hidden = false;
  }

  /** @param {Change} change */
  #draw({ applied, near }) {
    const { round, cursor, log } = this.player;
    if (!round?.timeline) return;
    const { names, state } = this.page;
    this.board ??= new Board(this.place, log.match.seats, { goal: log.match.rules });
    this.board.show(round.timeline.tableAt(cursor.event), {
      view: state.view,
      standing: standingAt(log, round, cursor.event),
      applied: near ? applied : [],
      lively: near,
    });
    const said = captionAt(round, cursor, 0, names, state.view);
    const time = box("b", "beside-time", `Round ${round.number}, ${clock(cursor.t)}`);
    const mark = said.seat === null ? [] : [markOf(said.seat)];
    this.caption.replaceChildren(time, ...mark, box("span", "", sentence(said, names)));
  }
}
