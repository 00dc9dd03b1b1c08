/**
 * Where each player's points came from, in cards that add up. Below, every stack that two or more
 * could take: a column each, or where they are too many a lane for each player, by round.
 *
 * @typedef {import("api").AccountJson} Account
 * @typedef {import("api").SeatAccountJson & {[part: string]: number}} Seat
 * @typedef {import("api").ContestedStack} Stack
 * @typedef {{names: string[], own: number | null}} Readers `own`: the reader's seat
 * @import { Page } from "../replay/page.js"
 */

import { markOf, nameOf } from "../../games/board/cards.js";
import { box, bringIntoView, button, drawn, templated } from "../../games/dom/elements.js";
import { positionWords, shortNames } from "../../games/match/words.js";
import { decimal, gettext, ngettext, signed } from "../../games/words/gettext.js";
import { watch } from "./momentlist.js";

const RUN_UP_MS = 2500;
/** Px that a column needs, and one with its number. */
const [COLUMN, NUMBERED] = [8, 17];
/** Px of the highest column, of a lane, and of a number in it. */
const [TALL, LANE, LABEL] = [112, 60, 14];
/** From this part of the greatest on a number is bold. */
const GREAT = 0.75;

/** @param {number} count */
const stacksOf = (count) => (count ? ngettext("{count} stack", "{count} stacks", count) : "");

/** The words below a part's number. @type {Record<string, (seat: Seat) => string>} */
const BELOW = {
  rivals: ({ won, could }) =>
    could ? ngettext("{won} of {count} stack", "{won} of {count} stacks", could, { won }) : "",
  alone: ({ alone_stacks }) => stacksOf(alone_stacks),
  wilds: ({ wild_stacks }) => stacksOf(wild_stacks),
};

/** @param {Seat} seat @param {string} part @param {(points: number) => number} x */
function cell(seat, part, x) {
  const points = seat[part];
  const kind = points > 0 ? "is-won" : points < 0 ? "is-lost" : "is-even";
  const fall = box("i", { class: "fall", "aria-hidden": "true" });
  const place = (
    /** @type {string} */ name,
    /** @type {number} */ from,
    /** @type {number} */ to,
  ) => {
    fall.style.setProperty(`--${name}`, `${Math.min(x(from), x(to)).toFixed(2)}%`);
    fall.style.setProperty(`--${name}-wide`, `${Math.abs(x(from) - x(to)).toFixed(2)}%`);
  };
  place("from", 0, points);
  place("zero", 0, 0);
  const words = BELOW[part]?.(seat);
  return box(
    "td",
    kind,
    fall,
    box("span", "", signed(points)),
    ...(words ? [box("small", "soft", words)] : []),
  );
}

/** All bars have one scale. Rows of zeros are left out. @param {Seat[]} seats @param {Readers} readers */
function accountTable(seats, { names, own }) {
  const element = templated("account-parts");
  const short = shortNames(names);
  /** @type {HTMLElement[]} */
  const all = [...element.querySelectorAll("tr")];
  const [head, ...rows] = all;
  const parts = rows.map(({ dataset }) => dataset.part ?? "");
  const values = seats.flatMap((seat) => parts.map((part) => seat[part]));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const x = (/** @type {number} */ points) => ((points - low) / Math.max(high - low, 1)) * 100;
  const heads = seats.map(({ seat, score }) => {
    const name = nameOf(names[seat], seat === own ? names[seat] : short[seat]);
    const who = box("span", "marked", markOf(seat), ...name);
    return box("th", { class: `deck-${seat}`, scope: "col" }, who, box("b", "", decimal(score, 0)));
  });
  head.append(...heads);
  for (const [at, part] of parts.entries())
    if (seats.some((seat) => seat[part]))
      rows[at].append(...seats.map((seat) => cell(seat, part, x)));
    else rows[at].remove();
  return element;
}

/** The seats that could take a stack. @param {Stack} stack */
const couldTake = ({ taker, rivals }) => [taker, ...rivals.map(({ seat }) => seat)];

/** A seat's cards of some stacks, less its even share. @param {Stack[]} stacks @param {number} seat */
export function against(stacks, seat) {
  let sum = 0;
  for (const stack of stacks) {
    const could = couldTake(stack);
    if (stack.taker === seat) sum += stack.cards;
    if (could.includes(seat)) sum -= stack.cards / could.length;
  }
  return sum;
}

/** @param {number} seat whose colour and pattern @param {number} px its height */
function bar(seat, px) {
  const whole = { width: "100%", height: "100%" };
  const svg = drawn("svg", { class: `contested-bar deck-${seat}` });
  svg.append(drawn("rect", whole), drawn("rect", { ...whole, fill: `url(#deck-pattern-${seat})` }));
  svg.style.blockSize = `${Math.max(1, Math.round(px))}px`;
  return svg;
}

/** @param {number} seat @param {Stack} stack */
function markIn(seat, stack) {
  const mark = markOf(seat);
  if (!couldTake(stack).includes(seat)) return box("i", "");
  if (stack.taker !== seat) mark.classList.add("is-hollow");
  return mark;
}

/** The stacks of a match, one of which can be read and watched. */
class Contested {
  /** @param {{seats: Seat[], stacks: Stack[]}} account @param {Readers} readers @param {Page} page */
  constructor({ seats, stacks }, readers, page) {
    this.seats = seats;
    this.stacks = stacks;
    this.readers = readers;
    this.page = page;
    this.rounds = [...new Set(stacks.map(({ round }) => round))];
    /** The round whose stacks are shown, if there are too many for all. @type {number | null} */
    this.round = null;
    this.lanes = false;
    this.at = -1;
    /** @type {HTMLElement[]} */
    this.items = [];
    this.plot = box("div", {
      class: "contested-plot anchor line gap-0 stretch",
      role: "slider",
      tabindex: 0,
      "aria-label": gettext("Stacks that two or more could take"),
    });
    this.plot.addEventListener("click", (event) => this.#choose(this.#nearest(event.clientX)));
    this.plot.addEventListener("keydown", (event) => this.#key(event));
    this.grid = box("div", "contested", ...this.#frame());
    this.grid.style.setProperty("--seats", String(seats.length));
    this.told = box("p", { class: "contested-told", role: "status" });
    this.note = box("p", "analysis-note soft small");
    this.element = box("section", "", this.note, this.grid, this.told);
    // A frame later: what is drawn changes the size.
    new ResizeObserver(() => requestAnimationFrame(() => this.draw())).observe(this.plot);
  }

  /** Names to the left. */
  #frame() {
    const { names, own } = this.readers;
    const short = shortNames(names);
    const rows = this.seats.flatMap(({ seat }) => {
      const row = [
        box("div", seat === own ? "contested-row is-own" : "contested-row"),
        box("div", "contested-name line yields", markOf(seat), ...nameOf(names[seat], short[seat])),
      ];
      for (const part of row) part.style.gridRow = String(seat + 2);
      return row;
    });
    return [...rows, this.plot];
  }

  /** As columns, or as lanes if they were too narrow. */
  draw() {
    const { clientWidth: width } = this.plot;
    const lanes =
      this.round === null && this.rounds.length > 1 && width < COLUMN * this.stacks.length;
    const numbered = width >= NUMBERED * this.#shown().length;
    this.plot.classList.toggle("is-numbered", numbered);
    if (!width || (this.plot.firstChild && lanes === this.lanes)) return;
    this.lanes = lanes;
    this.grid.classList.toggle("has-lanes", lanes);
    this.plot.replaceChildren(...(lanes ? this.#rounds() : this.#columns()));
    this.items = /** @type {HTMLElement[]} */ ([...this.plot.querySelectorAll(".contested-item")]);
    this.grid.style.setProperty("--items", String(this.items.length));
    this.plot.setAttribute("aria-valuemax", String(this.items.length));
    this.note.replaceChildren(
      lanes
        ? gettext(
            "Up: more cards than an even share of the round’s stacks. Down: fewer. Press a round to see its stacks.",
          )
        : gettext(
            "A column is a stack that two or more players could take with a 5, as high as its cards. Filled: took it. Hollow: could have. Press one to watch it.",
          ),
    );
    this.#pick(-1);
  }

  #shown() {
    const { round, stacks } = this;
    return round === null ? stacks : stacks.filter((stack) => stack.round === round);
  }

  #columns() {
    const { own } = this.readers;
    const most = Math.max(...this.stacks.map(({ cards }) => cards));
    const column = (/** @type {Stack} */ stack) => {
      const open = own === null || couldTake(stack).includes(own);
      const number = box(stack.cards >= GREAT * most ? "b" : "span", "", decimal(stack.cards, 0));
      const top = box(
        "div",
        "contested-top centered small",
        number,
        bar(stack.taker, (stack.cards / most) * TALL),
      );
      const marks = this.seats.map(({ seat }) => markIn(seat, stack));
      return box("div", `contested-item${open ? "" : " is-closed"}`, top, ...marks);
    };
    const rounds = this.round === null ? this.rounds : [this.round];
    return rounds.map((round) => {
      const stacks = this.stacks.filter((stack) => stack.round === round);
      const title = box(
        "span",
        "contested-round soft small unbroken",
        gettext("Round {round}", { round }),
      );
      const group = box(
        "div",
        "contested-group anchor line gap-0 stretch yields",
        ...stacks.map(column),
        title,
      );
      group.style.flexGrow = String(stacks.length);
      return group;
    });
  }

  #rounds() {
    const by = this.rounds.map((round) => {
      const stacks = this.stacks.filter((stack) => stack.round === round);
      return this.seats.map(({ seat }) => against(stacks, seat));
    });
    const most = Math.max(1, ...by.flat().map(Math.abs));
    const ends = this.seats.map((_, at) => by.map((of) => of[at]));
    const lane = (/** @type {number} */ value, /** @type {number} */ at) => {
      const far = value && (value === Math.max(...ends[at]) || value === Math.min(...ends[at]));
      const number = far ? [box("small", "centered text-xs soft", signed(Math.round(value)))] : [];
      const kind = `contested-lane ${value < 0 ? "is-down" : "is-up"}`;
      return box(
        "div",
        kind,
        bar(this.seats[at].seat, (Math.abs(value) / most) * (LANE / 2 - LABEL)),
        ...number,
      );
    };
    const every = Math.ceil((NUMBERED * this.rounds.length) / this.plot.clientWidth);
    const item = (/** @type {number} */ round, /** @type {number} */ at) =>
      box(
        "div",
        "contested-item",
        box("div", ""),
        ...by[at].map(lane),
        box("small", "contested-round soft small unbroken", at % every ? "" : String(round)),
      );
    const group = "contested-group anchor line gap-0 stretch yields";
    return [box("div", group, ...this.rounds.map(item))];
  }

  /** @param {number} x */
  #nearest(x) {
    const from = (/** @type {HTMLElement} */ item) => {
      const { left, right } = item.getBoundingClientRect();
      return Math.abs((left + right) / 2 - x);
    };
    const { items } = this;
    return items.reduce((best, item, at) => (from(item) < from(items[best]) ? at : best), 0);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    const last = this.items.length - 1;
    if (by) this.#pick(Math.min(last, Math.max(0, this.at + by)));
    else if (this.at >= 0) this.#choose(this.at);
  }

  /** @param {number} at */
  #choose(at) {
    if (!this.lanes) return this.#pick(at);
    this.#open(this.rounds[at]);
  }

  /** @param {number | null} round */
  #open(round) {
    this.round = round;
    this.plot.replaceChildren();
    this.draw();
  }

  /** @param {number} at -1: none */
  #pick(at) {
    this.at = at;
    for (const [number, item] of this.items.entries())
      item.classList.toggle("is-picked", number === at);
    const stack = this.lanes ? undefined : this.#shown()[at];
    const all =
      this.round === null
        ? []
        : [button("button small", gettext("All rounds"), () => this.#open(null))];
    this.told.replaceChildren(...(stack ? this.#words(stack) : []), " ", ...all);
    const round = this.rounds[at];
    const words = stack
      ? `${this.told.firstChild?.textContent} ${stack.text}`
      : round
        ? gettext("Round {round}", { round })
        : "";
    this.plot.setAttribute("aria-valuenow", String(at + 1));
    this.plot.setAttribute("aria-valuetext", words);
  }

  /** @param {Stack} stack */
  #words(stack) {
    const place = positionWords(stack.round, stack.t);
    const words = ngettext("{place}: {count} card.", "{place}: {count} cards.", stack.cards, {
      place,
    });
    const see = button("button small", gettext("Watch it"), () => {
      bringIntoView(this.page.board.root);
      watch(this.page, stack, RUN_UP_MS);
    });
    return [box("b", "", words), ` ${stack.text} `, see];
  }
}

/** What the reader won of the contested stacks, as far as luck alone does not make it. @param {Seat} seat */
export function shareWords({ rivals, share, luck }) {
  const more = rivals - share;
  if (Math.abs(more) <= luck) return gettext("You took about an even share of their cards.");
  return more > 0
    ? ngettext(
        "You took {count} card more than an even share.",
        "You took {count} cards more than an even share.",
        more,
      )
    : ngettext(
        "You took {count} card fewer than an even share.",
        "You took {count} cards fewer than an even share.",
        -more,
      );
}

/** @param {Account} account @param {Page} page @param {number | null} own the reader's seat */
export function accountOf(account, page, own) {
  const { names } = page;
  const { seats } = account;
  const readers = { names: names.map((name, seat) => (seat === own ? gettext("You") : name)), own };
  const table = accountTable(seats, readers);
  if (!account.stacks.length) return [table];
  const stacks = templated("contested-parts");
  if (own !== null && seats[own].could)
    stacks.querySelector("h3")?.after(box("p", "", shareWords(seats[own])));
  for (const { seat, rivals: cards, share, luck } of seats) {
    const all = { name: readers.names[seat], cards, share, luck };
    const words = gettext("{name}: {cards}. Even share: {share} ± {luck}.", all);
    stacks.querySelector("ul")?.append(box("li", "", words));
  }
  const { element } = new Contested({ seats, stacks: account.stacks }, readers, page);
  stacks.querySelector("details")?.before(element);
  return [table, stacks];
}
