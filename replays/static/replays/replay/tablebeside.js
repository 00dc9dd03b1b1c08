/**
 * A small table at the window's edge, for readers below the table. It appears once something there
 * has led to a moment, while the table is out of sight, until it is closed.
 * @import { Change } from "../../games/match/player.js"
 * @import { Page } from "../replay/page.js"
 */

import { Board } from "../../games/board/board.js";
import { markOf } from "../../games/board/cards.js";
import { box, button } from "../../games/dom/elements.js";
import { captionAt } from "../../games/match/caption.js";
import { standingAt } from "../../games/match/standing.js";
import { positionWords } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";

/** So much of the table is enough to follow it. */
const IN_SIGHT = 0.6;

export class TableBeside {
  /** @param {Page} page @param {Element} below the part of the page that leads to moments */
  constructor(page, below) {
    this.page = page;
    this.player = page.player;
    this.caption = box("p", "beside-caption");
    // The large one has the full description.
    this.place = box("div", { class: "beside-table", "aria-hidden": "true" });
    const close = button("beside-close", gettext("Close"), () => this.#show(false));
    const kind = {
      class: "beside",
      "aria-label": gettext("The table at this moment"),
      hidden: true,
    };
    this.element = box("aside", kind, this.place, this.caption, close);
    /** Whether something was pressed that may lead to a moment, and whether it is wanted since. */
    this.pressed = this.wanted = this.away = false;
    /** @type {Board | null} */
    this.board = null;
    below.append(this.element);
    const press = (/** @type {Event} */ { target }) => {
      this.pressed = target instanceof Element && !target.closest("[role=tab], .beside");
    };
    for (const kind of ["pointerdown", "click"]) // clicks don't pass through a chart
      below.addEventListener(kind, press, { capture: true });
    const look = (/** @type {IntersectionObserverEntry[]} */ seen) => {
      this.away = (seen.at(-1)?.intersectionRatio ?? 1) < IN_SIGHT;
      this.#show(this.wanted);
    };
    const sight = new IntersectionObserver(look, { threshold: IN_SIGHT });
    sight.observe(page.board.root);
    this.player.onChange((_, change) => {
      if (this.pressed) this.#show(true);
      else if (!this.element.hidden) this.#draw(change);
      this.pressed = false;
    });
  }

  /** @param {boolean} wanted */
  #show(wanted) {
    this.wanted = wanted;
    this.element.hidden = !wanted || !this.away;
    if (!this.element.hidden) this.#draw({ applied: [], near: false });
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
    const time = box("b", "beside-time", positionWords(round.number, cursor.t));
    const mark = said.seat === null ? [] : [markOf(said.seat)];
    this.caption.replaceChildren(time, ...mark, box("span", "", said.text));
  }
}
