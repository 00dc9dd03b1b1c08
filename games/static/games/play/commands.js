/**
 * What keys and buttons do, and drawing without being asked.
 * @typedef {import("./controller.js").SeatController} SeatController
 * @typedef {NonNullable<ReturnType<typeof commandOf>>} Command
 * @typedef {import("../dom/clock.js").Clock} Clock
 * @typedef {import("./actionqueue.js").PendingActions} PendingActions
 */

import { CLOCK } from "../dom/clock.js";
import { byId } from "../dom/elements.js";
import { keepsKey } from "../dom/keptkeys.js";
import { HAND } from "../match/fold.js";
import { commandOf } from "./keyboard.js";

/** @param {SeatController} seat */
export function bindKeys(seat) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || keepsKey(event.target, event.key) || !seat.controls) return;
    if (document.querySelector("dialog[open]")) return;
    const command = commandOf(event, seat.settings.keys, seat.names.length);
    if (command && obey(seat, command)) event.preventDefault();
  });
}

/** Obeys a key. Returns whether it did. @param {SeatController} seat @param {Command} command */
function obey(seat, command) {
  if (command.do === "step") seat.lookback.step(command.by);
  else if (command.do === "now") seat.lookback.end();
  else if (!seat.playing) return false;
  else if (seat.here()) act(seat, command);
  return true;
}

/** @param {SeatController} seat @param {Command} command */
function act(seat, command) {
  const { controls } = seat;
  if (command.do === "hand") controls?.pick(command.number);
  else if (command.do === "slot") controls?.layOn(command.number);
  else if (command.do === "draw") seat.draw();
  else if (command.do === "discard") controls?.discard();
  else if (command.do === "out") seat.out();
  else controls?.letGo();
  seat.show([], true);
}

/** @param {string} name */
const buttonOf = (name) => document.querySelector(`[data-do=${name}]`);

export class Buttons {
  /** @param {Record<string, () => void>} does by the button's name @param {() => void} done after any */
  constructor(does, done) {
    for (const [name, run] of Object.entries({ ...does, options: toggleOptions })) {
      const button = buttonOf(name);
      button?.addEventListener("pointerdown", (event) => event.preventDefault());
      button?.addEventListener("click", () => {
        run();
        done();
      });
    }
  }

  /** @param {{out: boolean, draw: boolean, discarding: boolean, drawn: boolean}} now `drawn`: cards are drawn without a button */
  show({ out, draw, discarding, drawn }) {
    const button = /** @type {HTMLElement | null} */ (buttonOf("draw"));
    if (button) button.hidden = drawn;
    buttonOf("out")?.classList.toggle("calls", out);
    buttonOf("draw")?.classList.toggle("calls", draw);
    buttonOf("discard")?.setAttribute("aria-pressed", String(discarding));
  }
}

function toggleOptions() {
  const options = byId("options");
  options.hidden = !options.hidden;
  buttonOf("options")?.setAttribute("aria-expanded", String(!options.hidden));
  if (!options.hidden) options.scrollIntoView({ block: "nearest" });
}

/** The shortest wait, in ms, before looking again whether the hand is free. */
const LOOK_MS = 30;

export class AutoDraw {
  /**
   * @param {PendingActions} pending
   * @param {() => boolean} wanted whether it may draw now
   * @param {Clock} [clock]
   */
  constructor({ own, hand }, wanted, clock = CLOCK) {
    this.own = own;
    this.hand = hand;
    this.wanted = wanted;
    this.clock = clock;
    this.looking = false;
  }

  /** Draws now, or looks again once the hand is free. */
  check() {
    const { own, hand } = this;
    const room = own.hand.length < HAND && own.table?.drawPiles[own.seat].length;
    if (!room || !this.wanted() || own.waiting.length || this.looking) return;
    if (hand.wait === 0 && !hand.busy) own.draw();
    else {
      this.looking = true;
      this.clock.later(Math.max(hand.wait, LOOK_MS), () => this.#again());
    }
  }

  #again() {
    this.looking = false;
    this.check();
  }
}
