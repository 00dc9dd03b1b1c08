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

import { arrange, box, button, byId, redraw, single, write } from "../../games/dom/elements.js";
import { clock, positionWords } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { copyLink, ghostRaceAddress } from "../addresses/copying.js";
import { audiences, namesIn, withChosen } from "../outbox/audience.js";
import { fill, valuesOf } from "../outbox/forms.js";
import { nameOf, treeOf } from "./lines.js";
import { saveAll } from "./store.js";

const TYPING_MS = 700;

export class Panel {
  /** @param {LineStore} store @param {Handlers} handlers @param {(line: Line) => number} timeOf */
  constructor(store, handlers, timeOf) {
    this.store = store;
    this.handlers = handlers;
    this.timeOf = timeOf;
    this.status = byId("what-if-status");
    this.form = byId("what-if-own");
    this.visibility = /** @type {HTMLSelectElement} */ (this.form.querySelector("select"));
    this.timer = 0;
    this.shown = "";
    /** The own one whose form is shown. @type {Line | null} */
    this.line = null;
    /** What is said until a what-if is shown. */
    this.words = "";
    this.#bind();
    byId("what-if").hidden = false;
  }

  #bind() {
    const { handlers, form } = this;
    /** @param {string} name @param {() => unknown} press */
    const on = (name, press) => byId(`what-if-${name}`).addEventListener("click", single(press));
    /** @param {(line: Line) => unknown} does */
    const now = (does) => () => {
      const line = this.store.lines.get(this.line?.key ?? "");
      return line && does(line);
    };
    on("start", handlers.start);
    on("more", () => this.store.more());
    on("undo", handlers.undo);
    on(
      "up",
      now((line) => handlers.move(line, -1)),
    );
    on(
      "down",
      now((line) => handlers.move(line, 1)),
    );
    on("promote", now(handlers.promote));
    on("remove", now(handlers.remove));
    on(
      "copy",
      now((line) => this.#copy(line)),
    );
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", () => {
      this.#offerSharing();
      this.#save();
    });
    form.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.#save(), TYPING_MS);
    });
  }

  /** @param {boolean} can whether the bar does not offer it already */
  offerStart(can) {
    byId("what-if-start").hidden = !can;
  }

  /** @param {Line | null} shown */
  show(shown) {
    if (shown) this.words = "";
    const tree = treeOf(this.store.lines);
    write(byId("what-if-count"), tree.length ? String(tree.length) : "");
    redraw(byId("what-if-list"), this.#branches(tree, shown));
    byId("what-if-more").hidden = !this.store.asked.left;
    write(
      byId("what-if-more"),
      gettext("Show more what-ifs ({left} left)", { left: this.store.asked.left }),
    );
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
    if (this.timer) this.#save(); // what was typed for the last one
    this.line = shown?.mine ? shown : null;
    this.form.hidden = !this.line;
    const text = byId("what-if-text");
    text.hidden = !shown || shown.mine;
    if (this.line) this.#fill(this.line);
    else if (shown) text.replaceChildren(...detailsOf(shown));
  }

  /** @param {Line} line */
  #fill(line) {
    const [name, ...rest] = line.text.split("\n");
    const choices = withChosen(audiences(), line.visibility);
    this.visibility.replaceChildren(...choices.map(([value, words]) => new Option(words, value)));
    fill(this.form, { ...line, name, text: rest.join("\n").trim() });
    byId("what-if-promote").hidden = !line.line;
    this.#offerSharing();
  }

  #offerSharing() {
    const { value } = this.visibility;
    byId("what-if-readers").hidden = value !== "people";
    byId("what-if-copy").hidden = value === "self";
  }

  #save() {
    clearTimeout(this.timer);
    this.timer = 0;
    const now = this.store.lines.get(this.line?.key ?? "");
    if (!now) return;
    const { name, text, tags, visibility, readers } = valuesOf(this.form);
    const said = {
      text: [name.trim(), text.trim()].filter(Boolean).join("\n\n"),
      ...{ tags: namesIn(tags), visibility },
      readers: visibility === "people" ? namesIn(readers) : [],
    };
    this.handlers.say({ ...now, ...said });
  }

  /** @param {Line} line */
  async #copy(line) {
    // With it others see what is shown of the variation.
    const trouble = await saveAll(this.store, [line]);
    if (trouble) return this.#tellSaved();
    const { token } = this.store.lines.get(line.key) ?? line;
    const address = new URL(this.handlers.address(), location.href);
    address.hash = token ? `share=${token}` : "";
    write(this.status, await copyLink(address.href));
  }

  /** @param {boolean} can whether something was just deleted */
  offerUndo(can) {
    byId("what-if-undo").hidden = !can;
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
    arrange(byId("what-if-choice"), choice ? [choice] : []);
  }
}

/** What others have written. @param {Line} line */
function detailsOf(line) {
  const text = box("div", "what-if-text");
  // The site's own rendering, sanitised when saved. A record's text is plain.
  if (line.html) text.innerHTML = line.html;
  else text.textContent = line.text;
  return [text, box("p", "what-if-note soft small starts", line.tags.join(", "))];
}

/** @param {string} name */
const choiceOf = (name) => /** @type {HTMLSelectElement} */ (byId(`ghost-race-${name}`)).value;

export class GhostRaceStart {
  /**
   * @param {string} url of the race's page
   * @param {() => Place} place where to begin
   * @param {() => Promise<string>} save saves the race's variation. Returns why it cannot be, if so
   */
  constructor(url, place, save) {
    this.trouble = "";
    this.start = byId("ghost-race-begin");
    this.why = byId("ghost-race-why");
    this.start.addEventListener("click", async () => {
      if (this.start.ariaBusy) return;
      const start = { ...place(), seat: choiceOf("seat"), slow: choiceOf("speed") };
      this.start.ariaBusy = "true";
      this.#say(gettext("Saving the what-if…"));
      const trouble = await save();
      this.start.ariaBusy = null;
      if (!trouble) return location.assign(ghostRaceAddress(url, start));
      this.#say(
        gettext("Not started: the what-if could not be saved. {detail}", { detail: trouble }),
      );
    });
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
