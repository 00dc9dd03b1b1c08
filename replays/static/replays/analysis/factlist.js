/**
 * The match in a few sentences; the longest stall leads to its place.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("api").StallJson} Stall
 */

import { box, button } from "../../games/dom/elements.js";
import { watch } from "./watching.js";

const RUN_UP_MS = 1500;

/** @param {Player} player @param {string[]} facts @param {Stall | null} [stall] */
export function factItems(player, facts, stall) {
  const items = facts.map((fact) => box("li", "", fact));
  if (!stall) return items;
  const see = button("button small", "Watch it", () => watch(player, stall, RUN_UP_MS));
  return [...items, box("li", "analysis-stall", `${stall.text} `, see)];
}
