/**
 * The editor of one note. It belongs to the place where it was opened, wherever the cursor goes.
 * Each change is stored in the browser at once.
 * @typedef {import("./drafts.js").Draft} Draft
 * @typedef {{names: string[], known: string[], signer: string | null, audiences: [string, string][], targets: () => string[],
 *   place: (draft: Draft) => string, changed: () => void, typed: () => void, here: () => {round: number, event: number},
 *   drawing: (on: boolean) => void, people: () => string[],
 *   preview: (text: string) => Promise<{html: string, tags: string[]} | null>,
 *   save: () => void, leave: () => void, discard: () => void}} Way `signer`: a guest's name, empty
 *   if none yet, null for an account. `people`: accounts to mention. `audiences`: none where the
 *   study decides.
 */

import { onSubmit, picker } from "../../games/dom/controls.js";
import { box, button } from "../../games/dom/elements.js";
import { composes } from "../../games/dom/keptkeys.js";
import { entered, html, nothing, options, render, smallButton } from "../../games/dom/templates.js";
import { gettext, pgettext } from "../../games/words/gettext.js";
import { namesIn } from "../outbox/audience.js";
import { Completion } from "./completing.js";
import { clear, MOST_TAGS, undraw } from "./drafts.js";
import { GLYPHS, markWords, shapeWords } from "./items.js";

/**
 * Pointing without a pointer: at one thing or, for an arrow, from it to another.
 * @param {string[]} targets marks that can be pointed at
 * @param {string[]} names @param {(from: string, to: string) => void} add
 */
function pointField(targets, names, add) {
  /** @param {string} label @param {string} none */
  const select = (label, none) => {
    const marks = targets.map((mark) => /** @type {const} */ ([mark, markWords(mark, names)]));
    return picker({ "aria-label": label }, none ? [["", none], ...marks] : marks);
  };
  const from = select(gettext("Point at"), "");
  const to = select(gettext("With an arrow to"), gettext("no arrow"));
  const put = button("button small", gettext("Add"), () => add(from.value, to.value || from.value));
  return box("div", "note-pointing gap-1-half line", from, box("span", "", "→"), to, put);
}

const PREVIEW_MS = 350;
const HOW_TO_MARK = gettext("Press on the table to mark something. Drag for an arrow.");

export class Editor {
  /** @param {Draft} draft @param {Way} way */
  constructor(draft, way) {
    this.draft = draft;
    this.way = way;
    /** As a guest has typed it. */
    this.name = way.signer;
    /** Whether a plain press on the table draws. */
    this.drawing = false;
    /** The lists of marks, while they are open. @type {HTMLElement | typeof nothing} */
    this.pointing = nothing;
    this.preview = "";
    /** The tags that the text names: they go only with their words. @type {string[]} */
    this.inText = [];
    this.status = { words: "", bad: false };
    this.timer = 0;
    /** Called by pointing in the form. @type {((from: string, to: string) => void) | undefined} */
    this.drawn = undefined;
    this.text = box("textarea", { maxlength: 4000, rows: 3, "aria-label": gettext("Text") });
    this.text.value = draft.text;
    this.text.placeholder = draft.reply
      ? gettext("Your reply")
      : gettext("What matters here? **Bold**, @0:34.1 for a time, B5a for a card, #tag, @name");
    this.text.addEventListener("input", () => this.#typed());
    this.typing = new Completion(this.text, { "@": way.people, "#": () => way.known });
    this.extra = box("div", "editor-extra if-any stack gap-1-half");
    const label = draft.reply ? gettext("Reply") : gettext("Note");
    this.form = box("form", { class: "note-editor stack framed", "aria-label": label });
    this.form.addEventListener("keydown", (event) => this.#key(event));
    onSubmit(this.form, () => way.save());
    this.refresh();
    if (draft.text) this.#preview();
  }

  refresh() {
    const { draft, status, way } = this;
    const rich = () => [this.#glyphs(), this.#span(), this.#shapes(), this.#tags()];
    const form = html`
      <h3 class="editor-place small">${way.place(draft)}</h3>
      ${this.typing.element} ${draft.reply ? nothing : rich()}
      ${this.#sharing()} ${this.#ends()}
      <p class="note-status if-any small ${status.bad ? "is-bad" : ""}" role="status">${status.words}</p>
      <div class="note-body editor-preview if-any" .innerHTML=${this.preview}></div>
      ${this.extra}`;
    render(form, this.form);
  }

  #typed() {
    this.draft.text = this.text.value;
    this.way.typed();
    this.#changed();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.#preview(), PREVIEW_MS);
  }

  #glyphs() {
    const { draft } = this;
    const choices = [["", gettext("No symbol")], ...Object.entries(GLYPHS)].map(
      ([glyph, words]) => html`<label class="glyph-choice anchor fill centered" title=${words}>
        <input type="radio" name="glyph" class="spoken" value=${glyph}
          .checked=${glyph === draft.glyph} @change=${() => this.#change({ glyph })}>
        <span class="glyph-face" aria-hidden="true">${glyph || "–"}</span>
        <span class="spoken">${words}</span>
      </label>`,
    );
    return html`<fieldset class="line gap-half stretch">
      <legend class="spoken">${gettext("Symbol")}</legend>${choices}
    </fieldset>`;
  }

  #span() {
    return html`<div class="gap-1-half row" role="group" aria-label=${gettext("Span")}>
      ${smallButton(gettext("Start here"), () => this.#setEnd("event"))}
      ${smallButton(gettext("End here"), () => this.#setEnd("until"))}
    </div>`;
  }

  /** Begins or ends the span at the cursor. @param {"event" | "until"} side */
  #setEnd(side) {
    const { draft, way } = this;
    const { round, event } = way.here();
    if (round !== draft.round)
      return this.say(gettext("The note is on round {round}.", { round: draft.round }));
    const start = side === "event" ? event : draft.event;
    const end = side === "until" ? event : draft.until;
    this.#change({
      event: Math.min(start, end ?? start),
      until: end === null || end === start ? null : Math.max(start, end),
    });
  }

  #shapes() {
    const { draft, drawing, way } = this;
    const shapes = shapeWords(draft, way.names);
    const undrawn = { disabled: !shapes };
    /** @param {(draft: Draft) => void} does */
    const redo = (does) => () => {
      does(draft);
      this.#changed();
    };
    const hint = drawing ? HOW_TO_MARK : "";
    return html`<div class="gap-1-half row" role="group" aria-label=${gettext("Marks and arrows")}>
      <button type="button" class="button small" aria-pressed=${drawing}
        title="${HOW_TO_MARK} ${gettext("Or hold Shift at any time.")}"
        @click=${() => this.draw(!drawing)}>${gettext("Mark on the table")}</button>
      ${smallButton(gettext("Undo"), redo(undraw), undrawn)}
      ${smallButton(gettext("Clear"), redo(clear), undrawn)}
      <details class="editor-words" @toggle=${(/** @type {Event} */ event) => this.#point(event)}>
        <summary>${gettext("Choose marks from lists")}</summary>${this.pointing}
      </details>
    </div>
    <p class="note-shows if-any soft small" role="status">${
      shapes ? gettext("Points at {shapes}", { shapes }) : hint
    }</p>`;
  }

  /** @param {Event} event of the lists of marks */
  #point({ target }) {
    const { way } = this;
    const { open } = /** @type {HTMLDetailsElement} */ (target);
    const add = (/** @type {string} */ from, /** @type {string} */ to) => this.drawn?.(from, to);
    this.pointing = open ? pointField(way.targets(), way.names, add) : nothing;
    this.refresh();
  }

  /** Tags as chips, with a field for the next one. Enter or a comma ends a tag. */
  #tags() {
    const { draft, inText, way } = this;
    const named = inText.map(
      (tag) =>
        html`<span class="note-tag pill text-xs" title=${gettext("From the text")}># ${tag}</span>`,
    );
    const own = draft.tags
      .filter((tag) => !inText.includes(tag))
      .map(
        (tag) => html`<button type="button" class="note-tag pill text-xs is-removable"
          aria-label=${gettext("Remove the tag {tag}", { tag })}
          @click=${() => this.#untag(tag)}>${tag} ×</button>`,
      );
    const known = way.known.map((tag) => html`<option value=${tag}>${tag}</option>`);
    return html`<div class="note-tagging gap-1-half row">
      <span class="tag-chips">${named}${own}</span>
      <input class="tag-input" maxlength="32" autocomplete="off" list="note-known-tags"
        aria-label=${gettext("Add a tag")} placeholder=${gettext("Add a tag")}
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.#tagKey(event)}
        @change=${(/** @type {Event} */ event) => this.#tag(event)}>
      <datalist id="note-known-tags">${known}</datalist>
    </div>`;
  }

  /** @param {KeyboardEvent} event */
  #tagKey(event) {
    if ((event.key !== "Enter" && event.key !== ",") || composes(event)) return;
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#tag(event);
  }

  /** @param {Event} event of the field */
  #tag({ target }) {
    const input = /** @type {HTMLInputElement} */ (target);
    const tag = input.value
      .replace(/^\s*#+/, "")
      .replaceAll(",", " ")
      .trim();
    input.value = "";
    const { tags } = this.draft;
    if (tag && !tags.includes(tag) && tags.length < MOST_TAGS)
      this.#change({ tags: [...tags, tag] });
  }

  /** @param {string} tag */
  #untag(tag) {
    this.#change({ tags: this.draft.tags.filter((other) => other !== tag) });
    /** @type {HTMLElement | null} */ (this.form.querySelector(".tag-input"))?.focus();
  }

  /** Switches drawing with plain presses on the table. @param {boolean} on */
  draw(on) {
    this.drawing = on;
    this.way.drawing(on);
    this.refresh();
  }

  #sharing() {
    const { draft, way } = this;
    const people = draft.visibility === "people" && draft.reply === null;
    const readers = entered((names) => this.#change({ readers: namesIn(names) }));
    return html`<div class="gap-1-half row">
      <label class="editor-sharing stack gap-half" ?hidden=${!way.audiences.length}>
        <span class="label">${gettext("Visible to")}</span>
        <select @change=${entered((visibility) => this.#change({ visibility }))}
        >${options(way.audiences, draft.visibility)}</select>
      </label>
      <label class="editor-people stack gap-half" ?hidden=${!people}>
        <span class="label">${gettext("Account names")}</span>
        <input value=${draft.readers.join(", ")} placeholder=${gettext("Ann, Bob")} @input=${readers}>
      </label>
      ${way.signer === null ? nothing : this.#naming(way.signer)}
    </div>`;
  }

  /** A guest may change the name here. One who leaves it empty gets one. @param {string} signer */
  #naming(signer) {
    const take = entered((name) => {
      this.name = name;
    });
    return html`<label class="editor-name stack gap-half">
      <span class="label">${gettext("Your name")}</span>
      <input maxlength="30" autocomplete="nickname" placeholder=${gettext("Guest")}
        value=${signer} @input=${take}>
    </label>`;
  }

  #ends() {
    const { draft, way } = this;
    const discard =
      draft.revision === null ? pgettext("a draft", "Discard") : gettext("Discard the changes");
    return html`<div class="gap-1-half row">
      <button class="button small primary" title=${gettext("Save (Ctrl+Enter)")}>${gettext("Save")}</button>
      ${smallButton(discard, way.discard, { kind: "quiet" })}
    </div>`;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (composes(event)) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.form.requestSubmit();
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.way.leave();
    }
  }

  async #preview() {
    const { text } = this.draft;
    const shown = text.trim() ? await this.way.preview(text) : { html: "", tags: [] };
    if (shown === null || text !== this.draft.text) return;
    this.preview = shown.html;
    this.inText = shown.tags;
    this.refresh();
  }

  /** @param {Partial<Draft>} fields */
  #change(fields) {
    Object.assign(this.draft, fields);
    this.#changed();
  }

  #changed() {
    this.refresh();
    this.way.changed();
  }

  /** Takes over what a choice between versions has made of it. @param {Draft} draft */
  take({ text, revision }) {
    this.draft.revision = revision;
    if (text === this.draft.text) return;
    this.draft.text = text;
    this.text.value = text;
  }

  /** @param {string} text */
  put(text) {
    this.text.value = text;
    this.#change({ text });
    this.#preview();
  }

  /** @param {string} words @param {boolean} [bad] */
  say(words, bad = false) {
    this.status = { words, bad };
    this.refresh();
  }
}
