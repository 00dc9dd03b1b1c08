/**
 * A card's life in a round: from the deck through a hand and a stack to a score pile. Choose it
 * from the list or on the table.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @import { RoundReport, Stage } from "./rounddata.js"
 * @typedef {import("api").FeedingJson} Feeding
 */

import { cardElement, styleOf } from "../../games/board/cards.js";
import { box, button, byId } from "../../games/dom/elements.js";
import { faceOf, ownerOf, WILD } from "../../games/match/fold.js";
import { clock, faceName, seconds } from "../../games/match/words.js";
import { decimal, gettext, pgettext } from "../../games/words/gettext.js";
import { numbers } from "./csv.js";
import { RoundView } from "./rounddata.js";

/** @type {{card: HTMLElement, z: number} | null} */
const NOTHING = null;

/** What a card's face is. @type {Record<string, string>} */
const PRINTED = {
  number: pgettext("printed on a card", "number"),
  roman: pgettext("printed on a card", "roman"),
  word: pgettext("printed on a card", "word"),
  die: pgettext("printed on a card", "die"),
  hand: pgettext("printed on a card", "hand"),
};

/** A smaller price, in chance to win, shows as none. */
const LEAST = 0.0005;
const PICKED = 8;

/** @param {string} card */
const nameOf = (card) =>
  faceOf(card) === WILD
    ? `${faceName(card)} (${card[2]})`
    : `${faceName(card)} (${PRINTED[styleOf(card)]}, ${card[2]})`;

export class CardLife {
  /**
   * @param {Player} player @param {import("./rounddata.js").RoundData} data @param {string[]} names
   * @param {Feeding[]} feeding
   */
  constructor(player, data, names, feeding) {
    this.player = player;
    this.names = names;
    this.prices = new Map(feeding.map(({ round, prices }) => [round, prices]));
    /** @type {RoundReport | null} */
    this.report = null;
    this.card = "";
    this.select = box("select", { "aria-label": gettext("Card") });
    this.select.addEventListener("change", () => this.choose(this.select.value));
    this.picks = box("div", "life-picks");
    this.face = box("div", "life-face");
    this.steps = box("ol", "life");
    this.note = box("p", "analysis-note");
    this.element = box(
      "div",
      "card-life",
      box(
        "p",
        "analysis-note",
        gettext(
          "The cards that cost their player most when others took them, in points of chance to win. Choose one, or any card on the table.",
        ),
      ),
      this.picks,
      box("div", "life-way", this.face, box("div", "", this.steps, this.note)),
      box("div", "race-filters", this.select),
      this.#numbers(),
    );
    const draw = (/** @type {RoundReport} */ report) => this.draw(report);
    const fail = (/** @type {string} */ words) => {
      this.note.textContent = gettext("No cards: {words}.", { words });
    };
    this.view = new RoundView(player, data, this.element, draw, fail);
    byId("table").addEventListener("click", (event) => this.#pointed(event));
    player.onChange(() => !player.playing && this.card && this.point());
  }

  show() {
    this.view.follow();
    this.point();
  }

  /** @param {MouseEvent} event */
  #pointed(event) {
    if (!this.element.isConnected || this.element.closest("[hidden]")) return;
    const { clientX: x, clientY: y } = event;
    /** Clicks pass through cards, so they are found by their place. */
    const hit = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#table .card")])
      .filter((card) => {
        const { left, right, top, bottom, width } = card.getBoundingClientRect();
        return width && left <= x && x <= right && top <= y && y <= bottom;
      })
      .map((card) => ({ card, z: Number(getComputedStyle(card).zIndex) || 0 }))
      .reduce((top, candidate) => (!top || candidate.z >= top.z ? candidate : top), NOTHING);
    if (hit?.card.dataset.card) this.choose(hit.card.dataset.card);
  }

  /** @param {RoundReport} report */
  draw(report) {
    this.report = report;
    const cards = Object.keys(report.lives).sort();
    const groups = this.names.map((name, seat) => {
      const mine = cards.filter((card) => ownerOf(card) === seat);
      const options = mine.map(
        (card) => new Option(gettext("{name}’s {card}", { name, card: nameOf(card) }), card),
      );
      return box("optgroup", { label: name }, ...options);
    });
    this.select.replaceChildren(...groups);
    const dearest = Object.entries(this.prices.get(report.round) ?? {})
      .filter(([, price]) => price <= -LEAST)
      .sort((a, b) => a[1] - b[1])
      .slice(0, PICKED);
    this.picks.replaceChildren(...dearest.map(([card, price]) => this.#pick(card, price)));
    this.choose(report.lives[this.card] ? this.card : (dearest[0]?.[0] ?? cards[0]));
  }

  /** @param {string} card @param {number} price */
  #pick(card, price) {
    const name = gettext("{name}’s {card}", {
      name: this.names[ownerOf(card)],
      card: nameOf(card),
    });
    const inside = [
      cardElement(card, "small"),
      box("span", "spoken", name),
      box("b", "", decimal(price * 100, 1)),
    ];
    const pick = button("life-pick bare", inside, () => this.choose(card));
    pick.dataset.card = card;
    return pick;
  }

  /** @param {string} card */
  choose(card) {
    const { report } = this;
    const stages = report?.lives[card];
    if (!report || !stages) return;
    this.card = card;
    this.select.value = card;
    for (const pick of this.picks.children)
      pick.setAttribute(
        "aria-pressed",
        String(/** @type {HTMLElement} */ (pick).dataset.card === card),
      );
    this.face.replaceChildren(cardElement(card));
    this.point();
    this.steps.replaceChildren(...stages.map((stage, at) => this.#step(stage, at, stages)));
    const price = this.prices.get(report.round)?.[card];
    const cost = price === undefined ? "" : this.#price(price, ownerOf(card));
    this.note.textContent = cost || gettext("It fed no one else.");
  }

  /** Frames the card on the table, while this is shown. */
  point() {
    const hidden = !this.element.isConnected || this.element.closest("[hidden]");
    for (const card of document.querySelectorAll("#table .card")) {
      const chosen = !hidden && /** @type {HTMLElement} */ (card).dataset.card === this.card;
      card.classList.toggle("is-pointed", chosen);
    }
  }

  /** @param {number} price @param {number} seat */
  #price(price, seat) {
    const all = { name: this.names[seat], points: decimal(Math.abs(price) * 100, 1) };
    if (Math.abs(price) < LEAST)
      return gettext("Feeding it hardly changed {name}’s chance to win.", all);
    return price < 0
      ? gettext(
          "Feeding it cost {name} {points} points of chance to win: its share of what that take changed.",
          all,
        )
      : gettext(
          "Feeding it even gained {name} {points} points of chance to win: its share of what that take changed.",
          all,
        );
  }

  /** @param {Stage} stage @param {number} at @param {Stage[]} stages */
  #step([seq, t, place, seat, slot], at, stages) {
    const came = this.#words(place, seat, slot, at);
    const words = at
      ? gettext("{step} after {time}", { step: came, time: seconds(t - stages[at - 1][1]) })
      : came;
    const inside = [box("span", "life-time", clock(t)), box("span", "", words)];
    const step = button(`life-step bare is-${place}`, inside, () => {
      this.player.pause();
      this.player.goTo({ seq });
    });
    return box("li", "", step);
  }

  /** @param {string} place @param {number} seat @param {number | null} slot @param {number} at */
  #words(place, seat, slot, at) {
    const all = { name: this.names[seat], stack: (slot ?? 0) + 1 };
    const words = {
      deck: gettext("in {name}’s draw pile", all),
      hand: at ? gettext("drawn by {name}", all) : gettext("dealt to {name}’s hand", all),
      discarded: gettext("discarded by {name}", all),
      tied: gettext("tied on stack {stack}, to {name}’s discard pile", all),
      played: gettext("played by {name} on stack {stack}", all),
      taken: gettext("taken by {name} with stack {stack}", all),
    };
    return words[/** @type {keyof words} */ (place)] ?? place;
  }

  #numbers() {
    const head = [
      gettext("Card"),
      gettext("Line"),
      gettext("Time, ms"),
      gettext("Where"),
      gettext("Player"),
      gettext("Stack"),
    ];
    const rows = () =>
      Object.entries(this.report?.lives ?? {}).flatMap(([card, stages]) =>
        stages.map(([seq, t, place, seat, slot]) => [
          ...[card, seq, t, place, this.names[seat]],
          slot === null ? null : slot + 1,
        ]),
      );
    return numbers("cards", head, rows, gettext("Every card of this round in numbers"));
  }
}
