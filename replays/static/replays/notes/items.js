/**
 * Notes as the page handles them, whether from the log or from the site. No DOM.
 * @import { NoteJson } from "api"
 * @typedef {Partial<Omit<NoteJson, Needed>> & Required<Pick<NoteJson, Needed>>
 *   & {log?: boolean, variation?: boolean}} Item `event` and `until`: after so many events of the
 *   round. `log`: it is in the record itself.
 * @typedef {"key" | "round" | "event" | "tags" | "marks" | "arrows"} Needed
 * @typedef {{root: Item, replies: Item[]}} Thread
 * @typedef {{by: string, tag: string, glyph: string, text: string}} Filter  empty: any
 */

import { ownerOf } from "../../games/match/fold.js";
import { clock, faceName, stackName } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";

export const GLYPHS = /** @type {Record<string, string>} */ ({
  "!!": gettext("Brilliant"),
  "!": gettext("Good"),
  "!?": gettext("Interesting"),
  "?!": gettext("Dubious"),
  "?": gettext("Mistake"),
  "??": gettext("Blunder"),
});

/** Empty fields may be missing. @param {object | undefined} given */
export const itemOf = (given) => ({
  tags: [],
  marks: [],
  arrows: [],
  .../** @type {Omit<Item, "tags" | "marks" | "arrows">} */ (given),
});

/** The notes in the record itself. @param {(import("../../games/match/fold.js").Remark & {id?: string, reply?: string})[]} notes */
export const itemsOfLog = (notes) =>
  notes.map((note, at) =>
    itemOf({
      ...note,
      key: `log-${note.id ?? at}`,
      reply: note.reply && `log-${note.reply}`,
      log: true,
    }),
  );

/** A note's tags but those that its text names: they come and go with the text. @param {Item} item */
export const tagsBeside = ({ tags, text_tags = [] }) =>
  tags.filter((tag) => !text_tags.includes(tag));

/** @param {Item} a @param {Item} b */
const byPlace = (a, b) =>
  a.round - b.round || a.event - b.event || (a.at ?? "").localeCompare(b.at ?? "");

/** Notes with their replies, in order of position. @param {Item[]} items @returns {Thread[]} */
export function threadsOf(items) {
  const known = new Map(items.map((item) => [item.key, item]));
  /** @param {Item} item */
  const rootOf = (item) => {
    let root = item;
    for (let up = known.get(root.reply ?? ""); up; up = known.get(root.reply ?? "")) root = up;
    return root;
  };
  /** @type {Map<Item, Thread>} */
  const threads = new Map();
  for (const item of [...items].sort(byPlace)) {
    const root = rootOf(item);
    const thread = threads.get(root) ?? { root, replies: [] };
    threads.set(root, thread);
    if (item !== root) thread.replies.push(item);
  }
  return [...threads.values()];
}

/** The notes of the thread of a note. None if it has none yet. @param {Item[]} items @param {string} key */
export const threadOf = (items, key) => {
  const thread = threadsOf(items).find(({ root, replies }) =>
    [root, ...replies].some((item) => item.key === key),
  );
  return thread ? [thread.root, ...thread.replies] : [];
};

/** @param {Item} item @param {string} wanted in small letters */
const says = ({ text = "", tags }, wanted) =>
  [text, ...tags].join("\n").toLowerCase().includes(wanted);

/** @param {Thread} thread @param {Filter} filter */
export function passes({ root, replies }, { by, tag, glyph, text }) {
  const all = [root, ...replies];
  return (
    (!by || all.some((item) => item.by === by)) &&
    (!tag || all.some((item) => item.tags.includes(tag))) &&
    (!glyph || root.glyph === glyph) &&
    (!text || all.some((item) => says(item, text.toLowerCase())))
  );
}

/** The values available for filtering. @param {Item[]} items */
export function choices(items) {
  /** @param {(item: Item) => (string | undefined)[]} of */
  const all = (of) =>
    [...new Set(items.flatMap((item) => of(item)))]
      .filter((choice) => choice !== undefined && choice !== "")
      .sort();
  return {
    by: /** @type {string[]} */ (all((item) => [item.by])),
    tag: /** @type {string[]} */ (all((item) => item.tags)),
    glyph: Object.keys(GLYPHS).filter((glyph) => items.some((item) => item.glyph === glyph)),
  };
}

/** The notes of a position, or with a span over it. @param {Item[]} items @param {{round: number, event: number}} cursor */
export const notesAt = (items, { round, event }) =>
  items.filter(
    (item) =>
      !item.line &&
      item.round === round &&
      item.event <= event &&
      event <= (item.until ?? item.event),
  );

/** The rows to draw. @param {number} count @param {number} at @param {number} size */
export function windowAround(count, at, size) {
  const from = Math.max(0, Math.min(at - Math.floor(size / 3), count - size));
  return { from, to: Math.min(count, from + size) };
}

/** A mark in words. @param {string} mark @param {string[]} names */
export function markWords(mark, names) {
  const [kind, name] = mark.split(":");
  if (kind === "stack") return stackName(Number(name));
  if (kind === "seat")
    return names[Number(name)] ?? gettext("seat {number}", { number: Number(name) + 1 });
  const owner = names[ownerOf(name)] ?? gettext("a player");
  return gettext("{name}’s {card}", { name: owner, card: faceName(name) });
}

/** The notes with drawings that not everyone sees. @param {Item[]} items */
export const drawnForSome = (items) =>
  items.filter(
    ({ marks, arrows, visibility, log }) =>
      !log && marks.length + arrows.length > 0 && (visibility ?? "self") !== "everyone",
  );

/** What the notes' tab says beside its name. @param {number} notes @param {number} drafts not sent yet */
export const countWords = (notes, drafts) =>
  [notes ? String(notes) : "", drafts ? "✎" : ""].filter(Boolean).join(" ");

/** What a note draws on the table, in words. @param {{marks: string[], arrows: string[]}} item @param {string[]} names */
export function shapeWords({ marks, arrows }, names) {
  const lines = arrows.map((arrow) =>
    arrow
      .split(">")
      .map((end) => markWords(end, names))
      .join(" → "),
  );
  return [...marks.map((mark) => markWords(mark, names)), ...lines].join(", ");
}

const PLACES =
  /@(?:([1-9]\d{0,3})\/)?(\d{1,4}):([0-5]\d)(?:[.,](\d))?(?![\d:])|(?<![\w-])([A-E][1-5R][a-z])(?![\w-])/g;

/**
 * Plain text, split where it names a moment or a card.
 * @param {string} text
 * @param {number} round the note's own
 * @returns {(string | {words: string, href: string})[]}
 */
export function linked(text, round) {
  /** @type {(string | {words: string, href: string})[]} */
  const parts = [];
  let end = 0;
  for (const reference of text.matchAll(PLACES)) {
    const [words, other, min, s, ds, card] = reference;
    const ms = (Number(min) * 60 + Number(s)) * 1000 + Number(ds ?? 0) * 100;
    const href = card ? `?card=${card}` : `?round=${other ?? round}&t=${ms}`;
    parts.push(text.slice(end, reference.index), { words, href });
    end = reference.index + words.length;
  }
  parts.push(text.slice(end));
  return parts.filter((part) => part !== "");
}

/** The time of the latest change by others. @param {Item[]} items */
export const newest = (items) =>
  items.reduce(
    (last, item) => (!item.mine && (item.edited ?? "") > last ? item.edited : last) ?? last,
    "",
  );

/** Changed by someone else since? @param {Item} item @param {string | null} seen */
export const isNew = (item, seen) =>
  seen !== null && !item.log && !item.mine && (item.edited ?? "") > seen;

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

/** The URL of a note, including the token if it is shared by link. @param {Item} item */
export function noteAddress({ key, token, visibility }) {
  const share = token ? `&share=${token}` : "";
  // The part before the # chooses the picture that other sites show for the link.
  const named = visibility === "everyone" ? `?note=${key}` : "";
  return `${location.origin}${location.pathname}${named}#note=${key}${share}`;
}
