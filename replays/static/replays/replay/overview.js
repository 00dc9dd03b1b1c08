/**
 * A long match at a glance, under the current round's timeline: a cell for each round, in one row
 * that scrolls, in the colour of the leader at its end. A cell leads to its round.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("../../games/match/log.js").Round} Round
 */

import { box, button } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { aheadAfter, leadWords } from "./roundwords.js";

export class Overview {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.names = player.log.match.seats.map((seat) => seat.name);
    const label = gettext("Rounds of the match");
    this.element = box("ol", { class: "overview", "aria-label": label, hidden: true });
    /** @type {HTMLElement[]} */
    this.cells = [];
    /** @type {HTMLElement | undefined} */
    this.current = undefined;
  }

  draw() {
    const { rounds } = this.player.log;
    for (const round of rounds.slice(this.cells.length)) this.#add(round);
    rounds.forEach((round, at) => this.#show(this.cells[at], round));
    this.moved();
  }

  /** @param {Round} round */
  #add(round) {
    const cell = button("overview-round", String(round.number), () => {
      this.player.pause();
      this.player.goTo({ round: round.number, event: 0 });
    });
    this.cells.push(cell);
    this.element.append(box("li", "overview-cell", cell));
  }

  /** @param {HTMLElement} button @param {Round} round */
  #show(button, round) {
    const ahead = aheadAfter(round);
    if (button.dataset.ahead === ahead.join()) return;
    button.dataset.ahead = ahead.join();
    button.className = `overview-round${ahead.length === 1 ? ` deck-${ahead[0]}` : ""}`;
    const words = leadWords(round, this.names);
    button.setAttribute("aria-label", words);
    button.title = words;
  }

  moved() {
    const cell = this.cells[this.player.cursor.round - 1];
    if (cell === this.current) return;
    this.current?.removeAttribute("aria-current");
    cell?.setAttribute("aria-current", "true");
    this.current = cell;
    this.#reveal();
  }

  /** Scrolls the cells, not the page. */
  #reveal() {
    const { element, current } = this;
    const item = current?.parentElement;
    if (!item || element.scrollWidth <= element.clientWidth) return;
    element.scrollLeft = item.offsetLeft - (element.clientWidth - item.offsetWidth) / 2;
  }
}
