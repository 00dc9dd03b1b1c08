/** A note's place in words, and its address. No DOM. */

import { clock } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";

/**
 * @typedef {{events: readonly {t: number}[]}} Course
 * @typedef {{rounds: (Course & {mainline?: Course})[]}} Rounds  `mainline`: the actual play, while
 *   a variation of that round is shown
 */

/**
 * `0:34.1`, or a span of such times. Along a variation that is not shown, events have other times.
 * @param {Rounds} log
 * @param {{round: number, event: number, until?: number | null, line?: string | null}} place
 * @param {string | null} shown the variation that is shown
 */
export function whenWords({ rounds }, { round, event, until = null, line = null }, shown) {
  if (line !== null && line !== shown) return gettext("in a what-if");
  const along = rounds[round - 1];
  const { events } = (line === null && along?.mainline) || along || { events: [] };
  const at = (/** @type {number} */ number) => clock(events[number - 1]?.t ?? 0);
  const span = until === null ? at(event) : `${at(event)} – ${at(until)}`;
  return line === null ? span : gettext("{span}, in a what-if", { span });
}

/** The URL of a note, including the token if it is shared by link. @param {import("./items.js").Item} item */
export function noteAddress({ key, token, visibility }) {
  const share = token ? `&share=${token}` : "";
  // The part before the # chooses the picture that other sites show for the link.
  const named = visibility === "everyone" ? `?note=${key}` : "";
  return `${location.origin}${location.pathname}${named}#note=${key}${share}`;
}
