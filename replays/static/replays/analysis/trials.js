/**
 * One play made differently: earlier, later, another card, or not at all. The server plays both
 * ways to the round's end many times; here is the form, and what came of it.
 * @import { Change, TrialResult, Where } from "./trialanswers.js"
 */

import { box, button } from "../../games/dom/elements.js";
import { drawn } from "../../games/dom/svg.js";
import { JobBar } from "../jobs/progress.js";
import { numbers } from "./csv.js";
import { percent } from "./percent.js";
import { sender, TrialAnswers } from "./trialanswers.js";

/** Rollouts of each way that a worker plays; four times as many halve the spread. */
const AMOUNTS = [300, 1200];
const WIDTH = 360;
const ROW = 40;
const LEFT = 22;

/** What the points of a result are. @param {TrialResult} result */
export const pointsOf = ({ cut_ms }) =>
  cut_ms ? `Score pile less draw and discard pile after ${cut_ms / 1000} s` : "Round scores";

export class Trials {
  /** @param {string} url @param {string[]} names */
  constructor(url, names) {
    this.answers = new TrialAnswers(sender(url));
    this.names = names;
  }

  /** Empties a place; what was asked for there is not shown any more. @param {HTMLElement} place */
  clear(place) {
    this.answers.forget(place);
    place.replaceChildren();
  }

  /**
   * What came of a change, put into an element; null if there is no answer, or if something else
   * was asked for there meanwhile.
   * @param {HTMLElement} place @param {Where} where @param {Change} change
   * @returns {Promise<TrialResult | null>}
   */
  async show(place, where, change) {
    place.replaceChildren(box("p", "analysis-note", "Playing it out …"));
    const asked = { ...where, ...change };
    const answer = await this.answers.first(place, asked);
    if (!answer) return null;
    if ("error" in answer) {
      place.replaceChildren(box("p", "analysis-note", `No answer: ${answer.error}.`));
      return null;
    }
    this.#show(place, asked, answer.found, answer.found.rollout_ms ?? 0);
    return answer.found;
  }

  /**
   * The outcome, and the offer of a surer one.
   * @param {HTMLElement} place @param {Where & Change} asked @param {TrialResult} result
   * @param {number} ms what a rollout costs
   */
  #show(place, asked, result, ms) {
    place.replaceChildren(...this.#verdict(result, asked));
    const rollouts = AMOUNTS.find((amount) => amount > result.rollouts);
    if (!rollouts) return;
    const spread = Math.sqrt(result.rollouts / rollouts);
    const cost = Math.max(1, Math.round((rollouts * ms) / 1000));
    const button = this.button(
      `Play it out ${rollouts.toLocaleString("en")} times, for a surer answer`,
      () => this.#surer(place, button, { asked, rollouts, ms }),
    );
    const note = `Takes about ${cost} s, and shrinks the errors to about ${percent(spread)}.`;
    place.append(button, box("p", "analysis-note", note));
  }

  /**
   * Plays it out more often, outside the web server.
   * @param {HTMLElement} place @param {HTMLElement} button
   * @param {{asked: Where & Change, rollouts: number, ms: number}} what
   */
  async #surer(place, button, { asked, rollouts, ms }) {
    const bar = new JobBar(null);
    button.replaceWith(bar.element);
    const answer = await this.answers.surer(place, { ...asked, rollouts }, (job) => bar.show(job));
    if (!answer) return;
    if ("found" in answer) return this.#show(place, asked, answer.found, ms);
    bar.element.replaceWith(box("p", "analysis-note", `No answer: ${answer.error}.`));
  }

  /** @param {TrialResult} result @param {Where} where */
  #verdict(result, where) {
    const verdict = box(
      "p",
      result.clear ? "trial-verdict is-clear" : "trial-verdict",
      result.text,
    );
    return [
      box("p", "trial-outcome", result.outcome),
      verdict,
      box("p", "", result.round_text),
      this.#picture(result),
      box(
        "p",
        "analysis-note",
        `${pointsOf(result)}: each bar spans the middle eight of ten rollouts, with their mean; above as played, below (striped) with the change. Estimated from ${result.rollouts} rollouts each, by bots at the players’ tempo.`,
      ),
      this.#numbers(result, where),
    ];
  }

  /** @param {TrialResult} result */
  #picture({ seats }) {
    const all = seats.flatMap(({ points }) => points.flatMap(({ low, high }) => [low, high]));
    const [least, most] = [Math.min(0, ...all), Math.max(1, ...all)];
    const x = (/** @type {number} */ score) =>
      (LEFT + ((score - least) / (most - least)) * (WIDTH - LEFT - 30)).toFixed(1);
    const svg = drawn("svg", {
      viewBox: `0 0 ${WIDTH} ${seats.length * ROW + 4}`,
      class: "trial-picture",
      role: "img",
      "aria-label": "Points; the numbers are in the table below.",
    });
    seats.forEach(({ points }, seat) => {
      const top = seat * ROW;
      const mark = { href: `#mark-${seat}`, x: 2, y: top + 12, width: 16, height: 16 };
      const group = drawn("g", { class: `trial-seat deck-${seat}` });
      group.append(drawn("use", mark));
      points.forEach(({ low, mean, high }, way) => {
        const y = top + 13 + way * 14;
        const end = { x: Number(x(high)) + 4, y: y + 4, class: "trial-value" };
        group.append(
          drawn("path", {
            d: `M${x(low)} ${y}H${x(high)}`,
            class: way ? "trial-bar is-instead" : "trial-bar",
          }),
          drawn("path", { d: `M${x(mean)} ${y - 6}v12`, class: "trial-mean" }),
          drawn("text", end, String(mean)),
        );
      });
      svg.append(group);
    });
    return svg;
  }

  /** @param {TrialResult} result @param {Where} where */
  #numbers({ seats }, { round, event }) {
    const head = [
      ...["Player", "Win as played, %", "Win changed, %", "Difference", "Margin of error"],
      ...["Best in the round as played, %", "Changed, %", "Points as played", "Points changed"],
    ];
    const tenths = (/** @type {number} */ p) => Math.round(p * 1000) / 10;
    const rows = () =>
      seats.map(({ win, difference, error, best, points }, seat) => [
        ...[this.names[seat], tenths(win[0]), tenths(win[1]), tenths(difference)],
        ...[tenths(2 * error), tenths(best[0]), tenths(best[1])],
        ...points.map(({ mean, low, high }) => `${mean} (${low} to ${high})`),
      ]);
    return numbers(`what-if-${round}-${event}`, head, rows, "The outcome in numbers");
  }

  /** A button that shows what comes of a change. @param {string} words @param {() => void} clicked */
  button(words, clicked) {
    return button("button small", words, clicked);
  }
}
