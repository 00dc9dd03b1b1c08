/**
 * Decisions that the log judges, and the luck of the draw, with their figures. Each leads to its place.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("api").JudgementJson} Judgement
 * @typedef {{judgements: Judgement[], lessons: Judgement[]}} Judged
 * @typedef {import("api").LuckJson} Luck
 */

import { cardElement, marked, markOf } from "../../games/board/cards.js";
import { box, button } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";
import { choice } from "./choice.js";
import { numbers } from "./csv.js";
import { signed } from "./percent.js";
import { watch } from "./watching.js";

const LISTED = 40;
const RUN_UP_MS = 1500;
const LESSONS = "lessons";
const NOTICEABLE = 0.005;
/** @type {Record<string, string>} */
const VERDICTS = {
  [LESSONS]: "To learn from",
  good: "Good",
  "missed take": "Missed take",
  mistake: "Mistake",
};

/** The figures of a judgement, in words. @param {Judgement} judgement */
export function figuresOf({ figures }) {
  const { delta, standard_error, cost_ms } = figures;
  if (delta !== undefined && standard_error !== undefined)
    return `${signed(delta, 1)} win probability ± ${(200 * standard_error).toFixed(1)}% (two standard errors, estimate)`;
  if (delta !== undefined) return `${signed(delta, 1)} win probability (estimate)`;
  return cost_ms === undefined ? "" : `cost ${(cost_ms / 1000).toFixed(1)} s`;
}

/** How much it was: in win probability where that shows, else in time or cards. @param {Judgement} judgement */
export function amountOf({ verdict, figures: { delta, cost_ms, cards } }) {
  if (delta !== undefined && (verdict === "good" || delta <= -NOTICEABLE)) return signed(delta, 1);
  return cost_ms === undefined ? `${cards} cards` : `${(cost_ms / 1000).toFixed(1)} s`;
}

/** One judgement, in a line. @param {Player} player @param {Judgement} judgement @param {boolean} mixed */
function judged(player, judgement, mixed) {
  const { standard_error } = judgement.figures;
  const kind = mixed ? `${VERDICTS[judgement.verdict]} · ` : "";
  const wide = standard_error === undefined ? "" : ` · ± ${(200 * standard_error).toFixed(1)}%`;
  const place = box(
    "span",
    "race-where",
    `${kind}Round ${judgement.round}, ${clock(judgement.t)}${wide}`,
  );
  const verdict = box("b", "race-margin", amountOf(judgement));
  const who = box("span", "race-who", markOf(judgement.seat), judgement.text);
  const go = () => {
    watch(player, judgement, RUN_UP_MS);
  };
  return box("li", "", button("race-item", [verdict, who, place], go));
}

/** How much a play changed: in win probability, else in time. @param {Judgement} judgement */
const size = ({ figures }) => [Math.abs(figures.delta ?? 0), figures.cost_ms ?? 0];

/**
 * The plays of one verdict and one seat (null: all), largest first. `lessons` is a list of its own:
 * of each player the costliest of each cause, in the order that it has.
 * @param {Judged} judged @param {string} kind @param {number | null} seat
 */
export function chosenPlays({ judgements, lessons }, kind, seat) {
  const plays = kind === LESSONS ? lessons : judgements.filter((play) => play.verdict === kind);
  const chosen = plays.filter((play) => seat === null || play.seat === seat);
  if (kind === LESSONS) return chosen;
  return chosen.sort((a, b) => size(b)[0] - size(a)[0] || size(b)[1] - size(a)[1]);
}

/**
 * @param {Player} player @param {Judged} all @param {string[]} names
 * @param {string} [own] the viewer's seat, whose plays are listed first
 */
export function judgedPlays(player, all, names, own = "") {
  const { judgements } = all;
  const list = box("ol", "race-list");
  const kinds = Object.keys(VERDICTS).filter((kind) => chosenPlays(all, kind, null).length);
  const of = (/** @type {string} */ kind) =>
    chosenPlays(all, kind, who.value ? Number(who.value) : null);
  const draw = () => {
    for (const option of verdict.options)
      option.text = `${VERDICTS[option.value]} (${of(option.value).length})`;
    const { value } = verdict;
    const shown = of(value).slice(0, LISTED);
    list.replaceChildren(...shown.map((judgement) => judged(player, judgement, value === LESSONS)));
  };
  const verdict = choice(
    "Verdict",
    kinds.map((kind) => [kind, VERDICTS[kind]]),
    draw,
  );
  const everyone = names.map((name, seat) => /** @type {[string, string]} */ ([`${seat}`, name]));
  const who = choice("Whose plays", [["", "All players"], ...everyone], draw);
  who.value = own;
  draw();
  const head = [
    "Verdict",
    "Round",
    "Time, ms",
    "Player",
    "What",
    "Win probability, %",
    "± one standard error",
  ];
  const share = (/** @type {number | undefined} */ v) =>
    v === undefined ? null : Math.round(v * 1000) / 10;
  const rows = () =>
    judgements.map(({ verdict, round, t, seat, text, figures }) => [
      ...[verdict, round, t, names[seat], text],
      ...[share(figures.delta), share(figures.standard_error)],
    ]);
  const inside = [
    box(
      "p",
      "analysis-note",
      "What each changed in win probability (estimate, ± two standard errors), or else what a mistake cost in time, and how many cards were left. A take is good only beyond those errors; missed takes and mistakes follow from the log. To learn from: of each player’s causes the costliest, first those that usually cost most points altogether; of takes left to others, those of at least four cards.",
    ),
    box("div", "race-filters", who, verdict),
    list,
    numbers("judged-plays", head, rows, "All of these in numbers"),
  ];
  const title = box("summary", "", `Good takes, missed takes and mistakes (${judgements.length})`);
  return judgements.length || kinds.length
    ? [box("details", "analysis-numbers judged", title, ...inside)]
    : [];
}

/**
 * The way of who played from the result to what they can learn from.
 * @param {Judged} judged
 * @param {(seat: number) => number} missed how many takes a seat missed
 * @param {HTMLElement} panel names their seat
 * @param {import("./races.js").Show} show
 */
export function lessonsOf(judged, missed, { dataset: { own } }, show) {
  if (!own) return [];
  const seat = Number(own);
  const plays = chosenPlays(judged, LESSONS, seat).length;
  const takes = missed(seat);
  const learn = () => {
    show.plays?.();
    const list = document.querySelector(".judged");
    list?.setAttribute("open", "");
    list?.scrollIntoView({ block: "nearest" });
  };
  const ways = [
    ...(plays ? [button("button small", `Your plays to learn from (${plays})`, learn)] : []),
    ...(takes
      ? [button("button small", `Your missed takes (${takes})`, () => show.missed?.(seat))]
      : []),
  ];
  return ways.length ? [box("p", "analysis-own", ...ways)] : [];
}

/** @param {Player} player @param {Luck[]} luck @param {string[]} names */
export function luckList(player, luck, names) {
  const items = luck.map((draw) => {
    const card = box("span", "race-played", cardElement(draw.card, "small"));
    const who = box("span", "race-who", marked(draw.seat, names[draw.seat]), " drew ", card);
    const inside = [
      box("b", "race-margin", signed(draw.delta, 1)),
      who,
      box("span", "race-where", `Round ${draw.round}, ${clock(draw.t)}`),
    ];
    const go = () => {
      watch(player, draw, RUN_UP_MS);
    };
    return box("li", "", button("race-item", inside, go));
  });
  return [
    box(
      "p",
      "analysis-note",
      "The draws that changed most: win probability with that card, less the average over the cards left in the draw pile (estimate). Luck, not skill.",
    ),
    box("ol", "race-list", ...items),
  ];
}
