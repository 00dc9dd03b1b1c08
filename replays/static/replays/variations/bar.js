/**
 * The bar beside the table while a variation is shown or made: its name, the way back, and the
 * controls for playing it.
 * @typedef {Record<"leave" | "branch" | "done" | "draw" | "discard" | "out" | "back" | "bots", () => void>} Handlers
 */

import { markOf } from "../../games/board/cards.js";
import { group, picker } from "../../games/dom/controls.js";
import { box, button, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";

/** How long bots play on, in seconds. null: to the end. */
const SPANS = [5, 15, 60, null];
const PAUSE = 0.5;

/** @param {string} words @param {string} title @param {() => void} does @param {string} [kind] */
function titled(words, title, does, kind = "button small") {
  return button({ class: kind, title }, words, does);
}

export class WhatIfBar {
  /** @param {string[]} names @param {Handlers} handlers @param {(seat: number) => void} choose */
  constructor(names, handlers, choose) {
    this.title = box("strong", "what-if-name");
    this.difference = box("p", "what-if-difference if-any breaks strong");
    this.said = box("p", { class: "what-if-said text-dense soft", role: "status" });
    this.branch = titled(
      gettext("Play on from here"),
      gettext("Play on from here (w)"),
      handlers.branch,
      "button small primary",
    );
    this.done = titled(gettext("Done"), gettext("Stop playing (Esc)"), handlers.done);
    const leave = gettext("Back to what happened");
    this.leave = titled(leave, leave, handlers.leave);
    this.seats = names.map((name, seat) => this.#seat(name, seat, choose));
    const range = { type: "number", min: 0, max: 60, step: 0.1, value: PAUSE };
    this.pause = box("input", { class: "what-if-pause", ...range });
    this.span = picker(
      { "aria-label": gettext("How long bots play on") },
      SPANS.map((s) => [
        String(s),
        s ? gettext("{seconds} s", { seconds: s }) : gettext("to the end"),
      ]),
    );
    this.tools = this.#tools(handlers);
    const head = box("div", "row gap-1-half", this.title, this.branch, this.done, this.leave);
    const kind = {
      class: "what-if-bar stack gap-1-half framed",
      "aria-label": gettext("What if"),
      hidden: true,
    };
    this.element = box("section", kind, head, this.difference, this.said, this.tools);
  }

  /** @param {string} name @param {number} seat @param {(seat: number) => void} choose */
  #seat(name, seat, choose) {
    const chip = titled(
      "",
      gettext("Play for {name} (s: the next seat)", { name }),
      () => choose(seat),
      "chip",
    );
    chip.append(markOf(seat), box("bdi", "cut", name));
    return chip;
  }

  /** @param {Handlers} handlers */
  #tools(handlers) {
    const seats = group(gettext("Play for"), "what-if-seats row gap-1-half", ...this.seats);
    const wait = box("label", "inline gap-1 soft small", this.pause, ` ${gettext("s later")}`);
    wait.title = gettext("Time between the last event and your play");
    this.back = titled(
      gettext("Take back"),
      gettext("Take the last event back (Backspace)"),
      handlers.back,
    );
    const hand = box(
      "details",
      "",
      box("summary", "", gettext("More controls")),
      seats,
      box(
        "div",
        "row gap-1-half",
        titled(gettext("Draw"), gettext("Draw a card (Space)"), handlers.draw),
        titled(gettext("Discard"), gettext("Discard a card (D)"), handlers.discard),
        titled(gettext("OUT!"), gettext("Shout OUT (O)"), handlers.out),
        wait,
      ),
    );
    const title = gettext("Bots play on at the tempo of these players");
    const bots = titled(gettext("Bots play on"), title, handlers.bots);
    return box(
      "div",
      "what-if-tools row gap-1-half",
      box("div", "what-if-bots row gap-1-half", bots, this.span, this.back),
      hand,
    );
  }

  /** Ms between the previous event and the next play. */
  get pauseMs() {
    const seconds = Number(this.pause.value);
    return Number.isFinite(seconds) ? Math.round(Math.min(Math.max(seconds, 0), 60) * 1000) : 0;
  }

  /** Ms for which bots continue. null: to the round's end. */
  get botsMs() {
    return Number(this.span.value) * 1000 || null;
  }

  /** @param {{title: string, playing: boolean, along: boolean, seat: number, mayTakeBack: boolean}} how */
  show({ title, playing, along, seat, mayTakeBack }) {
    this.element.hidden = !playing && !along;
    write(this.title, title);
    this.tools.hidden = !playing;
    this.branch.hidden = playing;
    this.done.hidden = !playing;
    this.leave.hidden = !along;
    if (this.back) this.back.hidden = !mayTakeBack;
    this.seats.forEach((chip, number) =>
      chip.setAttribute("aria-pressed", String(number === seat)),
    );
  }

  /** How the variation differs from the match so far. @param {string} words */
  compare(words) {
    write(this.difference, words);
  }

  /** @param {string} words @param {boolean} [bad] */
  say(words, bad = false) {
    write(this.said, words);
    this.said.classList.toggle("is-bad", bad);
  }

  /** @param {boolean} busy */
  wait(busy) {
    this.element.setAttribute("aria-busy", String(busy));
  }
}
