/**
 * The tag panel's buttons, edited in place.
 * @typedef {import("./tags.js").TagButton} TagButton
 * @typedef {{save: (buttons: TagButton[]) => Promise<string>, leave: () => void}} Way `save`
 *   returns the error
 */

import { onSubmit, picker } from "../../games/dom/controls.js";
import { box, button, redraw } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { wrongWith } from "./tags.js";

const COLOURS = ["blue", "orange", "green", "pink", "grey", "red", "violet", "teal"];
const MOST = 24;
const MOST_S = 60;

export class ButtonTable {
  /** @param {TagButton[]} buttons @param {Way} way */
  constructor(buttons, way) {
    this.way = way;
    this.buttons = buttons.map((tagButton) => ({ ...tagButton }));
    this.rows = box("ul", "tag-rows");
    this.status = box("p", { class: "note-status small is-bad", role: "status" });
    this.element = box("form", { class: "tag-table", "aria-label": gettext("Tag buttons") });
    onSubmit(this.element, () => this.#save());
    const ends = box(
      "div",
      "tag-tools",
      box("button", "button small primary", gettext("Save buttons")),
      button("button small", gettext("Add a button"), () => this.#add()),
      button("button small quiet", gettext("Cancel"), () => this.way.leave()),
    );
    this.element.append(this.rows, ends, this.status);
    this.#draw();
  }

  #draw() {
    redraw(
      this.rows,
      this.buttons.map((tagButton, at) => this.#row(tagButton, at)),
    );
  }

  /** @param {TagButton} tagButton @param {number} at */
  #row(tagButton, at) {
    const name = this.#input(
      gettext("Name"),
      tagButton.name,
      { maxlength: 32, required: true },
      (text) => {
        tagButton.name = text.trim();
      },
    );
    const key = this.#input(gettext("Key"), tagButton.shortcut, { maxlength: 1 }, (text) => {
      tagButton.shortcut = text.toLowerCase();
    });
    /** @param {string} label @param {"before_ms" | "after_ms"} field */
    const seconds = (label, field) =>
      this.#input(
        label,
        String(tagButton[field] / 1000),
        { type: "number", min: "0", max: String(MOST_S), step: "0.5", required: true },
        (text) => {
          tagButton[field] = Math.round(Number(text) * 1000);
        },
      );
    const remove = button("button small quiet", gettext("Remove"), () => {
      this.buttons.splice(at, 1);
      this.#draw();
    });
    remove.setAttribute(
      "aria-label",
      tagButton.name
        ? gettext("Remove {name}", { name: tagButton.name })
        : gettext("Remove the button"),
    );
    return box(
      "li",
      "tag-row",
      name,
      key,
      this.#colour(tagButton),
      seconds(gettext("s before"), "before_ms"),
      seconds(gettext("s after"), "after_ms"),
      remove,
    );
  }

  /** @param {string} label @param {string} value @param {Record<string, string | number | boolean>} options @param {(text: string) => void} changed */
  #input(label, value, options, changed) {
    const input = box("input", { value, ...options });
    input.addEventListener("input", () => changed(input.value));
    return box("label", "tag-field", box("span", "label", label), input);
  }

  /** @param {TagButton} tagButton */
  #colour(tagButton) {
    const select = picker("", [...COLOURS.entries()], String(tagButton.colour));
    select.addEventListener("change", () => {
      tagButton.colour = Number(select.value);
    });
    return box("label", "tag-field", box("span", "label", gettext("Colour")), select);
  }

  #add() {
    if (this.buttons.length >= MOST) return;
    this.buttons.push({ name: "", shortcut: "", colour: 0, before_ms: 4000, after_ms: 2000 });
    this.#draw();
    this.rows.lastElementChild?.querySelector("input")?.focus();
  }

  async #save() {
    const wrong = wrongWith(this.buttons) || (await this.way.save(this.buttons));
    this.status.textContent = wrong;
  }
}
