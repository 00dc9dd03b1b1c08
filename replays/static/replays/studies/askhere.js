/**
 * A chapter's question, for its writers, beside the table: one press asks before the next take,
 * with the actual play as the right answer. The rest can be changed from there.
 * @import { Page } from "../replay/page.js"
 * @typedef {import("./chaptereditor.js").ChapterDraft} ChapterDraft
 * @typedef {import("./moments.js").Answer} Answer
 * @typedef {Omit<import("api").Question, "answers"> & {answers: Answer[]}} Question
 */

import { onSubmit } from "../../games/dom/controls.js";
import { box, button, byId, placed, redraw, write } from "../../games/dom/elements.js";
import { seconds } from "../../games/match/words.js";
import { decimal, gettext } from "../../games/words/gettext.js";
import { fill, follow } from "../outbox/forms.js";
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
import { WIDE } from "./wide.js";

const MOST_ANSWERS = 8;
const NO_WORDS = { hint: "", right: "", wrong: "", late: "" };
export class AskHere {
  /** @param {ChapterDraft} draft @param {Page} page */
  constructor(draft, page) {
    this.draft = draft;
    this.page = page;
    this.player = page.player;
    /** Where right answers are given on the table. @type {TableAnswer | null} */
    this.table = null;
    this.element = byId("ask-here");
    this.timed = /** @type {HTMLInputElement} */ (byId("ask-timed"));
    this.seconds = /** @type {HTMLInputElement} */ (byId("ask-seconds"));
    this.player.onChange(() => this.#preview());
    page.onChange(["view", "line"], () => this.#preview());
    this.#bind();
    this.#show();
  }

  #bind() {
    const { draft, timed, seconds } = this;
    /** @param {string} name @param {() => unknown} press */
    const on = (name, press) =>
      document.getElementById(`ask-${name}`)?.addEventListener("click", press);
    on("start", () => this.#ask());
    on("earlier", () => this.#move(-1));
    on("later", () => this.#move(1));
    on("there", () => this.#goThere());
    on("more", () => this.#add());
    on("drop", () => {
      draft.change({ question: null });
      this.#show();
    });
    // A form starts the question: that changes what its writer may see.
    const attempt = /** @type {HTMLFormElement} */ (byId("ask-try"));
    onSubmit(attempt, () => draft.saved(() => attempt.submit()));
    timed.addEventListener("change", () => {
      this.#change({ timed: timed.checked });
      this.#limit();
    });
    seconds.addEventListener("change", () =>
      this.#change({ limit: seconds.value ? Math.round(Number(seconds.value) * 1000) : null }),
    );
    follow(byId("ask-comments"), (fields) => this.#change(fields));
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
    const { element, page } = this;
    const { question } = this.chapter;
    byId("ask-offer").hidden = Boolean(question);
    byId("ask-question").hidden = !question;
    if (question) this.#question();
    // On a small screen the offer is right below the table, so that it is easy to find.
    const desk = byId("chapter-desk");
    if (!WIDE.matches && !question) page.board.root.after(element);
    else if (!desk.contains(element)) desk.prepend(element);
    this.#preview();
  }

  // --- No question yet ---

  #next() {
    const { round, event } = this.player.cursor;
    const { view } = this.page.state;
    const seat = typeof view === "number" ? view : null;
    return nextQuestion(this.#round(round), event, seat);
  }

  #preview() {
    if (this.chapter.question) return;
    const about = byId("ask-about");
    if (!this.over)
      return write(about, gettext("A question can be asked here once the match is over."));
    const next = this.#next();
    const { names } = this.page;
    const where = next && momentWords(this.#round(this.player.cursor.round), next.event, names);
    write(
      about,
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
    this.#goThere();
    this.#show();
    byId("ask-earlier").focus({ preventScroll: true });
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
    const { question, chapter, page } = this;
    const { event } = chapter;
    const round = this.#round();
    const where = momentWords(round, event, page.names);
    write(
      byId("ask-words"),
      gettext("What would {name} play?", { name: page.names[question.seat] }),
    );
    write(byId("ask-stop"), gettext("Stops at {where}.", { where }));
    byId("ask-earlier").toggleAttribute("disabled", event === 0);
    byId("ask-later").toggleAttribute("disabled", event >= (round?.events.length ?? 0) - 1);
    this.#answers();
    this.#limit();
    fill(byId("ask-comments"), question);
  }

  #goThere() {
    const { round, event } = this.chapter;
    this.player.pause();
    this.player.goTo({ round, event });
  }

  /** Moves the stop by an event. Answers that are not possible there are left out. @param {number} by */
  #move(by) {
    const { question } = this;
    const event = this.chapter.event + by;
    const hand = this.#round()?.timeline?.tableAt(event).hands[question.seat] ?? [];
    const kept = question.answers.filter(
      (/** @type {Answer} */ answer) => !answer.card || hand.includes(answer.card),
    );
    const next = happened(this.#round(), event, question.seat);
    const answers = kept.length || !next ? kept : [next];
    if (!answers.length) return this.draft.say(gettext("No one plays there any more."));
    this.draft.change({ event, question: { ...question, answers } });
    this.#goThere();
    this.#show();
  }

  #answers() {
    const { question } = this;
    const { event } = this.chapter;
    const real = happened(this.#round(), event, question.seat);
    const rows = question.answers.map((answer) => {
      const right =
        real && sameAnswer(real, answer)
          ? gettext("Right: {answer}, as in the match")
          : gettext("Right: {answer}");
      const bold = [box("b", "", answerWords(answer))];
      const words = box("span", "", ...placed(right, { answer: bold }));
      return box("li", "row apart", words, ...this.#remove(answer));
    });
    redraw(byId("ask-answers"), rows);
    byId("ask-adding").replaceChildren();
    byId("ask-more").hidden = question.answers.length >= MOST_ANSWERS;
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

  /** Takes one more right answer: from the table, or from a list. */
  #add() {
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
    byId("ask-more").hidden = true;
    byId("ask-adding").replaceChildren(
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
    this.#goThere();
  }

  /** @param {import("../outbox/autosave.js").Fields} fields */
  #change(fields) {
    this.draft.change({ question: { ...this.question, ...fields } });
  }

  /** @param {import("../outbox/autosave.js").Fields} fields */
  #put(fields) {
    this.#change(fields);
    this.#show();
  }

  #limit() {
    const { question, seconds: field } = this;
    const took = tookMs(this.#round(), this.chapter.event, question.seat);
    const all = { name: this.page.names[question.seat], time: seconds(took ?? 0) };
    const asLong =
      took === null
        ? gettext("Only as long as {name} took", all)
        : gettext("Only as long as {name} took ({time})", all);
    const words = question.limit ? gettext("Only for a limited time") : asLong;
    write(byId("ask-limit"), words);
    write(byId("ask-longer"), gettext("Seconds, if not as long as {name} took", all));
    this.timed.checked = question.timed;
    field.value = question.limit ? String(question.limit / 1000) : "";
    field.placeholder = took === null ? "" : decimal(took / 1000, 1);
    byId("ask-own").hidden = !question.timed;
  }
}
