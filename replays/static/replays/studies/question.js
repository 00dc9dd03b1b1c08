// @ts-check
/**
 * A question: the match plays up to the stop, then the learner says what to play. What happened is
 * not known here: the server sends it once there is an answer.
 *
 * @typedef {import("./lesson.js").Lesson} Lesson
 * @typedef {import("./lesson.js").Page} Page
 * @typedef {import("./answerchoice.js").Answer} Answer
 */

import { byId, write } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";
import { answerChoice } from "./answerchoice.js";
import { ask, share } from "./ask.js";
import { answered } from "./drill.js";
import { button } from "./fields.js";

const TICK_MS = 100;
const WIDE = matchMedia("(width >= 72rem)");

export class Question {
  /** @param {Lesson} lesson @param {Page} page */
  constructor(lesson, page) {
    this.lesson = lesson;
    this.player = page.player;
    this.question = lesson.question ?? { seat: 0, timed: false };
    this.status = byId("question-status");
    this.since = 0;
    this.sent = false;
    write(byId("question-player"), page.names[this.question.seat]);
  }

  start() {
    // Beside the table there is room: the whole table stays in sight.
    if (WIDE.matches) document.querySelector(".side")?.prepend(byId("question"));
    this.player.onChange(() => this.#moved());
    const skip = button("button small", "To the question", () => this.#goOn());
    byId("question-choice").append(skip);
    this.#moved();
    if (!this.since) this.player.play();
  }

  #goOn() {
    const { round, event } = this.lesson.chapter;
    this.player.pause();
    this.player.goTo({ round, event });
  }

  /** Whether play has come to the stop. */
  #moved() {
    const { round, event } = this.lesson.chapter;
    const { cursor } = this.player;
    if (this.since || cursor.round !== round || cursor.event < event || !this.player.table) return;
    this.since = performance.now();
    this.player.pause();
    this.#post({ asked: true });
    this.#offer();
  }

  #offer() {
    const { table } = this.player;
    if (!table) return;
    write(this.status, this.question.timed ? "Now: the clock runs." : "Take your time.");
    const choice = answerChoice(table, this.question.seat, (answer) => this.#answer(answer));
    const show = button("button small quiet", "Show what happened", () => this.#answer(null));
    choice.firstElementChild?.append(show);
    byId("question-choice").replaceChildren(choice);
    choice.querySelector("button")?.focus();
    if (this.question.timed) this.#tick();
  }

  #tick() {
    if (this.sent) return;
    write(byId("question-clock"), clock(performance.now() - this.since));
    setTimeout(() => this.#tick(), TICK_MS);
  }

  /** @param {Answer | null} answer */
  async #answer(answer) {
    if (this.sent) return;
    this.sent = true;
    const ms = Math.round(performance.now() - this.since);
    const hint = document.getElementById("question-hint");
    const hinted = hint instanceof HTMLDetailsElement && hint.open;
    write(this.status, "Looking …");
    const { ok, status, data } = await this.#post({ answer, ms, hinted });
    if (ok || status === 409) {
      if (ok) answered(this.lesson, data.verdict);
      location.replace(location.pathname + withoutPlace());
      return;
    }
    this.sent = false;
    write(this.status, `Not sent: ${data.error}. Try again.`);
    if (this.question.timed) this.#tick();
  }

  /** @param {object} body */
  #post(body) {
    return ask("POST", this.lesson.urls.answer + share(), body, this.lesson.csrf);
  }
}

/** The address's parameters without the place: the chapter then opens at its own. */
function withoutPlace() {
  const query = new URLSearchParams(location.search);
  for (const name of ["round", "t", "seq", "event", "line"]) query.delete(name);
  return query.size ? `?${query}` : "";
}
