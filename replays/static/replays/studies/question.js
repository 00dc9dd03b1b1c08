/**
 * A question: the match plays up to the stop, then the learner chooses a play, on the table or from
 * a list. The server sends the rest of the match after the answer.
 * @import { Page } from "../replay/page.js"
 * @import { Lesson } from "./lesson.js"
 * @typedef {import("./moments.js").Answer} Answer
 * @import { RoundEvent } from "../../games/match/fold.js"
 * @import { AnswerJudged, QuestionAsked } from "api"
 * @typedef {import("../../games/dom/asking.js").Response<AnswerJudged | QuestionAsked>} Judged
 */

import { request } from "../../games/dom/asking.js";
import { box, button, byId, write } from "../../games/dom/elements.js";
import { restKeys } from "../../games/dom/keptkeys.js";
import { stored, tabStorage } from "../../games/dom/storage.js";
import { apply, copyOf } from "../../games/match/fold.js";
import { gettext } from "../../games/words/gettext.js";
import { share } from "../addresses/copying.js";
import { Approach, clockWords, inOrder, isOver, paceWords } from "./approach.js";
import { answerWords } from "./moments.js";
import { answerChoice, keyWords, TableAnswer } from "./tableanswer.js";
import { ANSWERED, WIDE } from "./wide.js";

const TICK_MS = 100;

export class Question {
  /** @param {Lesson} lesson @param {Page} page @param {() => unknown} [answered] what comes then */
  constructor(lesson, page, answered = again) {
    this.lesson = lesson;
    this.page = page;
    this.answered = answered;
    this.player = page.player;
    this.question = lesson.question ?? {
      seat: 0,
      timed: false,
      limit_ms: null,
      passed_ms: null,
      answer: null,
    };
    this.status = byId("question-status");
    this.approach = new Approach(page.player, lesson.chapter, {
      passed: this.question.passed_ms,
      arrived: () => {
        this.post({ asked: true });
        this.#offer();
      },
    });
    this.sent = false;
    this.timeUp = false;
    // The server counts the time from `asked`, and knows of no question after its answer.
    this.post = inOrder(
      /** @type {(body: import("api").Answered) => Promise<Judged>} */ (body) =>
        request(
          "POST /api/v1/studies/{key}/chapters/{number}/answer",
          lesson.urls.answer + share(),
          body,
        ),
    );
    /** @type {TableAnswer | null} */
    this.table = null;
    write(byId("question-player"), page.names[this.question.seat]);
  }

  start() {
    this.page.board.sitAt(this.question.seat);
    const question = byId("question");
    const { parentElement } = question;
    const above = parentElement?.closest(".side") ? null : parentElement;
    this.#place(question, byId("question-choice"), above);
    if (this.lesson.state === "held") {
      this.#hold();
      return;
    }
    const skip = button("button small", gettext("To the question"), () => this.approach.goOn());
    byId("question-choice").append(skip);
    const way = `${gettext("The match plays up to it.")} ${paceWords(this.question)}`;
    if (!question.dataset.held) write(this.status, way.trimEnd());
    write(byId("question-clock"), clockWords(this.approach.ms, this.question));
    this.approach.start();
    this.#show();
  }

  /**
   * The whole table stays in sight, also once a tablet is turned: the question is beside it, or above
   * it with the buttons below.
   * @param {HTMLElement} question @param {HTMLElement} choice
   * @param {HTMLElement | null} above where it is above, null: right before the table
   */
  #place(question, choice, above) {
    const { root } = this.page.board;
    if (WIDE.matches) {
      document.querySelector(".side")?.prepend(question);
      this.status.after(choice);
    } else {
      if (question.closest(".side")) above ? above.prepend(question) : root.before(question);
      root.after(choice);
    }
    const again = () => question.isConnected && this.#place(question, choice, above);
    WIDE.addEventListener("change", again, { once: true });
  }

  /** The table stays as the learner's own answer made it, until the leader shows what happened. */
  async #hold() {
    const { page, player, lesson, question } = this;
    const { round, event } = lesson.chapter;
    const { answer, seat } = question;
    if (page.state.view !== "all") page.set({ view: seat });
    await player.goTo({ round, event });
    const { view } = page.state;
    const shown = page.board.showPlace(player, view);
    if (!player.table || !shown || !answer) return;
    const table = copyOf(player.table);
    apply(table, /** @type {RoundEvent} */ ({ ...answer, seat, t: table.t }));
    page.board.show(table, { ...shown, view });
  }

  #offer() {
    const { table } = this.player;
    if (!table) return;
    const { round, event } = this.lesson.chapter;
    const { seat, timed } = this.question;
    this.table = new TableAnswer(
      this.page,
      seat,
      { round, event },
      {
        chosen: (answer) => this.#answer(answer),
        say: (words) => write(this.status, words),
      },
    );
    this.table.toggle(true);
    write(this.status, gettext("Play on the table: a card, then a stack."));
    byId("question-choice").replaceChildren(this.#buttons(table));
    byId("question").focus({ preventScroll: true });
    this.#show();
    if (timed) this.#tick();
  }

  /** The whole table, without words of what came before over its stacks. */
  #show() {
    const { root } = this.page.board;
    for (const word of root.querySelectorAll(".shout")) word.remove();
    root.scrollIntoView({ block: "nearest" });
  }

  /** What is not a card on a stack, and the list. @param {import("../../games/match/fold.js").Table} table */
  #buttons(table) {
    const { hands } = /** @type {TableAnswer} */ (this.table);
    const { seat } = this.question;
    const places = this.page.board.hands[seat]; // the list has the cards as they lie there
    const held = [...table.hands[seat]].sort((a, b) => places.indexOf(a) - places.indexOf(b));
    // In a review, only its leader shows what happened.
    const waits = byId("question").dataset.held;
    const none = waits ? gettext("I don’t know") : gettext("Show what happened");
    const list = box("details", "", box("summary", "", gettext("Other ways")));
    if (matchMedia("(hover: hover)").matches)
      list.append(box("p", "soft small", keyWords(table.tops.length)));
    list.append(answerChoice(table, held, (answer) => this.#answer(answer)));
    const buttons = box(
      "div",
      "actions gap-1-half",
      button("button small", gettext("Draw"), () => this.#answer({ do: "draw" })),
      button("button small", gettext("Discard…"), () => hands.discard()),
      button("button small", gettext("Wait"), () => this.#answer({ do: "wait" })),
      button("button small quiet", none, () => this.#answer(null)),
    );
    return box("div", "stack packed", buttons, list);
  }

  #tick() {
    if (this.sent) return;
    const { approach, question } = this;
    write(byId("question-clock"), clockWords(approach.ms, question));
    // Then the page shows what could have been played.
    if (isOver(approach.ms, question) && !this.timeUp) {
      this.timeUp = true;
      this.#answer(null);
    } else setTimeout(() => this.#tick(), TICK_MS);
  }

  /** Takes the choices away, and leaves their room: nothing moves. @param {boolean} closed */
  #close(closed) {
    this.table?.toggle(!closed);
    byId("question-choice").style.visibility = closed ? "hidden" : "";
  }

  /** @param {Answer | null} answer */
  async #answer(answer) {
    if (this.sent) return;
    this.sent = true;
    const { ms } = this.approach;
    const hint = document.getElementById("question-hint");
    const hinted = hint instanceof HTMLDetailsElement && hint.open;
    this.#close(true);
    restKeys();
    write(
      this.status,
      answer ? gettext("You: {answer} …", { answer: answerWords(answer) }) : gettext("Looking…"),
    );
    const body = { answer: /** @type {import("api").Answered["answer"]} */ (answer), ms, hinted };
    const { ok, status, data } = await this.post(body);
    if (ok || status === 409) {
      this.answered();
      return;
    }
    this.sent = false;
    this.#close(false);
    write(this.status, gettext("Not sent. {detail} Try again.", { detail: data.detail }));
    if (this.question.timed) this.#tick();
  }
}

/** The page with the verdict, as far down as this one. Without the place in its address it opens at its own. */
function again() {
  stored(tabStorage(), ANSWERED, String(scrollY));
  const query = new URLSearchParams(location.search);
  for (const name of ["round", "t", "seq", "event", "lead", "line"]) query.delete(name);
  location.replace(location.pathname + (query.size ? `?${query}` : ""));
}
