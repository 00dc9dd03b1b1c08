/**
 * A coach asks everyone in a review for a class: what to play at this moment, or the chapter's
 * question. Everyone's match stops until the answer is shown.
 * @typedef {import("./steering.js").Beginning} Beginning
 * @typedef {import("./revealed.js").Asked} Asked
 * @typedef {{cursor: () => {round: number, event: number}, seat: () => number | null, line: () => string | null,
 *   round: () => import("../studies/moments.js").Round | undefined, pause: () => void,
 *   lead: (place: Beginning) => void, asked: (number: number) => void,
 *   revealed: (asked: Asked) => void}} Way
 *   `asked`, `revealed`: of the question whose answers this page shows
 */

import { ask } from "../../games/dom/asking.js";
import { box, write } from "../../games/dom/elements.js";
import { single } from "../../games/dom/single.js";
import { clock } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { questionAt } from "../studies/moments.js";

export class Asking {
  /** @param {HTMLElement} root @param {number} chapter the one that the page shows @param {Way} way */
  constructor(root, chapter, way) {
    this.root = root;
    this.chapter = chapter;
    this.way = way;
    this.status = /** @type {HTMLElement} */ (root.querySelector("[role=status]"));
    /** @type {Asked | null} */
    this.moment = JSON.parse(root.dataset.moment || "null");
    this.asking = root.dataset.asking === "yes";
    /** @param {string} name @param {() => Promise<unknown>} run */
    const press = (name, run) =>
      root.querySelector(`[data-do=${name}]`)?.addEventListener("click", single(run));
    press("moment", () => this.#askMoment());
    press("ask", () => this.#ask({ chapter: this.chapter }));
    press("reveal", () => this.#reveal());
    press("keep", () => this.#keep());
  }

  /** What the server says of it. @param {{asking: number, forgotten: string}} news */
  heard({ asking, forgotten }) {
    if (this.asking && !asking && forgotten) write(this.status, forgotten);
    this.#show(asking > 0);
  }

  /** @param {boolean} asking */
  #show(asking) {
    this.asking = asking;
    for (const part of this.root.querySelectorAll("[data-while]"))
      if (part instanceof HTMLElement) part.hidden = (part.dataset.while === "asking") !== asking;
    const keep = /** @type {HTMLElement | null} */ (this.root.querySelector("[data-do=keep]"));
    if (keep) keep.hidden = asking || this.moment === null;
  }

  /** Asks what is played from here. */
  async #askMoment() {
    const { way } = this;
    way.pause();
    const { round, event } = way.cursor();
    const next = way.line() ? null : questionAt(way.round(), event, way.seat());
    if (!next)
      return write(
        this.status,
        gettext("Nothing is played after this moment: go to an earlier one."),
      );
    const { seat } = next;
    const at = { round, event, view: String(seat) };
    const t = way.round()?.events[event - 1]?.t ?? 0;
    const title = gettext("What now? Round {round}, {time}", { round, time: clock(t) });
    const question = { seat, answers: [next.answer] };
    const moment = { ...at, title, match: Number(this.root.dataset.match), question };
    const asked = await this.#ask({ moment });
    if (!asked) return;
    if (this.chapter) way.lead({ ...at, chapter: asked, line: "", speed: 100 });
    else {
      this.moment = { round, event, seat };
      way.asked(asked);
    }
  }

  /** @param {object} body @returns {Promise<number>} the chapter that is asked */
  async #ask(body) {
    const said = await this.#said("ask", body);
    if (said) this.#show(true);
    return said?.asking ?? 0;
  }

  async #reveal() {
    if (!(await this.#said("reveal", {}))) return;
    this.#show(false);
    if (this.moment) this.way.revealed(this.moment);
  }

  async #keep() {
    const kept = await this.#said("keep", { as: "question" });
    if (!kept) return;
    const link = box("a", { href: kept.address }, gettext("Open the question"));
    this.status.replaceChildren(`${gettext("Kept.")} `, link);
  }

  /** @param {"ask" | "reveal" | "keep"} what @param {object} body @returns {Promise<any>} */
  async #said(what, body) {
    const { ok, data } = await ask("POST", this.root.dataset[what] ?? "", body);
    write(this.status, ok ? "" : gettext("Not done: {detail}.", { detail: data.detail }));
    return ok ? data : null;
  }
}
