/**
 * What covers the table between rounds: the countdown, the scores, the match's end.
 * @typedef {{names: string[], end: import("../match/fold.js").End | null,
 *   gains: number[], winners: number[] | null}} Result  of the last round and, once it is over, of
 *   the match. `gains`: the round's scores by the cards that lie there, though none may count
 * @typedef {import("./play.js").SeatState} SeatState
 * @typedef {import("frames").StateFrame} State
 * @typedef {{ready: () => void, rematch: (yes: boolean) => void,
 *   over: () => HTMLElement | null}} Handlers  `over`: once the match is, what follows it
 * @typedef {{seat: number, target: number, speedy: boolean, replay: string, lobby: string}} About
 */

import { markOf } from "../board/cards.js";
import { box, button, write } from "../dom/elements.js";
import { ending, victoryWords } from "../match/words.js";
import { decimal, gettext, listed, ngettext, signed } from "../words/gettext.js";

const OVER = new Set(["scoreboard", "finished", "abandoned"]);

/** @param {string} text @param {string} address @param {string} [kind] */
function link(text, address, kind = "") {
  return box("a", { class: `button ${kind}`, href: address }, text);
}

export class Scoreboard {
  /** @param {HTMLElement} root @param {HTMLElement} count @param {About} about @param {Handlers} handlers @param {(kind: string) => void} sound */
  constructor(root, count, about, handlers, sound) {
    this.root = root;
    this.count = count;
    this.about = about;
    this.sound = sound;
    this.over = handlers.over;
    this.phase = "";
    this.until = 0;
    this.timer = 0;
    this.ready = button("button primary", gettext("Ready for the next round"), handlers.ready);
    this.rematch = button("button primary", gettext("Play again"), () =>
      handlers.rematch(this.rematch.getAttribute("aria-pressed") !== "true"),
    );
    this.note = box("p", "soft if-any");
    // What fades in cannot be focused before it is seen.
    root.addEventListener("animationend", () => this.#focus());
  }

  /** @param {State} state @param {Result} result */
  show(state, result) {
    this.until = performance.now() + state.wait_ms;
    if (state.phase !== this.phase) this.#enter(state, result);
    this.#notes(state);
    this.#tick();
  }

  /** The scores may arrive after the news of them. @param {State} state @param {Result} result */
  scored(state, result) {
    if (OVER.has(state.phase)) this.#enter(state, result);
  }

  /** The connection is closed: no rematch can follow, only another match against such bots. */
  close() {
    this.rematch.hidden = true;
    document.getElementById("again-same")?.removeAttribute("hidden");
  }

  /** @param {State} state @param {Result} result */
  #enter(state, result) {
    this.phase = state.phase;
    const over = OVER.has(state.phase);
    this.root.hidden = !over;
    this.count.hidden = state.phase !== "countdown";
    if (!over) return;
    this.root.replaceChildren(
      box("h2", { id: "between-title" }, this.#words(state, result)),
      ...this.#scores(result, state),
      this.note,
      this.#actions(state),
      ...this.#next(state),
    );
    this.#focus();
  }

  /** What to try next, below all else. @param {State} state */
  #next(state) {
    const place = state.phase === "finished" && this.over();
    return place ? [place] : [];
  }

  #focus() {
    if (this.root.contains(document.activeElement)) return;
    this.root.scrollIntoView({ block: "nearest" }); // the options are far below on a phone
    const first = /** @type {HTMLElement | null} */ (
      this.root.querySelector(".actions .button:not([hidden])")
    );
    first?.focus({ preventScroll: true });
  }

  /** @param {State} state @param {Result} result */
  #words({ phase, round, seats }, { end, winners, names }) {
    if (phase === "abandoned")
      return round && !seats.some(({ votes }) => votes.includes("abandon"))
        ? gettext("The match was abandoned: no one was playing any more")
        : gettext("The match was abandoned");
    if (phase === "finished" && winners && end)
      return victoryWords(winners, names, end.totals, this.about.seat);
    const { title, why } = ending(end?.reason);
    return why
      ? `${gettext("Round {round}: {title}.", { round, title })} ${why}`
      : gettext("Round {round} is over", { round });
  }

  /** Only totals, once no round follows. @param {Result} result @param {State} state */
  #scores({ names, end, gains, winners }, { phase, totals }) {
    if (!end) return [];
    const unfinished = end.reason === "abandoned";
    const round = unfinished ? gains : phase === "scoreboard" ? end.scores : null;
    const seats = names.map((_, seat) => seat);
    seats.sort((a, b) => totals[b] - totals[a] || gains[b] - gains[a]);
    const rows = seats.map((seat) => this.#score(names, seat, winners, round, end.totals));
    const body = box("tbody", "", ...rows);
    const scored = unfinished ? gettext("Unfinished round") : gettext("Round");
    const words = [gettext("Player"), scored, gettext("Total")];
    const column = (/** @type {string} */ word, /** @type {number} */ at) =>
      box("th", { class: at ? "num" : "", scope: "col" }, word);
    const head = box("tr", "", ...words.map(column));
    return [box("table", "scores", ...(round ? [box("thead", "", head)] : []), body)];
  }

  /**
   * @param {string[]} names @param {number} seat @param {number[] | null} winners
   * @param {number[] | null} round its scores, if they are shown @param {number[]} totals
   */
  #score(names, seat, winners, round, totals) {
    const own = seat === this.about.seat;
    const name = box("span", "name", own ? gettext("You") : names[seat]);
    name.dir = "auto"; // its beginning stays, whichever side that is
    const who = box("th", { scope: "row" }, markOf(seat), name);
    const kind = `deck-${seat}${winners?.includes(seat) ? " is-winner" : ""}`;
    const scored = round ? [box("td", "num", signed(round[seat]))] : [];
    return box("tr", kind, who, ...scored, box("td", "num", decimal(totals[seat])));
  }

  /** @param {State} state */
  #actions(state) {
    if (state.phase === "scoreboard") return box("div", "actions", this.ready);
    const replay = state.round ? [link(gettext("View the replay"), this.about.replay)] : [];
    const again = document.getElementById("again");
    again?.removeAttribute("hidden");
    const bots = again ? [again] : [];
    // After a guided round another match comes first: one way on is the main one.
    const other = Boolean(again?.querySelector(".primary:not([hidden])"));
    this.rematch.classList.toggle("primary", !other);
    // In this order they fill two rows of a phone.
    const main = [this.rematch, ...replay];
    const ways = other ? [...bots, ...main] : [...main, ...bots];
    for (const change of again?.querySelectorAll("[name=change]") ?? [])
      change.toggleAttribute("hidden", state.phase === "abandoned");
    const lobby = again ? [] : [link(gettext("Lobby"), this.about.lobby, "quiet")];
    return box("div", "actions", ...ways, ...lobby);
  }

  /** Shows what the others want. @param {State} state */
  #notes(state) {
    const own = state.seats[this.about.seat];
    /** @param {(seat: SeatState) => boolean} wants */
    const others = (wants) =>
      state.seats
        .filter((seat) => seat !== own && seat.kind === "human" && wants(seat))
        .map((seat) => seat.name ?? "");
    this.ready.setAttribute("aria-pressed", String(own.ready));
    this.rematch.setAttribute("aria-pressed", String(own.votes.includes("rematch")));
    write(
      this.ready,
      own.ready ? gettext("Ready. Waiting for the others") : gettext("Ready for the next round"),
    );
    const wanting = others((seat) => seat.votes.includes("rematch"));
    const waiting = own.votes.includes("rematch")
      ? others((seat) => !seat.votes.includes("rematch") && seat.here)
      : [];
    const words = wanting.length
      ? ngettext("{names} wants a rematch.", "{names} want a rematch.", wanting.length, {
          names: listed(wanting),
        })
      : waiting.length
        ? gettext("Waiting for {names}.", { names: listed(waiting) })
        : "";
    this.words = this.phase === "scoreboard" ? "" : words;
  }

  #tick() {
    clearTimeout(this.timer);
    const left = Math.ceil(Math.max(this.until - performance.now(), 0) / 1000);
    if (this.phase === "countdown") this.#countTo(left);
    write(
      this.note,
      this.phase === "scoreboard"
        ? gettext("Next round in {left} s.", { left })
        : (this.words ?? ""),
    );
    const counting = ["countdown", "scoreboard"].includes(this.phase) && left > 0;
    if (counting)
      this.timer = window.setTimeout(
        () => this.#tick(),
        Math.max((this.until - performance.now()) % 1000, 30),
      );
  }

  /** @param {number} left */
  #countTo(left) {
    const text = String(Math.max(left, 1));
    if (this.count.textContent === text) return;
    this.count.textContent = text;
    this.sound("tick");
  }

  deal() {
    this.count.hidden = this.root.hidden = true;
    this.count.textContent = "";
    this.phase = "round";
  }
}
