/**
 * The tab of variations: their tree, and, for the one shown, its text and how it compares with what
 * happened.
 * @typedef {import("./lines.js").Line} Line
 * @typedef {import("./store.js").LineStore} LineStore
 * @typedef {import("./linedrafts.js").Own} Own
 * @typedef {{open: (key: string) => void, start: () => void, say: (line: Line) => void,
 *   move: (line: Line, by: number) => void, promote: (line: Line) => void,
 *   remove: (line: Line) => void, undo: () => void, address: () => string}} Handlers
 *   `address`: of what is shown, which the page's own follows a little later
 */

import { copied, group, picker } from "../../games/dom/controls.js";
import { box, button, byId, redraw, write } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";
import { audiences, withChosen } from "../outbox/audience.js";
import { saveAll } from "./ghostracestart.js";
import { nameOf, treeOf } from "./lines.js";

const TYPING_MS = 700;

/** What is separated by commas. @param {string} text */
const listed = (text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/** @param {string} label @param {HTMLElement} input */
const field = (label, input) => box("label", "what-if-field", box("span", "", label), input);

export class Panel {
  /**
   * @param {HTMLElement} root @param {LineStore} store @param {Handlers} handlers
   * @param {(line: Line) => number} timeOf
   * @param {HTMLElement} race where a race begins
   */
  constructor(root, store, handlers, timeOf, race) {
    this.store = store;
    this.handlers = handlers;
    this.timeOf = timeOf;
    this.status = box("p", { class: "what-if-note", role: "status" });
    this.undo = button({ class: "button small", hidden: true }, "Undo delete", handlers.undo);
    this.list = box("ol", "what-if-list");
    this.more = button("button small", "", () => this.store.more());
    this.details = box("div", "what-if-details");
    this.compared = box("div", "");
    this.shown = "";
    /** What is said until a what-if is shown. */
    this.words = "";
    const words = "Step to a moment, then play any seat differently, by hand or by bots.";
    root.replaceChildren(
      box("p", "what-if-note", words),
      button("button small primary", "Play on from here", handlers.start),
      race,
      this.status,
      this.undo,
      this.list,
      this.more,
      this.details,
      this.compared,
    );
  }

  /** @param {Line | null} shown @param {HTMLElement | null} comparison */
  show(shown, comparison) {
    if (shown) this.words = "";
    const tree = treeOf(this.store.lines);
    write(byId("what-if-count"), tree.length ? String(tree.length) : "");
    redraw(
      this.list,
      tree.map(({ line, depth }) => this.#item(line, depth, shown)),
    );
    this.more.hidden = !this.store.asked.left;
    write(this.more, `Show more what-ifs (${this.store.asked.left} left)`);
    this.#describe(shown);
    this.compared.replaceChildren(...(comparison ? [comparison] : []));
    this.#tellSaved();
  }

  /** @param {Line} line @param {number} depth @param {Line | null} shown */
  #item(line, depth, shown) {
    const place = box("span", "what-if-place", `Round ${line.round} · ${clock(this.timeOf(line))}`);
    const by = box("span", "what-if-by", line.mine ? "you" : line.by);
    const open = button("row-button what-if-item", "", () => this.handlers.open(line.key));
    open.append(box("span", "what-if-itemname", nameOf(line)), place, by);
    if (line.key === shown?.key) open.setAttribute("aria-current", "true");
    const item = box("li", "", open);
    item.style.setProperty("--depth", String(Math.min(depth, 6)));
    return item;
  }

  /** Keeps a form that is being edited. @param {Line | null} shown */
  #describe(shown) {
    const name = shown ? `${shown.key} ${shown.mine} ${shown.line}` : "";
    if (name === this.shown) return;
    this.shown = name;
    this.details.replaceChildren(...(shown ? this.#detailsOf(shown) : []));
  }

  /** @param {Line} line */
  #detailsOf(line) {
    if (line.mine) return [this.#form(line)];
    const text = box("div", "what-if-text");
    // The site's own rendering, sanitised when saved; a record's text is plain.
    if (line.html) text.innerHTML = line.html;
    else text.textContent = line.text;
    return [text, box("p", "what-if-note", line.tags.join(", "))];
  }

  /** @param {Line} line */
  #form(line) {
    const [first, ...rest] = line.text.split("\n");
    const name = box("input", { value: first, maxlength: 60, placeholder: "Name it" });
    const text = box("textarea", { rows: 2, maxlength: 3900 });
    text.value = rest.join("\n").trim();
    const tags = box("input", { value: line.tags.join(", ") });
    const select = picker("", withChosen(audiences(), line.visibility), line.visibility);
    const named = { value: line.readers.join(", "), placeholder: "Names of accounts" };
    const readers = box("input", named);
    const people = field("Who", readers);
    people.hidden = select.value !== "people";
    const link = button("button small", "Copy link", () => this.#copyLink(line));
    link.hidden = select.value === "self";
    select.addEventListener("change", () => {
      people.hidden = select.value !== "people";
      link.hidden = select.value === "self";
    });
    const said = () => ({
      text: [name.value.trim(), text.value.trim()].filter(Boolean).join("\n\n"),
      tags: listed(tags.value),
      visibility: select.value,
      readers: select.value === "people" ? listed(readers.value) : [],
    });
    let timer = 0;
    const save = () => {
      clearTimeout(timer);
      const now = this.store.lines.get(line.key);
      if (now) this.handlers.say({ ...now, ...said() });
    };
    const form = box(
      "form",
      "what-if-form stack",
      field("Name", name),
      field("Note", text),
      field("Tags", tags),
    );
    form.append(field("Visible to", select), people, link, this.#arranging(line));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", save);
    form.addEventListener("input", () => {
      clearTimeout(timer);
      timer = window.setTimeout(save, TYPING_MS);
    });
    return form;
  }

  /** The link to what is shown of a variation, with which others see it. @param {Line} shown */
  async #copyLink(shown) {
    const trouble = await saveAll(this.store, [shown]);
    if (trouble) return this.#tellSaved();
    const { token } = this.store.lines.get(shown.key) ?? shown;
    const address = new URL(this.handlers.address(), location.href);
    address.hash = token ? `share=${token}` : "";
    write(this.status, (await copied(address.href)) ? "Link copied." : `The link: ${address}`);
  }

  /** What moves, promotes and deletes a variation. @param {Line} line */
  #arranging({ key, line: parent }) {
    /** @param {(line: Line) => void} does */
    const now = (does) => () => {
      const line = this.store.lines.get(key);
      if (line) does(line);
    };
    /** @param {string} words @param {string} label @param {number} by */
    const mover = (words, label, by) => {
      const move = now((line) => this.handlers.move(line, by));
      return button(
        { class: "button small", "aria-label": `Move ${label} in the list` },
        words,
        move,
      );
    };
    const title = "Branch off where the variation above it does";
    const promote = button({ class: "button small", title }, "Promote", now(this.handlers.promote));
    const remove = button("button small", "Delete", now(this.handlers.remove));
    const moves = [mover("↑", "up", -1), mover("↓", "down", 1), ...(parent ? [promote] : [])];
    return group("Arrange", "what-if-actions", ...moves, remove);
  }

  /** @param {boolean} can whether something was just deleted */
  offerUndo(can) {
    this.undo.hidden = !can;
  }

  /** Says something that stays. @param {string} words */
  say(words) {
    this.words = words;
    this.#tellSaved();
  }

  /** Says whether the user's work is saved, and where. */
  #tellSaved() {
    const { store } = this;
    const own = [...store.lines.values()].some((line) => line.mine);
    const trouble = [...store.drafts.values()].find((draft) => draft.trouble)?.trouble;
    const saved = own || trouble ? this.#savedWords(trouble) : "";
    write(this.status, trouble ? saved : this.words || saved);
  }

  /** @param {string | undefined} trouble */
  #savedWords(trouble) {
    const { store } = this;
    if (trouble) return `Not saved: ${trouble}`;
    if (store.refused) return `Not saved: ${store.refused}. It is kept in this browser.`;
    if (store.saved) return "Saved.";
    if (store.offline) return "Not saved yet: you are offline. It is kept in this browser.";
    if (!store.mayWrite)
      return "Kept in this browser only: you can’t keep what-ifs of a match while you are playing in it.";
    return "Saving…";
  }
}
