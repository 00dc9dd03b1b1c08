/**
 * The list of notes: threads in order of position, as many as can be read at once. The chosen
 * thread is open, with its replies and actions.
 * @import { Item, Thread } from "./items.js"
 * @typedef {{names: string[], when: (item: Item) => string,
 *   choose: (item: Item) => void, act: (name: string, item: Item) => void,
 *   may: () => {write: boolean, reply: boolean, settle: boolean, hide: boolean, study: boolean}, isNew: (item: Item) => boolean, loops: (item: Item) => boolean}} Way
 */

import { group } from "../../games/dom/controls.js";
import { arrange, box, bringIntoView, button } from "../../games/dom/elements.js";
import { gettext, ngettext } from "../../games/words/gettext.js";
import { forClass } from "../outbox/audience.js";
import { choices, GLYPHS, linked, shapeWords, windowAround } from "./items.js";

const ANY = { by: gettext("Everyone"), tag: gettext("Any tag"), glyph: gettext("Any symbol") };
const NAMES = { by: gettext("Author"), tag: gettext("Tag"), glyph: gettext("Symbol") };
/** From so many notes on one can look for words. */
const MANY = 8;
const FIELDS = /** @type {const} */ (["by", "tag", "glyph"]);

/** What the list shows: by author, tag and glyph, and by words once there are many. */
export class FilterBar {
  /** @param {() => void} changed */
  constructor(changed) {
    this.chosen = { by: "", tag: "", glyph: "", text: "" };
    this.element = box("div", "notes-bar row");
    this.selects = FIELDS.map((field) => {
      const hidden = { class: "notes-filter", hidden: true };
      const select = box("select", { ...hidden, "aria-label": NAMES[field] });
      select.addEventListener("change", () => {
        this.chosen[field] = select.value;
        changed();
      });
      this.element.append(select);
      return select;
    });
    this.find = this.#find(changed);
    this.element.append(this.find);
  }

  /** @param {() => void} changed */
  #find(changed) {
    const empty = { type: "search", maxlength: 64, placeholder: gettext("Find"), hidden: true };
    const words = { class: "notes-filter", "aria-label": gettext("Find in text and tags") };
    const input = box("input", { ...empty, ...words });
    input.addEventListener("input", () => {
      this.chosen.text = input.value.trim();
      changed();
    });
    return input;
  }

  /** @param {import("./items.js").Item[]} items */
  offer(items) {
    this.find.hidden = items.length < MANY && !this.chosen.text;
    const known = choices(items);
    FIELDS.forEach((field, at) => {
      const select = this.selects[at];
      const values = known[field];
      const kept = values.includes(this.chosen[field]) ? this.chosen[field] : "";
      this.chosen[field] = kept;
      select.hidden = values.length < (field === "by" ? 2 : 1);
      if (select.dataset.values === values.join("\n")) return;
      select.dataset.values = values.join("\n");
      const words = (/** @type {string} */ value) =>
        field === "glyph" ? `${value} ${GLYPHS[value]}` : value;
      select.replaceChildren(
        new Option(ANY[field], ""),
        ...values.map((value) => new Option(words(value), value)),
      );
      select.value = kept;
    });
  }
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
export function bodyOf(item) {
  const body = box("div", "note-body");
  // The server made this HTML from Markdown and left nothing in it but text and links.
  if (item.html) body.innerHTML = item.html;
  else if (item.text)
    body.append(box("p", "note-plain", ...linked(item.text, item.round).map(link)));
  return body;
}

/** @param {string | {words: string, href: string}} part */
function link(part) {
  if (typeof part === "string") return part;
  const kind = part.href.startsWith("?card") ? "card-link" : "moment-link";
  return box("a", { class: kind, href: part.href }, part.words);
}

/** Whether two rows are alike, wherever the cursor and open forms are. @param {HTMLElement} old @param {HTMLElement} row */
function looksLike(old, row) {
  const copy = /** @type {HTMLElement} */ (old.cloneNode(true));
  for (const part of [copy, ...copy.querySelectorAll(".is-here")]) part.classList.remove("is-here");
  for (const form of copy.querySelectorAll(".note-history")) form.remove();
  return copy.isEqualNode(row);
}

export class NoteList {
  /** @param {HTMLElement} root @param {Way} way */
  constructor(root, way) {
    this.root = root;
    this.way = way;
    /** @type {Thread[]} */
    this.threads = [];
    /** @type {Map<string, HTMLElement>} */
    this.rows = new Map();
    /** What a row was made of. @type {WeakMap<HTMLElement, string>} */
    this.made = new WeakMap();
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
    this.#draw();
  }

  /** @param {string | null} key */
  #indexOf(key) {
    return this.threads.findIndex(
      ({ root, replies }) => root.key === key || replies.some((reply) => reply.key === key),
    );
  }

  #draw() {
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    const focused = active?.closest("[data-key]")?.getAttribute("data-key");
    const { from, to } = windowAround(this.threads.length, this.anchor, DRAWN);
    const forms = this.#openForms();
    const before = new Map(this.rows);
    this.rows.clear();
    this.here = [];
    const rows = this.threads
      .slice(from, to)
      .map((thread) => this.#kept(thread, before.get(thread.root.key)));
    const earlier = this.#more(from, false, from - DRAWN / 2);
    const later = this.#more(this.threads.length - to, true, to);
    const open = this.#indexOf(this.chosen);
    for (const [key, form] of forms)
      if (open >= 0 && this.#indexOf(key) === open) this.rows.get(key)?.append(form);
    arrange(this.root, [...earlier, ...rows, ...later]);
    if (forms.some(([, form]) => form.contains(active))) active?.focus({ preventScroll: true });
    if (focused && !this.root.contains(document.activeElement)) this.focus(focused);
  }

  /** What is open in the rows (`noteactions.js`): nothing that is redrawn may close it. */
  #openForms() {
    return [...this.rows].flatMap(([key, row]) => {
      const form = row.querySelector(":scope > .note-history");
      return form ? [/** @type {const} */ ([key, form])] : [];
    });
  }

  /** @param {number} count @param {boolean} later @param {number} anchor */
  #more(count, later, anchor) {
    if (count <= 0) return [];
    const go = () => {
      this.anchor = Math.max(0, anchor);
      this.#draw();
      this.root.scrollTop = later ? 0 : this.root.scrollHeight;
    };
    const words = later
      ? ngettext("{count} note later", "{count} notes later", count)
      : ngettext("{count} note earlier", "{count} notes earlier", count);
    return [box("li", "note-more", button("button small", words, go))];
  }

  /** @param {string} key */
  focus(key) {
    this.rows.get(key)?.querySelector("button")?.focus({ preventScroll: true });
  }

  /** Scrolls a note into view without moving the page. @param {string} key */
  reveal(key) {
    const row = this.rows.get(key);
    if (!row) return;
    const { top, bottom } = row.getBoundingClientRect();
    const seen = this.root.getBoundingClientRect();
    if (top < seen.top) this.root.scrollTop += top - seen.top;
    else if (bottom > seen.bottom)
      this.root.scrollTop += Math.min(bottom - seen.bottom, top - seen.top);
  }

  /** Scrolls the page too, where the list is below the table. @param {string} key */
  bring(key) {
    const row = this.rows.get(key);
    if (row) bringIntoView(row);
  }

  /** Marks the notes at the cursor. @param {Item[]} items */
  mark(items) {
    const here = items.flatMap(({ key }) => this.rows.get(key) ?? []);
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
    this.#draw();
  }

  /** The row of a thread: the one that is there, if it says the same. @param {Thread} thread @param {HTMLElement} [old] */
  #kept(thread, old) {
    const made = JSON.stringify(thread);
    const row = this.#row(thread);
    const same = old && this.made.get(old) === made && looksLike(old, row) ? old : row;
    for (const part of [
      same,
      .../** @type {NodeListOf<HTMLElement>} */ (same.querySelectorAll("[data-key]")),
    ])
      this.rows.set(part.dataset.key ?? "", part);
    this.made.set(same, made);
    return same;
  }

  /** @param {Thread} thread */
  #row({ root, replies }) {
    const open = [root, ...replies].some(({ key }) => key === this.chosen);
    const row = box("li", "note");
    row.dataset.key = root.key;
    row.classList.toggle("is-chosen", open);
    row.classList.toggle("is-settled", Boolean(root.settled));
    row.classList.toggle("is-hidden", Boolean(root.hidden));
    const said = this.#said(root);
    // The button above does the same for the keyboard.
    said.addEventListener("click", ({ target }) => {
      const pressed = target instanceof Element && target.closest("a, button");
      if (!open && !pressed && getSelection()?.isCollapsed !== false) this.way.choose(root);
    });
    row.append(this.#head(root, replies, open), said);
    if (open) row.append(this.#actions(root), ...this.#replies(replies));
    return row;
  }

  /** @param {Item} item */
  #by(item) {
    return byWords(item, !this.way.may().study);
  }

  /** @param {Item} item @param {Item[]} replies @param {boolean} open */
  #head(item, replies, open) {
    const { way } = this;
    const place = box(
      "span",
      "note-place",
      gettext("Round {round}, {when}", { round: item.round, when: way.when(item) }),
    );
    const unread = [item, ...replies].some((note) => way.isNew(note));
    const head = button("note-head row soft small bare", "", () => way.choose(item));
    head.setAttribute("aria-expanded", String(open));
    head.append(
      place,
      ...this.#glyph(item),
      box("span", "note-by", this.#by(item)),
      ...(replies.length
        ? [
            box(
              "span",
              "note-replies",
              ngettext("{count} reply", "{count} replies", replies.length),
            ),
          ]
        : []),
      ...(item.settled ? [box("span", "note-settled", gettext("settled"))] : []),
      ...(unread ? [box("b", "note-new", gettext("new"))] : []),
    );
    return head;
  }

  /** @param {Item} item */
  #glyph({ glyph }) {
    if (!glyph) return [];
    const shown = box("b", { class: "note-glyph", title: GLYPHS[glyph] ?? "" }, glyph);
    return [shown, box("span", "spoken", GLYPHS[glyph] ?? "")];
  }

  /** @param {Item} item */
  #said(item) {
    const said = box("div", "note-said", bodyOf(item));
    const shapes = shapeWords(item, this.way.names);
    const tags = item.tags.map((tag) => box("li", "note-tag", tag));
    if (tags.length) {
      const list = box("ul", { class: "note-tags row", "aria-label": gettext("Tags") }, ...tags);
      said.append(list);
    }
    if (shapes)
      said.append(box("p", "note-shows soft small", gettext("Points at {shapes}", { shapes })));
    const why = whyHidden(item);
    if (why) said.append(box("p", "note-why", why));
    return said;
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
    const buttons = able.map(([name, words]) => {
      const element = button("note-action soft small bare", words, () => way.act(name, item));
      element.dataset.action = name;
      return element;
    });
    return group(gettext("This note"), "note-actions row", ...buttons);
  }

  /** @param {Item[]} replies */
  #replies(replies) {
    if (!replies.length) return [];
    const items = replies.map((item) => {
      const head = box(
        "p",
        "note-head row soft small bare",
        box("span", "note-by", this.#by(item)),
      );
      if (this.way.isNew(item)) head.append(box("b", "note-new", gettext("new")));
      const row = box("li", "note-reply", head, this.#said(item), this.#actions(item));
      row.dataset.key = item.key;
      row.classList.toggle("is-hidden", Boolean(item.hidden));
      this.rows.set(item.key, row);
      return row;
    });
    return [box("ol", "note-thread", ...items)];
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
