/**
 * Where a ghost race begins: the seat, the speed, and the button that leads to its page.
 * @typedef {{round: number, event: number, line: string | null}} Place
 */

import { picker } from "../../games/dom/controls.js";
import { box, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { ghostRaceAddress } from "../addresses/copying.js";

/** How many times slower than the record, and the label of the choice. @type {[number, string][]} */
const SPEEDS = [
  [1, gettext("Speed 1×")],
  [2, gettext("Speed ½×")],
  [4, gettext("Speed ¼×")],
];

/**
 * Saves variations that are not saved yet. Returns why one could not be, or an empty text.
 * @param {import("./store.js").LineStore} store @param {import("./lines.js").Line[]} lines
 */
export async function saveAll(store, lines) {
  const waiting = () => lines.map(({ key }) => store.drafts.get(key)).find(Boolean);
  if (!waiting()) return "";
  await store.save();
  const own = waiting();
  if (!own) return "";
  const why = store.offline
    ? gettext("there is no connection")
    : gettext("you cannot keep what-ifs on this match");
  return own.trouble || store.refused || why;
}

export class GhostRaceStart {
  /**
   * @param {string[]} names
   * @param {string} url of the race's page
   * @param {() => Place} place where to begin
   * @param {() => Promise<string>} save saves the race's variation. Returns why it cannot be, if so
   */
  constructor(names, url, place, save) {
    this.trouble = "";
    this.seat = picker({ "aria-label": gettext("Seat to play") }, [...names.entries()]);
    this.speed = picker({ "aria-label": gettext("Speed of the race") }, SPEEDS);
    this.start = box(
      "button",
      { class: "button small", type: "button" },
      gettext("Play it from here"),
    );
    this.start.addEventListener("click", async () => {
      if (this.start.ariaBusy) return;
      const start = { ...place(), seat: this.seat.value, slow: this.speed.value };
      this.start.ariaBusy = "true";
      this.#say(gettext("Saving the what-if…"));
      const trouble = await save();
      this.start.ariaBusy = null;
      if (!trouble) return location.assign(ghostRaceAddress(url, start));
      this.#say(
        gettext("Not started, since the variation could not be saved: {trouble}.", { trouble }),
      );
    });
    const row = box("div", "ghost-race-row row", this.seat, this.speed, this.start);
    const words = gettext(
      "Take a seat yourself, in real time. The others play as they did, until you change it.",
    );
    this.why = box("p", { class: "what-if-note", role: "status", hidden: true });
    this.element = box(
      "details",
      "ghost-race-choice",
      box("summary", "", gettext("Race the ghosts")),
      box("p", "what-if-note", words),
      row,
      this.why,
    );
  }

  /** @param {string} trouble why a race cannot begin at this place. Empty if it can */
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
