/**
 * What a chapter's writers have beside its table: its question, and its words, place, perspective
 * and speed. Saves by itself.
 * @import { Page } from "../replay/page.js"
 * @import { Chapter, Lesson } from "./lesson.js"
 */

import { request } from "../../games/dom/asking.js";
import { byId, single, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { Autosave, wordsOf } from "../outbox/autosave.js";
import { lostWords } from "../outbox/conflict.js";
import { fill, follow } from "../outbox/forms.js";
import { AskHere } from "./askhere.js";
import { momentWords } from "./moments.js";
import { WIDE } from "./wide.js";

/** The address of a chapter that has just been made ends like this. */
const NEW = "#new";

class ChapterEditor {
  /** @param {ChapterDraft} draft @param {Page} page */
  constructor(draft, page) {
    this.draft = draft;
    this.chapter = draft.chapter;
    this.page = page;
    this.form = byId("chapter-editor");
    this.title = /** @type {HTMLInputElement} */ (byId("chapter-field-title"));
    const view = byId("chapter-field-view");
    view.append(...page.names.map((name, seat) => new Option(name, String(seat))));
    follow(this.form, (fields) => draft.change(fields));
    this.form.addEventListener("toggle", () => {
      if (WIDE.matches) this.form.scrollIntoView({ block: "nearest" });
    });
    this.#bind();
    draft.watchers.push(() => this.#follow());
    draft.mergers.push(() => fill(this.form, this.chapter));
    fill(this.form, this.chapter);
    this.#follow();
  }

  /** Opens a new chapter's editor, ready to give it another title. */
  open() {
    this.form.setAttribute("open", "");
    this.title.focus({ preventScroll: true });
    this.title.select();
  }

  #bind() {
    const { player } = this.page;
    const { lesson, saver } = this.draft;
    /** @param {string} name @param {() => unknown} press */
    const on = (name, press) => byId(`chapter-${name}`).addEventListener("click", single(press));
    on("starts", () => {
      const { round, event } = player.cursor;
      const { until } = this.chapter;
      const kept = round === this.chapter.round && until !== null && until >= event ? until : null;
      this.draft.change({ round, event, until: kept, line: this.page.state.line });
      player.settle();
    });
    on("ends", () => {
      const { round, event } = player.cursor;
      if (round !== this.chapter.round || event < this.chapter.event)
        return this.draft.say(gettext("A chapter ends after its start, in the same round."));
      this.draft.change({ until: event });
      player.settle();
    });
    on("delete", () =>
      saver.remove(
        (body) =>
          request("DELETE /api/v1/studies/{key}/chapters/{number}", lesson.urls.chapter, body),
        `/studies/${lesson.study}/#deleted`,
      ),
    );
  }

  /** The place in words. A question's stop is moved where the question is. */
  #follow() {
    const { round, event, until, title, view, question, line: along } = this.chapter;
    const played = this.page.player.log.rounds[round - 1];
    const { names } = this.page;
    const from = gettext("Starts in round {round}, {moment}.", {
      round,
      moment: momentWords(played, event, names),
    });
    const to =
      until === null
        ? []
        : [gettext("Ends {moment}.", { moment: momentWords(played, until, names) })];
    write(
      byId("chapter-place"),
      along ? gettext("Round {round}, in a what-if.", { round }) : [from, ...to].join(" "),
    );
    byId("chapter-moves").hidden = Boolean(question);
    // A question brings a title and a perspective.
    fill(this.form, document.activeElement === this.title ? { view } : { title, view });
  }
}

/** Puts both beside the table. @param {Lesson} lesson @param {Page} page */
export async function mount(lesson, page) {
  const { log } = page.player;
  const round = log.rounds[lesson.chapter.round - 1];
  if (round) await log.load(round);
  const draft = new ChapterDraft(lesson);
  const editor = new ChapterEditor(draft, page);
  new AskHere(draft, page);
  if (location.hash === NEW) editor.open();
}

export class ChapterDraft {
  /** @param {Lesson} lesson */
  constructor(lesson) {
    this.lesson = lesson;
    /** @type {Chapter} */
    this.chapter = lesson.chapter;
    this.status = byId("chapter-status");
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
