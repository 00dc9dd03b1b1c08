/**
 * The table as a seat's screen showed it at the cursor: the events that had arrived there.
 *
 * At a try of that seat it is exact, by the try's `seen`. Elsewhere it is an estimate.
 *
 * @typedef {import("../../games/match/player.js").Cursor} Cursor
 * @typedef {import("../../games/match/fold.js").RoundEvent} RoundEvent
 * @typedef {import("./rounddata.js").RoundData} RoundData
 * @typedef {NonNullable<import("./rounddata.js").RoundReport["screens"][number]>} Arrivals
 * @typedef {import("./arrived.js").Arrived} Arrived
 * @import { Page } from "../replay/page.js"
 */

import { box, button, byId } from "../../games/dom/elements.js";
import { bringIntoView } from "../../games/dom/intoview.js";
import { gettext } from "../../games/words/gettext.js";
import { arrivedAt, seenBy, wordsOf } from "./arrived.js";

export class ScreenView {
  /** @param {Page} page @param {RoundData} rounds @param {unknown[]} ways by seat, null if unknown */
  constructor(page, rounds, ways) {
    this.page = page;
    this.rounds = rounds;
    this.ways = ways;
    /** @type {Map<number, (Arrivals | null)[]>} */
    this.known = new Map();
    this.shown = () => this.#shown();
    this.box = box("input", { type: "checkbox" });
    this.row = box("label", "menu-row line", gettext("As that screen showed it"), " ", this.box);
    byId("view-choice").after(this.row);
    this.box.addEventListener("change", () => this.#show());
    page.onChange(["view"], () => this.#offer());
    this.#offer();
  }

  #offer() {
    const { view } = this.page.state;
    this.row.hidden = typeof view !== "number" || !this.ways[view];
  }

  /** What the screen of a race's last showed when that hand moved: at once, or after a question. @param {import("./raceaxis.js").Race} race */
  buttons(race) {
    const { seat, seen } = race.attempts[race.attempts.length - 1];
    if (!this.ways[seat]) return [];
    const name = this.page.names[seat];
    const show = () => this.#open(seat, race.seq);
    const told = button("button small", gettext("What {name}’s screen showed", { name }), show);
    if (seen === null || !document.getElementById("screen-quiz")) return [told];
    const ask = button("button small", gettext("What could {name} know?", { name }), () => {
      this.#look(seat, false);
      this.page.call("askScreen", race, show, ask);
    });
    return [ask, told];
  }

  /** @param {number} seat @param {number} seq */
  async #open(seat, seq) {
    this.#look(seat, true);
    await this.page.player.goTo({ seq });
    bringIntoView(byId("table"));
  }

  /** @param {number} seat @param {boolean} asShown */
  #look(seat, asShown) {
    this.box.checked = asShown;
    this.#show();
    this.page.set({ view: seat });
  }

  #show() {
    this.page.set({ screen: this.box.checked ? this.shown : null });
  }

  /** What the screen of the seat from which the table is seen showed at the cursor. */
  #shown() {
    const { page } = this;
    const { cursor, round, playing } = page.player;
    const { view: seat, line } = page.state;
    if (line || !round || typeof seat !== "number") return null;
    const screen = this.#screens(cursor.round)?.[seat];
    if (!screen) return null;
    const seen = playing ? null : seenBy(round.events[cursor.event - 1], seat);
    const arrived =
      seen === null ? arrivedAt(screen, cursor) : { event: seen, from: seen, to: seen };
    return { event: arrived.event, words: wordsOf(round, cursor.event, arrived, page.names, seat) };
  }

  /** @param {number} number of a round, fetched if it is not known */
  #screens(number) {
    if (!this.known.has(number)) {
      this.known.set(number, []);
      this.rounds.of(number).then(
        ({ screens }) => {
          this.known.set(number, screens);
          this.page.call("redraw");
        },
        () => this.known.delete(number),
      );
    }
    return this.known.get(number);
  }
}
