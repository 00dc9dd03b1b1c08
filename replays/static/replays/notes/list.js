/**
 * The list of notes: threads in order of position, as many as can be read at once. The chosen
 * thread is open, with its replies and actions.
 * @import { Item, Thread } from "./items.js"
 * @typedef {{names: string[], when: (item: Item) => string,
 *   choose: (item: Item) => void, act: (name: string, item: Item) => void,
 *   may: () => {write: boolean, reply: boolean, settle: boolean, hide: boolean, study: boolean}, isNew: (item: Item) => boolean, loops: (item: Item) => boolean}} Way
 */

import { arrange, box, bringIntoView, button, single } from "../../games/dom/elements.js";
import { entered, html, nothing, options, render } from "../../games/dom/templates.js";
import { gettext, ngettext } from "../../games/words/gettext.js";
import { forClass } from "../outbox/audience.js";
import { choices, GLYPHS, linked, shapeWords, tagsBeside, windowAround } from "./items.js";

const ANY = { by: gettext("Everyone"), tag: gettext("Any tag"), glyph: gettext("Any symbol") };
const NAMES = { by: gettext("Author"), tag: gettext("Tag"), glyph: gettext("Symbol") };
/** From so many notes on one can look for words. */
const MANY = 8;
const FIELDS = /** @type {const} */ (["by", "tag", "glyph"]);

/** What the list shows: by author, tag and glyph, and by words once there are many. */
export class FilterBar {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.chosen = { by: "", tag: "", glyph: "", text: "" };
    this.element = box("div", "notes-bar gap-1-half row");
    this.offer([]);
  }

  /** @param {Item[]} items */
  offer(items) {
    const known = choices(items);
    const selects = FIELDS.map((field) => this.#select(field, known[field]));
    const few = items.length < MANY && !this.chosen.text;
    const find = html`<input type="search" class="notes-filter small" maxlength="64" ?hidden=${few}
      placeholder=${gettext("Find")} aria-label=${gettext("Find in text and tags")}
      @input=${entered((text) => this.#choose("text", text.trim()))}>`;
    render([selects, find], this.element);
  }

  /** @param {"by" | "tag" | "glyph"} field @param {string[]} values */
  #select(field, values) {
    if (!values.includes(this.chosen[field])) this.chosen[field] = "";
    const choices = ["", ...values].map(
      (value) => /** @type {const} */ ([value, wordsOf(field, value)]),
    );
    return html`<select class="notes-filter small" aria-label=${NAMES[field]}
      ?hidden=${values.length < (field === "by" ? 2 : 1)}
      @change=${entered((value) => this.#choose(field, value))}
    >${options(choices, this.chosen[field])}</select>`;
  }

  /** @param {keyof import("./items.js").Filter} field @param {string} value */
  #choose(field, value) {
    this.chosen[field] = value;
    this.changed();
  }
}

/** @param {"by" | "tag" | "glyph"} field @param {string} value */
function wordsOf(field, value) {
  if (!value) return ANY[field];
  return field === "glyph" ? `${value} ${GLYPHS[value]}` : value;
}

/** How many threads are drawn at once. */
const DRAWN = 60;

const SHARED = /** @type {Record<string, string>} */ ({
  self: gettext("only you see it"),
  link: gettext("by link"),
  people: gettext("for named people"),
  everyone: gettext("public"),
});

/** A note's content. @param {Item} item */
function bodyOf({ html: made, text = "", round }) {
  // The server made this HTML from Markdown and left nothing in it but text and links.
  if (made) return html`<div class="note-body" .innerHTML=${made}></div>`;
  const plain = html`<p class="note-plain">${linked(text, round).map(link)}</p>`;
  return html`<div class="note-body">${text ? plain : nothing}</div>`;
}

/** @param {string | {words: string, href: string}} part */
function link(part) {
  if (typeof part === "string") return part;
  const kind = part.href.startsWith("?card") ? "card-link" : "moment-link";
  return html`<a class=${kind} href=${part.href}>${part.words}</a>`;
}

export class NoteList {
  /** @param {HTMLElement} root @param {Way} way */
  constructor(root, way) {
    this.root = root;
    this.way = way;
    /** @type {Thread[]} */
    this.threads = [];
    /** The threads' rows by their keys. @type {Map<string, HTMLElement>} */
    this.rows = new Map();
    this.anchor = 0;
    /** @type {string | null} */
    this.chosen = null;
    /** @type {HTMLElement[]} */
    this.here = [];
  }

  /** @param {Thread[]} threads @param {string | null} chosen the key of the open one */
  show(threads, chosen) {
    this.threads = threads;
    this.chosen = chosen;
    const at = this.#indexOf(chosen);
    const { from, to } = windowAround(threads.length, this.anchor, DRAWN);
    if (at >= 0 && (at < from || at >= to)) this.anchor = at;
    this.draw();
  }

  /** @param {string | null} key */
  #indexOf(key) {
    return this.threads.findIndex(
      ({ root, replies }) => root.key === key || replies.some((reply) => reply.key === key),
    );
  }

  draw() {
    const focused = document.activeElement?.closest("[data-key]")?.getAttribute("data-key");
    const { from, to } = windowAround(this.threads.length, this.anchor, DRAWN);
    const rows = this.threads.slice(from, to).map((thread) => this.#row(thread));
    this.rows = new Map(rows.map((row) => [row.dataset.key ?? "", row]));
    const earlier = this.#more(from, false, from - DRAWN / 2);
    const later = this.#more(this.threads.length - to, true, to);
    arrange(this.root, [...earlier, ...rows, ...later]);
    if (focused && !this.root.contains(document.activeElement)) this.focus(focused);
  }

  /** The row of a note, also of a reply. @param {string} key @returns {HTMLElement | null} */
  rowOf(key) {
    return this.root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  }

  /** @param {number} count @param {boolean} later @param {number} anchor */
  #more(count, later, anchor) {
    if (count <= 0) return [];
    const go = () => {
      this.anchor = Math.max(0, anchor);
      this.draw();
      this.root.scrollTop = later ? 0 : this.root.scrollHeight;
    };
    const words = later
      ? ngettext("{count} note later", "{count} notes later", count)
      : ngettext("{count} note earlier", "{count} notes earlier", count);
    return [box("li", "note-more centered", button("button small", words, go))];
  }

  /** @param {string} key */
  focus(key) {
    this.rowOf(key)?.querySelector("button")?.focus({ preventScroll: true });
  }

  /** Scrolls a note into view without moving the page. @param {string} key */
  reveal(key) {
    const row = this.rowOf(key);
    if (!row) return;
    const { top, bottom } = row.getBoundingClientRect();
    const seen = this.root.getBoundingClientRect();
    if (top < seen.top) this.root.scrollTop += top - seen.top;
    else if (bottom > seen.bottom)
      this.root.scrollTop += Math.min(bottom - seen.bottom, top - seen.top);
  }

  /** Scrolls the page too, where the list is below the table. @param {string} key */
  bring(key) {
    const row = this.rowOf(key);
    if (row) bringIntoView(row);
  }

  /** Marks the notes at the cursor. @param {Item[]} items */
  mark(items) {
    const here = items.flatMap(({ key }) => this.rowOf(key) ?? []);
    for (const row of this.here) if (!here.includes(row)) row.classList.remove("is-here");
    for (const row of here) row.classList.add("is-here");
    const come = here.length > 0 && here[0] !== this.here[0];
    this.here = here;
    if (!come) return;
    // They stay in sight, unless the reader is elsewhere in the list.
    requestAnimationFrame(() => {
      const key = this.here[0]?.dataset.key;
      if (key && !this.root.matches(":hover, :focus-within")) this.reveal(key);
    });
  }

  /** Begins the list with the notes of a place. @param {number} round @param {number} event */
  start(round, event) {
    const at = this.threads.findIndex(
      ({ root }) => root.round > round || (root.round === round && root.event >= event),
    );
    this.anchor = at < 0 ? this.threads.length : at;
    this.draw();
  }

  /** @param {Thread} thread */
  #row({ root, replies }) {
    const row = this.rows.get(root.key) ?? box("li", { class: "note", "data-key": root.key });
    const open = [root, ...replies].some(({ key }) => key === this.chosen);
    row.classList.toggle("is-chosen", open);
    row.classList.toggle("is-settled", Boolean(root.settled));
    row.classList.toggle("is-hidden", Boolean(root.hidden));
    if (!open) row.querySelector(":scope > .note-history")?.remove(); // of `noteactions.js`
    // The button above does the same for the keyboard.
    const choose = (/** @type {MouseEvent} */ { target }) => {
      const pressed = target instanceof Element && target.closest("a, button");
      if (!pressed && getSelection()?.isCollapsed !== false) this.way.choose(root);
    };
    const head = this.#head(root, replies, open);
    const said = this.#said(root, open ? nothing : choose);
    const more = [this.#actions(root), this.#replies(replies)];
    render(html`${head}${said}${open ? more : nothing}`, row);
    return row;
  }

  /** @param {Item} item */
  #by(item) {
    const by = byWords(item, !this.way.may().study);
    return html`<span class="note-by">${by}</span>`;
  }

  /** @param {boolean} unread */
  #new(unread) {
    return unread ? html`<b class="note-new pill text-xs">${gettext("new")}</b>` : nothing;
  }

  /** @param {Item} item @param {Item[]} replies @param {boolean} open */
  #head(item, replies, open) {
    const { way } = this;
    const place = gettext("Round {round}, {when}", { round: item.round, when: way.when(item) });
    const words = GLYPHS[item.glyph ?? ""] ?? "";
    const glyph = html`<b class="note-glyph text-m" title=${words}>${item.glyph}</b><span class="spoken">${words}</span>`;
    const count = ngettext("{count} reply", "{count} replies", replies.length);
    const more = html`<span class="note-replies">${count}</span>`;
    const settled = html`<span class="note-settled">${gettext("settled")}</span>`;
    return html`<button type="button" class="note-head starts baseline full unbound row soft small bare" aria-expanded=${open}
      @click=${() => way.choose(item)}>
      <span class="note-place">${place}</span>
      ${item.glyph ? glyph : nothing} ${this.#by(item)} ${replies.length ? more : nothing}
      ${item.settled ? settled : nothing} ${this.#new([item, ...replies].some(way.isNew))}
    </button>`;
  }

  /** @param {Item} item @param {unknown} [press] */
  #said(item, press = nothing) {
    const words = shapeWords(item, this.way.names);
    const tags = tagsBeside(item).map((tag) => html`<li class="note-tag pill text-xs">${tag}</li>`);
    const list = html`<ul class="note-tags gap-1 row" aria-label=${gettext("Tags")}>${tags}</ul>`;
    const shapes = gettext("Points at {shapes}", { shapes: words });
    const shown = html`<p class="note-shows if-any soft small">${shapes}</p>`;
    const why = whyHidden(item);
    const hidden = html`<p class="note-why small">${why}</p>`;
    return html`<div class="note-said" @click=${press}>
      ${bodyOf(item)}${tags.length ? list : nothing}${words ? shown : nothing}${why ? hidden : nothing}
    </div>`;
  }

  /** @param {Item} item */
  #actions(item) {
    const { way } = this;
    const may = way.may();
    const able = [
      ...(item.until !== undefined
        ? [["loop", way.loops(item) ? gettext("Stop the loop") : gettext("Loop")]]
        : []),
      ...(may.reply && !item.log ? [["reply", gettext("Reply")]] : []),
      ...(may.write && item.log && !item.variation ? [["copy", gettext("Copy to my notes")]] : []),
      ...(!item.log ? [["link", gettext("Copy link")]] : []),
      ...(item.mine ? ownActions(item) : may.settle && !item.log ? leadersActions(item) : []),
      ...(!item.mine && !item.log ? [["report", gettext("Report")]] : []),
      ...(may.hide && !item.mine && !item.log
        ? [["hide", item.hidden ? gettext("Show again") : gettext("Hide")]]
        : []),
    ];
    const buttons = able.map(
      ([name, words]) => html`<button type="button" class="note-action strong soft small bare"
        data-action=${name} @click=${single(() => way.act(name, item))}>${words}</button>`,
    );
    return html`<div class="note-actions gap-half row" role="group" aria-label=${gettext("This note")}>
      ${buttons}
    </div>`;
  }

  /** @param {Item[]} replies */
  #replies(replies) {
    const items = replies.map((item) => {
      const kind = item.hidden ? "note-reply is-hidden" : "note-reply";
      const head = html`${this.#by(item)}${this.#new(this.way.isNew(item))}`;
      return html`<li class=${kind} data-key=${item.key}>
        <p class="note-head starts baseline full unbound row soft small bare">${head}</p>
        ${this.#said(item)}${this.#actions(item)}
      </li>`;
    });
    return replies.length ? html`<ol class="note-thread">${items}</ol>` : nothing;
  }
}

/** @param {Item} item @param {boolean} alone whether it is in no study, which would share it */
function byWords(item, alone) {
  const kind = item.variation ? gettext("What-if") : item.log ? gettext("in the record") : "";
  const { visibility = "self" } = item;
  const shared = item.mine && alone ? (SHARED[visibility] ?? forClass(visibility)) : "";
  const hidden = item.hidden ? gettext("hidden by a moderator") : "";
  return [item.by ?? "", kind, shared, hidden].filter(Boolean).join(" · ");
}

/** A hidden note's words for its author, or a moderator. @param {Item} item */
export function whyHidden({ hidden, mine, why_hidden: reason, answered }) {
  if (!hidden || (!mine && !reason && !answered)) return "";
  if (!mine) {
    const said = [
      reason ? gettext("Hidden: “{reason}”", { reason }) : gettext("Hidden."),
      ...(answered ? [gettext("Its author has changed it since.")] : []),
    ];
    return said.join(" ");
  }
  const said = [
    reason
      ? gettext("A moderator has hidden this note: “{reason}”", { reason })
      : gettext("A moderator has hidden this note."),
    gettext("Only you and moderators see it."),
    answered
      ? gettext("You have changed it since: a moderator will look at it again.")
      : gettext("If you change it, a moderator will look at it again."),
  ];
  return said.join(" ");
}

/** @param {Item} item */
const settling = (item) => ["settle", item.settled ? gettext("Reopen") : gettext("Resolve")];

/** The actions of a study's writers on others' notes there. @param {Item} item */
const leadersActions = (item) => [item.reply ? ["delete", gettext("Delete")] : settling(item)];

/** @param {Item} item @returns {string[][]} */
const ownActions = (item) => [
  ["edit", gettext("Edit")],
  ...(item.reply ? [] : [settling(item)]),
  ...((item.revision ?? 1) > 1 ? [["history", gettext("History")]] : []),
  ["delete", gettext("Delete")],
];
