/**
 * The play at the cursor, or else the next one, to be tried differently.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("../../games/match/fold.js").RoundEvent} RoundEvent
 * @import { Page } from "../replay/page.js"
 * @import { Change, Where } from "./judging.js"
 */

import { inTurn, request } from "../../games/dom/asking.js";
import { onSubmit } from "../../games/dom/controls.js";
import { box, button } from "../../games/dom/elements.js";
import { ownerOf } from "../../games/match/fold.js";
import { cardName, positionWords, sayingAt } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { known } from "./chances.js";
import { figuresOf } from "./judging.js";

const USUAL_MS = 100;
const MOST_MS = 5000;
/** How long the cursor rests before the server is asked for other options. */
const STILL_MS = 300;
const HOW = gettext(
  "Leave a play out, change it, or play on by hand: bots play the rest, and you see the difference.",
);

/** The seats with a try in an event. @param {RoundEvent | undefined} event */
export function triers(event) {
  if (event?.do === "tie") return event.cards.map(ownerOf);
  return event && "stack" in event ? [event.seat] : [];
}

/**
 * The number of the event with the play that a page is about: what it aims at, else the try at the
 * cursor, else the next one. 0: none.
 * @param {readonly RoundEvent[]} events @param {number} event the cursor's @param {boolean} aimed
 */
export function playAt(events, event, aimed) {
  if (!aimed && triers(events[event - 1]).length) return event;
  const next = events.findIndex((each, at) => at >= event && triers(each).length);
  return next + 1;
}

export class OnePlay {
  /**
   * @param {Page} page @param {import("./judging.js").Judging} judging
   * @param {import("./judging.js").Judgement[]} judgements
   */
  constructor(page, judging, judgements) {
    const { player, names } = page;
    this.page = page;
    this.player = player;
    this.judgements = judgements;
    this.names = names;
    this.judging = judging;
    /** @type {Where | null} */
    this.where = null;
    /** Whether it is still to happen. */
    this.next = false;
    this.what = box("p", "one-play");
    this.seat = box("select", { "aria-label": gettext("Whose card") });
    this.change = box("select", { "aria-label": gettext("What if") });
    const range = { type: "number", min: 1, max: MOST_MS, value: USUAL_MS, required: true };
    this.ms = box("input", { ...range, "aria-label": gettext("Milliseconds") });
    this.result = box("div", { class: "judged-result", "aria-live": "polite" });
    this.form = this.#form();
    this.without = button("button primary small", gettext("Try without this card"), () =>
      this.#try({ skip: true }),
    );
    const steps = box(
      "div",
      "one-play-steps",
      this.#stepper(gettext("Play before"), "←", -1),
      this.#stepper(gettext("Next play"), "→", 1),
    );
    this.means = box("details", "", box("summary", "", gettext("Change this play")), this.form);
    this.element = box(
      "div",
      "one-play-view",
      box("p", "analysis-note", HOW),
      box("div", "one-play-head", this.what, steps),
      this.without,
      this.result,
      this.means,
    );
    player.onChange(() => this.moved());
    page.onChange(["aim"], () => this.moved());
    this.moved();
  }

  /** @param {string} title @param {string} sign @param {number} by */
  #stepper(title, sign, by) {
    return button({ class: "step", title, "aria-label": title }, sign, () => this.step(by));
  }

  #form() {
    this.seat.addEventListener("change", () => this.#choose(Number(this.seat.value)));
    this.change.addEventListener("change", () => this.#timed());
    const submit = box("button", "button primary small", gettext("Play it out"));
    const form = box(
      "form",
      "race-filters judged-form",
      box("span", "label", gettext("What if it came")),
      this.seat,
      this.ms,
      this.change,
      submit,
    );
    return onSubmit(form, () => this.#try(this.#changed()));
  }

  /** @param {Change} change */
  #try(change) {
    if (this.where) this.judging.show(this.result, this.where, change);
  }

  /** What the form asks for. @returns {Change} */
  #changed() {
    const { by, ...change } = JSON.parse(this.change.value);
    return by ? { ms: by * Number(this.ms.value) } : change;
  }

  /** Only a shift in time needs a number. */
  #timed() {
    const { by } = JSON.parse(this.change.value);
    this.ms.hidden = this.ms.disabled = !by;
  }

  /** To the play before or after the cursor, in this round. @param {number} by */
  step(by) {
    const { round } = this.player;
    if (!round) return;
    let at = (this.where?.event ?? this.player.cursor.event) + by;
    while (at > 0 && at <= round.events.length && !triers(round.events[at - 1]).length) at += by;
    if (at < 1 || at > round.events.length) return;
    this.player.pause();
    this.player.goTo({ round: round.number, event: at, moment: true });
  }

  moved() {
    if (!this.element.isConnected || this.element.closest("[hidden]") || this.player.playing)
      return;
    this.show();
  }

  /** Shows the play at the cursor. */
  show() {
    const { round, cursor } = this.player;
    const aimed = this.page.state.aim !== null;
    const at = round && known(this.player) ? playAt(round.events, cursor.event, aimed) : 0;
    const event = round?.events[at - 1];
    const next = at > cursor.event;
    const same = this.where?.round === cursor.round && this.where.event === at;
    if (event && same && this.next === next) return;
    this.next = next;
    this.judging.clear(this.result);
    this.means.hidden = this.without.hidden = !event;
    this.where = null;
    if (!round || !event) {
      this.what.textContent = gettext("There is no play to change here.");
      return;
    }
    const seats = triers(event);
    const { text } = sayingAt(round, at, this.names);
    const words = next ? gettext("Next: {event}", { event: text }) : text;
    const place = box("b", "", positionWords(round.number, event.t));
    this.what.replaceChildren(place, box("br", ""), words);
    for (const judgement of this.judgements.filter(({ seq }) => seq === round.seqs[at - 1]))
      this.what.append(box("br", ""), box("b", "", judgement.verdict), ` ${figuresOf(judgement)}`);
    this.seat.replaceChildren(...seats.map((seat) => new Option(this.names[seat], String(seat))));
    this.seat.hidden = seats.length < 2;
    this.#choose(seats[0], at);
  }

  /** @param {number} seat @param {number} [event] */
  async #choose(seat, event = this.where?.event ?? 0) {
    const where = { round: this.player.cursor.round, event, seat };
    this.where = where;
    this.#offer([]);
    await new Promise((resolve) => setTimeout(resolve, STILL_MS));
    if (this.where !== where) return;
    const { ok, data } = await inTurn(() =>
      request("POST /api/v1/matches/{pk}/what-if/try", this.judging.url, where),
    );
    if (!ok || this.where !== where) return;
    if ("cards" in data && Array.isArray(data.cards)) this.#offer(data.cards);
  }

  /** @param {{card: string, stack: number}[]} cards */
  #offer(cards) {
    const shifts = [
      new Option(gettext("ms earlier"), JSON.stringify({ by: -1 })),
      new Option(gettext("ms later"), JSON.stringify({ by: 1 })),
    ];
    const others = cards.map(({ card, stack }) => {
      const as = { card: cardName(card), stack: stack + 1 };
      const words = gettext("as {card} on stack {stack}", as);
      return new Option(words, JSON.stringify({ card, stack }));
    });
    const none = new Option(gettext("not at all"), JSON.stringify({ skip: true }));
    const { value } = this.change;
    this.change.replaceChildren(...shifts, ...others, none);
    if ([...this.change.options].some((option) => option.value === value))
      this.change.value = value;
  }
}
