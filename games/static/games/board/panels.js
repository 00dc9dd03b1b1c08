/**
 * The places of the table: a panel for each seat and a slot for each center stack.
 *
 * They show names, counts and scores, and mark the spots where `board.js` puts the cards. What the
 * cards show is repeated in words for screen readers.
 * @import { Table, View } from "../match/fold.js"
 * @typedef {{name: string, kind: string, beginner?: boolean}} Seat
 * @import { Rank, Standing } from "../match/ranking.js"
 */

import { box, write } from "../dom/elements.js";
import { faceOf, ownerOf, seesHand, WILD } from "../match/fold.js";
import { faceName } from "../match/words.js";
import { decimal, gettext, ngettext, pgettext, signed } from "../words/gettext.js";
import { markOf } from "./cards.js";

const PILES = /** @type {const} */ (["draw", "discard", "score"]);
const PILE_WORDS = {
  draw: gettext("draw"),
  discard: gettext("discard"),
  score: pgettext("pile", "won"),
};

/** @param {string[]} cards */
const faces = (cards) =>
  cards.map((card) => (faceOf(card) ? faceName(card) : gettext("hidden"))).join(", ") ||
  gettext("none");

/** As "40 − 7". @param {number} before this round @param {number} gain */
const sum = (before, gain) =>
  `${decimal(before)} ${gain < 0 ? "−" : "+"} ${decimal(Math.abs(gain))}`;

/** One seat: its name and score over the spots of its hand and three piles. */
export class SeatPanel {
  /**
   * @param {Seat} seat @param {number} number @param {boolean} own whether the reader plays it
   * @param {[string, string]} parts of its player's name: what may be cut, and its end
   */
  constructor(seat, number, own, parts) {
    this.number = number;
    const name = own ? gettext("You") : seat.name;
    this.total = box("span", "seat-total");
    this.parts = box("span", { class: "seat-parts soft", "aria-hidden": "true" });
    this.kind = box("span", "seat-kind rigid soft text-xs light");
    this.chip = box("span", "seat-chip rigid text-xs if-any");
    this.spoken = box("p", "spoken");
    /** @type {Map<string, HTMLElement>} */
    this.spots = new Map();
    /** @type {Map<string, HTMLElement>} */
    this.counts = new Map();
    this.element = box(
      "section",
      {
        class: `seat deck-${number}`,
        "aria-label": gettext("Seat {number}, {name}", { number: number + 1, name }),
      },
      this.#head(seat, own ? [name, ""] : parts),
      this.#spots(),
      this.spoken,
    );
  }

  /** @param {Seat} seat @param {[string, string]} parts */
  #head(seat, [start, end]) {
    const name = box(
      "span",
      "seat-name line gap-0 yields unbroken",
      box("span", "cut", start),
      end,
    );
    name.dir = "auto"; // its beginning stays, whichever side that is
    const kindWord = seat.kind === "human" ? gettext("human") : gettext("bot");
    name.title = seat.beginner
      ? gettext("{name} ({kind}, beginner)", { name: seat.name, kind: kindWord })
      : `${seat.name} (${kindWord})`;
    this.showKind(seat.kind);
    const score = box("span", "seat-score rigid push unbroken line", this.parts, this.total);
    return box("h2", "seat-head line", markOf(this.number), name, this.kind, this.chip, score);
  }

  /** @param {string | null} kind @param {boolean} [away] whether a bot plays meanwhile */
  showKind(kind, away = false) {
    write(this.kind, kind === "bot" ? gettext("bot") : away ? gettext("away") : "");
  }

  #spots() {
    const hand = box("div", "spot spot-hand");
    this.spots.set(`hand-${this.number}`, hand);
    const piles = PILES.map((pile) => {
      const spot = box("div", `spot spot-${pile}`);
      const count = box("b", "pile-count");
      this.spots.set(`${pile}-${this.number}`, spot);
      this.counts.set(pile, count);
      return box(
        "div",
        "pile",
        spot,
        box(
          "span",
          "pile-label block centered soft unbroken",
          count,
          box("span", "pile-word", ` ${PILE_WORDS[pile]}`),
        ),
      );
    });
    return box("div", { class: "seat-spots", "aria-hidden": "true" }, hand, ...piles);
  }

  /** @param {Table} table @param {View} view @param {Standing} standing @param {Rank} rank */
  show(table, view, standing, rank) {
    const { number } = this;
    const counts = [table.drawPiles, table.discardPiles, table.scorePiles].map(
      (pile) => pile[number].length,
    );
    PILES.forEach((pile, at) =>
      write(/** @type {HTMLElement} */ (this.counts.get(pile)), String(counts[at])),
    );
    write(this.total, decimal(rank.total));
    write(this.parts, rank.gain === null ? "" : sum(rank.total - rank.gain, rank.gain));
    const won = standing.winners?.includes(number) ?? false;
    const out = standing.out === number;
    write(this.chip, won ? gettext("won") : out ? gettext("OUT") : "");
    const marks = this.element.classList;
    marks.toggle("is-leader", rank.leads);
    marks.toggle("is-winner", won);
    marks.toggle("is-out", out);
    marks.toggle("is-acting", standing.acting.includes(number));
    marks.toggle("is-viewer", view === number);
    this.#speak(table, view, counts, rank);
  }

  /** @param {Table} table @param {View} view @param {number[]} counts @param {Rank} rank */
  #speak(table, view, counts, { total, gain, leads }) {
    const held = table.hands[this.number];
    const hand = seesHand(view, this.number)
      ? faces(held)
      : ngettext("{count} hidden card", "{count} hidden cards", held.length);
    const [draw, discard, score] = counts;
    const said = [
      gettext("Hand: {hand}.", { hand }),
      gettext("Draw pile {draw}, discard pile {discard}, score pile {score}.", {
        draw,
        discard,
        score,
      }),
      ngettext("{count} point.", "{count} points.", total),
    ];
    if (gain !== null) said.push(gettext("{gain} in this round.", { gain: signed(gain) }));
    if (leads) said.push(gettext("Leads."));
    write(this.spoken, said.join(" "));
  }
}

export class SlotPanel {
  /** @param {number} number */
  constructor(number) {
    this.number = number;
    this.spot = box("div", "spot spot-slot", box("span", "slot-number", String(number + 1)));
    this.spot.setAttribute("aria-hidden", "true");
    this.as = box("span", "slot-as strong small unbroken if-any");
    this.height = box("span", "slot-height");
    this.unit = box("span", "slot-unit");
    this.spoken = box("p", "spoken");
    this.label = box("p", { class: "slot-label", "aria-hidden": "true" }, this.height, this.unit);
    this.as.setAttribute("aria-hidden", "true");
    this.element = box("section", "slot", this.spot, this.as, this.label, this.spoken);
    this.element.setAttribute("aria-label", gettext("Stack {number}", { number: number + 1 }));
  }

  /** @param {Table} table @param {string[]} names */
  show(table, names) {
    const stack = table.stacks[this.number];
    const top = table.tops[this.number];
    const standsFor =
      faceOf(stack[stack.length - 1] ?? "") === WILD ? gettext("as {number}", { number: top }) : "";
    write(this.height, stack.length ? String(stack.length) : gettext("free"));
    write(this.unit, stack.length ? ngettext("card", "cards", stack.length) : "");
    write(this.as, standsFor);
    this.element.classList.toggle("is-free", !stack.length);
    write(this.spoken, stack.length ? this.#describe(stack, top, names) : gettext("Free."));
  }

  /** @param {string[]} stack @param {number} top @param {string[]} names */
  #describe(stack, top, names) {
    const cards = stack.map((card) =>
      gettext("{card} of {name}", { card: faces([card]), name: names[ownerOf(card)] }),
    );
    return ngettext(
      "{count} card, top {top}. From below: {cards}.",
      "{count} cards, top {top}. From below: {cards}.",
      stack.length,
      { top, cards: cards.join("; ") },
    );
  }
}
