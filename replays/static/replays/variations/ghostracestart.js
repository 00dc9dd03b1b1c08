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
  ["Speed 1×", 1],
  ["Speed ½×", 2],
  ["Speed ¼×", 4],
];

/** @param {string} label @param {[string, number][]} choices */
function select(label, choices) {
  const element = document.createElement("select");
  element.setAttribute("aria-label", label);
  element.append(...choices.map(([words, value]) => new Option(words, String(value))));
  return element;
}

/**
 * Saves variations that are not saved yet; why one could not be, or nothing.
 * @param {import("./store.js").LineStore} store
 * @param {import("./lines.js").Line[]} lines
 */
export async function saveAll(store, lines) {
  const waiting = () => lines.map(({ key }) => store.drafts.get(key)).find(Boolean);
  if (!waiting()) return "";
  await store.save();
  const own = waiting();
  if (!own) return "";
  const why = store.offline ? "there is no connection" : "you cannot keep what-ifs on this match";
  return own.trouble || store.refused || why;
}

export class GhostRaceStart {
  /**
   * @param {string[]} names
   * @param {string} url of the race's page
   * @param {() => Place} place where to begin
   * @param {() => Promise<string>} save saves what the race goes along; why it cannot be, if so
   */
  constructor(names, url, place, save) {
    this.trouble = "";
    this.seat = select(
      "Seat to play",
      names.map((name, seat) => [name, seat]),
    );
    this.speed = select("Speed of the race", SPEEDS);
    this.start = box("button", "button small", "Play it from here");
    this.start.setAttribute("type", "button");
    this.start.addEventListener("click", async () => {
      if (this.start.ariaBusy) return;
      const start = { ...place(), seat: this.seat.value, slow: this.speed.value };
      this.start.ariaBusy = "true";
      this.#say("Saving the variation …");
      const trouble = await save();
      this.start.ariaBusy = null;
      if (!trouble) return location.assign(ghostRaceAddress(url, start));
      this.#say(`Not started, since the variation could not be saved: ${trouble}.`);
    });
    const row = box("div", "ghost-race-row", this.seat, this.speed, this.start);
    const words =
      "Race the ghosts: take a seat yourself, in real time. The others play as they did, until you change it.";
    this.why = box("p", "what-if-note");
    this.why.setAttribute("role", "status");
    this.why.hidden = true;
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
    if (trouble === this.trouble) return; // what was said last stays
    this.trouble = trouble;
    this.start.toggleAttribute("disabled", trouble !== "");
    this.#say(trouble);
  }

  /** @param {string} words */
  #say(words) {
    write(this.why, words);
    this.why.hidden = !words;
  }
}
