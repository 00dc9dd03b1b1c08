/**
 * The guide of a first round: says the rule that is needed now, and marks what to press for it.
 * @typedef {import("./controller.js").SeatController} SeatController
 * @typedef {import("./lessons.js").Step} Step
 */

import { byId, write } from "../dom/elements.js";
import { gettext } from "../words/gettext.js";
import { inUse, KEYS } from "./keyboard.js";
import { Lessons, ruleOf, wayTo } from "./lessons.js";

const NEXT = "is-next";

export class Guide {
  /** @param {number} seat @param {string[]} names */
  constructor(seat, names) {
    this.lessons = new Lessons(seat, names);
    this.root = byId("guide");
  }

  /** @param {SeatController} seat */
  show(seat) {
    const { round } = seat.player;
    if (!round?.timeline) return;
    this.lessons.follow(round, seat.own);
    const playing = seat.acting && !seat.lookback.back;
    const step = playing ? this.lessons.now(seat.own, seat.settings) : null;
    if (step) this.#say(step, seat);
    this.#mark(step, seat);
    for (const chip of this.root.querySelectorAll("[data-lesson]"))
      this.#tick(/** @type {HTMLElement} */ (chip), step);
    this.root.style.visibility = round.end ? "hidden" : "visible"; // it keeps its place
  }

  /** @param {Step} step @param {SeatController} seat */
  #say(step, { own, controls, settings }) {
    const keys = KEYS[settings.keys] ?? KEYS.letters;
    write(byId("guide-before"), step.before);
    write(byId("guide-rule"), ruleOf(step, own));
    write(byId("guide-way"), controls ? wayTo(step.press, controls, inUse(), keys) : "");
  }

  /** @param {HTMLElement} chip @param {Step | null} step */
  #tick(chip, step) {
    const { lesson = "" } = chip.dataset;
    const done = this.lessons.done.has(lesson);
    chip.classList.toggle("is-done", done);
    write(
      /** @type {Element} */ (chip.querySelector(".spoken")),
      done ? ` ${gettext("(done)")}` : "",
    );
    if (step?.lesson === lesson) chip.setAttribute("aria-current", "step");
    else chip.removeAttribute("aria-current");
  }

  /** Marks the one thing to press next. @param {Step | null} step @param {SeatController} seat */
  #mark(step, { controls }) {
    const next = step && controls ? this.#next(step.press, controls) : null;
    for (const marked of document.querySelectorAll(`.${NEXT}`))
      if (marked !== next) marked.classList.remove(NEXT);
    next?.classList.add(NEXT);
  }

  /**
   * A card that fits in several places is picked first, then laid. A stray choice is undone first.
   * @param {Step["press"]} press @param {NonNullable<SeatController["controls"]>} controls
   */
  #next(press, { places, picked, discarding, buttons, slots }) {
    /** @param {string} name */
    const tool = (name) => document.querySelector(`[data-do=${name}]`);
    if (press.do === "discard")
      return discarding ? buttons[places.indexOf(press.card)] : tool("discard");
    if (discarding) return tool("discard");
    if (press.do !== "play") return tool(press.do);
    const { card, slot } = press.fitting;
    return picked === card ? slots[slot] : buttons[places.indexOf(card)];
  }
}
