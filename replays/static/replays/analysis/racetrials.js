// @ts-check
/**
 * On a race's card: would it have changed the round if the hand that lost had been just early
 * enough?
 *
 * @typedef {import("./raceaxis.js").Race} Race
 * @typedef {import("./trials.js").Trials} Trials
 */

import { box } from "../../games/dom/elements.js";
import { marginOf } from "./raceaxis.js";

/**
 * The fewest ms that change the race and, where that is a tie, those that win it.
 * @param {Race} race
 * @param {number} windowMs
 */
export function shiftsOf(race, windowMs) {
  if (race.flip_ms === null) return [];
  if (race.kind === "tie" || !windowMs) return [{ ms: race.flip_ms, words: "first" }];
  return [
    { ms: race.flip_ms, words: "a tie" },
    { ms: marginOf(race) + windowMs, words: "first" },
  ];
}

/**
 * @param {Race} race
 * @param {Trials} trials
 * @param {import("../../games/match/player.js").Player} player
 */
export function raceTrials(race, trials, player) {
  const windowMs = /** @type {any} */ (player.log.match.rules)?.tie_window_ms ?? 0;
  const shifts = shiftsOf(race, windowMs);
  if (!shifts.length) return [];
  const { seat } = race.attempts[race.kind === "tie" ? 0 : 1];
  const result = box("div", "trial-result");
  result.setAttribute("aria-live", "polite");
  const buttons = shifts.map(({ ms, words }) =>
    trials.button(`${ms} ms earlier (${words})`, () => {
      const event = player.log.rounds[race.round - 1].eventAt(race.seq);
      trials.show(result, { round: race.round, event, seat }, { ms: -ms });
    }),
  );
  return [
    box("h4", "analysis-title", "Would it have changed the round?"),
    box("p", "analysis-note", `Play the round out with ${trials.names[seat]} earlier:`),
    box("div", "actions", ...buttons),
    result,
  ];
}
