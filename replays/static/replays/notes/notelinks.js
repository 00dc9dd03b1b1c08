/**
 * Links in notes: those to moments and cards lead there without loading anything.
 * @typedef {{say: (words: string) => void, point: () => void}} Way
 *   `point`: shows the notes' own shapes again
 */

import { gettext } from "../../games/words/gettext.js";

/** How long a card named in a note is highlighted, in ms. */
const FLASH_MS = 2500;

export class NoteLinks {
  /**
   * @param {import("../../games/match/player.js").Player} player
   * @param {import("./shapes.js").Shapes} shapes @param {Way} way
   */
  constructor(player, shapes, way) {
    this.player = player;
    this.shapes = shapes;
    this.way = way;
  }

  /** @param {MouseEvent} event on any element of the notes */
  follow(event) {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const query = new URLSearchParams(link.getAttribute("href") ?? "");
    if (link.classList.contains("moment-link")) this.#goTo(query);
    else if (link.classList.contains("card-link")) this.#showCard(query.get("card") ?? "");
    else return;
    event.preventDefault();
  }

  /** @param {URLSearchParams} query */
  #goTo(query) {
    this.player.pause();
    this.player.goTo({ round: Number(query.get("round")), t: Number(query.get("t")) });
  }

  /** Shows a card where it is or, if not visible now, when it is played. @param {string} card */
  async #showCard(card) {
    this.player.pause();
    if (!this.shapes.boxOf(`card:${card}`)) {
      const events = this.player.round?.events ?? [];
      const at = events.findIndex((event) => "card" in event && event.card === card);
      if (at < 0)
        return this.way.say(gettext("Card {card} is not visible in this round.", { card }));
      await this.player.goTo({ round: this.player.cursor.round, event: at + 1, moment: true });
    }
    this.shapes.show([{ marks: [`card:${card}`], arrows: [] }]);
    setTimeout(() => this.way.point(), FLASH_MS);
  }
}
