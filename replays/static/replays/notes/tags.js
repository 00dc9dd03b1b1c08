/**
 * A press on the tag panel: a span around a moment, whose end may be in the future. No DOM.
 * @typedef {import("../../games/match/log.js").Round} Round
 * @typedef {{name: string, shortcut: string, colour: number, before_ms: number, after_ms: number}} TagButton
 * @typedef {{key: string, tag: string, round: number, from: number, to: number, seat: number | null,
 *   visibility: string, account?: string, revision?: null}} Press `from`, `to`: ms in the round.
 *   `account`: whose it is, empty for a guest's.
 */

import { newKey } from "../../games/dom/asking.js";
import { gettext } from "../../games/words/gettext.js";

/** A coach's initial buttons. @type {TagButton[]} */
export const STARTERS = [
  { name: gettext("feeding"), shortcut: "q", colour: 1, before_ms: 4000, after_ms: 2000 },
  { name: gettext("missed take"), shortcut: "w", colour: 3, before_ms: 5000, after_ms: 2000 },
  { name: gettext("good take"), shortcut: "e", colour: 2, before_ms: 4000, after_ms: 2000 },
  { name: gettext("hesitation"), shortcut: "r", colour: 0, before_ms: 3000, after_ms: 3000 },
];

/**
 * @param {TagButton} button @param {{round: number, t: number}} cursor
 * @param {number | null} seat @param {string} visibility @returns {Press}
 */
export const pressAt = ({ name, before_ms, after_ms }, { round, t }, seat, visibility) => ({
  ...{ key: newKey(), tag: name, round, seat, visibility },
  from: Math.max(0, Math.floor(t) - before_ms),
  to: Math.floor(t) + after_ms,
});

/**
 * The note that a press creates. null while its span is not over, unless it is cut here.
 * @param {Press} press @param {Round | undefined} round
 * @param {boolean} [cut] ends the span at the last event so far
 */
export function noteOf(press, round, cut = false) {
  const { key, tag, round: number, from, to, seat, visibility } = press;
  if (!round?.loaded || (round.duration < to && !round.finished && !cut)) return null;
  const event = round.eventBy(from);
  const until = round.eventBy(to);
  return {
    ...{ key, round: number, event, tags: [tag], visibility },
    ...(until > event ? { until } : {}),
    ...(seat === null ? {} : { marks: [`seat:${seat}`] }),
  };
}

/** The fault of the buttons, in words. Empty if there is none. @param {TagButton[]} buttons */
export function wrongWith(buttons) {
  const keys = buttons.map(({ shortcut }) => shortcut.toLowerCase()).filter(Boolean);
  const names = buttons.map(({ name }) => name.trim());
  if (names.includes("")) return gettext("Each button needs a name.");
  if (new Set(names).size < names.length) return gettext("Two buttons have the same name.");
  if (new Set(keys).size < keys.length) return gettext("Two buttons have the same key.");
  return keys.every((key) => /^[a-z0-9]$/.test(key))
    ? ""
    : gettext("A key is one letter or digit.");
}
