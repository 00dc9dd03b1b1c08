/**
 * A race as a question: the table as its last player saw it when they moved. What would you do? The
 * events on their way, and that player's action, are shown once there is an answer.
 * @import { RaceJson } from "api"
 * @import { Page } from "../replay/page.js"
 * @typedef {import("./moments.js").Answer} Answer
 */

import { box, bringIntoView, button, styled, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { screenTold } from "./moments.js";
import { answerChoice, keyWords, TableAnswer } from "./tableanswer.js";

const STYLE = new URL("./answers.css", import.meta.url).href;

class ScreenQuiz {
  /**
   * @param {Page} page @param {RaceJson} race
   * @param {() => Promise<void>} show leads to that screen at the try
   * @param {Element} card of the race
   */
  constructor(page, race, show, card) {
    this.page = page;
    this.race = race;
    this.show = show;
    this.card = card;
    this.last = race.attempts[race.attempts.length - 1];
    this.status = box("p", { role: "status" });
    const kind = { class: "race-quiz framed", "aria-label": gettext("Question"), tabindex: -1 };
    this.element = box("section", kind, this.status);
    this.moment = { round: race.round, event: this.last.seen ?? 0 };
    this.table = new TableAnswer(page, this.last.seat, this.moment, {
      chosen: (answer) => this.#answer(answer),
      say: (words) => write(this.status, words),
    });
  }

  async start() {
    const { player, names } = this.page;
    player.pause();
    await player.goTo(this.moment);
    if (!player.table) return;
    this.table.toggle(true);
    const name = names[this.last.seat];
    const words = gettext(
      "{name}’s screen showed this table when {name}’s hand moved. What would you do? Play on the table: a card, then a stack.",
      { name },
    );
    this.card.querySelector(".race-quiz")?.remove();
    this.card.append(this.element);
    this.card.classList.add("is-asking");
    this.element.append(...this.#choices(player.table));
    write(this.status, words);
    this.#look();
  }

  /** @param {import("../../games/match/fold.js").Table} table */
  #choices(table) {
    const list = box("details", "", box("summary", "", gettext("Answer from a list")));
    list.append(answerChoice(table, this.last.seat, (answer) => this.#answer(answer)));
    const buttons = box(
      "div",
      "actions",
      button("button small", gettext("Draw"), () => this.#answer({ do: "draw" })),
      button("button small", gettext("Wait"), () => this.#answer({ do: "wait" })),
      button("button small quiet", gettext("Just tell me"), () => this.#answer(null)),
    );
    return [buttons, box("p", "soft answer-keys small", keyWords(table.tops.length)), list];
  }

  /** @param {Answer | null} answer */
  async #answer(answer) {
    this.end();
    const { player, names } = this.page;
    await this.show();
    const { seat, card } = this.last;
    /** @type {Answer} */
    const did = { do: "play", card, stack: this.race.slot };
    const events = player.round?.events.slice(this.moment.event, player.cursor.event) ?? [];
    this.element.replaceChildren(this.status);
    write(this.status, screenTold(events, { seat, did, answer }, names));
    this.#look();
  }

  #look() {
    bringIntoView(this.element);
    this.element.focus({ preventScroll: true });
  }

  end() {
    this.table.toggle(false);
    this.card.classList.remove("is-asking");
  }
}

/** @param {HTMLElement} _ @param {Page} page */
export function mount(_, page) {
  /** @type {ScreenQuiz | null} */
  let quiz = null;
  styled(STYLE);
  page.player.onChange(() => {
    if (!quiz?.card.isConnected) quiz?.end(); // another race is shown
  });
  page.offer("askScreen", (race, show, at) => {
    const card = at.closest(".race-card");
    if (!card) return;
    quiz?.end();
    quiz = new ScreenQuiz(page, race, show, card);
    quiz.start();
  });
}
