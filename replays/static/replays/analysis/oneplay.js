/**
 * The play at the cursor, or else the next one, to be tried differently. A worker continues both ways
 * many times: `Judging` requests and shows that, wherever a page offers it.
 * @import { RoundEvent } from "../../games/match/fold.js"
 * @import { Page } from "../replay/page.js"
 * @import { JudgedJson as Judged } from "api"
 * @typedef {{round: number, event: number, seat: number}} Where
 * @typedef {{ms?: number, card?: string, stack?: number, skip?: boolean}} Change
 * @typedef {import("./raceaxis.js").Race} Race
 * @typedef {import("api").JudgementJson} Judgement
 */

import { inTurn, reasonOf, request } from "../../games/dom/asking.js";
import { onSubmit } from "../../games/dom/controls.js";
import { box, bringIntoView, button } from "../../games/dom/elements.js";
import { ownerOf } from "../../games/match/fold.js";
import { cardName, positionWords, sayingAt, seconds } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { answerAt } from "../jobs/waiting.js";
import { known } from "./curve.js";
import { inPoints } from "./percent.js";
import { behindOf } from "./raceaxis.js";

const SHIFTS_MS = [-100, -300, -1000, 300, 1000];
/** How long the cursor rests before the server is asked for other options. */
const STILL_MS = 300;

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
   * @param {HTMLElement} element its place @param {Page} page @param {Judging} judging
   * @param {Judgement[]} judgements
   */
  constructor(element, page, judging, judgements) {
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
    this.element = element;
    /** @template {HTMLElement} Part @param {string} name @returns {Part} */
    const part = (name) => /** @type {Part} */ (element.querySelector(name));
    this.what = part(".one-play");
    /** @type {HTMLSelectElement} */
    this.seat = part("[name=seat]");
    /** @type {HTMLSelectElement} */
    this.change = part("[name=change]");
    this.result = part(".judged-result");
    this.form = part("form");
    this.seat.addEventListener("change", () => this.#choose(Number(this.seat.value)));
    onSubmit(this.form, () => this.#try(JSON.parse(this.change.value)));
    for (const step of element.querySelectorAll(".step"))
      step.addEventListener("click", () =>
        this.step(Number(/** @type {HTMLButtonElement} */ (step).value)),
      );
    player.onChange(() => this.moved());
    page.onChange(["decides"], () => this.moved());
    this.moved();
  }

  /** @param {Change} change */
  #try(change) {
    if (!this.where) return;
    this.judging.show(this.result, this.where, change);
    bringIntoView(this.element);
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
    if (!this.element.closest("[hidden]") && !this.player.playing) this.show();
  }

  /** Shows the play at the cursor. */
  show() {
    const { round, cursor } = this.player;
    const aimed = this.page.aim !== null;
    const at = round && known(this.player) ? playAt(round.events, cursor.event, aimed) : 0;
    const event = round?.events[at - 1];
    const next = at > cursor.event;
    const same = this.where?.round === cursor.round && this.where.event === at;
    if (event && same && this.next === next) return;
    this.next = next;
    this.judging.clear(this.result);
    this.form.hidden = !event;
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
      this.what.append(box("br", ""), box("b", "", nameOf(judgement)), ` ${figuresOf(judgement)}`);
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
    const shifts = SHIFTS_MS.map((ms) => {
      const time = seconds(Math.abs(ms));
      const words =
        ms < 0 ? gettext("{time} earlier", { time }) : gettext("{time} later", { time });
      return new Option(words, JSON.stringify({ ms }));
    });
    const others = cards.map(({ card, stack }) => {
      const as = { card: cardName(card), stack: stack + 1 };
      const words = gettext("{card} on stack {stack}", as);
      return new Option(words, JSON.stringify({ card, stack }));
    });
    const none = new Option(gettext("left out"), JSON.stringify({ skip: true }));
    const { value } = this.change;
    this.change.replaceChildren(none, ...others, ...shifts);
    if ([...this.change.options].some((option) => option.value === value))
      this.change.value = value;
  }
}

/** @param {Judgement} judgement */
const nameOf = ({ verdict }) =>
  verdict === "mistake" ? gettext("mistake") : gettext("missed take");

/** The figures of a judgement, in words. @param {Judgement} judgement */
function figuresOf({ figures: { points, cost_ms } }) {
  if (points !== undefined) return gettext("{change} chance to win", { change: inPoints(points) });
  return cost_ms === undefined ? "" : gettext("cost {time}", { time: seconds(cost_ms) });
}

const NOTE = gettext("An estimate: bots played on with and without the change.");

export class Judging {
  /** @param {string} url @param {string[]} names */
  constructor(url, names) {
    this.url = url;
    this.names = names;
    /** What was asked for last, by its place. @type {WeakMap<HTMLElement, object>} */
    this.latest = new WeakMap();
  }

  /** Empties a place. Its pending request is no longer shown. @param {HTMLElement} place */
  clear(place) {
    this.latest.delete(place);
    place.replaceChildren();
  }

  /**
   * The effect of a change, put into an element. null if there is no answer, or a newer request.
   * @param {HTMLElement} place @param {Where} where @param {Change} change
   * @returns {Promise<Judged | null>}
   */
  async show(place, where, change) {
    const wish = {};
    this.latest.set(place, wish);
    const wanted = () => this.latest.get(place) === wish;
    try {
      /** @type {Judged} */
      const judged = await answerAt(this.url, place, gettext("Playing it out"), {
        body: { ...where, ...change },
        wanted,
      });
      if (!wanted()) return null;
      place.replaceChildren(...this.#shown(judged));
      return judged;
    } catch (error) {
      const detail = reasonOf(error);
      if (wanted())
        place.replaceChildren(
          box("p", "analysis-note soft small", gettext("No answer. {detail}", { detail })),
        );
      return null;
    }
  }

  /** @param {Judged} judged */
  #shown(judged) {
    const [own, ...others] = judged.figures;
    return [
      box("p", judged.told ? "text-m strong" : "text-m", own),
      ...others.map((words) => box("p", "judged-outcome", words)),
      box("p", "judged-outcome", judged.text),
      box("p", "analysis-note soft small", NOTE),
    ];
  }

  /**
   * On a race's card: would it have changed the match if the hand that lost had been early enough?
   * @param {Race} race @param {import("../../games/match/player.js").Player} player
   */
  ofRace(race, player) {
    const shifts = shiftsOf(race, player.log.match.rules?.tie_window_ms ?? 0);
    if (!shifts.length) return [];
    const { seat } = race.attempts[race.kind === "tie" ? 0 : 1];
    const result = box("div", { class: "judged-result if-any", "aria-live": "polite" });
    const event = () => player.log.rounds[race.round - 1].eventAt(race.seq);
    const buttons = shifts.map(({ ms, words }) =>
      button("button small", gettext("{ms} ms earlier ({words})", { ms, words }), () =>
        this.show(result, { round: race.round, event: event(), seat }, { ms: -ms }),
      ),
    );
    const title = gettext("What if {name} had been quicker?", { name: this.names[seat] });
    return [
      box("h4", "analysis-title soft small", title),
      box("div", "actions", ...buttons),
      result,
    ];
  }
}

/** The ms that change a race, or win a tie. @param {Race} race @param {number} windowMs */
export function shiftsOf(race, windowMs) {
  if (race.flip_ms === null) return [];
  if (race.kind === "tie" || !windowMs) return [{ ms: race.flip_ms, words: gettext("first") }];
  return [
    { ms: race.flip_ms, words: gettext("a tie") },
    { ms: behindOf(race) + windowMs, words: gettext("first") },
  ];
}
