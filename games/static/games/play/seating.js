/**
 * Before the first deal: who sits where, who is present and ready.
 * @typedef {import("frames").StateFrame["seats"][number]} SeatState
 */

import { write } from "../dom/elements.js";
import { gettext, listed, ngettext } from "../words/gettext.js";

/** From this round-trip time in ms, races are lost to delay. */
const SLOW_MS = 160;

/** @param {number} lag round-trip ms */
const slowLine = (lag) =>
  gettext(
    "Your connection is slow: a card takes about {lag} ms to reach the table. Others will win close races.",
    { lag: Math.round(lag / 2) },
  );

/** @param {SeatState} seat */
function wordOf(seat) {
  if (!seat.kind) return "";
  if (seat.kind === "bot") return gettext("ready");
  if (!seat.here) return gettext("not here yet");
  return seat.ready ? gettext("ready") : gettext("here");
}

export class Seating {
  /**
   * @param {HTMLElement} root
   * @param {(ready: boolean) => void} ready reports that the player is ready, or no longer is
   * @param {(yes: boolean) => void} [start] votes to start without missing players, where that may be
   */
  constructor(root, ready, start) {
    this.root = root;
    this.places = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(".table-seats > li")]);
    this.button = /** @type {HTMLButtonElement | null} */ (root.querySelector("#ready"));
    this.start = start && /** @type {HTMLButtonElement | null} */ (root.querySelector("#start"));
    this.start?.addEventListener("click", () =>
      start?.(this.start?.getAttribute("aria-pressed") !== "true"),
    );
    this.note = root.querySelector("#seating-note");
    this.button?.addEventListener("click", () =>
      ready(this.button?.getAttribute("aria-pressed") !== "true"),
    );
  }

  /**
   * @param {SeatState[]} seats @param {number | null} own
   * @param {number | null} lag round-trip ms
   */
  show(seats, own, lag) {
    seats.forEach((seat, number) => this.#showPlace(this.places[number], seat));
    const free = seats.filter((seat) => !seat.kind).length;
    for (const form of this.root.querySelectorAll(".needs-free"))
      form.toggleAttribute("hidden", !free);
    const mine = own === null ? null : seats[own];
    if (this.button && mine) {
      this.button.disabled = false;
      this.button.setAttribute("aria-pressed", String(mine.ready));
      write(this.button, mine.ready ? gettext("Ready. Cancel?") : gettext("I am ready"));
    }
    if (this.start && mine) this.#offerStart(this.start, seats, mine);
    if (this.note) write(this.note, this.#waitsFor(seats, free, own));
    if (own !== null) this.#warn(lag);
  }

  /** @param {HTMLButtonElement} button @param {SeatState[]} seats @param {SeatState} mine */
  #offerStart(button, seats, mine) {
    const people = seats.filter((seat) => seat.kind === "human");
    const here = people.filter((seat) => seat.here);
    const votes = here.filter((seat) => seat.votes.includes("start")).length;
    button.hidden = here.length === people.length;
    button.setAttribute("aria-pressed", String(mine.votes.includes("start")));
    write(
      button,
      gettext("Start without them ({votes} of {count})", { votes, count: here.length }),
    );
  }

  /** Warns of a slow connection before the first card. @param {number | null} lag ms */
  #warn(lag) {
    const warning = this.root.querySelector("#slow-line");
    if (!warning) return;
    warning.toggleAttribute("hidden", lag === null || lag < SLOW_MS);
    if (lag !== null) write(warning, slowLine(lag));
  }

  /** @param {HTMLElement} place @param {SeatState} seat */
  #showPlace(place, seat) {
    place.classList.toggle("free", !seat.kind);
    place.classList.toggle("is-ready", seat.ready);
    place.classList.toggle("is-away", Boolean(seat.kind) && !seat.here);
    write(/** @type {Element} */ (place.querySelector(".name")), seat.name ?? gettext("free"));
    write(/** @type {Element} */ (place.querySelector(".place-state")), wordOf(seat));
  }

  /** @param {SeatState[]} seats @param {number} free @param {number | null} own the viewer's seat */
  #waitsFor(seats, free, own) {
    if (free) return ngettext("One seat is still free.", "{count} seats are still free.", free);
    const late = seats
      .filter((seat) => seat.kind && !seat.ready)
      .map((seat) => (seats.indexOf(seat) === own ? gettext("you") : (seat.name ?? "")));
    return late.length
      ? gettext("Waiting for {names}.", { names: listed(late) })
      : gettext("Everyone is ready.");
  }

  close() {
    this.root.hidden = true;
  }
}
