/**
 * Facts about the match besides its cards: the round, spectators, the lag, votes to give up.
 * @typedef {import("./scoreboard.js").State} State
 */

import { byId, write } from "../dom/elements.js";

/** @param {{name: string | null}[]} seats */
const namesOf = (seats) => seats.map((seat) => seat.name).join(", ");

/**
 * @param {State} news @param {{seat: number, rules: {speedy: boolean, target: number}}} page
 * @param {number | null} lag ms
 */
export function showFacts(news, { seat, rules }, lag) {
  const goal = rules.speedy ? "one round" : `to ${rules.target}`;
  const watching = news.watching ? `, ${news.watching} watching` : "";
  const replaced = news.seats.filter(
    ({ bot, kind }, number) => bot && kind === "human" && number !== seat,
  );
  const bots = replaced.length ? `. A bot is playing for ${namesOf(replaced)}` : "";
  write(byId("facts"), `Round ${Math.max(news.round, 1)}, ${goal}${watching}${bots}`);
  write(byId("lag"), lag === null ? "" : `${lag} ms`);
  showVotes(news, seat);
}

/** @param {State} news @param {number} seat */
function showVotes({ seats }, seat) {
  const quitting = seats.filter(({ votes }) => votes.includes("abandon"));
  const verb = quitting.length === 1 ? "wants" : "want";
  const words = `${namesOf(quitting)} ${verb} to abandon the match. It ends when everybody does.`;
  write(byId("giving-up"), words);
  byId("giving-up").hidden = !quitting.length;
  const mine = seats[seat].votes.includes("abandon");
  document.querySelector("[data-do=abandon]")?.setAttribute("aria-pressed", String(mine));
}
