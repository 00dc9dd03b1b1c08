/**
 * Draws a folded table: panels below, cards above them, each card one element that moves.
 *
 * It only receives tables and events. Live tables and replays both use it. `show` draws a table and
 * plays the motions of the events that led to it.
 * @import { RoundEvent, Table, View } from "../match/fold.js"
 * @typedef {import("./motion.js").Spot} Spot
 * @typedef {import("./choreography.js").Placed} Placed
 * @import { Seat } from "./panels.js"
 * @import { Standing } from "../match/ranking.js"
 * @typedef {{view: View, standing: Standing, applied?: RoundEvent[], lively?: boolean, pace?:
 *   number}} Scene `applied`: the events since the last table shown. `lively`: cards move instead
 *   of jumping. `pace`: how long motions last, 1 is normal.
 * @typedef {{round: import("../match/log.js").Round, cursor: import("../match/player.js").Cursor,
 *   event: number, view: View}} Place `event`: how many events are shown
 */

import { box } from "../dom/elements.js";
import { load } from "../dom/settings.js";
import { HAND } from "../match/fold.js";
import { isNear } from "../match/player.js";
import { ENDLESS, ranking, standingAt } from "../match/ranking.js";
import { splitNames } from "../match/words.js";
import { gettext } from "../words/gettext.js";
import { cardElement, installSprite, turn } from "./cards.js";
import { Choreography, places } from "./choreography.js";
import { halt, transformOf } from "./motion.js";
import { SeatPanel, SlotPanel } from "./panels.js";

const CARD_RATIO = 1.4;
/** The most of its height that a card in a stack, or a lower card of a pile, shows. */
const FAN = 0.225;
const PILE_STEP = 0.035;
/** Below this width a card shows only a large number. */
const SMALL = 38;

/**
 * Seats in order around the table, with `home` at the bottom left, or at the bottom alone.
 * @param {number} seats @param {number} home @param {boolean} alone
 */
function seating(seats, home, alone) {
  const order = Array.from({ length: seats }, (_, at) => (home + at) % seats);
  const above = alone ? seats - 1 : [0, 0, 1, 2, 2, 3][seats];
  const bottom = [order[0], ...order.slice(1 + above).reverse()];
  return { top: order.slice(1, 1 + above), bottom };
}

export class Board {
  /**
   * @param {HTMLElement} root an empty element
   * @param {Seat[]} seats
   * @param {{home?: number, alone?: boolean, goal?: import("../match/ranking.js").Goal, beside?:
   *   HTMLElement[]}} [options] `home`: the seat at the bottom. `alone`: it has no neighbour, and a
   *   large hand. `goal`: the condition to win the match. `beside`: on the felt beside the stacks.
   */
  constructor(root, seats, { home = 0, alone = false, goal = ENDLESS, beside = [] } = {}) {
    installSprite();
    this.root = root;
    this.goal = goal;
    this.beside = beside;
    this.names = seats.map((seat) => seat.name);
    const parts = splitNames(this.names);
    this.seats = seats.map(
      (seat, number) => new SeatPanel(seat, number, alone && number === home, parts[number]),
    );
    this.slots = seats.map((_, number) => new SlotPanel(number));
    this.layer = box("div", { class: "board-cards over", "aria-hidden": "true" });
    this.largeHand = alone ? `hand-${home}` : null;
    this.observer = new ResizeObserver(() => this.#resized());
    this.#build(home, alone);
    /** @type {Map<string, HTMLElement>} */
    this.cards = new Map();
    /** @type {Map<string, Placed & {at: Spot}>} */
    this.lying = new Map();
    this.hands = seats.map(() => /** @type {(string | null)[]} */ ([null, null, null]));
    /** @type {Map<string, {x: number, y: number, width: number, height: number}>} */
    this.spots = new Map();
    this.choreography = new Choreography(this);
    this.shown = false;
    /** What `showPlace` has shown. @type {Place | null} */
    this.place = null;
  }

  /** @param {number} home @param {boolean} alone */
  #build(home, alone) {
    const { top, bottom } = seating(this.seats.length, home, alone);
    this.seats[home].element.classList.toggle("is-home", alone);
    /** @param {string} kind @param {number[]} seats */
    const row = (kind, seats) =>
      box("div", `board-row row ${kind}`, ...seats.map((seat) => this.seats[seat].element));
    const named = load().piles ? gettext("Piles: draw, discard, won") : "";
    const middle = box(
      "div",
      { class: "board-middle", "data-words": named },
      ...this.slots.map((slot) => slot.element),
      ...this.beside,
    );
    this.root.classList.add("board");
    const crowded = top.length > 2 ? "board-top is-crowded" : "board-top";
    this.root.dataset.seats = String(this.seats.length);
    const parts = [row(crowded, top), middle, row("board-bottom", bottom)];
    this.root.append(...parts, this.layer);
    // The board keeps its size when a row takes room from another.
    this.observer.disconnect();
    for (const part of [this.root, ...parts]) this.observer.observe(part);
  }

  /** Lets a seat sit at the bottom, alone, as at its own table. @param {number} home */
  sitAt(home) {
    for (const seat of this.seats) seat.element.classList.remove("is-home");
    for (const row of this.root.querySelectorAll(".board-row, .board-middle")) row.remove();
    this.largeHand = `hand-${home}`;
    this.#build(home, true);
    this.#resized();
  }

  /** Measures the spots. The only place that reads the layout. */
  #measure() {
    const origin = this.root.getBoundingClientRect();
    /** @param {string} name @param {HTMLElement} element */
    const read = (name, element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      this.spots.set(name, {
        x: left - origin.left - this.root.clientLeft,
        y: top - origin.top - this.root.clientTop,
        width,
        height,
      });
    };
    for (const seat of this.seats) {
      read(`seat-${seat.number}`, seat.element);
      seat.spots.forEach((element, name) => read(name, element));
    }
    for (const slot of this.slots) read(`slot-${slot.number}`, slot.spot);
    this.width = this.spots.get("slot-0")?.width || 1;
    this.root.style.setProperty("--card-width", `${this.width}px`);
    this.small = (this.spots.get("draw-0")?.width ?? 0) < SMALL;
  }

  #resized() {
    this.#measure();
    this.cards.forEach(halt);
    this.#layOut([...this.lying.values()]);
  }

  /** The center of a spot. @param {string} name */
  middleOf(name) {
    const spot = this.spots.get(name) ?? { x: 0, y: 0, width: 0, height: 0 };
    return { x: spot.x + spot.width / 2, y: spot.y + spot.height / 2 };
  }

  /** @param {{spot: string, index: number, of: number, key?: string}} placed @returns {Spot} */
  position({ spot, index, of, key }) {
    const { x, y, width, height } = this.spots.get(spot) ?? { x: 0, y: 0, width: 1, height: 1 };
    const [kind, number] = spot.split("-");
    const card = (this.width ?? 1) * CARD_RATIO;
    const fan = Math.min(card * FAN, (height - card) / Math.max(of - 1, 1));
    if (kind === "slot") return { x, y: y + index * fan, scale: 1 };
    if (kind === "hand")
      return this.#handPosition(Number(number), key ?? "", index, { x, y, width, height });
    const depth = Math.min(of - 1 - index, 2) * width * PILE_STEP;
    return { x: x - depth, y: y - depth, scale: width / (this.width ?? 1) };
  }

  /**
   * @param {number} seat @param {string} key @param {number} index
   * @param {{x: number, y: number, width: number, height: number}} spot
   */
  #handPosition(seat, key, index, spot) {
    const width = spot.height / CARD_RATIO;
    const held = this.hands[seat].indexOf(key);
    const step = (spot.width - width) / (HAND - 1);
    return {
      x: spot.x + (held < 0 ? index : held) * step,
      y: spot.y,
      scale: width / (this.width ?? 1),
    };
  }

  /** New cards fill the gaps. Others keep their places. @param {Placed[]} placed */
  #arrange(placed) {
    this.hands = this.hands.map((held, seat) => {
      const keys = placed.filter((card) => card.spot === `hand-${seat}`).map((card) => card.key);
      const kept = held.map((key) => (key && keys.includes(key) ? key : null));
      for (const key of keys) if (!kept.includes(key)) kept[Math.max(kept.indexOf(null), 0)] = key;
      return kept;
    });
  }

  /** @param {Table} table @param {Scene} scene */
  show(table, scene) {
    if (!this.spots.size) this.#measure();
    const before = this.lying;
    const placed = places(table, scene.view);
    if (!scene.lively) this.hands = this.hands.map(() => [null, null, null]);
    this.#arrange(placed);
    if (!scene.lively) this.cards.forEach(halt);
    this.#layOut(placed);
    for (const key of before.keys()) {
      if (this.lying.has(key)) continue;
      this.cards.get(key)?.remove();
      this.cards.delete(key);
    }
    const ranks = ranking(table, scene.standing.totals, this.goal);
    for (const seat of this.seats) seat.show(table, scene.view, scene.standing, ranks[seat.number]);
    for (const slot of this.slots) slot.show(table, this.names);
    if (scene.lively) this.choreography.play(before, scene);
    this.shown = true;
  }

  /**
   * Shows the place of a player. What moves depends on what was shown before, so a place that is
   * shown again changes nothing.
   * @param {import("../match/player.js").Player} player @param {View} view
   * @param {number} [event] how many events to show, if not all up to the cursor
   * @returns {{standing: Standing, applied: RoundEvent[]} | null} `applied`: the events that the
   *   viewer now sees happen. null: it has no table yet
   */
  showPlace({ log, round, cursor, playing, speed }, view, event = cursor.event) {
    if (!round?.timeline) return null;
    const { timeline } = round;
    const before = this.place;
    const standing = standingAt(log, round, event);
    const same = before?.round === round && before.event === event && before.view === view;
    const moment = cursor.moment && event === cursor.event && cursor !== before?.cursor;
    this.place = { round, cursor, event, view };
    if (same && !moment) return { standing, applied: [] };
    const from = before && { round: before.round.number, event: before.event };
    const near = before?.view === view && isNear(from, { round: round.number, event });
    const pace = playing ? Math.min(Math.max(1 / speed, 0.3), 1.6) : 1;
    const scene = { view, standing, pace };
    if (moment && event) this.show(timeline.tableAt(event - 1), scene);
    const first = moment ? event - 1 : near ? before.event : event;
    const applied = round.events.slice(Math.max(first, 0), event);
    this.show(timeline.tableAt(event), { ...scene, applied, lively: near || moment });
    return { standing, applied };
  }

  /** @param {Placed[]} placed */
  #layOut(placed) {
    this.lying = new Map(placed.map((card) => [card.key, { ...card, at: this.position(card) }]));
    this.lying.forEach((card) => this.#lay(card));
    for (const slot of this.slots) {
      const spot = `slot-${slot.number}`;
      const box = this.spots.get(spot) ?? { x: 0, y: 0, width: 1, height: 0 };
      const of = placed.filter((card) => card.spot === spot).length;
      const { y } = this.position({ spot, index: Math.max(of - 1, 0), of });
      const height = box.width * CARD_RATIO;
      for (const { style } of [slot.label, slot.as])
        style.setProperty("translate", `0 ${y + height - box.y - box.height}px`);
      this.spots.set(`stack-${slot.number}`, { ...box, y, height: height + 20 }); // and its label
    }
  }

  /** @param {Placed & {at: Spot}} card */
  #lay(card) {
    if (!card.shown && !this.cards.has(card.key)) return;
    const element = this.cards.get(card.key) ?? this.#create(card);
    const style = element.style;
    const transform = transformOf(card.at);
    if (element.dataset.at !== transform) {
      element.dataset.at = transform;
      style.setProperty("transform", transform);
    }
    style.setProperty("z-index", String(card.index + 1));
    this.#style(element, card);
  }

  /** Styles a card for its position. @param {HTMLElement} element @param {Placed} card */
  #style(element, card) {
    turn(element, this.#side(card));
    element.classList.toggle("is-discarded", card.spot.startsWith("discard"));
    element.hidden = !card.shown;
  }

  /** @param {Placed} card */
  #side(card) {
    if (!card.up) return "back";
    const large = card.spot.startsWith("slot") || card.spot === this.largeHand;
    return this.small && !large ? "small" : "front";
  }

  /** Restores a card that looked different while it moved. @param {string} key */
  settle(key) {
    const card = this.lying.get(key);
    const element = this.cards.get(key);
    if (card && element) this.#style(element, card);
  }

  /** @param {Placed} card */
  #create(card) {
    const element = cardElement(card.card, this.#side(card));
    this.cards.set(card.key, element);
    this.layer.append(element);
    return element;
  }
}
