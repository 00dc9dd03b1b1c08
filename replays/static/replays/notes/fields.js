/** The editor's compound controls: glyphs, tags, and pointing without a pointer. */

import { picker } from "../../games/dom/controls.js";
import { box, button } from "../../games/dom/elements.js";
import { composes } from "../../games/dom/keptkeys.js";
import { gettext } from "../../games/words/gettext.js";
import { MOST_TAGS } from "./drafts.js";
import { GLYPHS, markWords } from "./items.js";

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
  return { element: box("div", "note-tagging", chips, input, list), named };
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
