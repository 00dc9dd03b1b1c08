/**
 * What a chapter's writers have beside its table: its question, and its words, place, perspective
 * and speed. Saves by itself.
 * @import { Page } from "../replay/page.js"
 * @import { Chapter, Lesson } from "./lesson.js"
 */

import { request } from "../../games/dom/asking.js";
import { picker } from "../../games/dom/controls.js";
import { box, button, byId, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { Autosave, wordsOf } from "../outbox/autosave.js";
import { lostWords } from "../outbox/conflict.js";
import { AskHere } from "./askhere.js";
import { labelled, line, words } from "./fields.js";
import { momentWords } from "./moments.js";

const SPEEDS = [10, 25, 50, 100, 150, 200, 400, 800];
/** The address of a chapter that has just been made ends like this. */
const NEW = "#new";

class ChapterEditor {
  /** @param {ChapterDraft} draft @param {Page} page */
  constructor(draft, page) {
    this.draft = draft;
    this.chapter = draft.chapter;
    this.page = page;
    this.place = box("p", "soft");
    /** By the names of their fields. @type {Record<string, {value: string}>} */
    this.inputs = {};
    this.title = line(this.chapter.title);
    this.element = box("details", "panel form chapter-editor unbound");
    this.element.append(
      box("summary", "", gettext("Edit the chapter")),
      ...[...this.#words(), this.#places(), this.#looks(), this.#end()],
    );
    draft.watchers.push(() => this.#follow());
    draft.mergers.push(() => this.#refill());
    this.#follow();
  }

  /** Opens a new chapter's editor, ready to give it another title. */
  open() {
    this.element.setAttribute("open", "");
    this.title.focus({ preventScroll: true });
    this.title.select();
  }

  #words() {
    const { title } = this;
    title.addEventListener(
      "input",
      () => title.value.trim() && this.draft.change({ title: title.value }),
    );
    const text = words(this.chapter.text, 4);
    text.addEventListener("input", () => this.draft.change({ text: text.value }));
    const group = line(this.chapter.group);
    group.addEventListener("input", () => this.draft.change({ group: group.value.trim() }));
    Object.assign(this.inputs, { title, text, group });
    return [
      labelled(gettext("Title"), title),
      labelled(gettext("Introduction (Markdown; @1:34.1 leads to that time)"), text),
      labelled(gettext("Group in the table of contents"), group),
    ];
  }

  #places() {
    const { player } = this.page;
    const here = button("button small", gettext("Starts here"), () => {
      const { round, event } = player.cursor;
      const { until } = this.chapter;
      const kept = round === this.chapter.round && until !== null && until >= event ? until : null;
      this.draft.change({ round, event, until: kept, line: this.page.state.line });
      player.settle();
    });
    const end = button("button small", gettext("Ends here"), () => {
      const { round, event } = player.cursor;
      if (round !== this.chapter.round || event < this.chapter.event)
        return this.draft.say(gettext("A chapter ends after its start, in the same round."));
      this.draft.change({ until: event });
      player.settle();
    });
    this.moves = box("div", "actions", here, end);
    return box("div", "", this.place, this.moves);
  }

  /** The place in words. A question's stop is moved where the question is. */
  #follow() {
    const { round, event, until, title, question, line: along } = this.chapter;
    const played = this.page.player.log.rounds[round - 1];
    const { names } = this.page;
    const from = gettext("Round {round}, {moment}.", {
      round,
      moment: momentWords(played, event, names),
    });
    const to =
      until === null
        ? []
        : [gettext("Until {moment}.", { moment: momentWords(played, until, names) })];
    write(
      this.place,
      along ? gettext("Round {round}, in a what-if.", { round }) : [from, ...to].join(" "),
    );
    this.moves?.toggleAttribute("hidden", Boolean(question));
    if (document.activeElement !== this.title) this.title.value = title;
    if (this.inputs.view) this.inputs.view.value = this.chapter.view;
  }

  /** Everything as it is now: someone else has changed something. */
  #refill() {
    const { inputs } = this;
    for (const name of /** @type {const} */ (["title", "text", "group", "view", "speed"]))
      if (inputs[name]) inputs[name].value = String(this.chapter[name]);
  }

  #looks() {
    const { names } = this.page;
    const view = picker(
      "",
      [
        ["all", gettext("All hands")],
        ["spectator", gettext("Spectator")],
        ...names.map((name, seat) => /** @type {[string, string]} */ ([String(seat), name])),
      ],
      this.chapter.view,
      (value) => this.draft.change({ view: value }),
    );
    const speed = picker(
      "",
      SPEEDS.map((value) => [String(value), `${value / 100}×`]),
      String(this.chapter.speed),
      (value) => this.draft.change({ speed: Number(value) }),
    );
    Object.assign(this.inputs, { view, speed });
    return box(
      "div",
      "filters",
      labelled(gettext("Perspective"), view),
      labelled(gettext("Speed"), speed),
    );
  }

  #end() {
    const { lesson, saver } = this.draft;
    const remove = button("button quiet small", gettext("Delete the chapter"), () =>
      saver.remove(
        (body) =>
          request("DELETE /api/v1/studies/{key}/chapters/{number}", lesson.urls.chapter, body),
        `/studies/${lesson.study}/#deleted`,
      ),
    );
    return box("div", "form-end", remove);
  }
}

/** Puts both beside the table. @param {Lesson} lesson @param {Page} page */
export async function mount(lesson, page) {
  const { log } = page.player;
  const round = log.rounds[lesson.chapter.round - 1];
  if (round) await log.load(round);
  const draft = new ChapterDraft(lesson);
  const editor = new ChapterEditor(draft, page);
  const desk = box("div", "chapter-desk stack", editor.element, draft.status);
  new AskHere(draft, page, desk);
  document.querySelector(".side")?.prepend(desk);
  if (location.hash === NEW) editor.open();
}

export class ChapterDraft {
  /** @param {Lesson} lesson */
  constructor(lesson) {
    this.lesson = lesson;
    /** @type {Chapter} */
    this.chapter = lesson.chapter;
    this.status = box("p", { class: "soft save-status", role: "status" });
    /** Called when the place or the question has changed. @type {(() => void)[]} */
    this.watchers = [];
    /** Called when someone else has changed something. @type {(() => void)[]} */
    this.mergers = [];
    /** @type {import("../outbox/autosave.js").Ways<Chapter>} */
    const ways = {
      say: (words) => this.say(words),
      saved: (now) => {
        byId("chapter-words").innerHTML = now.html; // sanitised by the server
        write(byId("chapter-title"), now.title);
      },
      merged: (now) => {
        Object.assign(this.chapter, now, this.saver.changed);
        for (const changed of [...this.watchers, ...this.mergers]) changed();
      },
      place: this.status,
      reload: () => location.assign(location.pathname), // the chapter's place may be another now
      gone: (own) => {
        const words = wordsOf(own);
        if (words) this.status.before(lostWords(words, () => this.saver.drop()));
      },
    };
    /** @type {Autosave<Chapter>} */
    this.saver = new Autosave(lesson.urls.chapter, this.chapter, ways, lesson.account);
    this.saver.begin(this.chapter);
  }

  /** @param {string} words */
  say(words) {
    write(this.status, words);
  }

  /** @param {import("../outbox/autosave.js").Fields} fields */
  change(fields) {
    Object.assign(this.chapter, fields);
    this.saver.change(fields);
    if (["event", "question", "until"].some((name) => name in fields))
      for (const changed of this.watchers) changed();
  }

  /** Once everything is saved. @param {() => void} act */
  async saved(act) {
    if (await this.saver.settled()) act();
  }
}
