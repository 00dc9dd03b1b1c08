/** What the list of notes shows: by author, tag and glyph, and by words once there are many. */

import { box } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { choices, GLYPHS } from "./items.js";

const ANY = { by: gettext("Everyone"), tag: gettext("Any tag"), glyph: gettext("Any symbol") };
const NAMES = { by: gettext("Author"), tag: gettext("Tag"), glyph: gettext("Symbol") };
/** From so many notes on one can look for words. */
const MANY = 8;
const FIELDS = /** @type {const} */ (["by", "tag", "glyph"]);

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
