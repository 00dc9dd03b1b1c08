/**
 * The list of events, briefly: takes and races by default, everything on request. Only visible rows
 * are in the page.
 * @import { Page } from "./page.js"
 * @typedef {import("../../games/match/log.js").Round} Round
 * @typedef {import("../../games/match/player.js").Player} Player
 */

import { markOf, nameOf } from "../../games/board/cards.js";
import { announce, box, bringIntoView } from "../../games/dom/elements.js";
import { brief, isQuiet } from "../../games/match/caption.js";
import { clock, sayingAt, shortNames, spokenNames } from "../../games/match/words.js";
import { gettext, signed } from "../../games/words/gettext.js";

/** The events of a round, as the page's choices are named. @type {Record<string, (round: Round) => number[]>} */
const FILTERS = {
  moments: (round) => both(takes(round), races(round)),
  takes: (round) => takes(round),
  races: (round) => races(round),
  plays: (round) => [
    0,
    ...round.events.flatMap((event, at) => (isQuiet(event.do) ? [] : [at + 1])),
  ],
  all: (round) => Array.from({ length: round.length + 1 }, (_, at) => at),
};

/** A round's start and end are always included. @param {Round} round @param {number[]} numbers */
const framed = (round, numbers) => [0, ...numbers, ...(round.end ? [round.events.length] : [])];

/** @param {Round} round */
const takes = (round) => framed(round, round.timeline?.takes ?? []);

/** @param {Round} round */
const races = (round) => framed(round, round.timeline?.races ?? []);

/** @param {number[]} some @param {number[]} others */
const both = (some, others) => [...new Set([...some, ...others])].sort((a, b) => a - b);

export class EventRows {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    /** For as long as the page is open, whether or not the match ends meanwhile. */
    this.newestFirst = !player.log.finished && !player.log.endHidden;
    this.filter = this.newestFirst ? "plays" : "moments"; // what just happened, or what mattered
    /**
     * The numbers shown for each round, until it grows.
     * @type {Map<Round, {filter: string, length: number, numbers: number[]}>}
     */
    this.kept = new Map();
    /** The furthest place that the viewer has been at. */
    this.reached = { round: 1, event: 0 };
  }

  /** The events shown for a round. @param {Round} round */
  numbers(round) {
    const { filter } = this;
    const known = this.kept.get(round);
    const length = this.#until(round);
    const still = known?.filter === filter && known.length === length && known.numbers.length > 1;
    if (still) return known.numbers;
    const numbers = FILTERS[filter](round).filter((number) => number <= length);
    this.kept.set(round, { filter, length, numbers });
    return numbers;
  }

  /** None that hidden results would give away. @param {Round} round */
  #until(round) {
    const { reached } = this;
    if (!this.player.log.endHidden || round.number < reached.round) return round.length;
    return round.number === reached.round ? reached.event : -1;
  }

  moved() {
    const { round, event } = this.player.cursor;
    const { reached } = this;
    if (round > reached.round || (round === reached.round && event > reached.event))
      this.reached = { round, event };
  }

  /** The first row of each round: its deal. */
  #starts() {
    let from = 0;
    return this.player.log.rounds.map((round) => {
      const start = from;
      from += this.numbers(round).length;
      return start;
    });
  }

  /** The row of an entry with so many before it. And the other way round. @param {number} at */
  #turned(at) {
    return this.newestFirst ? this.length - 1 - at : at;
  }

  /** @param {number} row */
  at(row) {
    const before = this.#turned(row);
    const starts = this.#starts();
    const at = starts.findLastIndex((start) => start <= before);
    const round = this.player.log.rounds[at];
    return { round, event: this.numbers(round)[before - starts[at]] };
  }

  get current() {
    const { round, event } = this.player.cursor;
    const shown = this.player.round ? this.numbers(this.player.round) : [0];
    const at = shown.findLastIndex((number) => number <= event);
    return this.#turned((this.#starts()[round - 1] ?? 0) + Math.max(at, 0));
  }

  get length() {
    return this.player.log.rounds.reduce((sum, round) => sum + this.numbers(round).length, 0);
  }
}

const ROW = 34;
const SPARE = 8;
/** Screen readers are not updated more often than this, in ms. */
const QUIET = 700;

/** The place of a row whose event is known. @param {HTMLElement} row */
function placeOf(row) {
  const { round, event } = /** @type {HTMLElement} */ (row.firstElementChild).dataset;
  return row.classList.contains("is-unknown") ? "" : `${round} ${event}`;
}

export class EventList {
  /**
   * @param {HTMLElement} root @param {Page} page
   * @param {HTMLElement} voice a polite live region
   */
  constructor(root, page, voice) {
    const { player } = page;
    this.root = root;
    this.page = page;
    this.player = player;
    this.shown = new EventRows(player);
    this.voice = voice;
    this.names = page.names;
    this.brief = spokenNames(page.names);
    this.short = shortNames(page.names);
    /** @type {Map<number, HTMLElement>} rows in the page by their number */
    this.rows = new Map();
    /** @type {Map<string, HTMLElement>} rows in the page that may be used again, by their place */
    this.known = new Map();
    /** @type {WeakMap<HTMLElement, Round>} whose event a row shows: a variation has its own round */
    this.roundOf = new WeakMap();
    this.list = box("ol", "anchor");
    this.drawnLength = -1;
    this.following = false;
    this.root.append(this.list);
    this.spoken = 0;
    /** The place that was announced last. @type {import("../../games/match/player.js").Cursor | null} */
    this.announced = null;
    /**
     * The scroll position, cached so that moving the cursor need not read it, which forces a
     * layout.
     */
    this.top = 0;
    this.height = 0;
    const scrolled = () => {
      this.top = this.root.scrollTop;
      this.draw();
    };
    this.root.addEventListener("scroll", scrolled, { passive: true });
    this.list.addEventListener("click", (event) => this.#clicked(event));
    new ResizeObserver(() => {
      this.height = this.root.clientHeight;
      this.moved();
    }).observe(this.root);
    player.onChange(() => this.moved());
    /** The row of the cursor when it was shown last. */
    this.stood = 0;
    player.log.onGrow(() => this.#grown());
    page.onChange(["view"], () => this.redraw());
  }

  /** Rows that come in above the cursor's move nothing that is read, unless the newest is. */
  #grown() {
    this.shown.moved();
    const moved = this.shown.current - this.stood;
    this.stood = this.shown.current;
    const atNewest = this.shown.newestFirst && this.player.following && this.top < ROW;
    const by = this.height && !atNewest ? moved * ROW : 0;
    this.top = this.#within(this.top + by);
    this.#renumber();
    if (by) this.root.scrollTo(0, this.top);
  }

  /** Lets the viewer choose what is shown. @param {HTMLSelectElement} select */
  offer(select) {
    if (document.getElementById("lesson")) this.shown.filter = "all"; // its moment may be any event
    const { events } = this.page.state;
    if (events in FILTERS) this.shown.filter = events;
    select.value = this.shown.filter;
    select.addEventListener("change", () => {
      this.shown.filter = select.value;
      this.page.choose({ events: select.value });
      this.redraw();
      this.moved();
    });
  }

  /** Draws again, and leaves the rows that are known already where a finger or the focus may be. */
  #renumber() {
    if (!this.height) return this.redraw();
    const before = [...this.rows.values()];
    this.known = new Map(before.map((element) => [placeOf(element), element]));
    this.rows.clear();
    this.draw();
    this.known.clear();
    const now = new Set(this.rows.values());
    for (const element of before) if (!now.has(element)) element.remove();
  }

  redraw() {
    this.rows.forEach((row) => row.remove());
    this.rows.clear();
    if (this.height) this.draw(); // until it is laid out the table is first
  }

  draw() {
    const { length } = this.shown;
    if (this.drawnLength !== length) this.list.style.setProperty("height", `${length * ROW}px`);
    this.drawnLength = length;
    const first = Math.max(Math.floor(this.top / ROW) - SPARE, 0);
    const last = Math.min(Math.ceil((this.top + this.height) / ROW) + SPARE, length);
    this.rows.forEach((element, row) => {
      if (row >= first && row < last) return;
      element.remove();
      this.rows.delete(row);
    });
    for (let row = first; row < last; row += 1) if (!this.rows.has(row)) this.#add(row, length);
    this.#mark();
  }

  /** @param {number} row @param {number} length */
  #add(row, length) {
    const { round, event } = this.shown.at(row);
    const there = this.known.get(`${round.number} ${event}`);
    const known = there && this.roundOf.get(there) === round;
    const element = known ? there : this.#row(round, event);
    this.roundOf.set(element, round);
    element.style.setProperty("transform", `translateY(${row * ROW}px)`);
    element.setAttribute("aria-setsize", String(length));
    element.setAttribute("aria-posinset", String(row + 1));
    const before = this.rows.get(row - 1);
    if (!known && before) before.after(element);
    else if (!known) this.list.prepend(element);
    this.rows.set(row, element);
  }

  /** @param {Round} round @param {number} event */
  #row(round, event) {
    const happened = round.events[event - 1];
    const inside =
      event === 0
        ? [
            box("span", "event-time rigid soft", clock(0)),
            box(
              "span",
              "event-text rigid unbroken",
              gettext("Round {round}", { round: round.number }),
            ),
          ]
        : happened
          ? this.#event(round, event)
          : [box("span", "event-text rigid unbroken", "…")];
    const button = box("button", "event-button full starts text-dense line bare", ...inside);
    button.title = happened ? this.#said(round, event).text : "";
    button.dataset.round = String(round.number);
    button.dataset.event = String(event);
    const kind = event === 0 ? "deal" : happened ? this.#said(round, event).kind : "unknown";
    const race = kind === "late" || kind === "tie" ? [this.#race(round, event)] : [];
    return box("li", `event-row is-${kind}`, button, ...race);
  }

  /** Leads to a race's card. Shown once there is an analysis. @param {Round} round @param {number} event */
  #race(round, event) {
    const button = box(
      "button",
      { class: "event-race text-xs", "aria-label": gettext("Show this race") },
      gettext("Race"),
    );
    button.dataset.race = String(round.seqs[event - 1]);
    return button;
  }

  /** @param {Round} round @param {number} event */
  #said(round, event) {
    return sayingAt(round, event, this.names, this.page.state.view);
  }

  /** @param {Round} round @param {number} event */
  #event(round, event) {
    const happened = round.events[event - 1];
    const { seats, text } = brief(
      happened,
      round.timeline?.contexts[event - 1],
      this.page.state.view,
    );
    const time = box("span", "event-time rigid soft", clock(happened.t));
    const [seat] = seats;
    const who =
      seats.length === 1
        ? [box("span", "event-who cut", ...nameOf(this.brief[seat], this.short[seat]))]
        : [];
    const scores = happened.do === "end" ? happened.scores : [];
    const scored = scores.flatMap((score, seat) => [markOf(seat), box("b", "", signed(score))]);
    return [time, ...seats.map(markOf), ...who, box("span", "event-text cut", text), ...scored];
  }

  /** @param {number} top */
  #within(top) {
    const most = Math.max(this.shown.length * ROW - this.height, 0);
    return Math.min(Math.max(top, 0), most);
  }

  /** What led to the cursor's place, in words. */
  get words() {
    const { round, cursor } = this.player;
    return round ? this.#said(round, cursor.event) : { seat: null, kind: "deal", text: "" };
  }

  #mark() {
    const { current } = this.shown;
    this.rows.forEach((element, row) => {
      const button = element.firstElementChild;
      if (row === current) button?.setAttribute("aria-current", "true");
      else button?.removeAttribute("aria-current");
    });
  }

  /** The cursor has moved: scroll to its row and announce it. */
  moved() {
    this.shown.moved();
    this.stood = this.shown.current;
    const row = this.shown.current * ROW;
    const inSight = row >= this.top + ROW && row <= this.top + this.height - 2 * ROW;
    if (inSight || !this.height) this.draw();
    else this.#follow();
    this.#announce();
  }

  /** Scrolling forces a layout, so it waits until the table's frame is done. */
  #follow() {
    if (this.following) return;
    this.following = true;
    requestAnimationFrame(() =>
      setTimeout(() => {
        this.following = false;
        this.top = this.#within(this.shown.current * ROW - this.height / 2 + ROW / 2);
        this.draw(); // first: the list may have grown while it was not laid out
        this.root.scrollTo(0, this.top);
      }),
    );
  }

  /** Only manual steps are announced, not what plays automatically. */
  #announce() {
    clearTimeout(this.spoken);
    const { cursor, playing } = this.player;
    if (playing || cursor === this.announced) return;
    const words = this.words.text;
    this.spoken = window.setTimeout(() => {
      this.announced = cursor;
      announce(this.voice, words);
    }, QUIET);
  }

  /** @param {Event} event */
  #clicked(event) {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button) return;
    if (button.dataset.race) {
      this.page.call("openRace", Number(button.dataset.race));
      return;
    }
    bringIntoView(this.page.board.root);
    this.player.pause();
    this.player.goTo({
      round: Number(button.dataset.round),
      event: Number(button.dataset.event),
      moment: this.shown.filter !== "all",
    });
  }
}
