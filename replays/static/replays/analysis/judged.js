/**
 * What each player can learn from a match: tries that the log judges, the costliest of each cause.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("api").JudgementJson} Judgement
 */

import { markOf } from "../../games/board/cards.js";
import { box, button } from "../../games/dom/elements.js";
import { positionWords, seconds } from "../../games/match/words.js";
import { gettext, ngettext } from "../../games/words/gettext.js";
import { inPoints } from "./percent.js";
import { watch } from "./watching.js";

const RUN_UP_MS = 1500;
const NOTICEABLE = 0.005;

/** The figures of a judgement, in words. @param {Judgement} judgement */
export function figuresOf({ figures: { delta, cost_ms } }) {
  if (delta !== undefined) return gettext("{change} chance to win", { change: inPoints(delta, 1) });
  return cost_ms === undefined ? "" : gettext("cost {time}", { time: seconds(cost_ms) });
}

/** How much it was: in chance to win where that shows, else in time or cards. @param {Judgement} judgement */
export function amountOf({ figures: { delta, cost_ms, cards } }) {
  if (delta !== undefined && delta <= -NOTICEABLE) return inPoints(delta, 1);
  return cost_ms === undefined
    ? ngettext("{count} card", "{count} cards", cards ?? 0)
    : seconds(cost_ms);
}

/** One lesson, in a line. @param {Player} player @param {Judgement} lesson */
function lessonItem(player, lesson) {
  const inside = [
    box("b", "race-margin", amountOf(lesson)),
    box("span", "race-who row", markOf(lesson.seat), lesson.text),
    box("span", "soft small", positionWords(lesson.round, lesson.t)),
  ];
  return box(
    "li",
    "",
    button("race-item", inside, () => watch(player, lesson, RUN_UP_MS)),
  );
}

/**
 * Each player's costliest example of each error.
 * @param {Player} player @param {Judgement[]} lessons
 */
export function lessonList(player, lessons) {
  const list = box("ol", "race-list");
  const title = box(
    "h3",
    "analysis-title",
    gettext("To learn from: each player’s costliest errors"),
  );
  return {
    element: box("section", { class: "lessons", hidden: !lessons.length }, title, list),
    /** @param {number | null} seat null: all */
    only(seat) {
      const shown = lessons.filter((lesson) => seat === null || lesson.seat === seat);
      const items = shown.map((lesson) => lessonItem(player, lesson));
      list.replaceChildren(
        ...(items.length ? items : [box("li", "", gettext("Nothing stands out."))]),
      );
    },
  };
}
