/**
 * The two ends of a span on the timeline, moved by dragging or with keys.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("../replay/page.js").Page["scrubber"]} Scrubber
 * @typedef {{round: number, event: number, until: number}} Span
 */

import { box } from "../../games/dom/elements.js";
import { positionWords } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";

const STEPS = /** @type {Record<string, number>} */ ({
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
});

export class SpanHandles {
  /** @param {Player} player @param {Scrubber} scrubber @param {(span: Span) => void} changed */
  constructor(player, scrubber, changed) {
    this.player = player;
    this.scrubber = scrubber;
    this.changed = changed;
    /** @type {Span | null} */
    this.span = null;
    this.bar = box("div", "span-bar");
    this.edges = [
      this.#edge(gettext("Start of the note"), "event"),
      this.#edge(gettext("End of the note"), "until"),
    ];
    scrubber.track.after(this.bar);
    this.bar.append(...this.edges);
    scrubber.onDraw(() => this.#place());
    this.show(null);
  }

  /** @param {Span | null} span */
  show(span) {
    this.span = span;
    this.bar.hidden = !span;
    this.#place();
  }

  /** @param {string} label @param {"event" | "until"} side */
  #edge(label, side) {
    const edge = box("div", `span-edge is-${side}`);
    const marks = { role: "slider", tabindex: "0", "aria-label": label, "aria-valuemin": "0" };
    for (const [name, value] of Object.entries(marks)) edge.setAttribute(name, value);
    edge.addEventListener("keydown", (event) => {
      const by = STEPS[event.key];
      if (!by || !this.span || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.#move(side, this.span[side] + by);
    });
    edge.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      event.preventDefault();
      edge.focus();
      edge.setPointerCapture(event.pointerId);
    });
    edge.addEventListener("pointermove", (event) => {
      if (edge.hasPointerCapture(event.pointerId)) this.#drag(side, event.clientX);
    });
    return edge;
  }

  /** @param {"event" | "until"} side @param {number} clientX */
  #drag(side, clientX) {
    const { span } = this;
    const round = span && this.player.log.rounds[span.round - 1];
    if (!round) return;
    const place = this.scrubber.placeAt(clientX);
    const t = place.round < span.round ? 0 : place.round > span.round ? Infinity : place.t;
    this.#move(side, round.eventBy(t));
  }

  /** @param {"event" | "until"} side @param {number} to */
  #move(side, to) {
    const { span, player } = this;
    const round = span && player.log.rounds[span.round - 1];
    if (!round) return;
    const [low, high] = side === "event" ? [0, span.until - 1] : [span.event + 1, round.length];
    const value = Math.min(Math.max(to, low), high);
    if (value === span[side]) return;
    this.span = { ...span, [side]: value };
    this.#place();
    this.changed(this.span);
    player.pause();
    player.goTo({ round: span.round, event: value });
  }

  #place() {
    const { span, player } = this;
    const stretch =
      span && this.scrubber.stretches.find(({ round }) => round.number === span.round);
    this.bar.classList.toggle("is-elsewhere", !stretch);
    if (!span || !stretch) return;
    const round = player.log.rounds[span.round - 1];
    const [from, to] = [span.event, span.until].map((event) => round.events[event - 1]?.t ?? 0);
    const [x, end] = [from, to].map((t) => stretch.from + (stretch.width * t) / stretch.length);
    this.bar.style.setProperty("transform", `translateX(${x}px)`);
    this.bar.style.setProperty("inline-size", `${Math.max(end - x, 1)}px`);
    [from, to].forEach((t, at) => {
      const edge = this.edges[at];
      edge.setAttribute("aria-valuemax", String(round.length));
      edge.setAttribute("aria-valuenow", String(at ? span.until : span.event));
      edge.setAttribute("aria-valuetext", positionWords(span.round, t));
    });
  }
}
