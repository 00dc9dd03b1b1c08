// @ts-check
/**
 * The charts under the table. Loaded after the table can be stepped; the chart library itself
 * only when the charts come near the window.
 *
 * One cursor goes through all of them and the table. It is a line of our own over each chart,
 * moved by a transform, so that playing costs no redraw.
 *
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("./chartstyle.js").Figure} Figure
 * @typedef {import("./chartstyle.js").Look} Look
 * @typedef {import("./chartstyle.js").Stretch} Stretch
 * @typedef {import("../../games/match/perspective.js").View} View
 * @typedef {HTMLElement & {on: (name: string, act: (event: any) => void) => void}} Drawn
 * @typedef {{react: (...args: any[]) => Promise<Drawn>}} Plotly
 */

import { markOf } from "../../games/board/cards.js";
import { box, write } from "../../games/dom/elements.js";
import { lookOf, matrixMargins, plainText, styleFigure, timeMargins } from "./chartstyle.js";
import { worded } from "./hover.js";
import { TableBeside } from "./tablebeside.js";

const LIBRARY = new URL("./vendor/plotly-basic-4.1.1.min.js", import.meta.url).href;
const STYLE = new URL("./charts.css", import.meta.url).href;
/** Plotly writes its own rules into the sheet of the element with this id. It would make an
 * inline style for them, which the page's policy refuses; so our sheet carries the id. */
const SHEET = "plotly.js-style-global";

/** How plotly behaves here: no buttons of its own, and nothing leaves the site. */
export const CONFIG = {
  displayModeBar: false,
  displaylogo: false,
  doubleClick: false,
  plotlyServerURL: "",
  responsive: false,
  scrollZoom: false,
  sendData: false,
  showEditInChartStudio: false,
  showLink: false,
  showSendToCloud: false,
  showTips: false,
  topojsonURL: "",
};

/** So long a growing log is left alone between two drawings. */
const GROW_MS = 2500;
const SETTLE_MS = 150;
const RETRY_MS = 8000;
const UNREAD = "Point at or tap a chart to read its values.";

const CHARTS = [
  {
    name: "slots",
    title: "The stacks, from start to take",
    about:
      "Each strip is a card, from when it was played until its stack was taken. The mark at the end shows who took it, the number how many cards. ✕ tie, ○ late try.",
  },
  {
    name: "ownership",
    title: "Whose cards are in the center",
    about: "Cards in the center stacks, by the deck they come from.",
  },
  {
    name: "scores",
    title: "The score race",
    about:
      "Score pile minus draw and discard pile: what each player would score if the round ended now. A mark is a take.",
  },
  {
    name: "fed",
    title: "Who fed whom",
    about:
      "Cards that each player (row) put onto stacks that each player (column) took. Select a cell to step through those takes.",
  },
];

/** @param {string} href */
function styled(href) {
  return new Promise((ready) => {
    const link = Object.assign(document.createElement("link"), {
      id: SHEET,
      rel: "stylesheet",
      href,
      onload: ready,
      onerror: ready,
    });
    document.head.append(link);
  });
}

/** @returns {Promise<Plotly>} */
async function library() {
  const script = document.createElement("script");
  script.src = LIBRARY;
  await new Promise((ready, failed) => {
    Object.assign(script, {
      onload: ready,
      onerror: () => failed(new Error("the chart library could not be loaded")),
    });
    document.head.append(script);
  });
  return /** @type {any} */ (window).Plotly;
}

/** One chart: its place on the page, its figure, its cursor. */
class Chart {
  /** @param {{name: string, title: string, about: string}} what @param {(seq: number) => void} go */
  constructor({ name, title, about }, go) {
    this.name = name;
    this.go = go;
    /** @type {Figure | null} */
    this.figure = null;
    /** @type {Drawn | null} */
    this.drawn = null;
    this.width = 0;
    this.seq = 0;
    this.marked = "";
    this.cursor = box("div", "chart-cursor");
    this.cursor.hidden = true;
    this.frames = box("div", "chart-frames");
    this.note = box("p", "chart-note");
    this.note.hidden = true;
    this.plot = box("div", "chart-plot");
    this.plot.setAttribute("role", "img");
    this.plot.setAttribute("aria-label", `${title}. ${about}`);
    this.message = box("p", "chart-message", "Loading…");
    /** What stands where the pointer is: above the chart, where it covers nothing. */
    this.told = box("p", "chart-told", UNREAD);
    const area = box(
      "div",
      `chart-area chart-${name}`,
      this.plot,
      this.frames,
      this.cursor,
      this.message,
    );
    this.element = box(
      "figure",
      "chart",
      box(
        "figcaption",
        "chart-caption",
        box("h3", "chart-title", title),
        box("p", "chart-about", about),
        this.note,
      ),
      this.told,
      area,
    );
  }

  /** Whether it has another width than when it was drawn. */
  get resized() {
    return this.plot.clientWidth !== this.width;
  }

  /** @param {Plotly} plotly @param {Look} look */
  async draw(plotly, look) {
    this.width = this.plot.clientWidth;
    if (!this.figure || !this.width) return;
    this.marked = "";
    this.note.textContent = this.figure.layout.meta?.note ?? "";
    this.note.hidden = !this.note.textContent;
    const { data, layout } = styleFigure(this.figure, look, this.width);
    const drawn = await plotly.react(
      this.plot,
      data,
      { ...layout, width: this.width, height: this.plot.clientHeight },
      CONFIG,
    );
    this.message.hidden = true;
    if (this.drawn) return;
    this.drawn = drawn;
    drawn.on("plotly_click", (event) => this.#click(event));
    drawn.on("plotly_hover", (event) => this.#tell(event));
  }

  /** @param {any} event */
  #tell(event) {
    const point = event.points?.[0];
    write(this.told, plainText(point?.hovertext ?? point?.text ?? "") || UNREAD);
  }

  /** @param {any} event */
  #click(event) {
    this.#tell(event);
    const found = event.points?.[0]?.customdata;
    if (typeof found === "number") this.go(found);
    else if (Array.isArray(found) && found.length)
      this.go(found.find((seq) => seq > this.seq) ?? found[0]);
  }

  /** What cannot be drawn. @param {string} words */
  say(words) {
    this.message.textContent = words;
    this.message.hidden = false;
  }

  /** Puts the cursor where the player's is. @param {Look} look @param {import("../../games/match/player.js").Cursor} cursor */
  point(look, { round, t, seq }) {
    this.seq = seq;
    if (!this.figure || !this.drawn) return;
    const { layout } = this.figure;
    if (!layout.meta?.rounds) return this.#mark();
    const stretch = layout.meta.rounds.find(
      (/** @type {Stretch} */ known) => known.round === round,
    );
    this.cursor.hidden = !stretch;
    if (stretch)
      this.#stand(
        stretch.offset + Math.min(t, stretch.duration),
        layout.xaxis.range,
        timeMargins(this.width, look),
      );
  }

  /** @param {number} x ms on the axis @param {[number, number]} range @param {import("./chartstyle.js").Margins} margins */
  #stand(x, [from, to], { left, right }) {
    const px = left + ((x - from) / (to - from)) * (this.width - left - right);
    this.cursor.style.transform = `translateX(${px.toFixed(1)}px)`;
  }

  /** In a matrix: frames the cells that the last take before the cursor has filled. */
  #mark() {
    const cells = this.#filled();
    const key = cells.join();
    if (key === this.marked) return;
    this.marked = key;
    const { left, right, top, bottom } = matrixMargins(this.width);
    const frames = cells.map((at) => this.#frame(at));
    this.frames.style.inset = `${top}px ${right}px ${bottom}px ${left}px`;
    this.frames.replaceChildren(...frames);
  }

  /** @param {number} at of a cell, row by row */
  #frame(at) {
    const { x, y } = /** @type {Figure} */ (this.figure).data[0];
    const columns = Math.max(...x) + 1;
    const rows = Math.max(...y) + 1;
    const frame = box("div", "chart-frame");
    frame.style.inset = `${((y[at] + 0.04) / rows) * 100}% ${(1 - (x[at] + 0.98) / columns) * 100}% ${(1 - (y[at] + 0.96) / rows) * 100}% ${((x[at] + 0.02) / columns) * 100}%`;
    return frame;
  }

  /** @returns {number[]} */
  #filled() {
    const { x, customdata } = /** @type {Figure} */ (this.figure).data[0];
    const nobody = Math.max(...x);
    const takes = customdata.map(
      (/** @type {number[]} */ seqs, /** @type {number} */ at) =>
        (x[at] < nobody && seqs.findLast((seq) => seq <= this.seq)) || 0,
    );
    const last = Math.max(...takes);
    return last
      ? takes.flatMap((/** @type {number} */ seq, /** @type {number} */ at) =>
          seq === last ? [at] : [],
        )
      : [];
  }
}

class Charts {
  /** @param {HTMLElement} element @param {Player} player @param {() => View} view */
  constructor(element, player, view) {
    this.element = element;
    this.player = player;
    this.names = player.log.match.seats.map((seat) => seat.name);
    this.url = element.dataset.url ?? player.log.match.urls?.charts ?? "charts/";
    this.whole = false;
    /** @type {Plotly | null} */
    this.plotly = null;
    /** @type {Look} */
    this.look = lookOf(element, this.names);
    /** @type {Map<string, Promise<Record<string, Figure>>>} */
    this.known = new Map();
    this.shown = "";
    this.timer = 0;
    this.beside = new TableBeside(player, view);
    /** How far the viewer has come: of a match whose end is hidden, no more is charted. */
    this.seen = 0;
    this.charts = CHARTS.map((what) => {
      const chart = new Chart(what, (seq) => this.#go(chart, seq));
      return chart;
    });
    this.#build();
  }

  #build() {
    const round = this.#choice("This round", false);
    const whole = this.#choice("Whole match", true);
    const choice = box("div", "chart-choice", round, whole);
    choice.setAttribute("role", "group");
    choice.setAttribute("aria-label", "Range of the charts");
    const key = box(
      "ul",
      "chart-key",
      ...this.names.map((name, seat) =>
        box("li", "chart-seat", markOf(seat), box("span", "chart-name", name)),
      ),
    );
    const head = box("div", "chart-head", box("h2", "chart-heading", "Charts"), choice, key);
    const list = box("div", "chart-list", ...this.charts.map((chart) => chart.element));
    this.element.replaceChildren(head, list, this.beside.element);
    this.element.style.setProperty("--seats", String(this.names.length));
    this.element.hidden = false;
  }

  /** @param {Chart} chart @param {number} seq */
  #go(chart, seq) {
    this.player.pause();
    this.beside.standBy(chart.element);
    this.player.goTo({ seq });
  }

  /** @param {string} words @param {boolean} whole */
  #choice(words, whole) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "chart-scope", textContent: words });
    button.setAttribute("aria-pressed", String(whole === this.whole));
    button.addEventListener("click", () => this.show(whole));
    return button;
  }

  /** The round at the cursor, or the whole match. @param {boolean} whole */
  show(whole) {
    this.whole = whole;
    this.element
      .querySelectorAll(".chart-scope")
      .forEach((button, at) => button.setAttribute("aria-pressed", String(Boolean(at) === whole)));
    this.refresh();
  }

  /** Waits until the charts come near, then draws them and keeps them true. */
  start() {
    const near = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        near.disconnect();
        this.#begin();
      },
      { rootMargin: "400px" },
    );
    near.observe(this.element);
  }

  async #begin() {
    try {
      this.plotly = await library();
    } catch {
      return this.charts.forEach((chart) =>
        chart.say("The charts could not be loaded. Reload the page to try again."),
      );
    }
    this.player.onChange(() => this.#moved());
    this.beside.start();
    this.player.log.onGrow(() => this.#later(GROW_MS));
    new ResizeObserver(() => this.charts[0].resized && this.#redraw()).observe(this.element);
    new MutationObserver(() => this.#repaint()).observe(document.documentElement, {
      attributeFilter: ["data-theme"],
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#repaint());
    return this.refresh();
  }

  /** What the address of a figure says: which rounds, and how much of a log that may still grow. */
  get query() {
    const { log, cursor } = this.player;
    this.seen = Math.max(this.seen, cursor.seq);
    const last = log.open ? this.seen : log.next - 1;
    const until = log.finished && !log.open ? "" : `&until=${last}`;
    return `?round=${this.whole ? "all" : cursor.round}${until}`;
  }

  /** Fetches and draws what is to be shown now, if it is not shown already. */
  async refresh() {
    const { query } = this;
    const dealt = this.player.log.next > 1; // a match that has just begun may be known by its rounds only
    if (!this.plotly || query === this.shown || !dealt) return;
    this.shown = query;
    try {
      const figures = await this.#figures(`${this.url}${query}`);
      await this.#lines();
      if (query !== this.shown) return;
      await Promise.all(this.charts.map((chart) => this.#put(chart, figures[chart.name])));
    } catch {
      if (query !== this.shown) return;
      for (const chart of this.charts)
        chart.say("The charts could not be loaded. Trying again soon…");
      this.#later(RETRY_MS, true);
    }
  }

  /** @param {Chart} chart @param {Figure} figure */
  async #put(chart, figure) {
    chart.figure = worded(figure, chart.name, this.player.log);
    await this.#draw(chart);
  }

  /** The lines that the figures' words are about. */
  async #lines() {
    const { log, round } = this.player;
    if (this.whole) await log.loadAll();
    else if (round) await log.load(round);
  }

  /** All charts in one answer, by name. @param {string} url @returns {Promise<Record<string, Figure>>} */
  #figures(url) {
    const known = this.known.get(url);
    if (known) return known;
    const asked = fetch(url, { headers: { Accept: "application/json" } }).then((answer) => {
      if (!answer.ok) throw new Error(`${answer.status} ${url}`);
      return answer.json();
    });
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

  #repaint() {
    this.look = lookOf(this.element, this.names);
    this.#redraw();
  }

  #moved() {
    this.charts.forEach((chart) => chart.point(this.look, this.player.cursor));
    const { finished, open } = this.player.log;
    if (this.query !== this.shown) this.#later(finished && !open ? SETTLE_MS : GROW_MS);
  }

  /** Draws anew when things have settled: once, however often it is asked for.
   * @param {number} ms @param {boolean} [failed] what is shown now is to be asked for again */
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
 * @param {HTMLElement} element
 * @param {{player: Player, view: () => View}} page `view`: who looks
 */
export async function mount(element, { player, view }) {
  await styled(STYLE);
  new Charts(element, player, view).start();
}
