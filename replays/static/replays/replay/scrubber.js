/**
 * The timeline under the table, and its slider: rounds side by side, in proportion to their
 * duration, with marks for takes, ties, late tries, notes and round ends above the score race.
 *
 * For a long match it shows the current round in full, and all rounds below as cells. If results
 * are hidden it shows nothing beyond what the viewer has reached.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("./scorerace.js").Stretch} Stretch
 * @typedef {import("../../games/match/log.js").Round} Round
 */

import { box, button, drawn, write } from "../../games/dom/elements.js";
import { clock, positionWords } from "../../games/match/words.js";
import { gettext, listed, ngettext } from "../../games/words/gettext.js";
import { Layout, placeAt, ScoreRace, xOf } from "./scorerace.js";

/** Px from the top. analysis/curve.js draws over the score race. @param {number} height */
const lanesOf = (height) => ({
  takes: height * 0.07,
  mark: height * 0.12,
  races: height * 0.28,
  race: { top: height * 0.45, bottom: height - 10 },
});
/** Marks of races closer than this, in px, would cover each other: a tie stays, or the first. */
const APART = 9;

/** @param {string} kind */
const path = (kind) => drawn("path", { class: kind });

export class Scrubber {
  /** @param {HTMLElement} root @param {Player} player */
  constructor(root, player) {
    this.root = root;
    this.player = player;
    this.width = 0;
    this.height = 0;
    this.layout = new Layout(player);
    /** @type {Set<() => void>} */
    this.drawers = new Set();
    this.race = new ScoreRace(player.log);
    this.overview = new Overview(player);
    this.track = box("div", "scrub-track anchor");
    this.thumb = box("div", "scrub-thumb");
    this.hint = box("output", "scrub-hint");
    this.svg = drawn("svg", { "aria-hidden": "true" });
    this.hint.setAttribute("aria-hidden", "true");
    this.track.append(this.svg, this.thumb, this.hint);
    root.append(this.track, this.overview.element);
    const labels = {
      role: "slider",
      tabindex: "0",
      "aria-label": gettext("Position in the match"),
      "aria-valuemin": "0",
    };
    for (const [name, value] of Object.entries(labels)) this.track.setAttribute(name, value);
    this.#listen();
    this.#showOverview(); // before there is a size: it changes that
    new ResizeObserver(() => {
      this.width = this.track.clientWidth;
      this.height = this.track.clientHeight;
      this.draw();
    }).observe(this.track);
    player.onChange(() => this.moved());
    player.log.onGrow(() => this.draw());
  }

  /** The rounds as they lie on the timeline. */
  get stretches() {
    return this.layout.stretches;
  }

  draw() {
    if (!this.width) return;
    this.layout.layOut(this.width);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    const lanes = [...this.#rounds(), ...this.#race(), ...this.#marks()];
    this.svg.replaceChildren(...lanes, ...this.#numbers());
    this.#showOverview();
    this.drawers.forEach((drawer) => drawer());
    this.#stand();
  }

  #showOverview() {
    this.overview.element.hidden = !this.layout.long;
    if (this.layout.long) this.overview.draw();
  }

  /** @param {() => void} drawer called whenever the stretches are laid out again */
  onDraw(drawer) {
    this.drawers.add(drawer);
  }

  #rounds() {
    return this.stretches.map(({ from, width }) =>
      drawn("rect", {
        x: from,
        y: 4,
        width: Math.max(width, 1),
        height: this.height - 8,
        rx: 4,
        class: "scrub-round",
      }),
    );
  }

  /** The rounds' numbers: above the track, where no marks are. */
  #numbers() {
    if (this.layout.long) return [];
    const kind = { class: "scrub-number", y: 1 };
    return this.stretches
      .filter(({ width }) => width >= 18)
      .map(({ round, from }) => drawn("text", { ...kind, x: from + 4 }, String(round.number)));
  }

  /** Draws the lines of the scores, zero and the target. */
  #race() {
    const { seats, zero, aim } = this.race.lines(
      this.stretches,
      lanesOf(this.height).race,
      this.layout.long,
    );
    const across = (/** @type {string} */ kind, /** @type {number} */ y) => {
      const line = path(kind);
      line.setAttribute("d", `M0 ${y.toFixed(1)}H${this.width}`);
      return line;
    };
    const lines = seats.map((d, seat) => {
      const line = path(`scrub-score deck-${seat}`);
      line.setAttribute("d", d);
      return line;
    });
    return [
      across("scrub-zero", zero),
      ...(aim === null ? [] : [across("scrub-aim", aim)]),
      ...lines,
    ];
  }

  #marks() {
    /** @type {Map<string, string>} */
    const paths = new Map();
    /** @param {string} kind @param {string} d */
    const add = (kind, d) => paths.set(kind, (paths.get(kind) ?? "") + d);
    for (const stretch of this.stretches) {
      this.#eventMarks(stretch, add);
      if (stretch.round.finished && stretch.until === Infinity)
        add("scrub-end", `M${stretch.from + stretch.width} 4v${this.height - 8}`);
    }
    for (const note of this.player.log.notes) {
      const stretch = this.stretches.find(({ round }) => round.number === note.round);
      const t = stretch?.round.events[note.event - 1]?.t ?? 0;
      if (stretch && t <= stretch.until)
        add("scrub-note", `M${xOf(stretch, t)} ${this.height - 7}l-4.5 7h9Z`);
    }
    return Array.from(paths, ([kind, d]) => {
      const element = path(kind);
      element.setAttribute("d", d);
      return element;
    });
  }

  /** @param {Stretch} stretch @param {(kind: string, d: string) => void} add */
  #eventMarks(stretch, add) {
    const { events } = stretch.round;
    const { takes = [], races = [] } = stretch.round.timeline ?? {};
    const lanes = lanesOf(this.height);
    for (const number of takes) {
      const event = events[number - 1];
      if (event.do !== "play" || event.t > stretch.until) continue;
      const height = lanes.mark + Math.min((event.takes ?? 0) / 2, 8);
      add(
        `scrub-take deck-${event.seat}`,
        `M${xOf(stretch, event.t).toFixed(1)} ${lanes.takes}v${height}`,
      );
    }
    const raced = races.map((number) => events[number - 1]).filter(({ t }) => t <= stretch.until);
    /** @type {number[]} */
    const marked = [];
    for (const kind of ["tie", "late"])
      for (const event of raced.filter((each) => each.do === kind)) {
        const x = xOf(stretch, event.t);
        if (marked.some((other) => Math.abs(other - x) < APART)) continue;
        marked.push(x);
        if (kind === "tie") add("scrub-tie", `M${x - 3.5} ${lanes.races}l7 7m0-7l-7 7`);
        else add("scrub-late", `M${x} ${lanes.races + 1}a2.5 2.5 0 1 0 .01 0`);
      }
  }

  moved() {
    if (this.layout.moved()) this.draw();
    else this.#stand();
  }

  #stand() {
    const stretch = this.layout.current;
    if (!stretch) return;
    const x = Math.min(xOf(stretch, this.player.cursor.t), stretch.from + stretch.width);
    this.thumb.style.setProperty("transform", `translateX(${x}px)`);
    if (this.layout.long) this.overview.moved();
    this.#describe();
  }

  #describe() {
    const { cursor, log, playing } = this.player;
    if (playing && document.activeElement === this.track) return;
    const durations = log.rounds.map((round) => round.duration);
    const sum = (/** @type {number[]} */ ms) => ms.reduce((total, each) => total + each, 0);
    const now = sum(durations.slice(0, cursor.round - 1)) + cursor.t;
    this.track.setAttribute("aria-valuemax", String(Math.round(sum(durations))));
    this.track.setAttribute("aria-valuenow", String(Math.round(now)));
    this.track.setAttribute("aria-valuetext", placeWords(this.player));
  }

  /** The place under a pointer. @param {number} clientX */
  placeAt(clientX) {
    const x = clientX - this.track.getBoundingClientRect().left;
    return { x, ...placeAt(this.stretches, x) };
  }

  #listen() {
    const { track } = this;
    let waiting = false;
    /** @param {PointerEvent} event */
    const go = (event) => {
      const place = this.placeAt(event.clientX);
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        this.player.goTo({ round: place.round, t: place.t });
      });
    };
    track.addEventListener("pointerdown", (event) => {
      if (event.button || !this.stretches.length) return;
      track.setPointerCapture(event.pointerId);
      this.player.pause();
      go(event);
    });
    track.addEventListener("pointermove", (event) => {
      if (!this.stretches.length) return;
      this.#hint(event);
      if (track.hasPointerCapture(event.pointerId)) go(event);
    });
    track.addEventListener("pointerleave", () => track.classList.remove("is-hinting"));
    track.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {PointerEvent} event */
  #hint(event) {
    const { x, round, t } = this.placeAt(event.clientX);
    const { hint } = this;
    write(hint, positionWords(round, t));
    const edge = hint.offsetWidth / 2;
    hint.style.setProperty(
      "transform",
      `translateX(calc(${Math.min(Math.max(x, edge), this.width - edge)}px - 50%))`,
    );
    this.track.classList.add("is-hinting");
  }

  /** The keys of a slider, in addition to the page's own. @param {KeyboardEvent} event */
  #key(event) {
    const steps = /** @type {Record<string, number>} */ ({
      PageUp: 10000,
      PageDown: -10000,
      ArrowUp: 1000,
      ArrowDown: -1000,
    });
    const ms = steps[event.key];
    if (!ms || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.player.stepTime(ms);
  }
}

/**
 * A long match at a glance: a cell for each round, in one row that scrolls, in the colour of the
 * leader at its end. A cell leads to its round.
 */
class Overview {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.names = player.log.match.seats.map((seat) => seat.name);
    const label = gettext("Rounds of the match");
    this.element = box("ol", {
      class: "overview anchor line stretch gap-half",
      "aria-label": label,
      hidden: true,
    });
    /** @type {HTMLElement[]} */
    this.cells = [];
    /** @type {HTMLElement | undefined} */
    this.current = undefined;
  }

  draw() {
    const { rounds } = this.player.log;
    for (const round of rounds.slice(this.cells.length)) {
      const cell = button("overview-round full", String(round.number), () => {
        this.player.pause();
        this.player.goTo({ round: round.number, event: 0 });
      });
      this.cells.push(cell);
      this.element.append(box("li", "overview-cell", cell));
    }
    rounds.forEach((round, at) => this.#show(this.cells[at], round));
    this.moved();
  }

  /** @param {HTMLElement} button @param {Round} round */
  #show(button, round) {
    const ahead = aheadAfter(round);
    if (button.dataset.ahead === ahead.join()) return;
    button.dataset.ahead = ahead.join();
    const leader = ahead.length === 1 ? `deck-${ahead[0]}` : "";
    button.className = `overview-round full ${leader}`;
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

/** `Round 2 of 3`, or `Round 2` if more may follow, or be hidden. @param {Player} player */
export const roundWords = ({ cursor, log }) =>
  log.finished && !log.endHidden && log.rounds.at(-1)?.finished
    ? gettext("Round {round} of {count}", { round: cursor.round, count: log.rounds.length })
    : gettext("Round {round}", { round: cursor.round });

/** The cursor's round, time and event, without a hidden end. @param {Player} player */
export function placeWords(player) {
  const { cursor, log, round } = player;
  const end = clock(round?.duration ?? 0);
  const all = { round: roundWords(player), time: clock(player.time), end };
  return log.endHidden
    ? ngettext(
        "{round}, {time}, {count} event",
        "{round}, {time}, {count} events",
        cursor.event,
        all,
      )
    : ngettext(
        "{round}, {time} of {end}, {count} event",
        "{round}, {time} of {end}, {count} events",
        cursor.event,
        all,
      );
}

/** The seats that are ahead after a round. @param {Round} round @returns {number[]} */
export function aheadAfter({ end }) {
  if (!end) return [];
  const best = Math.max(...end.totals);
  return end.totals.flatMap((total, seat) => (total === best ? [seat] : []));
}

/** `Round 3: Ada ahead with 12 points`. @param {Round} round @param {string[]} names */
export function leadWords(round, names) {
  const [first, ...others] = aheadAfter(round);
  if (first === undefined) return gettext("Round {round}", { round: round.number });
  return gettext("Round {round}: {names} ahead with {points}", {
    round: round.number,
    names: listed([first, ...others].map((seat) => names[seat])),
    points: round.end?.totals[first] ?? 0,
  });
}
