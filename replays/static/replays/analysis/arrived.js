/**
 * Which events of a round a seat's screen had shown. No DOM.
 *
 * @typedef {import("../../games/match/fold.js").RoundEvent} RoundEvent
 * @typedef {{event: number, from: number, to: number}} Arrived
 *   how many events probably, surely and at most
 */

import { brief } from "../../games/match/brief.js";
import { ownerOf } from "../../games/match/fold.js";
import { gettext, ngettext } from "../../games/words/gettext.js";
import { listed } from "../../games/words/language.js";

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
