// @ts-check
/**
 * The players' figures: one sortable row each; a cell leads to the moments that it counts.
 *
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("./analysis.js").Report} Report
 * @typedef {import("./analysis.js").Cell} Cell
 */

import { markOf } from "../../games/board/cards.js";
import { box } from "../../games/dom/elements.js";
import { saving } from "./csv.js";
import { percent } from "./percent.js";

/** @param {number} value */
const whole = (value) => String(Math.round(value)).replace("-", "−");
/** @param {number} value */
const tenth = (value) => value.toFixed(1).replace("-", "−");
/** @type {[string, string, string, (value: number) => string][]} name, heading, what it means */
const COLUMNS = [
  ["points", "Points", "Total points", whole],
  ["takes", "Takes", "Stacks taken", whole],
  ["cards_a_take", "Cards per take", "Average number of cards in a taken stack", tenth],
  [
    "missed_takes",
    "Missed takes",
    "Takes that the player held the card for until somebody else’s play closed them",
    whole,
  ],
  ["late", "Late", "Cards played too late", whole],
  ["ties", "Ties", "Cards lost to ties", whole],
  ["misses", "Mistakes", "Cards played where they did not fit", whole],
  [
    "reaction_ms",
    "Reaction, ms",
    "Median time from the moment a card fits until it is played",
    whole,
  ],
  [
    "reaction_net_ms",
    "Net of lag, ms",
    "The same, measured from when the player’s screen showed it (estimate)",
    whole,
  ],
  ["plays_a_minute", "Plays per minute", "Cards played per minute", tenth],
  ["unplayed_share", "Unplayed", "Share of the time with a playable card in hand", percent],
];

/** The columns that count lost races, and their kind. @type {Record<string, string>} */
const RACES = { late: "late", ties: "tie" };

/** @param {Player} player @param {Cell} cell @param {string} words @param {() => void} [races] */
function cellOf(player, cell, words, races) {
  if (!cell.seqs?.length) return box("td", "", words);
  const button = box("button", "figure", words);
  button.setAttribute("type", "button");
  if (races) {
    button.title = "Show these races";
    button.addEventListener("click", races);
    return box("td", "", button);
  }
  let next = 0;
  button.addEventListener("click", () => {
    player.pause();
    player.goTo({ seq: cell.seqs[next] });
    next = (next + 1) % cell.seqs.length;
  });
  button.title = "Go there; click again for the next one";
  return box("td", "", button);
}

/**
 * @param {Player} player
 * @param {Report} report
 * @param {string[]} names
 * @param {import("./races.js").Show} show
 */
export function playerTable(player, report, names, show) {
  const rows = [...(report.players ?? [])];
  const body = box("tbody", "");
  const heads = COLUMNS.map(([name, heading, meaning]) => {
    const button = box("button", "sort", heading);
    button.setAttribute("type", "button");
    button.title = meaning;
    const th = box("th", "", button);
    th.setAttribute("scope", "col");
    button.addEventListener("click", () => sortBy(name, th));
    return th;
  });
  const draw = () =>
    body.replaceChildren(
      ...rows.map((row) => {
        const name = box("th", "", markOf(row.seat), box("bdi", "", names[row.seat]));
        name.setAttribute("scope", "row");
        const cells = COLUMNS.map(([key, , , format]) => {
          const { value } = row[key];
          const kind = RACES[key];
          const races = kind ? () => show.lost(row.seat, kind) : undefined;
          return cellOf(player, row[key], value === null ? "–" : format(value), races);
        });
        return box("tr", "", name, ...cells);
      }),
    );
  /** @param {string} name @param {HTMLElement} th */
  const sortBy = (name, th) => {
    const down = th.getAttribute("aria-sort") !== "descending";
    for (const each of heads) each.removeAttribute("aria-sort");
    th.setAttribute("aria-sort", down ? "descending" : "ascending");
    rows.sort((a, b) => ((a[name].value ?? -1) - (b[name].value ?? -1)) * (down ? -1 : 1));
    draw();
  };
  draw();
  const head = box("thead", "", box("tr", "", box("th", "", "Player"), ...heads));
  const table = box("table", "player-figures", head, body);
  const scroll = box("div", "table-scroll", table);
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", "Player statistics");
  const fed = names.map((name) => `Cards fed to ${name}`);
  const columns = () => ({
    head: ["Player", ...COLUMNS.map(([, heading]) => heading), ...fed],
    rows: rows.map((row) => [
      names[row.seat],
      ...COLUMNS.map(([key]) => row[key].value),
      ...row.fed.map(({ value }) => value),
    ]),
  });
  return box("div", "", scroll, saving("players", columns));
}
