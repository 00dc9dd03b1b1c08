/**
 * The places of the table: a panel for each seat and a slot for each center stack.
 *
 * They show names, counts and scores, and mark the spots where `board.js` puts the cards. What the
 * cards show is repeated in words for screen readers.
 * @typedef {import("../match/fold.js").Table} Table
 * @typedef {import("../match/perspective.js").View} View
 * @typedef {{name: string, kind: string, beginner?: boolean}} Seat
 * @typedef {import("../match/standing.js").Standing} Standing
 * @typedef {import("../match/ranking.js").Rank} Rank
 */

import { box, write } from "../dom/elements.js";
import { faceOf, ownerOf, WILD } from "../match/fold.js";
import { seesHand } from "../match/perspective.js";
import { counted, points, signed } from "../match/words.js";
import { markOf } from "./cards.js";

const PILES = /** @type {const} */ (["draw", "discard", "score"]);

/** @param {string[]} cards */
const faces = (cards) =>
  cards
    .map((card) => (faceOf(card) === WILD ? "wild" : String(faceOf(card) || "hidden")))
    .join(", ") || "none";

/** One seat: its name and score over the spots of its hand and three piles. */
export class SeatPanel {
  /** @param {Seat} seat @param {number} number */
  constructor(seat, number) {
    this.number = number;
    this.name = seat.name;
    this.total = box("span", "seat-total");
    this.gain = box("span", "seat-gain");
    this.left = box("span", "seat-left");
    this.way = box("span", "seat-way");
    this.chip = box("span", "seat-chip");
    this.spoken = box("p", "spoken");
    /** @type {Map<string, HTMLElement>} */
    this.spots = new Map();
    /** @type {Map<string, HTMLElement>} */
    this.counts = new Map();
    this.element = box(
      "section",
      { class: `seat deck-${number}`, "aria-label": `Seat ${number + 1}, ${seat.name}` },
      this.#head(seat),
      this.#spots(),
      this.spoken,
    );
  }

  /** @param {Seat} seat */
  #head(seat) {
    const name = box("span", "seat-name cut", seat.name);
    name.dir = "auto"; // its beginning stays, whichever side that is
    name.title = seat.beginner
      ? `${seat.name} (${seat.kind}, beginner)`
      : `${seat.name} (${seat.kind})`;
    const more = box("span", { class: "seat-more", "aria-hidden": "true" }, this.gain, this.left);
    const score = box("span", "seat-score line", more, this.total);
    const kind = box("span", "seat-kind", seat.kind === "human" ? "" : seat.kind);
    this.way.setAttribute("aria-hidden", "true");
    return box("h2", "seat-head line", markOf(this.number), name, kind, this.chip, score, this.way);
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
        box("span", "pile-label", count, box("span", "pile-word", ` ${pile}`)),
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
    this.#rank(rank, Boolean(table.ended));
    const won = standing.winners?.includes(number) ?? false;
    const out = standing.out === number;
    write(this.chip, won ? "wins" : out ? "OUT" : "");
    const marks = this.element.classList;
    marks.toggle("is-winner", won);
    marks.toggle("is-out", out);
    marks.toggle("is-acting", standing.acting.includes(number));
    marks.toggle("is-viewer", view === number);
    this.#speak(table, view, counts, rank);
  }

  /**
   * The points of earlier rounds and, apart, this round's, which begin far below zero; where one
   * round decides, only those.
   * @param {Rank} rank @param {boolean} ended whether this round is over, and counted in the total
   */
  #rank({ total, gain, leads, left, share }, ended) {
    const apart = left !== null;
    write(this.total, points(apart && !ended ? total - gain : total));
    write(this.gain, apart ? signed(gain) : "");
    write(this.left, leads && left ? `${left} to go` : ""); // nothing once the target is reached
    this.way.style.setProperty("--share", share.toFixed(3));
    this.element.classList.toggle("is-leader", leads);
  }

  /** @param {Table} table @param {View} view @param {number[]} counts @param {Rank} rank */
  #speak(table, view, counts, { total, gain, leads, left }) {
    const held = table.hands[this.number];
    const hand = seesHand(view, this.number) ? faces(held) : counted(held.length, "hidden card");
    const [draw, discard, score] = counts;
    const piles = `Draw pile ${draw}, discard pile ${discard}, score pile ${score}`;
    const sums = `${points(gain)} point${gain === 1 ? "" : "s"} this round, ${points(total)} with earlier ones`;
    const ahead = leads ? ` Leads${left ? `, ${left} to go` : ""}.` : "";
    write(this.spoken, `Hand: ${hand}. ${piles}. ${sums}.${ahead}`);
  }
}

export class SlotPanel {
  /** @param {number} number */
  constructor(number) {
    this.number = number;
    this.spot = box("div", "spot spot-slot");
    this.as = box("span", "slot-as");
    this.height = box("span", "slot-height");
    this.unit = box("span", "slot-unit");
    this.spoken = box("p", "spoken");
    const place = box("span", "slot-number", String(number + 1));
    const words = box("span", "slot-words", this.height, this.unit);
    this.label = box("p", { class: "slot-label", "aria-hidden": "true" }, place, words);
    this.as.setAttribute("aria-hidden", "true");
    this.element = box("section", "slot", this.spot, this.as, this.label, this.spoken);
    this.element.setAttribute("aria-label", `Stack ${number + 1}`);
  }

  /** @param {Table} table @param {string[]} names */
  show(table, names) {
    const stack = table.stacks[this.number];
    const top = table.tops[this.number];
    const standsFor = faceOf(stack[stack.length - 1] ?? "") === WILD ? `as ${top}` : "";
    const [height, unit] = stack.length ? counted(stack.length, "card").split(" ") : ["free", ""];
    write(this.height, height);
    write(this.unit, unit && ` ${unit}`);
    write(this.as, standsFor);
    this.element.classList.toggle("is-free", !stack.length);
    write(this.spoken, stack.length ? this.#describe(stack, top, names) : "Free.");
  }

  /** @param {string[]} stack @param {number} top @param {string[]} names */
  #describe(stack, top, names) {
    const cards = stack.map((card) => `${faces([card])} of ${names[ownerOf(card)]}`);
    return `${counted(stack.length, "card")}, top ${top}. From below: ${cards.join("; ")}.`;
  }
}
