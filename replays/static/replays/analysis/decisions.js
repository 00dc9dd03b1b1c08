/**
 * Decisions: takes that were open when a hand did something else, judged by playing on from there.
 * A worker judges them when somebody asks; what it has judged so far is shown meanwhile.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @import { DecisionsJson, JudgedJson } from "api"
 * @typedef {Pick<DecisionsJson, "decisions" | "lost">} Judged
 * @typedef {import("../jobs/waiting.js").Coming} Coming
 */

import { marked, markOf } from "../../games/board/cards.js";
import { box, button } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";
import { answerAt, asked } from "../jobs/waiting.js";
import { choice } from "./choice.js";
import { numbers } from "./csv.js";
import { signed } from "./percent.js";
import { watch } from "./watching.js";

const RUN_UP_MS = 1500;
const NOTE =
  "Takes that were open when a hand did something else, judged by what the player could know. Bots play on many times from there, with and without the take. Shown if it cost at least 3 points of chance to win and three standard errors.";

/** The costly ones of one seat (null: all), those first that cost most. @param {Judged} judged @param {number | null} seat */
export const costly = ({ decisions }, seat) =>
  decisions
    .filter((decision) => decision.told && (seat === null || decision.seat === seat))
    .sort((a, b) => differenceOf(b) - differenceOf(a));

/** What the take would have added to its seat's chance to win. @param {JudgedJson} decision */
const differenceOf = ({ seats, seat }) => seats[seat].difference;

export class Decisions {
  /**
   * @param {Player} player @param {string[]} names
   * @param {DOMStringMap} from the address of the decisions, and the viewer's own seat
   */
  constructor(player, names, { decisions, own }) {
    this.player = player;
    this.names = names;
    this.url = decisions ?? "";
    /** @type {Judged} */
    this.found = { decisions: [], lost: [] };
    this.place = box("div", "decisions-job");
    this.list = box("ol", "race-list");
    this.lost = box("ul", "analysis-facts");
    const everyone = names.map((name, seat) => /** @type {[string, string]} */ ([`${seat}`, name]));
    this.who = choice("Whose decisions", [["", "All players"], ...everyone], () => this.#draw());
    this.who.value = own ?? "";
    this.body = box("div", "", box("div", "race-filters", this.who), this.lost, this.list);
    this.body.hidden = true;
    this.table = box("div", "");
    this.element = box(
      "section",
      "decisions",
      box("h3", "analysis-title", "Decisions"),
      box("p", "analysis-note", NOTE),
      this.place,
      this.body,
      this.table,
    );
  }

  /** Shows what has been judged already; otherwise offers to have it judged. */
  async look() {
    try {
      /** @type {import("../jobs/waiting.js").Asked<DecisionsJson>} */
      const { ready, body } = await asked(this.url);
      if (ready) this.#show(body);
      else if (body.job) this.#judge();
      else this.place.replaceChildren(button("button", "Judge the decisions", () => this.#judge()));
    } catch (error) {
      this.#failed(error);
    }
  }

  async #judge() {
    try {
      const show = (/** @type {Coming} */ coming) => {
        if ("found" in coming && coming.found?.decisions.length) this.#soFar(coming.found);
      };
      this.#show(
        await answerAt(this.url, this.place, "Judging the decisions", { meanwhile: show }),
      );
    } catch (error) {
      this.#failed(error);
    }
  }

  /** @param {unknown} error */
  #failed(error) {
    const words = error instanceof Error ? error.message : String(error);
    this.place.replaceChildren(box("p", "analysis-note", `No decisions: ${words}.`));
  }

  /** @param {Judged} judged */
  #show(judged) {
    this.place.replaceChildren();
    this.#soFar(judged);
    if (judged.decisions.length) this.table.replaceChildren(this.#numbers());
  }

  /** @param {Judged} judged */
  #soFar(judged) {
    this.found = judged;
    this.body.hidden = false;
    this.#draw();
  }

  #draw() {
    const seat = this.who.value ? Number(this.who.value) : null;
    const shown = costly(this.found, seat);
    const items = shown.map((decision) => this.#item(decision));
    this.list.replaceChildren(...(items.length ? items : [box("li", "", "No costly decision.")]));
    const lost = this.found.lost.map(({ text }, at) =>
      box("li", "", marked(at, this.names[at]), `: ${text}`),
    );
    this.lost.replaceChildren(...lost.filter((_, at) => seat === null || at === seat));
  }

  /** @param {JudgedJson} decision */
  #item(decision) {
    const inside = [
      box("b", "race-margin", signed(-differenceOf(decision))),
      box("span", "race-who row", markOf(decision.seat), decision.text),
      box(
        "span",
        "soft small",
        `Round ${decision.round}, ${clock(decision.t)} · ${decision.figure}`,
      ),
    ];
    const go = () => watch(this.player, decision, RUN_UP_MS);
    return box("li", "", button("race-item", inside, go));
  }

  #numbers() {
    const head = [
      ...["Round", "Time, ms", "Player", "What", "Rollouts of each way", "Chance to win, %"],
      ...["With the take, points more", "From", "To", "Score, points more", "± one standard error"],
      "Shown",
    ];
    const tenths = (/** @type {number} */ p) => Math.round(p * 1000) / 10;
    const rows = () =>
      this.found.decisions.map((decision) => {
        const { base, difference, low, high } = decision.seats[decision.seat];
        return [
          ...[decision.round, decision.t, this.names[decision.seat], decision.text],
          ...[decision.rollouts, ...[base, difference, low, high].map(tenths)],
          ...[decision.points, decision.points_error, decision.told ? "yes" : "no"],
        ];
      });
    return numbers("decisions", head, rows, "All judged decisions in numbers");
  }
}
