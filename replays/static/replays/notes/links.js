/**
 * Links in notes to moments and cards.
 * @import { Shapes } from "../../games/board/shapes.js"
 * @typedef {{say: (words: string) => void, point: () => void}} Way
 *   `point`: shows the notes' own shapes again
 */

import { gettext } from "../../games/words/gettext.js";

/** How long a card named in a note is highlighted, in ms. */
const FLASH_MS = 2500;

/** A pressed link of a kind that is not to be opened elsewhere. @param {MouseEvent} event @param {string} kind */
const pressed = ({ target, ctrlKey, metaKey, shiftKey }, kind) =>
  target instanceof Element && !ctrlKey && !metaKey && !shiftKey
    ? target.closest(`a.${kind}`)
    : null;

/** What a link to a moment or card says. @param {Element} link */
const queryOf = (link) => new URLSearchParams(link.getAttribute("href") ?? "");

/**
 * Goes where a pressed link to a moment leads, without loading anything.
 * @param {MouseEvent} event @param {import("../../games/match/player.js").Player} player
 */
export function followMoment(event, player) {
  const link = pressed(event, "moment-link");
  if (!link) return;
  event.preventDefault();
  const query = queryOf(link);
  player.pause();
  player.goTo({ round: Number(query.get("round")), t: Number(query.get("t")) });
}

export class NoteLinks {
  /**
   * @param {import("../../games/match/player.js").Player} player
   * @param {Shapes} shapes @param {Way} way
   */
  constructor(player, shapes, way) {
    this.player = player;
    this.shapes = shapes;
    this.way = way;
  }

  /** @param {MouseEvent} event on any element of the notes */
  follow(event) {
    followMoment(event, this.player);
    const link = pressed(event, "card-link");
    if (!link) return;
    event.preventDefault();
    this.#showCard(queryOf(link).get("card") ?? "");
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
