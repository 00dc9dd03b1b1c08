/**
 * The editor of one note. It belongs to the place where it was opened, wherever the cursor goes.
 * Each change is stored in the browser at once.
 * @typedef {import("./drafts.js").Draft} Draft
 * @typedef {{names: string[], known: string[], signer: string | null, audiences: [string, string][], targets: () => string[],
 *   place: (draft: Draft) => string, changed: () => void, typed: () => void, here: () => {round: number, event: number},
 *   drawing: (on: boolean) => void, loop: () => void, people: () => string[],
 *   preview: (text: string) => Promise<{html: string, tags: string[]} | null>,
 *   save: () => void, leave: () => void, discard: () => void}} Way `signer`: a guest's name, empty
 *   if none yet, null for an account. `people`: accounts to mention. `audiences`: none where the
 *   study decides.
 */

import { field, group, onSubmit, picker } from "../../games/dom/controls.js";
import { box, button, write } from "../../games/dom/elements.js";
import { composes } from "../../games/dom/keptkeys.js";
import { gettext, pgettext } from "../../games/words/gettext.js";
import { namesIn } from "../outbox/audience.js";
import { Completion } from "./completing.js";
import { clear, MOST_TAGS, undraw } from "./drafts.js";
import { GLYPHS, markWords, shapeWords } from "./items.js";

/** @param {string} value @param {(glyph: string) => void} changed */
export function glyphField(value, changed) {
  const group = box("fieldset", "note-glyphs");
  group.append(box("legend", "spoken", gettext("Symbol")));
  for (const [glyph, words] of [["", gettext("No symbol")], ...Object.entries(GLYPHS)]) {
    const choice = { type: "radio", name: "glyph", value: glyph, checked: glyph === value };
    const input = box("input", { ...choice, class: "spoken" });
    input.addEventListener("change", () => changed(glyph));
    const shown = box("span", { class: "glyph-face", "aria-hidden": "true" }, glyph || "–");
    const said = box("span", "spoken", words);
    group.append(box("label", { class: "glyph-choice", title: words }, input, shown, said));
  }
  return group;
}

/**
 * Tags as chips, with a field for the next one. Enter or a comma ends a tag. `named` are the tags
 * that the text names: they are shown as well, and go only with their words.
 * @param {string[]} tags changed in place
 * @param {string[]} known suggested tags
 * @param {() => void} changed
 */
export function tagField(tags, known, changed) {
  const list = box(
    "datalist",
    { id: "note-known-tags" },
    ...known.map((tag) => new Option(tag, tag)),
  );
  const typed = {
    maxlength: 32,
    placeholder: gettext("Add a tag"),
    autocomplete: "off",
    list: list.id,
  };
  const input = box("input", { class: "tag-input", "aria-label": gettext("Add a tag"), ...typed });
  const chips = box("span", "tag-chips");
  /** @type {string[]} */
  let inText = [];
  const draw = () =>
    chips.replaceChildren(
      ...inText.map((tag) =>
        box("span", { class: "note-tag", title: gettext("From the text") }, `# ${tag}`),
      ),
      ...tags
        .filter((tag) => !inText.includes(tag))
        .map((tag) => {
          const kind = {
            class: "note-tag is-removable",
            "aria-label": gettext("Remove the tag {tag}", { tag }),
          };
          return button(kind, `${tag} ×`, () => {
            tags.splice(tags.indexOf(tag), 1);
            draw();
            changed();
            input.focus();
          });
        }),
    );
  const take = () => {
    const tag = input.value
      .replace(/^\s*#+/, "")
      .replaceAll(",", " ")
      .trim();
    input.value = "";
    if (!tag || tags.includes(tag) || tags.length >= MOST_TAGS) return;
    tags.push(tag);
    draw();
    changed();
  };
  input.addEventListener("keydown", (event) => {
    if ((event.key !== "Enter" && event.key !== ",") || composes(event)) return;
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    take();
  });
  input.addEventListener("change", take);
  /** @param {string[]} textTags */
  const named = (textTags) => {
    inText = textTags;
    draw();
  };
  draw();
  return { element: box("div", "note-tagging row", chips, input, list), named };
}

/**
 * Pointing without a pointer: at one thing or, for an arrow, from it to another.
 * @param {string[]} targets marks that can be pointed at
 * @param {string[]} names @param {(from: string, to: string) => void} add
 */
export function pointField(targets, names, add) {
  /** @param {string} label @param {string} none */
  const select = (label, none) => {
    const marks = targets.map((mark) => /** @type {const} */ ([mark, markWords(mark, names)]));
    return picker({ "aria-label": label }, none ? [["", none], ...marks] : marks);
  };
  const from = select(gettext("Point at"), "");
  const to = select(gettext("With an arrow to"), gettext("no arrow"));
  const put = button("button small", gettext("Add"), () => add(from.value, to.value || from.value));
  return box("div", "note-pointing line", from, box("span", "", "→"), to, put);
}

const PREVIEW_MS = 350;
const HOW_TO_MARK = gettext("Press on the table to mark something. Drag for an arrow.");

export class Editor {
  /** @param {Draft} draft @param {Way} way */
  constructor(draft, way) {
    this.draft = draft;
    this.way = way;
    this.place = box("h3", "editor-place");
    this.text = box("textarea", { maxlength: 4000, rows: 3, "aria-label": gettext("Text") });
    this.shapes = box("p", { class: "note-shows soft small", role: "status" });
    this.preview = box("div", "note-body editor-preview");
    this.status = box("p", { class: "note-status small", role: "status" });
    this.extra = box("div", "editor-extra");
    this.timer = 0;
    /** Called by pointing in the form. @type {((from: string, to: string) => void) | undefined} */
    this.drawn = undefined;
    this.form = box("form", {
      class: "note-editor",
      "aria-label": draft.reply ? gettext("Reply") : gettext("Note"),
    });
    this.#build();
    this.refresh();
    if (draft.text) this.#preview();
  }

  #build() {
    const { draft, form, way } = this;
    this.text.value = draft.text;
    this.text.placeholder = draft.reply
      ? gettext("Your reply")
      : gettext("What matters here? **Bold**, @0:34.1 for a time, B5a for a card, #tag, @name");
    this.text.addEventListener("input", () => {
      draft.text = this.text.value;
      way.typed();
      this.#changed();
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.#preview(), PREVIEW_MS);
    });
    form.addEventListener("keydown", (event) => this.#key(event));
    onSubmit(form, () => this.way.save());
    const typing = new Completion(this.text, { "@": way.people, "#": () => way.known });
    form.append(this.place, typing.element);
    if (!draft.reply) form.append(...this.#rich());
    form.append(this.preview, this.#sharing(), this.#ends(), this.status, this.extra);
  }

  #rich() {
    const { draft, way } = this;
    const change = () => this.#changed();
    const glyphs = glyphField(draft.glyph, (glyph) => {
      draft.glyph = glyph;
      change();
    });
    this.tags = tagField(draft.tags, way.known, change);
    return [glyphs, this.#spanRow(), this.#drawRow(), this.shapes, this.tags.element];
  }

  #spanRow() {
    const { draft, way } = this;
    /** @param {"event" | "until"} side */
    const set = (side) => () => {
      const { round, event } = way.here();
      if (round !== draft.round)
        return this.say(gettext("The note is on round {round}.", { round: draft.round }));
      const start = side === "event" ? event : draft.event;
      const end = side === "until" ? event : draft.until;
      draft.event = Math.min(start, end ?? start);
      draft.until = end === null || end === start ? null : Math.max(start, end);
      this.#changed();
    };
    this.loop = button("button small", gettext("Loop"), () => way.loop());
    this.point = button("button small", gettext("No end"), () => {
      draft.until = null;
      this.#changed();
    });
    return group(
      gettext("Span"),
      "editor-row row",
      button("button small", gettext("Start here"), set("event")),
      button("button small", gettext("End here"), set("until")),
      this.loop,
      this.point,
    );
  }

  #drawRow() {
    const { draft, way } = this;
    this.drawing = button("button small", gettext("Mark on the table"), () =>
      this.draw(this.drawing?.ariaPressed !== "true"),
    );
    this.drawing.ariaPressed = "false";
    this.drawing.title = `${HOW_TO_MARK} ${gettext("Or hold Shift at any time.")}`;
    this.undo = button("button small", gettext("Undo"), () => {
      undraw(draft);
      this.#changed();
    });
    this.clear = button("button small", gettext("Clear"), () => {
      clear(draft);
      this.#changed();
    });
    const words = box(
      "details",
      "editor-words",
      box("summary", "", gettext("Choose marks from lists")),
    );
    words.addEventListener("toggle", () => {
      words.querySelector("div")?.remove();
      if (words.open)
        words.append(pointField(way.targets(), way.names, (from, to) => this.drawn?.(from, to)));
    });
    return group(
      gettext("Marks and arrows"),
      "editor-row row",
      this.drawing,
      this.undo,
      this.clear,
      words,
    );
  }

  /** Switches drawing with plain presses on the table. @param {boolean} on */
  draw(on) {
    if (this.drawing) this.drawing.ariaPressed = String(on);
    this.way.drawing(on);
    this.refresh();
  }

  #sharing() {
    const { draft } = this;
    const readers = box("input", {
      value: draft.readers.join(", "),
      placeholder: gettext("Ann, Bob"),
    });
    const people = field("editor-people", gettext("Account names"), readers);
    const show = () => {
      people.hidden = draft.visibility !== "people" || draft.reply !== null;
    };
    const select = picker("", this.way.audiences, draft.visibility, (visibility) => {
      draft.visibility = visibility;
      show();
      this.#changed();
    });
    readers.addEventListener("input", () => {
      draft.readers = namesIn(readers.value);
      this.#changed();
    });
    show();
    const label = field("editor-sharing", gettext("Visible to"), select);
    label.hidden = !this.way.audiences.length;
    return box("div", "editor-row row", label, people, ...this.#naming());
  }

  /** A guest may change the name here. One who leaves it empty gets one. */
  #naming() {
    const { signer } = this.way;
    if (signer === null) return [];
    const how = {
      maxlength: 30,
      autocomplete: "nickname",
      placeholder: gettext("Guest"),
      value: signer,
    };
    this.name = box("input", how);
    return [field("editor-name", gettext("Your name"), this.name)];
  }

  #ends() {
    const title = gettext("Save (Ctrl+Enter)");
    const save = box("button", { class: "button small primary", title }, gettext("Save"));
    return box(
      "div",
      "editor-row row",
      save,
      button("button small quiet", gettext("Keep draft"), () => this.way.leave()),
      button(
        "button small quiet",
        this.draft.revision === null
          ? pgettext("a draft", "Discard")
          : gettext("Discard the changes"),
        () => this.way.discard(),
      ),
    );
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
    this.preview.innerHTML = shown.html;
    this.tags?.named(shown.tags);
  }

  #changed() {
    this.refresh();
    this.way.changed();
  }

  refresh() {
    const { draft, way } = this;
    write(this.place, way.place(draft));
    const shapes = shapeWords(draft, way.names);
    const hint = this.drawing?.ariaPressed === "true" ? HOW_TO_MARK : "";
    write(this.shapes, shapes ? gettext("Points at {shapes}", { shapes }) : hint);
    for (const element of [this.undo, this.clear]) element?.toggleAttribute("disabled", !shapes);
    for (const element of [this.loop, this.point])
      element?.toggleAttribute("disabled", draft.until === null);
  }

  /** @param {string} text */
  put(text) {
    this.text.value = text;
    this.draft.text = text;
    this.#changed();
    this.#preview();
  }

  /** @param {string} words @param {boolean} [bad] */
  say(words, bad = false) {
    write(this.status, words);
    this.status.classList.toggle("is-bad", bad);
  }
}
