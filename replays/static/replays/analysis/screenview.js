/**
 * The table as a seat's screen showed it at the cursor: the events that had arrived there.
 *
 * At a try of that seat it is exact, by the try's `seen`. Elsewhere it is an estimate.
 *
 * @typedef {import("../../games/match/fold.js").RoundEvent} RoundEvent
 * @typedef {NonNullable<import("api").RoundScreens["screens"][number]>} Arrivals
 * @import { Page } from "../replay/page.js"
 * @typedef {{event: number, from: number, to: number}} Arrived
 *   how many events probably, surely and at most
 */

import { workedOutAt } from "../../games/dom/asking.js";
import { box, bringIntoView, button } from "../../games/dom/elements.js";
import { brief } from "../../games/match/caption.js";
import { ownerOf } from "../../games/match/fold.js";
import { gettext, listed, ngettext } from "../../games/words/gettext.js";

const LISTED = 3;

/**
 * @param {{low: number[], likely: number[], high: number[]}} screen
 * @param {{event: number, t: number}} cursor
 * @returns {Arrived}
 */
export function arrivedAt({ low, likely, high }, { event, t }) {
  const by = (/** @type {number[]} */ times) => {
    const later = times.findIndex((at, number) => number >= event || at > t);
    return later < 0 ? times.length : later;
  };
  return { event: by(likely), from: by(high), to: by(low) };
}

/** The `seen` of a seat's try. null: it is none. @param {RoundEvent | undefined} event @param {number} seat */
export function seenBy(event, seat) {
  if (event?.do === "tie") {
    const at = event.cards.findIndex((card) => ownerOf(card) === seat);
    return event.seen?.[at] ?? null;
  }
  if (!event || !("seen" in event) || event.seat !== seat) return null;
  return event.seen ?? null;
}

/**
 * Events still on their way. A player knows their own movements, but for ties.
 * @param {{events: readonly RoundEvent[],
 *   timeline?: {contexts: readonly import("../../games/match/words.js").Context[]} | null}} round
 * @param {number} event how many had happened
 * @param {Arrived} arrived
 * @param {string[]} names
 * @param {number} seat
 */
export function wordsOf({ events, timeline }, event, { from, to }, names, seat) {
  const told = (/** @type {number} */ begin, /** @type {number} */ end) => {
    const others = events
      .slice(begin, end)
      .map((roundEvent, at) => {
        const said = brief(roundEvent, timeline?.contexts[begin + at], seat);
        return roundEvent.do === "out" ? { ...said, text: gettext("OUT") } : said;
      })
      .filter(({ seats }) => seats.length > 1 || !seats.includes(seat));
    const said = others
      .slice(0, LISTED)
      .map(({ seats, text }) =>
        seats.length
          ? gettext("{names} {text}", { names: listed(seats.map((who) => names[who])), text })
          : text,
      );
    const more = others.length - said.length;
    const all = said.join("; ");
    return more
      ? ngettext("{events}; and {count} more", "{events}; and {count} more", more, { events: all })
      : all;
  };
  const [perhaps, missing] = [told(from, to), told(to, event)];
  const name = names[seat];
  const parts = [];
  if (missing)
    parts.push(gettext("Not yet on {name}’s screen: {events}.", { name, events: missing }));
  if (perhaps)
    parts.push(
      missing
        ? gettext("Perhaps not yet: {events}.", { events: perhaps })
        : gettext("Perhaps not yet on {name}’s screen: {events}.", { name, events: perhaps }),
    );
  return parts.join(" ") || gettext("{name}’s screen shows all of this.", { name });
}

export class ScreenView {
  /**
   * @param {Page} page @param {string} url of the match's analysis
   * @param {unknown[]} ways by seat, null if unknown
   */
  constructor(page, url, ways) {
    this.page = page;
    this.url = url;
    this.ways = ways;
    /** @type {Map<number, (Arrivals | null)[]>} */
    this.known = new Map();
    this.box = box("input", { type: "checkbox" });
    this.row = box(
      "label",
      "menu-row unbound gap-1 line",
      gettext("As that screen showed it"),
      " ",
      this.box,
    );
    page.call("underViews", this.row);
    this.box.addEventListener("change", () => this.#show());
    page.onChange(["view"], () => this.#offer());
    this.#offer();
  }

  #offer() {
    const { view } = this.page.state;
    this.row.hidden = typeof view !== "number" || !this.ways[view];
  }

  /** What the screen of a race's last showed when that hand moved. @param {import("./raceaxis.js").Race} race */
  buttons(race) {
    const { seat } = race.attempts[race.attempts.length - 1];
    if (!this.ways[seat]) return [];
    const words = gettext("What {name}’s screen showed", { name: this.page.names[seat] });
    const open = async () => {
      this.box.checked = true;
      this.#show();
      this.page.call("mainline");
      this.page.set({ view: seat });
      await this.page.player.goTo({ seq: race.seq });
      bringIntoView(this.page.board.root);
    };
    return [button("button small", words, open)];
  }

  #show() {
    this.page.set({ screen: this.box.checked ? () => this.#shown() : null });
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
      workedOutAt(`${this.url}/${number}`).then(
        ({ screens }) => {
          this.known.set(number, screens);
          this.#show();
        },
        () => this.known.delete(number),
      );
    }
    return this.known.get(number);
  }
}
