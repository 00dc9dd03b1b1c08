/**
 * Two versions of one thing: the other one's author and time, the differences, and a choice.
 * @typedef {import("api").Changed} Other  the other version's author and time
 * @typedef {{name: string, mine: string, theirs: string}} Difference  in words. Empty: nothing
 * @typedef {{own: () => unknown, theirs: () => unknown, both?: (() => unknown) | null}} Choices
 */

import { box, button } from "../../games/dom/elements.js";
import { gettext, pgettext, whenOf } from "../../games/words/gettext.js";

/** Of a long text only so much is shown, around where the versions differ. */
const MOST = 280;
const BEFORE = 60;

/** @param {Other | undefined} other @param {Date} [now] */
export function whoChanged(other, now) {
  if (!other) return gettext("Someone else has changed this in the meantime.");
  const all = { time: whenOf(new Date(other.at), now), name: other.by || gettext("Someone else") };
  return other.you
    ? gettext("You changed this in another tab or on another device ({time}).", all)
    : gettext("{name} changed this while you were changing it ({time}).", all);
}

/** Both texts, one after the other. One alone if it contains the other. @param {string} theirs @param {string} mine */
export function bothTexts(theirs, mine) {
  if (theirs.includes(mine)) return theirs;
  return mine.includes(theirs) ? mine : `${theirs}\n\n---\n\n${mine}`;
}

/**
 * An entry with both texts. null if one has none. @template {object} E
 * @param {E} own @param {object} theirs @returns {E | null}
 */
export function withBothTexts(own, theirs) {
  const { text } = /** @type {{text?: string}} */ (own);
  const { text: other } = /** @type {{text?: string}} */ (theirs);
  return text && other && text !== other ? { ...own, text: bothTexts(other, text) } : null;
}

/**
 * Where two versions differ, in words. @template T
 * @param {[string, (version: T) => string, ((version: T) => unknown)?][]} fields names, each
 *   version's words, and what is compared where these say less
 * @param {T} own @param {T} now @returns {Difference[]}
 */
export const differing = (fields, own, now) =>
  fields
    .filter(([, words, exact = words]) => String(exact(own)) !== String(exact(now)))
    .map(([name, words]) => ({ name, mine: words(own), theirs: words(now) }));

/** Where two texts differ, with the context. @param {string} text @param {string} beside the other one */
export function excerpt(text, beside) {
  if (text.length <= MOST) return text;
  let same = 0;
  while (same < Math.min(text.length, beside.length) && text[same] === beside[same]) same += 1;
  const from = Math.max(0, Math.min(same - BEFORE, text.length - MOST));
  const shown = text.slice(from, from + MOST);
  return `${from ? "… " : ""}${shown}${from + MOST < text.length ? " …" : ""}`;
}

/**
 * The choice between the versions. It disappears with the choice.
 * @param {Other | undefined} other @param {Difference[]} differing @param {Choices} choices
 */
export function conflictBox(other, differing, { own, theirs, both }) {
  const shown = box("section", {
    class: "notice warn conflict stack gap-2-half small",
    role: "alert",
  });
  const you = other?.you ?? false;
  const [mine, others] = you
    ? [gettext("In this tab"), gettext("In the other")]
    : [gettext("Mine"), gettext("Theirs")];
  /** @param {string} words @param {string} kind @param {() => unknown} then */
  const choice = (words, kind, then) =>
    button(`button small ${kind}`, words, () => {
      shown.remove();
      return then();
    });
  const rows = differing.map((difference) =>
    box(
      "div",
      "conflict-row panels gap-1",
      box("dt", "", difference.name),
      version(mine, difference.mine, difference.theirs),
      version(others, difference.theirs, difference.mine),
    ),
  );
  shown.append(
    box("p", "conflict-who", box("b", "", gettext("Not saved.")), ` ${whoChanged(other)}`),
    box("dl", "conflict-versions stack", ...rows),
    box(
      "p",
      "gap-1-half row",
      choice(you ? gettext("Keep this version") : gettext("Keep mine"), "primary", own),
      choice(you ? gettext("Take the other version") : gettext("Take theirs"), "", theirs),
      ...(both ? [choice(gettext("Keep both"), "", both)] : []),
    ),
  );
  requestAnimationFrame(() => shown.scrollIntoView({ block: "nearest" }));
  return shown;
}

/** @param {string} whose @param {string} words @param {string} beside */
const version = (whose, words, beside) =>
  box(
    "dd",
    "framed",
    box("span", "block soft", whose),
    excerpt(words, beside) || gettext("nothing"),
  );

/** What was written in something that was deleted meanwhile, to be copied. @param {string} words @param {() => unknown} discard */
export function lostWords(words, discard) {
  const area = box("textarea", {
    rows: "6",
    readonly: "",
    "aria-label": gettext("What you wrote"),
  });
  area.value = words;
  const shown = box(
    "section",
    { class: "notice warn conflict stack gap-2-half small", role: "alert" },
    box(
      "p",
      "",
      gettext("This chapter was deleted. Your text is here, and this browser keeps it."),
    ),
    area,
    button("button small quiet", pgettext("a draft", "Discard"), () => {
      shown.remove();
      return discard();
    }),
  );
  return shown;
}
