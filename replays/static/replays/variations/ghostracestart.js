// @ts-check
/**
 * Where a ghost race begins: the seat, the speed, and the button that leads to its page.
 *
 * @typedef {{round: number, event: number, line: string | null}} Place
 */

import { box, write } from "../../games/dom/elements.js";
import { ghostRaceAddress } from "../addresses/ghostrace.js";

/** How many times slower than the record, by the label of the choice. @type {[string, number][]} */
const SPEEDS = [
  ["Speed 1", 1],
  ["Speed ½", 2],
  ["Speed ¼", 4],
];

/** @param {string} label @param {[string, number][]} choices */
function select(label, choices) {
  const element = document.createElement("select");
  element.setAttribute("aria-label", label);
  element.append(...choices.map(([words, value]) => new Option(words, String(value))));
  return element;
}

export class GhostRaceStart {
  /**
   * @param {string[]} names
   * @param {string} url of the race's page
   * @param {() => Place} place where to begin
   */
  constructor(names, url, place) {
    this.seat = select(
      "Seat to play",
      names.map((name, seat) => [name, seat]),
    );
    this.speed = select("Speed of the race", SPEEDS);
    this.start = box("button", "button small", "Play it from here");
    this.start.setAttribute("type", "button");
    this.start.addEventListener("click", () => {
      const start = { ...place(), seat: this.seat.value, slow: this.speed.value };
      location.assign(ghostRaceAddress(url, start));
    });
    const row = box("div", "ghost-race-row", this.seat, this.speed, this.start);
    const words =
      "Race the ghosts: take a seat yourself, in real time. The others play as they did, until you change it.";
    this.why = box("p", "what-if-note");
    this.element = box(
      "section",
      "ghost-race-choice",
      box("p", "what-if-note", words),
      row,
      this.why,
    );
    this.element.setAttribute("aria-label", "Race the ghosts");
  }

  /** @param {string} trouble why a race cannot begin at this place; empty if it can */
  show(trouble) {
    this.start.toggleAttribute("disabled", trouble !== "");
    write(this.why, trouble);
    this.why.hidden = !trouble;
  }
}
