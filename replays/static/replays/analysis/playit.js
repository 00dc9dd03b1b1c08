// @ts-check
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
  const from = startOf(race) - LEAD_MS;
  const event = events.filter(({ t }) => t <= from).length;
  return ghostRaceAddress(url, { round: race.round, event, seat });
}

/** @param {string} address @param {string} name whose seat it is */
export function playLink(address, name) {
  const link = /** @type {HTMLAnchorElement} */ (
    box("a", "button small", `Play it yourself as ${name}`)
  );
  link.href = address;
  link.title = "Race the ghosts from a moment before: the others play as they did";
  return link;
}
