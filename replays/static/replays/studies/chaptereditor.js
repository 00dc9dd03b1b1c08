// @ts-check
/**
 * Edits a chapter on its own page: words, place, perspective, speed and question. Saves by itself.
 *
 * @typedef {import("./lesson.js").Lesson} Lesson
 * @typedef {import("./lesson.js").Page} Page
 * @typedef {import("./answerchoice.js").Answer} Answer
 */

import { box, byId, write } from "../../games/dom/elements.js";
import { answerChoice, answerWords } from "./answerchoice.js";
import { ask } from "./ask.js";
import { Autosave, conflictChoice, differences } from "./autosave.js";
import { button, choice, labelled, line, words } from "./fields.js";

const SPEEDS = [10, 25, 50, 100, 150, 200, 400, 800];
/** @type {[string, string][]} */
const COMMENTS = [
  ["hint", "Hint"],
  ["right", "Shown after a right answer"],
  ["wrong", "Shown after a wrong answer"],
  ["late", "Shown when an answer is too late"],
];

export class ChapterEditor {
  /** @param {Lesson} lesson @param {Page} page */
  constructor(lesson, page) {
    this.lesson = lesson;
    this.page = page;
    this.chapter = lesson.chapter;
    this.element = box("section", "panel form chapter-editor");
    this.element.setAttribute("aria-label", "Edit the chapter");
    this.status = box("p", "soft");
    this.status.setAttribute("role", "status");
    this.saver = new Autosave(this.chapter.revision, {
      send: (body) => ask("PUT", lesson.urls.chapter, body, lesson.csrf),
      say: (text) => write(this.status, text),
      saved: (now) => this.#saved(now),
      conflict: (now, own) => this.#conflict(now, own),
    });
    this.place = box("p", "soft");
    this.question = box("div", "question-editor");
    const said = box("div", "question-editor", ...this.#words(), this.#places(), this.#looks());
    said.append(this.#end(), this.status);
    this.element.append(said, this.question);
    this.#showPlace();
    this.#showQuestion();
    addEventListener("beforeunload", (event) => this.saver.unsaved && event.preventDefault());
  }

  /** @param {Record<string, any>} fields */
  #change(fields) {
    Object.assign(this.chapter, fields);
    this.saver.change(fields);
  }

  /** @param {any} now */
  #saved(now) {
    byId("chapter-words").innerHTML = now.html; // sanitised by the server
    write(byId("chapter-title"), now.title);
  }

  /** @param {any} now @param {Record<string, any>} own */
  #conflict(now, own) {
    write(this.status, "Not saved.");
    this.element.prepend(
      conflictChoice(
        differences(own, now),
        { own: () => this.saver.keepOwn(now.revision), theirs: () => this.#reload() },
        button,
      ),
    );
  }

  #reload() {
    this.saver.drop();
    location.reload();
  }

  #words() {
    const title = line(this.chapter.title);
    title.addEventListener(
      "input",
      () => title.value.trim() && this.#change({ title: title.value }),
    );
    const text = words(this.chapter.text, 4);
    text.addEventListener("input", () => this.#change({ text: text.value }));
    const group = line(this.chapter.group);
    group.addEventListener("input", () => this.#change({ group: group.value.trim() }));
    return [
      labelled("Title", title),
      labelled("Introduction (Markdown; @1:34.1 leads to a moment)", text),
      labelled("Group in the table of contents", group),
    ];
  }

  #places() {
    const { player } = this.page;
    const here = button("button small", "Starts here", () => {
      const { round, event } = player.cursor;
      const { until } = this.chapter;
      const kept = round === this.chapter.round && until !== null && until >= event ? until : null;
      const question = this.chapter.question ? { question: null } : {};
      this.#change({ round, event, until: kept, line: this.page.line, ...question });
      this.#showPlace();
      this.#showQuestion();
    });
    const end = button("button small", "Ends here", () => {
      const { round, event } = player.cursor;
      if (round !== this.chapter.round || event < this.chapter.event)
        return write(this.status, "A chapter ends after its start, in the same round.");
      this.#change({ until: event });
      this.#showPlace();
    });
    return box("div", "actions", here, end, this.place);
  }

  #showPlace() {
    const { round, event, until } = this.chapter;
    write(this.place, `Round ${round}, event ${event}${until === null ? "" : ` to ${until}`}`);
  }

  #looks() {
    const { names } = this.page;
    const view = choice(
      [
        ["all", "All hands"],
        ["spectator", "Spectator"],
        ...names.map((name, seat) => /** @type {[string, string]} */ ([String(seat), name])),
      ],
      this.chapter.view,
    );
    view.addEventListener("change", () => this.#change({ view: view.value }));
    const speed = choice(
      SPEEDS.map((value) => [String(value), `${value / 100}×`]),
      String(this.chapter.speed),
    );
    speed.addEventListener("change", () => this.#change({ speed: Number(speed.value) }));
    return box("div", "filters", labelled("Perspective", view), labelled("Speed", speed));
  }

  #showQuestion() {
    const { question } = this.chapter;
    if (!question) {
      const make = button("button", "Make it a question", () => this.#begin());
      const about = "It stops at the chapter’s moment and asks what to play there.";
      this.question.replaceChildren(make, box("p", "soft", about));
      return;
    }
    const timed = Object.assign(document.createElement("input"), {
      type: "checkbox",
      checked: question.timed,
    });
    timed.addEventListener("change", () => this.#ask({ timed: timed.checked }));
    const limit = box("label", "check", timed, `Only as long as the player took${this.#took()}`);
    const drop = button("button small danger", "No question", () => {
      this.#change({ question: null });
      this.#showQuestion();
    });
    this.question.replaceChildren(
      box("h3", "", `What would ${this.page.names[question.seat]} play?`),
      this.#answers(),
      limit,
      ...COMMENTS.map(([name, label]) => {
        const input = words(question[name] ?? "", 2, 1000);
        input.addEventListener("input", () => this.#ask({ [name]: input.value }));
        return labelled(label, input);
      }),
      drop,
    );
  }

  /** How long the seat took in the match, in words. */
  #took() {
    const { question, round, event } = this.chapter;
    const { events } = this.page.player.log.rounds[round - 1] ?? { events: [] };
    const next = events.slice(event).find((one) => "seat" in one && one.seat === question.seat);
    const stop = events[event - 1]?.t ?? 0;
    return next ? `: ${((next.t - stop) / 1000).toFixed(1)} s` : "";
  }

  /** @param {Record<string, any>} fields */
  #ask(fields) {
    this.#change({ question: { ...this.chapter.question, ...fields } });
  }

  /** The right answers, with a choice for one more. */
  #answers() {
    const { question, round, event } = this.chapter;
    const table = this.page.player.log.rounds[round - 1]?.timeline?.tableAt(event);
    const list = box("ul", "chips");
    for (const answer of question.answers) {
      const remove = button("button small quiet", "Remove", () => {
        this.#ask({
          answers: question.answers.filter((/** @type {Answer} */ one) => one !== answer),
        });
        this.#showQuestion();
      });
      remove.disabled = question.answers.length === 1;
      list.append(box("li", "chip", `Right: ${answerWords(answer)} `, remove));
    }
    if (!table) return list;
    const add = box("details", "", box("summary", "", "Another right answer"));
    add.append(
      answerChoice(table, question.seat, (answer) => {
        this.#ask({ answers: [...question.answers, answer] });
        this.#showQuestion();
      }),
    );
    return box("div", "", list, add);
  }

  /** A question with what was played next as the right answer, or the choice of one. */
  #begin() {
    const { round, event, view } = this.chapter;
    const { events } = this.page.player.log.rounds[round - 1] ?? { events: [] };
    const own = /^\d$/.test(view) ? Number(view) : null;
    const next = events
      .slice(event)
      .find((one) => one.do === "play" && (own === null || one.seat === own));
    if (next?.do !== "play")
      return write(this.status, "Nothing is played after this moment: choose an earlier one.");
    const { seat, card, stack } = next;
    const hand = this.page.player.log.rounds[round - 1].timeline?.tableAt(event).hands[seat];
    const held = hand?.includes(card);
    /** @type {Answer} */
    const right = held ? { do: "play", card, stack } : { do: "draw" };
    const words = { hint: "", right: "", wrong: "", late: "" };
    this.#change({ question: { seat, timed: false, answers: [right], ...words } });
    this.#showQuestion();
  }

  #end() {
    const remove = button("button danger small", "Delete the chapter", async () => {
      if (!window.confirm("Delete this chapter?")) return;
      const body = { revision: this.saver.revision };
      const { ok, data } = await ask("DELETE", this.lesson.urls.chapter, body, this.lesson.csrf);
      if (ok) location.assign(`/studies/${this.lesson.study}/`);
      else write(this.status, `Not deleted: ${data.error}.`);
    });
    return box("div", "form-end", remove);
  }
}
