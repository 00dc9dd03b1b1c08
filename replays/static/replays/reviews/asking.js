// @ts-check
/**
 * The leader of a review for a class asks everybody: what comes next from here, which becomes a
 * chapter of the study, or what the chapter asks. Everybody's match stops until it is shown.
 *
 * @typedef {import("./steering.js").Beginning} Beginning
 * @typedef {{cursor: () => {round: number, event: number}, seat: () => number | null, line: () => string | null,
 *   round: () => import("../studies/moments.js").Round | undefined, lead: (place: Beginning) => void}} Way
 */

import { ask } from "../../games/dom/asking.js";
import { write } from "../../games/dom/elements.js";
import { single } from "../../games/dom/single.js";
import { clock } from "../../games/match/words.js";
import { nextQuestion } from "../studies/moments.js";

export class Asking {
  /** @param {HTMLElement} root @param {number} chapter the one that the page shows @param {Way} way */
  constructor(root, chapter, way) {
    this.root = root;
    this.chapter = chapter;
    this.way = way;
    this.status = /** @type {HTMLElement} */ (root.querySelector("[role=status]"));
    /** @param {string} name @param {() => Promise<void>} run */
    const press = (name, run) =>
      root.querySelector(`[data-do=${name}]`)?.addEventListener("click", single(run));
    press("next", () => this.#next());
    press("ask", () => this.#ask(this.chapter));
    press("reveal", () => this.#reveal());
  }

  /** Asks what comes next from here: a chapter more, to which everybody is led. */
  async #next() {
    const { way } = this;
    const { round, event } = way.cursor();
    const found = way.line() ? null : nextQuestion(way.round(), event, way.seat());
    if (!found)
      return write(this.status, "Nothing is played after this moment: go to an earlier one.");
    const { seat, card, stack } = found.play;
    const at = { round, event: found.event, view: String(seat) };
    const t = way.round()?.events[found.event - 1]?.t ?? 0;
    const question = { seat, answers: [{ do: "play", card, stack }] };
    const title = `What now? Round ${round}, ${clock(t)}`;
    const { match, chapters } = this.root.dataset;
    const said = { ...at, title, match: Number(match), question };
    const made = await ask("POST", chapters ?? "", said);
    if (!made.ok) return write(this.status, `Not asked: ${made.data.detail}.`);
    const { number } = made.data;
    if (await this.#said("ask", { chapter: number }))
      way.lead({ ...at, chapter: number, line: "", speed: 100 });
  }

  /** @param {number} chapter */
  async #ask(chapter) {
    if (await this.#said("ask", { chapter })) location.reload();
  }

  async #reveal() {
    if (await this.#said("reveal", {})) location.reload();
  }

  /** @param {"ask" | "reveal"} what @param {object} body */
  async #said(what, body) {
    const { ok, data } = await ask("POST", this.root.dataset[what] ?? "", body);
    if (!ok) write(this.status, `Not done: ${data.detail}.`);
    return ok;
  }
}
