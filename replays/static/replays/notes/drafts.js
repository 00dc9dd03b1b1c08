/**
 * Unsaved writing, kept in this browser until the server has it. No DOM.
 * @typedef {import("./items.js").Item} Item
 * @typedef {{key: string, revision: number | null, round: number, event: number,
 *   until: number | null, line: string | null, reply: string | null, glyph: string, text: string,
 *   tags: string[], marks: string[], arrows: string[], drawn: string[], visibility: string,
 *   readers: string[], wanted: boolean, account: string, edit?: number, trouble?: string}} Draft
 *   `revision`: of the note that is changed, null for a new one. `drawn`: the shapes in the order
 *   in which they were drawn. `wanted`: it is to be saved. `account`: whose it is, empty for a
 *   guest's.
 */

import { newKey } from "../../games/dom/asking.js";
import { gettext } from "../../games/words/gettext.js";
import { audienceWords } from "../outbox/audience.js";
import { differing } from "../outbox/conflict.js";
import { Kept } from "../outbox/kept.js";
import { shapeWords, tagsBeside } from "./items.js";

/** The server's limits. */
const MOST_SHAPES = 16;
export const MOST_TAGS = 16;

/** @param {{round: number, event: number} & Partial<Draft>} fields @returns {Draft} */
export const draftAt = (fields) => ({
  ...{ key: newKey(), revision: null, until: null, line: null, reply: null, glyph: "", text: "" },
  ...{ tags: [], marks: [], arrows: [], drawn: [], visibility: "self", readers: [], wanted: false },
  account: "",
  ...fields,
});

/** The draft for changing a note. @param {Item} item @returns {Draft} */
export const draftOf = (item) =>
  draftAt({
    ...structuredClone(item),
    revision: item.revision ?? 1,
    reply: item.reply ?? null,
    tags: tagsBeside(item),
    drawn: [...item.marks, ...item.arrows],
  });

/** The one begun, or a new one. @param {Draft[]} kept @param {Item} root of the thread */
export const replyTo = (kept, { key, round, event, line, visibility }) =>
  kept.find(({ reply, revision }) => reply === key && revision === null) ??
  draftAt({ round, event, line: line ?? null, reply: key, visibility: visibility ?? "self" });

/** Whether nothing has been entered yet. @param {Draft} draft */
export const isBlank = ({ text, glyph, tags, marks, arrows }) =>
  !text.trim() && !glyph && !tags.length && !marks.length && !arrows.length;

/** The draft in the server's form. @param {Draft} draft */
export function bodyOf(draft) {
  const { key, round, event, glyph, text, tags, marks, arrows, visibility, readers } = draft;
  return {
    ...{ key, round, event, text, visibility },
    ...(glyph ? { glyph } : {}),
    ...(tags.length ? { tags } : {}),
    ...(marks.length ? { marks } : {}),
    ...(arrows.length ? { arrows } : {}),
    ...(draft.until === null ? {} : { until: draft.until }),
    ...(draft.line ? { line: draft.line } : {}),
    ...(draft.reply ? { reply: draft.reply } : {}),
    ...(draft.revision === null ? {} : { revision: draft.revision }),
    ...(visibility === "people" ? { readers } : {}),
  };
}

/**
 * Where a draft and the stored note differ, in words.
 * @param {Draft} draft @param {Item} now
 * @param {string[]} names of the players
 */
export function draftDifferences(draft, now, names) {
  const own = /** @type {Item} */ ({ ...draft, until: draft.until ?? undefined });
  /** @type {[string, (note: Item) => string, ((note: Item) => unknown)?][]} */
  const fields = [
    [gettext("Text"), ({ text }) => text ?? ""],
    [gettext("Symbol"), ({ glyph }) => glyph ?? ""],
    [gettext("Tags"), ({ tags }) => tagsBeside({ ...now, tags }).join(", ")],
    [
      gettext("Points at"),
      (note) => shapeWords(note, names),
      ({ marks, arrows }) => [...marks, ...arrows],
    ],
    [
      gettext("Place"),
      ({ event, until }) =>
        until
          ? gettext("event {event} to {until}", { event, until })
          : gettext("event {event}", { event }),
    ],
    [gettext("Visible to"), ({ visibility = "self" }) => audienceWords(visibility)],
    [
      gettext("Readers"),
      ({ visibility, readers = [] }) => (visibility === "people" ? readers.join(", ") : ""),
    ],
  ];
  return differing(fields, own, now);
}

/** Adds it once. @param {Draft} draft @param {string} from @param {string} to */
export function draw(draft, from, to) {
  const shape = from === to ? from : `${from}>${to}`;
  const kind = from === to ? draft.marks : draft.arrows;
  if (kind.includes(shape) || kind.length >= MOST_SHAPES) return false;
  kind.push(shape);
  draft.drawn.push(shape);
  return true;
}

/**
 * The shapes of something that is said while a seat is in view: a tag is about that seat, unless it
 * points at one already.
 * @param {{text: string, tags?: string[], marks: string[], arrows: string[]}} said
 * @param {unknown} view @returns {string[]} the marks
 */
export function marksAt({ text, tags = [], marks, arrows }, view) {
  const tagged = tags.length > 0 || /(^|\s)#\p{L}/u.test(text);
  const points = [...marks, ...arrows].some((shape) => shape.includes("seat:"));
  return tagged && !points && typeof view === "number" ? [...marks, `seat:${view}`] : marks;
}

/** Removes the last shape drawn. @param {Draft} draft */
export function undraw(draft) {
  const last = draft.drawn.pop();
  draft.marks = draft.marks.filter((mark) => mark !== last);
  draft.arrows = draft.arrows.filter((arrow) => arrow !== last);
}

/** @param {Draft} draft */
export function clear(draft) {
  draft.marks = [];
  draft.arrows = [];
  draft.drawn = [];
}

/** Those of a match. @param {string | number} match @param {Storage} storage @returns {Kept<Draft>} */
export const draftsOf = (match, storage) => new Kept(`notes.drafts.${match}`, storage);
