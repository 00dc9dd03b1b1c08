/**
 * The tag panel: pressing a button or its key creates a tagged span around the moment, in replays
 * and live matches. Fetched when it is opened.
 * @import { Press, TagButton } from "./presses.js"
 * @typedef {import("./notes.js").Notes} Notes
 * @typedef {{save: (buttons: TagButton[]) => Promise<string>, leave: () => void}} Way `save`
 *   returns the error
 */

import { markOf } from "../../games/board/cards.js";
import { request } from "../../games/dom/asking.js";
import { field, group, onSubmit, picker } from "../../games/dom/controls.js";
import { box, button, redraw } from "../../games/dom/elements.js";
import { keyOf } from "../../games/dom/keptkeys.js";
import { browserStorage } from "../../games/dom/storage.js";
import { clock } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { nameless } from "../outbox/audience.js";
import { Kept } from "../outbox/kept.js";
import { Presses, pressAt, STARTERS, wrongWith } from "./presses.js";

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
      "tag-tools row",
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
    return field("tag-field", label, input);
  }

  /** @param {TagButton} tagButton */
  #colour(tagButton) {
    const take = (/** @type {string} */ colour) => (tagButton.colour = Number(colour));
    const select = picker("", [...COLOURS.entries()], String(tagButton.colour), take);
    return field("tag-field", gettext("Colour"), select);
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

/** Whether the viewer is typing there, or a dialog is open. @param {EventTarget | null} target */
const typing = (target) =>
  !(target instanceof Element) || target.closest("input, textarea, select, dialog[open]") !== null;

export class TagPanel {
  /** @param {Notes} notes */
  constructor(notes) {
    this.notes = notes;
    this.store = notes.store;
    this.player = notes.player;
    const { log } = this.player;
    /** @type {Kept<Press>} */
    const kept = new Kept(`tags.pending.${log.match.id}`, browserStorage());
    this.presses = new Presses(this.store, log, kept, (words, bad) => this.say(words, bad));
    /** @type {TagButton[]} */
    this.buttons = [];
    /** @type {Press[]} */
    this.done = [];
    /** @type {number | null} */
    this.seat = null;
    this.visibility = "self";
    this.share = box("select", { "aria-label": gettext("Who sees the tags") });
    this.tags = box("div", "tag-buttons row");
    this.seats = group(gettext("Tags are about"), "tag-seats row");
    this.status = box("p", { class: "note-status small", role: "status" });
    this.element = box("section", { class: "tag-panel", "aria-label": gettext("Tag panel") });
    document.addEventListener("keydown", (event) => this.#key(event), { capture: true });
    log.onGrow(() => this.presses.settle());
    addEventListener("online", () => this.presses.settle());
    addEventListener("pagehide", () => this.presses.cut());
    this.#build();
  }

  async open() {
    this.element.hidden = false;
    this.notes.openTab();
    this.notes.panel.prepend(this.element);
    const { ok, data } = await request("GET /api/v1/tags/buttons", "/api/v1/tags/buttons");
    if (!ok)
      return this.say(
        gettext("The buttons could not be loaded: {detail}.", { detail: data.detail }),
      );
    this.buttons = data.buttons.length ? data.buttons : STARTERS;
    const choices = nameless().map(([value, words]) => new Option(words, value));
    this.share.replaceChildren(...choices);
    this.share.value = this.visibility;
    this.#draw();
    this.element.scrollIntoView({ block: "nearest" });
    this.presses.settle();
  }

  toggle() {
    if (this.visible) this.element.hidden = true;
    else this.open();
  }

  /** Whether it is in sight: it is part of the tab of notes. */
  get visible() {
    return this.element.offsetParent !== null;
  }

  #build() {
    const { share } = this;
    share.addEventListener("change", () => {
      this.visibility = share.value;
    });
    const href = `/notes/tags/?match=${this.player.log.match.id}`;
    const matrix = box("a", { class: "button small", href }, gettext("Table of tags"));
    matrix.addEventListener("click", (event) => this.#leaveFor(matrix, event));
    this.undoing = button("button small", gettext("Undo"), () => void this.#undo());
    this.undoing.title = gettext("Undo the last tag (Backspace)");
    const tools = box(
      "div",
      "tag-tools row",
      share,
      this.undoing,
      button("button small", gettext("Change buttons"), () => this.#edit(this.buttons)),
      matrix,
      button("button small quiet", gettext("Close"), () => this.toggle()),
    );
    this.element.append(this.tags, this.seats, tools, this.status);
    this.#drawSeats();
  }

  #draw() {
    redraw(
      this.tags,
      this.buttons.map((tag) => {
        const element = button(`tag-button deck-${tag.colour}`, tag.name, () => this.press(tag));
        if (tag.shortcut) {
          element.append(box("kbd", "", tag.shortcut.toUpperCase()));
          element.setAttribute("aria-keyshortcuts", tag.shortcut);
        }
        return element;
      }),
    );
    this.undoing?.toggleAttribute("disabled", !this.done.length);
  }

  #drawSeats() {
    const all = [null, ...this.notes.page.names.keys()];
    const choices = all.map((seat) => {
      const name = seat === null ? gettext("Nobody") : this.notes.page.names[seat];
      const title = `${gettext("Shift")}+${seat === null ? 0 : seat + 1}`;
      const kind = { class: "tag-seat bare", title, "aria-pressed": String(seat === this.seat) };
      const words = [...(seat === null ? [] : [markOf(seat)]), name];
      return button(kind, words, () => this.#choose(seat));
    });
    redraw(this.seats, [box("span", "label", gettext("Tags are about")), ...choices]);
  }

  /** @param {number | null} seat */
  #choose(seat) {
    this.seat = seat;
    this.#drawSeats();
    this.say(
      seat === null
        ? gettext("Tags are about no particular player now.")
        : gettext("Tags are about {name} now.", { name: this.notes.page.names[seat] }),
    );
  }

  /** Before the page's keys while it is in sight. @param {KeyboardEvent} event */
  #key(event) {
    if (!this.visible || event.ctrlKey || event.altKey || event.metaKey) return;
    if (typing(event.target) || this.#playing()) return;
    const digit = event.shiftKey ? /^Digit(\d)$/.exec(event.code)?.[1] : undefined;
    const keys = [event.key.toLowerCase(), keyOf(event)];
    const tag = this.buttons.find(({ shortcut }) => shortcut && keys.includes(shortcut));
    if (digit !== undefined && Number(digit) <= this.notes.page.names.length)
      this.#choose(digit === "0" ? null : Number(digit) - 1);
    else if (tag && !event.shiftKey && !event.repeat) this.press(tag);
    else if (event.key === "Backspace") this.#undo();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Whether the keys are those of a hand, in a what-if. */
  #playing() {
    return this.notes.page.board.root.classList.contains("is-branching");
  }

  /** @param {TagButton} tag */
  press(tag) {
    if (this.notes.page.state.line !== null) {
      this.say(gettext("A tag is set on what happened. Leave the variation first."));
      return;
    }
    const { account } = this.store.may;
    const press = { ...pressAt(tag, this.player.cursor, this.seat, this.visibility), account };
    this.done.push(press);
    this.#draw();
    this.#say(press);
    this.presses.add(press);
  }

  /** @param {Press} press */
  #say({ tag, seat, round, from, to }) {
    const all = { tag, round, from: clock(from), to: clock(to) };
    const name = seat === null ? "" : this.notes.page.names[seat];
    this.say(
      name
        ? gettext("“{tag}” for {name}: round {round}, {from} – {to}.", { ...all, name })
        : gettext("“{tag}”: round {round}, {from} – {to}.", all),
    );
  }

  /** Saves every press whose span is over, also of an earlier visit. */
  async settle() {
    await this.presses.load();
    await this.presses.settle();
  }

  /** The table counts what is saved. @param {HTMLElement} link @param {MouseEvent} event */
  async #leaveFor(link, event) {
    if (!this.presses.own.length || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    await this.presses.cut();
    location.assign(link.getAttribute("href") ?? "");
  }

  async #undo() {
    const press = this.done.pop();
    if (!press) return;
    this.#draw();
    const wrong = await this.presses.undo(press);
    if (wrong) this.say(gettext("Not undone: {wrong}.", { wrong }), true);
    else this.say(gettext("“{tag}” is removed.", { tag: press.tag }));
  }

  /** @param {TagButton[]} buttons */
  #edit(buttons) {
    const table = new ButtonTable(buttons, {
      save: (changed) => this.#save(changed),
      leave: () => this.#draw(),
    });
    this.tags.replaceChildren(table.element);
  }

  /** @param {TagButton[]} buttons */
  async #save(buttons) {
    const { ok, data } = await request("PUT /api/v1/tags/buttons", "/api/v1/tags/buttons", {
      buttons,
    });
    if (!ok) return gettext("Not saved: {detail}.", { detail: data.detail });
    this.buttons = data.buttons;
    this.#draw();
    this.say(gettext("The buttons are saved."));
    return "";
  }

  /** @param {string} words @param {boolean} [bad] */
  say(words, bad = false) {
    this.status.textContent = words;
    this.status.classList.toggle("is-bad", bad);
  }
}
