/** From a race's card to playing it yourself: a ghost race that begins shortly before it. */

import { box } from "../../games/dom/elements.js";
import { ghostRaceAddress } from "../addresses/ghostrace.js";
import { startOf } from "./raceaxis.js";

/** How long before the first hand moves the ghost race begins, in ms. */
const LEAD_MS = 3000;

/**
 * Where the race is played, in the seat whose hand lost or tied.
 * @param {string} url of ghost races in the match
 * @param {import("./raceaxis.js").Race} race
 * @param {readonly {t: number}[]} events of its round
 */
export function playAddress(url, race, events) {
  const { seat } = race.attempts[race.kind === "tie" ? 0 : 1];
  const event = eventBefore(events, startOf(race));
  return ghostRaceAddress(url, { round: race.round, event, seat });
}

/** How many events of a round come before there is time to take it in. @param {readonly {t: number}[]} events @param {number} t */
export const eventBefore = (events, t) => events.filter((event) => event.t <= t - LEAD_MS).length;

/** @param {string} address @param {string} name whose seat it is */
export function playLink(address, name, words = "Play it yourself") {
  const title = "Race the ghosts from a moment before: the others play as they did";
  return box("a", { class: "button small", href: address, title }, `${words} as ${name}`);
}
