/**
 * A chapter's question, for its writers, beside the table: one press asks before the next take,
 * with the actual play as the right answer. The rest can be changed from there.
 * @import { Page } from "../replay/page.js"
 * @typedef {import("./chaptereditor.js").ChapterDraft} ChapterDraft
 * @typedef {import("./moments.js").Answer} Answer
 * @typedef {Omit<import("api").Question, "answers"> & {answers: Answer[]}} Question
 */

import { token } from "../../games/dom/asking.js";
import { box, button, placed, redraw, write } from "../../games/dom/elements.js";
import { seconds } from "../../games/match/words.js";
import { decimal, gettext } from "../../games/words/gettext.js";
import { labelled, WIDE, words } from "./fields.js";
import {
  answerWords,
  happened,
  momentWords,
  nextQuestion,
  sameAnswer,
  titleOf,
  tookMs,
} from "./moments.js";
import { answerChoice, keyWords, TableAnswer } from "./tableanswer.js";

const MOST_ANSWERS = 8;
const NO_WORDS = { hint: "", right: "", wrong: "", late: "" };
/** @type {["hint" | "right" | "wrong" | "late", string][]} */
const COMMENTS = [
  ["hint", gettext("Hint")],
  ["right", gettext("Shown after a right answer")],
  ["wrong", gettext("Shown after a wrong answer")],
  ["late", gettext("Shown when an answer is too late")],
];

/** Starts the question for its writer: by a form, since that changes what they may see. @param {string} action */
function startQuestion(action) {
  const form = box("form", { method: "post", action });
  form.append(box("input", { type: "hidden", name: "csrfmiddlewaretoken", value: token() }));
  document.body.append(form);
  form.submit();
}

export class AskHere {
  /** @param {ChapterDraft} draft @param {Page} page @param {HTMLElement} desk its place */
  constructor(draft, page, desk) {
    this.desk = desk;
    this.draft = draft;
    this.page = page;
    this.player = page.player;
    /** Where right answers are given on the table. @type {TableAnswer | null} */
    this.table = null;
    this.element = box("section", {
      class: "question framed ask-here",
      "aria-label": gettext("Question"),
    });
    this.about = box("p", "soft");
    this.player.onChange(() => this.#preview());
    page.onChange(["view", "line"], () => this.#preview());
    this.#show();
  }

  /** Whether the match is over: the fitting uses are known only then. */
  get over() {
    return document.getElementById("uses") !== null;
  }

  get chapter() {
    return this.draft.chapter;
  }

  /** @param {number} [round] */
  #round(round = this.chapter.round) {
    return this.player.log.rounds[round - 1];
  }

  #show() {
    this.table?.toggle(false);
    this.table = null;
    redraw(this.element, this.chapter.question ? this.#question() : this.#offer());
    // On a small screen the offer is right below the table, so that it is easy to find.
    if (WIDE.matches || this.chapter.question) this.desk.prepend(this.element);
    else this.page.board.root.after(this.element);
    this.#preview();
  }

  // --- No question yet ---

  #offer() {
    if (!this.over) {
      write(this.about, gettext("A question can be asked here once the match is over."));
      return [this.about];
    }
    const press = button("button primary", gettext("Ask here: what would you play?"), () =>
      this.#ask(),
    );
    return [press, this.about];
  }

  #next() {
    const { round, event } = this.player.cursor;
    const { view } = this.page.state;
    const seat = typeof view === "number" ? view : null;
    return nextQuestion(this.#round(round), event, seat);
  }

  #preview() {
    if (this.chapter.question || !this.over) return;
    const next = this.#next();
    const { names } = this.page;
    const where = next && momentWords(this.#round(this.player.cursor.round), next.event, names);
    write(
      this.about,
      next && !this.page.state.line
        ? gettext("Learners see the match up to {where}, and then answer.", { where })
        : gettext("Nothing is played after this: go to an earlier position."),
    );
  }

  #ask() {
    const next = this.#next();
    if (!next || this.page.state.line) return;
    const { round } = this.player.cursor;
    const { seat, card, stack } = next.play;
    /** @type {Answer} */
    const right = { do: "play", card, stack };
    this.draft.change({
      ...{ round, event: next.event, until: null, line: null, view: String(seat) },
      question: { seat, timed: false, answers: [right], ...NO_WORDS },
      ...this.#title(round, seat),
    });
    this.player.pause();
    this.player.goTo({ round, event: next.event });
    this.#show();
    this.element.querySelector("button")?.focus({ preventScroll: true });
  }

  /** A title that gives away no answer, in place of a default one. @param {number} round @param {number} seat */
  #title(round, seat) {
    const { names } = this.page;
    const { title, round: told, event } = this.chapter;
    if (title !== titleOf(this.#round(told), event, names)) return {};
    return {
      title: gettext("Round {round}: what would {name} play?", { round, name: names[seat] }),
    };
  }

  // --- The question ---

  /** Where there is one. */
  get question() {
    return /** @type {Question} */ (this.chapter.question);
  }

  #question() {
    const { question, chapter } = this;
    const { number } = chapter;
    const { lesson } = this.draft;
    const attempt = button("button small primary", gettext("Try it as a learner"), () =>
      this.draft.saved(() => startQuestion(`/studies/${lesson.study}/${number}/start`)),
    );
    const href = `/studies/${lesson.study}/${number}/results/`;
    const results = box("a", { class: "button small", href }, gettext("Answers"));
    const drop = button("button small quiet", gettext("No question"), () => {
      this.draft.change({ question: null });
      this.#show();
    });
    return [
      box(
        "p",
        "question-words",
        box("b", "", gettext("What would {name} play?", { name: this.page.names[question.seat] })),
      ),
      this.#stop(),
      this.#answers(),
      this.#limit(),
      this.#comments(),
      box("div", "actions", attempt, results, drop),
    ];
  }

  #stop() {
    const { round, event } = this.chapter;
    const where = momentWords(this.#round(), event, this.page.names);
    const words = box("span", "", gettext("Stops at {where}.", { where }));
    const earlier = button("button small quiet", gettext("Earlier"), () => this.#move(-1));
    const later = button("button small quiet", gettext("Later"), () => this.#move(1));
    const there = button("button small quiet", gettext("Go there"), () => {
      this.player.pause();
      this.player.goTo({ round, event });
    });
    earlier.disabled = event === 0;
    later.disabled = event >= (this.#round()?.events.length ?? 0) - 1;
    return box("div", "actions question-stop gap-half", words, earlier, later, there);
  }

  /** Moves the stop by an event. Answers that are not possible there are left out. @param {number} by */
  #move(by) {
    const { question } = this;
    const { round } = this.chapter;
    const event = this.chapter.event + by;
    const hand = this.#round()?.timeline?.tableAt(event).hands[question.seat] ?? [];
    const kept = question.answers.filter(
      (/** @type {Answer} */ answer) => !answer.card || hand.includes(answer.card),
    );
    const next = happened(this.#round(), event, question.seat);
    const answers = kept.length || !next ? kept : [next];
    if (!answers.length) return this.draft.say(gettext("No one plays there any more."));
    this.draft.change({ event, question: { ...question, answers } });
    this.player.pause();
    this.player.goTo({ round, event });
    this.#show();
  }

  /** The right answers, and a way to add one. */
  #answers() {
    const { question } = this;
    const { event } = this.chapter;
    const real = happened(this.#round(), event, question.seat);
    const list = box("ul", "right-answers");
    for (const answer of question.answers) {
      const right =
        real && sameAnswer(real, answer)
          ? gettext("Right: {answer}, as in the match")
          : gettext("Right: {answer}");
      const bold = [box("b", "", answerWords(answer))];
      const words = box("span", "", ...placed(right, { answer: bold }));
      list.append(box("li", "row apart", words, ...this.#remove(answer)));
    }
    if (question.answers.length >= MOST_ANSWERS) return list;
    const add = button("button small", gettext("Another right answer"), () => {
      add.remove();
      this.#add(adding);
    });
    const adding = box("div", "stack packed", add);
    return box("div", "", list, adding);
  }

  /** One right answer stays. @param {Answer} answer */
  #remove(answer) {
    /** @type {Answer[]} */
    const all = this.question.answers;
    if (all.length === 1) return [];
    const kind = {
      class: "button small quiet",
      "aria-label": gettext("Remove: {answer}", { answer: answerWords(answer) }),
    };
    const drop = () => this.#put({ answers: all.filter((other) => other !== answer) });
    return [button(kind, gettext("Remove"), drop)];
  }

  /** Takes one more right answer: from the table, or from a list. @param {HTMLElement} place */
  #add(place) {
    const { question } = this;
    const { round, event } = this.chapter;
    const table = this.#round()?.timeline?.tableAt(event);
    if (!table) return;
    /** @param {Answer} answer */
    const chosen = (answer) => {
      const known = question.answers.some((/** @type {Answer} */ right) =>
        sameAnswer(right, answer),
      );
      if (known) this.draft.say(gettext("That is a right answer already."));
      this.#put({ answers: known ? question.answers : [...question.answers, answer] });
    };
    const words = gettext("Play it on the table, or choose it here.");
    const status = box("p", { class: "soft", role: "status" }, words);
    const keys = box("p", "soft answer-keys small", keyWords(table.tops.length));
    place.append(
      ...[status, keys, answerChoice(table, table.hands[question.seat], chosen)],
      button("button small quiet", gettext("Done"), () => this.#show()),
    );
    this.table = new TableAnswer(
      this.page,
      question.seat,
      { round, event },
      {
        chosen,
        say: (words) => write(status, words),
        done: () => this.#show(),
      },
    );
    this.table.toggle(true);
    this.player.pause();
    this.player.goTo({ round, event });
  }

  /** @param {import("../outbox/autosave.js").Fields} fields */
  #put(fields) {
    this.draft.change({ question: { ...this.question, ...fields } });
    this.#show();
  }

  #limit() {
    const { question } = this;
    const { event } = this.chapter;
    const took = tookMs(this.#round(), event, question.seat);
    const name = this.page.names[question.seat];
    const timed = box("input", { type: "checkbox", checked: question.timed });
    const field = box("input", {
      ...{ type: "number", min: 0.1, max: 600, step: 0.1, class: "seconds" },
      value: question.limit ? String(question.limit / 1000) : "",
      placeholder: took === null ? "" : decimal(took / 1000, 1),
    });
    const own = labelled(gettext("Seconds, if not as long as {name} took", { name }), field);
    own.hidden = !question.timed;
    /** @param {import("../outbox/autosave.js").Fields} fields */
    const change = (fields) => this.draft.change({ question: { ...this.question, ...fields } });
    timed.addEventListener("change", () => {
      own.hidden = !timed.checked;
      change({ timed: timed.checked });
    });
    field.addEventListener("change", () =>
      change({ limit: field.value ? Math.round(Number(field.value) * 1000) : null }),
    );
    const all = { name, time: seconds(took ?? 0) };
    const asLong =
      took === null
        ? gettext("Only as long as {name} took", all)
        : gettext("Only as long as {name} took ({time})", all);
    const words = question.limit ? gettext("Only for a limited time") : asLong;
    return box("div", "", box("label", "check", timed, words), own);
  }

  #comments() {
    const { question } = this;
    const more = box(
      "details",
      "",
      box("summary", "", gettext("Hint, and words after the answer")),
    );
    for (const [name, label] of COMMENTS) {
      const input = words(question[name] ?? "", 2, 1000);
      input.addEventListener("input", () =>
        this.draft.change({ question: { ...this.question, [name]: input.value } }),
      );
      more.append(labelled(label, input));
    }
    return more;
  }
}
