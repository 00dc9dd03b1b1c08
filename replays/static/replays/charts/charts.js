/**
 * The charts under the table. They are loaded once the table can be stepped, the chart library
 * itself only when the charts come near the window.
 *
 * The charts and the table share one cursor. It is a separate line over each chart, moved by a
 * transform, so that playing costs no redraw.
 * @import { Figure, Look } from "./chartstyle.js"
 * @import { Page } from "../replay/page.js"
 * @typedef {import("./plotly.js").Plotly} Plotly
 */

import { nameOf } from "../../games/board/cards.js";
import { ResultsHidden, workedOutAt } from "../../games/dom/asking.js";
import { bringIntoView, byId, write } from "../../games/dom/elements.js";
import { shortNames, spokenNames } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { Chart } from "./chart.js";
import { lookOf, onTheme } from "./chartstyle.js";
import { worded } from "./hover.js";
import { chosenAfter, pickedOf } from "./picking.js";
import { queryOf } from "./places.js";
import { chartsStyled, library } from "./plotly.js";

/** How long a growing log's charts stay unchanged between two drawings. */
const GROW_MS = 2500;
const SETTLE_MS = 150;
const RETRY_MS = 8000;

const UNREAD = gettext("Point at or tap a chart to read it. Pick a player to see only theirs.");

/** After what has been drawn is on the screen. */
const frame = () => new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)));

class Charts {
  /** @param {HTMLElement} element @param {Page} page */
  constructor(element, page) {
    const { player } = page;
    this.element = element;
    this.player = player;
    this.names = page.names;
    this.url = element.dataset.url ?? player.log.match.urls?.charts ?? "charts";
    this.page = page;
    /** @type {Plotly | null} */
    this.plotly = null;
    /** @type {Look} */
    this.look = lookOf(element, this.names);
    /** @type {Map<string, Promise<Record<string, Figure>>>} */
    this.known = new Map();
    this.shown = "";
    this.timer = 0;
    /** How far the viewer has come: if the end is hidden, nothing beyond is charted. */
    this.seen = 0;
    this.picking = { chosen: page.state.only, over: /** @type {number | null} */ (null) };
    this.reading = byId("chart-reading");
    this.scopes = [...element.querySelectorAll(".chart-scope")];
    this.seats = [...element.querySelectorAll(".chart-seat")];
    const acts = {
      go: (/** @type {number} */ seq, /** @type {boolean} */ zoom) => {
        page.call("mainline");
        player.pause();
        player.goTo({ seq });
        if (zoom) this.show(false); // into its round
      },
      read: (/** @type {string} */ words) => this.#read(words),
    };
    this.charts = [...element.querySelectorAll("figure")].map(
      (figure) => new Chart(figure, this.names, acts),
    );
    this.#read("");
    this.#bind();
    this.#pick({});
    this.#showScope();
    page.onChange(["of"], () => this.#showScope());
  }

  get whole() {
    return this.page.state.of === "match";
  }

  #bind() {
    const { log } = this.player;
    byId("chart-choice").hidden = !log.endHidden && log.rounds.length === 1;
    for (const [at, scope] of this.scopes.entries())
      scope.addEventListener("click", () => this.show(at === 1));
    const [long, short] = [spokenNames(this.names), shortNames(this.names)];
    // Picked while pointed at, or by a press.
    for (const [seat, chip] of this.seats.entries()) {
      chip.lastElementChild?.replaceChildren(...nameOf(long[seat], short[seat]));
      chip.addEventListener("click", () =>
        this.#pick({ over: null, chosen: chosenAfter(this.picking.chosen, seat) }),
      );
      chip.addEventListener("pointerenter", (event) => {
        const { pointerType } = /** @type {PointerEvent} */ (event);
        if (pointerType === "mouse") this.#pick({ over: seat });
      });
      chip.addEventListener("pointerleave", () => this.#pick({ over: null }));
    }
    this.element.style.setProperty("--seats", String(this.names.length));
    byId("chart-parts").hidden = false;
    this.element.hidden = false;
  }

  /** @param {{over?: number | null, chosen?: number | null}} change */
  #pick(change) {
    Object.assign(this.picking, change);
    if ("chosen" in change) this.page.choose({ only: this.picking.chosen });
    for (const [seat, chip] of this.seats.entries())
      chip.setAttribute("aria-pressed", String(seat === this.picking.chosen));
    for (const chart of this.charts) chart.pick(pickedOf(this.picking));
  }

  /** The words at the pointer. Without any, instructions. @param {string} words */
  #read(words) {
    this.reading.classList.toggle("is-unread", !words);
    write(this.reading, words || UNREAD);
  }

  /** The round at the cursor, or the whole match. @param {boolean} whole */
  show(whole) {
    this.page.choose({ of: whole ? "match" : "", chart: "" });
  }

  #showScope() {
    const { whole } = this;
    this.element.classList.toggle("is-whole", whole);
    for (const [at, scope] of this.scopes.entries())
      scope.setAttribute("aria-pressed", String(Boolean(at) === whole));
    this.refresh();
  }

  /** Waits until the charts come near, unless the address names one, and keeps them current. */
  async start() {
    const named = this.charts.find(({ name }) => name === this.page.state.chart);
    if (named) {
      await this.#begin();
      return bringIntoView(named.element); // once: what is above has its size by now
    }
    const sight = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        sight.disconnect();
        this.#begin();
      },
      { rootMargin: "200px" },
    );
    sight.observe(this.element);
  }

  async #begin() {
    if (this.#dealt) this.#figures(`${this.url}${this.query}`).catch(() => {}); // while the library comes
    try {
      this.plotly = await library();
    } catch {
      return this.charts.forEach((chart) =>
        chart.say(gettext("The charts could not be loaded. Reload the page to try again.")),
      );
    }
    // Those that can be seen are drawn first.
    const sight = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const chart = this.charts.find(({ element }) => element === target);
        if (chart) chart.near = isIntersecting;
      }
    });
    for (const { element } of this.charts) sight.observe(element);
    this.player.onChange(() => this.#moved());
    this.player.log.onGrow(() => this.#later(GROW_MS));
    new ResizeObserver(() => this.charts[0].resized && this.#redraw()).observe(this.element);
    onTheme(() => {
      this.look = lookOf(this.element, this.names);
      this.#redraw();
    });
    return this.refresh();
  }

  get query() {
    const { log, cursor } = this.player;
    this.seen = Math.max(this.seen, cursor.seq);
    return queryOf(log, { round: cursor.round, whole: this.whole, seen: this.seen });
  }

  /** A match that has just begun may be known by its rounds only. */
  get #dealt() {
    return this.player.log.next > 1;
  }

  /** Fetches and draws what should be shown now, unless it is shown already. */
  async refresh() {
    const { query } = this;
    if (!this.plotly || query === this.shown || !this.#dealt) return;
    this.shown = query;
    try {
      const figures = await this.#figures(`${this.url}${query}`);
      const { log, round } = this.player;
      if (!this.whole && round) await log.load(round); // its lines are what the texts refer to
      if (query !== this.shown) return;
      for (const chart of this.charts.toSorted((a, b) => Number(b.near) - Number(a.near))) {
        chart.figure = worded(figures[chart.name], chart.name, log);
        await this.#draw(chart);
        await frame(); // each is seen before the next is drawn
        if (query !== this.shown) return;
      }
    } catch (error) {
      if (query !== this.shown) return;
      const hidden = error instanceof ResultsHidden;
      const words = hidden
        ? error.message
        : gettext("The charts could not be loaded. Trying again soon…");
      for (const chart of this.charts) chart.say(words);
      if (!hidden) this.#later(RETRY_MS, true);
    }
  }

  /**
   * All charts in one response, by name.
   * @param {string} url @returns {Promise<Record<string, Figure>>}
   */
  #figures(url) {
    const known = this.known.get(url);
    if (known) return known;
    const asked = workedOutAt(url);
    if (this.known.size > 20) this.known.clear();
    this.known.set(url, asked);
    asked.catch(() => this.known.delete(url));
    return asked;
  }

  /** @param {Chart} chart */
  async #draw(chart) {
    if (!this.plotly) return;
    await chart.draw(this.plotly, this.look);
    chart.point(this.look, this.player.cursor);
  }

  #redraw() {
    this.charts.forEach((chart) => this.#draw(chart));
  }

  #moved() {
    this.charts.forEach((chart) => chart.point(this.look, this.player.cursor));
    const { finished, endHidden } = this.player.log;
    if (this.query !== this.shown) this.#later(finished && !endHidden ? SETTLE_MS : GROW_MS);
  }

  /**
   * Redraws when things have settled: once, however often it is called.
   * @param {number} ms
   * @param {boolean} [failed] whether to request what is shown now again
   */
  #later(ms, failed = false) {
    if (this.timer) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      if (failed) this.shown = "";
      this.refresh();
    }, ms);
  }
}

/**
 * Puts the charts into an element, bound to the player's cursor.
 * @param {HTMLElement} element @param {Page} page
 */
export async function mount(element, page) {
  await chartsStyled();
  const charts = new Charts(element, page);
  charts.start();
}
