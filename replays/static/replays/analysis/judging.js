/**
 * The effect of a change on a play: a worker continues both ways many times. This requests and
 * shows it, wherever a page offers that.
 * @typedef {import("api").JudgedJson} Judged
 * @typedef {{round: number, event: number, seat: number}} Where
 * @typedef {{ms?: number, card?: string, stack?: number, skip?: boolean}} Change
 * @typedef {import("./raceaxis.js").Race} Race
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("api").JudgementJson} Judgement
 */

import { box, button } from "../../games/dom/elements.js";
import { seconds } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { answerAt } from "../jobs/waiting.js";
import { inPoints } from "./percent.js";
import { behindOf } from "./raceaxis.js";

/** The figures of a judgement, in words. @param {Judgement} judgement */
export function figuresOf({ figures: { points, cost_ms } }) {
  if (points !== undefined) return gettext("{change} chance to win", { change: inPoints(points) });
  return cost_ms === undefined ? "" : gettext("cost {time}", { time: seconds(cost_ms) });
}

const NOTE = gettext(
  "A moment compares before and after a play. This compares the play with another one, bots playing on from both.",
);

/** @param {Judged} judged */
export const figureOf = ({ figure }) => `${figure[0].toUpperCase()}${figure.slice(1)}.`;

export class Judging {
  /** @param {string} url @param {string[]} names */
  constructor(url, names) {
    this.url = url;
    this.names = names;
    /** What was asked for last, by its place. @type {WeakMap<HTMLElement, object>} */
    this.latest = new WeakMap();
  }

  /** Empties a place. Its pending request is no longer shown. @param {HTMLElement} place */
  clear(place) {
    this.latest.delete(place);
    place.replaceChildren();
  }

  /**
   * The effect of a change, put into an element. null if there is no answer, or a newer request.
   * @param {HTMLElement} place @param {Where} where @param {Change} change
   * @returns {Promise<Judged | null>}
   */
  async show(place, where, change) {
    const wish = {};
    this.latest.set(place, wish);
    const wanted = () => this.latest.get(place) === wish;
    try {
      /** @type {Judged} */
      const judged = await answerAt(this.url, place, gettext("Playing it out"), {
        body: { ...where, ...change },
        wanted,
      });
      if (!wanted()) return null;
      place.replaceChildren(...this.#shown(judged));
      return judged;
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      if (wanted())
        place.replaceChildren(box("p", "analysis-note", gettext("No answer: {words}.", { words })));
      return null;
    }
  }

  /** @param {Judged} judged */
  #shown(judged) {
    return [
      box("p", judged.told ? "judged-verdict is-clear" : "judged-verdict", figureOf(judged)),
      box("p", "judged-outcome", judged.text),
      box("p", "analysis-note", NOTE),
    ];
  }

  /**
   * On a race's card: would it have changed the match if the hand that lost had been early enough?
   * @param {Race} race @param {import("../../games/match/player.js").Player} player
   */
  ofRace(race, player) {
    const shifts = shiftsOf(race, player.log.match.rules?.tie_window_ms ?? 0);
    if (!shifts.length) return [];
    const { seat } = race.attempts[race.kind === "tie" ? 0 : 1];
    const result = box("div", { class: "judged-result", "aria-live": "polite" });
    const event = () => player.log.rounds[race.round - 1].eventAt(race.seq);
    const buttons = shifts.map(({ ms, words }) =>
      button("button small", gettext("{ms} ms earlier ({words})", { ms, words }), () =>
        this.show(result, { round: race.round, event: event(), seat }, { ms: -ms }),
      ),
    );
    const title = gettext("What if {name} had been quicker?", { name: this.names[seat] });
    return [box("h4", "analysis-title", title), box("div", "actions", ...buttons), result];
  }
}

/** The ms that change a race, or win a tie. @param {Race} race @param {number} windowMs */
export function shiftsOf(race, windowMs) {
  if (race.flip_ms === null) return [];
  if (race.kind === "tie" || !windowMs) return [{ ms: race.flip_ms, words: gettext("first") }];
  return [
    { ms: race.flip_ms, words: gettext("a tie") },
    { ms: behindOf(race) + windowMs, words: gettext("first") },
  ];
}
