/**
 * On a race's card: would it have changed the round if the hand that lost had been just early
 * enough?
 * @typedef {import("./raceaxis.js").Race} Race
 * @typedef {import("./trials.js").Trials} Trials
 */

import { box } from "../../games/dom/elements.js";
import { behindOf } from "./raceaxis.js";

/**
 * The fewest ms that change the race and, where that is a tie, those that win it.
 * @param {Race} race @param {number} windowMs
 */
export function shiftsOf(race, windowMs) {
  if (race.flip_ms === null) return [];
  if (race.kind === "tie" || !windowMs) return [{ ms: race.flip_ms, words: "first" }];
  return [
    { ms: race.flip_ms, words: "a tie" },
    { ms: behindOf(race) + windowMs, words: "first" },
  ];
}

/**
 * @param {Race} race @param {Trials} trials
 * @param {import("../../games/match/player.js").Player} player
 */
export function raceTrials(race, trials, player) {
  const windowMs = player.log.match.rules?.tie_window_ms ?? 0;
  const shifts = shiftsOf(race, windowMs);
  if (!shifts.length) return [];
  const { seat } = race.attempts[race.kind === "tie" ? 0 : 1];
  const result = box("div", "trial-result");
  const verdict = box("p", { class: "trial-verdict", "aria-live": "polite" });
  const name = trials.names[seat];
  const where = () => ({
    round: race.round,
    event: player.log.rounds[race.round - 1].eventAt(race.seq),
    seat,
  });
  const all = trials.button("Play it out", async () => {
    verdict.textContent = "Playing it out …";
    let words = `Not clearly, even with ${name} first.`;
    for (const { ms, words: what } of shifts) {
      const trial = await trials.show(result, where(), { ms: -ms });
      if (!trial) return verdict.replaceChildren();
      if (!trial.round_clear) continue;
      words = `Yes, from ${ms} ms on (${what}): ${trial.round_text}`;
      break;
    }
    verdict.textContent = words;
  });
  const buttons = shifts.map(({ ms, words }) =>
    trials.button(`${ms} ms earlier (${words})`, () => {
      verdict.replaceChildren();
      trials.show(result, where(), { ms: -ms });
    }),
  );
  return [
    box("h4", "analysis-title", "Would it have changed who wins the round?"),
    box(
      "p",
      "analysis-note",
      `Bots play the round out many times with ${name}’s try earlier, to find the fewest ms that clearly change who is likely to score most; or try one step on its own.`,
    ),
    box("div", "actions", all, ...buttons),
    verdict,
    result,
  ];
}
