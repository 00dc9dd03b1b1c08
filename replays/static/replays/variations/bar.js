/**
 * The bar beside the table while a variation is shown or made: its name, the way back, and the
 * controls for playing it.
 * @typedef {Record<"leave" | "branch" | "done" | "draw" | "discard" | "out" | "back" | "bots", () => void>} Handlers
 */

import { byId, single, write } from "../../games/dom/elements.js";

/** @param {"pause" | "span"} name */
const field = (name) => /** @type {HTMLInputElement} */ (byId(`what-if-${name}`));

export class WhatIfBar {
  /** @param {Handlers} handlers by the names of their buttons @param {(seat: number) => void} choose */
  constructor(handlers, choose) {
    this.element = byId("what-if-bar");
    this.said = byId("what-if-said");
    this.seats = [...this.element.querySelectorAll(".chip")];
    for (const [seat, chip] of this.seats.entries())
      chip.addEventListener("click", () => choose(seat));
    for (const [name, run] of Object.entries(handlers))
      byId(`what-if-${name}`).addEventListener("click", single(run));
  }

  /** Ms between the previous event and the next play. */
  get pauseMs() {
    const seconds = Number(field("pause").value);
    return Number.isFinite(seconds) ? Math.round(Math.min(Math.max(seconds, 0), 60) * 1000) : 0;
  }

  /** Ms for which bots continue. null: to the round's end. */
  get botsMs() {
    return Number(field("span").value) * 1000 || null;
  }

  /** @param {{title: string, playing: boolean, along: boolean, seat: number, mayTakeBack: boolean}} how */
  show({ title, playing, along, seat, mayTakeBack }) {
    this.element.hidden = !playing && !along;
    write(byId("what-if-title"), title);
    byId("what-if-tools").hidden = !playing;
    byId("what-if-branch").hidden = playing;
    byId("what-if-done").hidden = !playing;
    byId("what-if-leave").hidden = !along;
    byId("what-if-back").hidden = !mayTakeBack;
    this.seats.forEach((chip, number) =>
      chip.setAttribute("aria-pressed", String(number === seat)),
    );
  }

  /** How the variation differs from the match so far. @param {string} words */
  compare(words) {
    write(byId("what-if-difference"), words);
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
