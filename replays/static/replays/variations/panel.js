/**
 * The tab of variations: their tree, the text of the one shown, and where a ghost race begins.
 * @typedef {import("./lines.js").Line} Line
 * @typedef {import("./store.js").LineStore} LineStore
 * @typedef {{open: (key: string) => void, start: () => void, say: (line: Line) => void,
 *   move: (line: Line, by: number) => void, promote: (line: Line) => void,
 *   remove: (line: Line) => void, undo: () => void, address: () => string}} Handlers `address`: of
 *   the present view, which the page's own follows a little later
 * @typedef {{round: number, event: number, line: string | null}} Place
 */

import { group, picker } from "../../games/dom/controls.js";
import { arrange, box, button, byId, redraw, write } from "../../games/dom/elements.js";
import { clock, positionWords } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { copyLink, ghostRaceAddress } from "../addresses/copying.js";
import { audiences, namesIn, withChosen } from "../outbox/audience.js";
import { nameOf, treeOf } from "./lines.js";
import { saveAll } from "./store.js";

const TYPING_MS = 700;

/** @param {string} label @param {HTMLElement} input */
const field = (label, input) =>
  box("label", "stack gap-half full small", box("span", "", label), input);

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
    this.status = box("p", { class: "what-if-note soft small starts", role: "status" });
    this.choice = box("div", "");
    this.undo = button(
      { class: "button small", hidden: true },
      gettext("Undo delete"),
      handlers.undo,
    );
    this.list = box("ol", "what-if-list stack gap-1");
    this.more = button("button small", "", () => this.store.more());
    this.details = box("div", "what-if-details");
    this.shown = "";
    /** Whether the form's means are unfolded. */
    this.opened = false;
    /** What is said until a what-if is shown. */
    this.words = "";
    const title = gettext("Play any seat differently, by hand or by bots (w)");
    const start = { class: "button small", title };
    this.start = button(start, gettext("Play on from here"), handlers.start);
    root.replaceChildren(
      this.start,
      this.list,
      this.more,
      this.status,
      this.choice,
      this.undo,
      this.details,
      race,
    );
  }

  /** @param {boolean} can whether the bar does not offer it already */
  offerStart(can) {
    this.start.hidden = !can;
  }

  /** @param {Line | null} shown */
  show(shown) {
    if (shown) this.words = "";
    const tree = treeOf(this.store.lines);
    write(byId("what-if-count"), tree.length ? String(tree.length) : "");
    redraw(this.list, this.#branches(tree, shown));
    this.more.hidden = !this.store.asked.left;
    write(this.more, gettext("Show more what-ifs ({left} left)", { left: this.store.asked.left }));
    this.#describe(shown);
    this.#tellSaved();
  }

  /**
   * Each that leaves what happened, with those that branch from it behind it.
   * @param {ReturnType<typeof treeOf>} tree @param {Line | null} shown
   */
  #branches(tree, shown) {
    const roots = [];
    /** @type {HTMLElement[]} */
    const above = [];
    for (const { line, depth } of tree) {
      const item = box("li", "", this.#opening(line, depth, shown));
      above[depth] = item;
      if (!depth) roots.push(item);
      else {
        const parent = above[depth - 1];
        if (parent.childElementCount < 2) parent.append(box("ol", "what-if-branch"));
        parent.lastElementChild?.append(item);
      }
    }
    return roots;
  }

  /** @param {Line} line @param {number} depth @param {Line | null} shown */
  #opening(line, depth, shown) {
    const time = clock(this.timeOf(line));
    const place = box(
      "span",
      "small soft",
      depth ? time : positionWords(line.round, this.timeOf(line)),
    );
    const by = line.mine || !line.by ? [] : [box("bdi", "small soft", line.by)];
    const open = button("what-if-item bare starts", "", () => this.handlers.open(line.key));
    open.append(place, box("span", "", nameOf(line)), ...by);
    if (line.key === shown?.key) open.setAttribute("aria-current", "true");
    return open;
  }

  /** Keeps a form that is being edited. @param {Line | null} shown */
  #describe(shown) {
    const { chosen } = this.store;
    const name = shown ? `${shown.key} ${shown.mine} ${shown.line} ${chosen}` : "";
    if (name === this.shown) return;
    this.shown = name;
    this.details.replaceChildren(...(shown ? this.#detailsOf(shown) : []));
  }

  /** @param {Line} line */
  #detailsOf(line) {
    if (line.mine) return this.#form(line);
    const text = box("div", "what-if-text");
    // The site's own rendering, sanitised when saved. A record's text is plain.
    if (line.html) text.innerHTML = line.html;
    else text.textContent = line.text;
    return [text, box("p", "what-if-note soft small starts", line.tags.join(", "))];
  }

  /** @param {Line} line */
  #form(line) {
    const [first, ...rest] = line.text.split("\n");
    const name = box("input", { value: first, maxlength: 60, placeholder: gettext("Name it") });
    const text = box("textarea", { rows: 2, maxlength: 3900 });
    text.value = rest.join("\n").trim();
    const tags = box("input", { value: line.tags.join(", ") });
    const select = picker("", withChosen(audiences(), line.visibility), line.visibility);
    const accounts = { value: line.readers.join(", "), placeholder: gettext("Names of accounts") };
    const readers = box("input", accounts);
    const people = field(gettext("Who"), readers);
    people.hidden = select.value !== "people";
    const link = button("button small", gettext("Copy link"), async () => {
      // With it others see what is shown of the variation.
      const trouble = await saveAll(this.store, [line]);
      if (trouble) return this.#tellSaved();
      const { token } = this.store.lines.get(line.key) ?? line;
      const address = new URL(this.handlers.address(), location.href);
      address.hash = token ? `share=${token}` : "";
      write(this.status, await copyLink(address.href));
    });
    link.hidden = select.value === "self";
    select.addEventListener("change", () => {
      people.hidden = select.value !== "people";
      link.hidden = select.value === "self";
    });
    const said = () => ({
      text: [name.value.trim(), text.value.trim()].filter(Boolean).join("\n\n"),
      tags: namesIn(tags.value),
      visibility: select.value,
      readers: select.value === "people" ? namesIn(readers.value) : [],
    });
    let timer = 0;
    const save = () => {
      clearTimeout(timer);
      const now = this.store.lines.get(line.key);
      if (now) this.handlers.say({ ...now, ...said() });
    };
    const form = box(
      "form",
      "packed stack",
      field(gettext("Note"), text),
      field(gettext("Tags"), tags),
      field(gettext("Visible to"), select),
    );
    form.append(people, link, this.#arranging(line));
    const named = box("form", "packed", field(gettext("Name"), name));
    for (const part of [named, form]) {
      part.addEventListener("submit", (event) => event.preventDefault());
      part.addEventListener("change", save);
      part.addEventListener("input", () => {
        clearTimeout(timer);
        timer = window.setTimeout(save, TYPING_MS);
      });
    }
    const more = box("details", "", box("summary", "", gettext("Note, sharing and place")), form);
    more.open = this.opened;
    more.addEventListener("toggle", () => {
      this.opened = more.open;
    });
    return [named, more];
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
        { class: "button small", "aria-label": gettext("Move {label} in the list", { label }) },
        words,
        move,
      );
    };
    const title = gettext("Start where its parent starts");
    const promote = button(
      { class: "button small", title },
      gettext("Move up a level"),
      now(this.handlers.promote),
    );
    const remove = button("button small", gettext("Delete"), now(this.handlers.remove));
    const moves = [mover("↑", "up", -1), mover("↓", "down", 1), ...(parent ? [promote] : [])];
    return group(gettext("Arrange"), "row gap-1-half", ...moves, remove);
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
    const { words, choice, urgent } = store.state;
    const own = [...store.lines.values()].some((line) => line.mine);
    const saved = own || urgent ? words : "";
    write(this.status, urgent ? saved : this.words || saved);
    arrange(this.choice, choice ? [choice] : []);
  }
}

/** How many times slower than the record, and the label of the choice. @type {[number, string][]} */
const SPEEDS = [
  [1, gettext("Speed 1×")],
  [2, gettext("Speed ½×")],
  [4, gettext("Speed ¼×")],
];

export class GhostRaceStart {
  /**
   * @param {string[]} names
   * @param {string} url of the race's page
   * @param {() => Place} place where to begin
   * @param {() => Promise<string>} save saves the race's variation. Returns why it cannot be, if so
   */
  constructor(names, url, place, save) {
    this.trouble = "";
    this.seat = picker({ "aria-label": gettext("Seat to play") }, [...names.entries()]);
    this.speed = picker({ "aria-label": gettext("Speed of the race") }, SPEEDS);
    this.start = box(
      "button",
      { class: "button small", type: "button" },
      gettext("Race from here"),
    );
    this.start.addEventListener("click", async () => {
      if (this.start.ariaBusy) return;
      const start = { ...place(), seat: this.seat.value, slow: this.speed.value };
      this.start.ariaBusy = "true";
      this.#say(gettext("Saving the what-if…"));
      const trouble = await save();
      this.start.ariaBusy = null;
      if (!trouble) return location.assign(ghostRaceAddress(url, start));
      this.#say(
        gettext("Not started: the what-if could not be saved. {detail}", { detail: trouble }),
      );
    });
    const row = box("div", "ghost-race-row row", this.seat, this.speed, this.start);
    const words = gettext(
      "Take a seat yourself, in real time. The others play as they did, until you change it.",
    );
    this.why = box("p", { class: "what-if-note soft small starts", role: "status", hidden: true });
    this.element = box(
      "details",
      "ghost-race-choice",
      box("summary", "", gettext("Ghost race")),
      box("p", "what-if-note soft small starts", words),
      row,
      this.why,
    );
  }

  /** @param {string} trouble why a race cannot begin at this place. Empty if it can */
  show(trouble) {
    if (trouble === this.trouble) return; // what was said last stays
    this.trouble = trouble;
    this.start.toggleAttribute("disabled", trouble !== "");
    this.#say(trouble);
  }

  /** @param {string} words */
  #say(words) {
    write(this.why, words);
    this.why.hidden = !words;
  }
}
