/**
 * What each player can learn from a match: tries that the log judges, the costliest of each cause.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("api").JudgementJson} Judgement
 */

import { markOf } from "../../games/board/cards.js";
import { box, button } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";
import { choice } from "./choice.js";
import { signed } from "./percent.js";
import { watch } from "./watching.js";

const RUN_UP_MS = 1500;
const NOTICEABLE = 0.005;

/** The figures of a judgement, in words. @param {Judgement} judgement */
export function figuresOf({ figures: { delta, cost_ms } }) {
  if (delta !== undefined) return `${signed(delta, 1)} chance to win`;
  return cost_ms === undefined ? "" : `cost ${(cost_ms / 1000).toFixed(1)} s`;
}

/** How much it was: in chance to win where that shows, else in time or cards. @param {Judgement} judgement */
export function amountOf({ figures: { delta, cost_ms, cards } }) {
  if (delta !== undefined && delta <= -NOTICEABLE) return signed(delta, 1);
  return cost_ms === undefined ? `${cards} cards` : `${(cost_ms / 1000).toFixed(1)} s`;
}

/** One lesson, in a line. @param {Player} player @param {Judgement} lesson */
function lessonItem(player, lesson) {
  const inside = [
    box("b", "race-margin", amountOf(lesson)),
    box("span", "race-who row", markOf(lesson.seat), lesson.text),
    box("span", "soft small", `Round ${lesson.round}, ${clock(lesson.t)}`),
  ];
  return box(
    "li",
    "",
    button("race-item", inside, () => watch(player, lesson, RUN_UP_MS)),
  );
}

/**
 * The lessons of all players, or of one.
 * @param {Player} player @param {Judgement[]} lessons @param {string[]} names
 * @param {string} [own] the viewer's seat, whose lessons are listed first
 */
export function lessonList(player, lessons, names, own = "") {
  if (!lessons.length) return [];
  const list = box("ol", "race-list");
  const draw = () => {
    const shown = lessons.filter(({ seat }) => !who.value || seat === Number(who.value));
    const items = shown.map((lesson) => lessonItem(player, lesson));
    list.replaceChildren(...(items.length ? items : [box("li", "", "Nothing stands out.")]));
  };
  const everyone = names.map((name, seat) => /** @type {[string, string]} */ ([`${seat}`, name]));
  const who = choice("Whose plays", [["", "All players"], ...everyone], draw);
  who.value = own;
  draw();
  return [
    box(
      "section",
      "lessons",
      box("h3", "analysis-title", "To learn from"),
      box("div", "race-filters", who),
      list,
      box("p", "analysis-note", "Each player’s costliest example of each error, from the log."),
    ),
  ];
}
