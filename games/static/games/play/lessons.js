/**
 * A guided round: which rule is needed now, and what to press for it, said and marked on the
 * page. No rules except the seat's table of fitting cards.
 *
 * The law: the round's events show which lessons are done, so a page that is loaded again goes on
 * where it was. The next lesson is the first one not yet done that the cards allow. Without one, it
 * is a step towards one, also when OUT would be possible. Being too late cannot be asked for: it is
 * explained once it has happened, and done with the player's next movement.
 * @typedef {import("./seat.js").OwnSeat} OwnSeat
 * @typedef {import("../match/log.js").Round} Round
 * @typedef {import("../match/fold.js").RoundEvent} RoundEvent
 * @typedef {{card: string, slot: number, lesson: string, height: number, only: boolean}} Fitting
 *   `only`: it goes by itself, since it fits nowhere else
 * @typedef {{do: "play", fitting: Fitting} | {do: "discard", card: string} | {do: "draw"}
 *   | {do: "out"}} Press
 * @typedef {{places: (string | null)[], picked?: string | null, discarding?: boolean}} Hand  by
 *   place, with what has been pressed
 * @typedef {{lesson: string, press: Press, before: string}} Step `before`: the last event, in words
 * @typedef {import("./controller.js").SeatController} SeatController
 */

import { byId, write } from "../dom/elements.js";
import { faceOf, HAND, ownerOf, WILD } from "../match/fold.js";
import { faceName } from "../match/words.js";
import { gettext, ngettext } from "../words/gettext.js";
import { fittings, whatOf } from "./advice.js";
import { inUse, KEYS, wayTo } from "./keyboard.js";

/** Those that are asked for as soon as the cards allow, in this order. */
const PLAYS = ["start", "up", "down", "five", "wild"];
/** Practice has no lesson of its own. */
const PRACTICE = "";
/** The faces, from the least useful to the one to keep longest. */
const KEEP = [4, 3, 2, 1, 5, WILD];

/** @param {number} face @param {number} top */
function lessonOf(face, top) {
  if (face === WILD) return "wild";
  if (face === WILD - 1) return "five";
  if (!top) return "start";
  return face > top ? "up" : "down";
}

export class Lessons {
  /** @param {number} seat @param {string[]} names */
  constructor(seat, names) {
    this.seat = seat;
    this.names = names;
    /** @type {Set<string>} */
    this.done = new Set();
    this.before = "";
    /** Whether the player has been too late, and that is being told. */
    this.late = false;
    /** @type {Round | null} */
    this.round = null;
    this.read = 0;
  }

  /** Takes in what has happened since the last call. @param {Round} round @param {OwnSeat} own */
  follow(round, own) {
    if (this.round !== round || round.events.length < this.read) {
      this.round = round;
      this.read = 0;
      this.done.clear();
      this.before = "";
      this.late = false;
    }
    for (; this.read < round.events.length; this.read += 1)
      this.#take(round.events[this.read], round, own);
  }

  /** @param {RoundEvent} event @param {Round} round @param {OwnSeat} own */
  #take(event, round, own) {
    const tied = event.do === "tie" && event.cards.some((card) => ownerOf(card) === this.seat);
    const mine = "seat" in event ? event.seat === this.seat : tied;
    if (mine) this.#learn(event, round);
    else if (event.do === "play" && this.done.has("five") && !this.done.has("late"))
      this.#lose(event, round, own);
  }

  /** @param {RoundEvent} event @param {Round} round */
  #learn(event, round) {
    if (event.do === "draw") return; // the page may draw by itself
    const under = round.timeline?.contexts[this.read].under ?? "";
    if (this.late) this.done.add("late");
    this.late = event.do === "late";
    this.before = "";
    if (event.do === "play") {
      this.done.add(lessonOf(faceOf(event.card), faceOf(under)));
      if (event.takes)
        this.before = ngettext(
          "{count} card: {count} point for you.",
          "{count} cards: {count} points for you.",
          event.takes,
        );
    } else if (event.do === "late") {
      const { first } = round.timeline?.contexts[this.read] ?? {};
      this.before = gettext(
        "Too late: {name} was first on stack {stack}, and your card came back.",
        this.#first(first?.seat ?? null, event.stack),
      );
    } else if (event.do === "tie")
      this.before = gettext("A tie: two cards at the same moment. Both are discarded.");
    else if (event.do === "miss")
      this.before = gettext(
        "That did not fit. The card came back, and your hand waits two seconds.",
      );
    else if (event.do === "discard" || event.do === "out") this.done.add(event.do);
  }

  /**
   * Somebody else's play, which may leave a card of the player without its place.
   * @param {Extract<RoundEvent, {do: "play"}>} event @param {Round} round @param {OwnSeat} own
   */
  #lose(event, round, own) {
    const { timeline } = round;
    const hand = timeline?.tableAt(this.read).hands[this.seat] ?? [];
    const was = timeline?.tableAt(this.read).tops[event.stack] ?? 0;
    const is = event.takes ? 0 : faceOf(event.card);
    /** @param {number} top @param {string} card */
    const fits = (top, card) => Boolean(own.uses[top]?.[faceOf(card)]?.length);
    const lost = hand.find((card) => was && fits(was, card) && !fits(is, card));
    if (!lost) return;
    this.late = true;
    this.before = gettext(
      "Too late: {name} was first on stack {stack}, and your {card} no longer fits.",
      { ...this.#first(event.seat, event.stack), card: faceName(lost) },
    );
  }

  /** @param {number | null} seat @param {number} slot */
  #first(seat, slot) {
    return { name: seat === null ? gettext("Somebody") : this.names[seat], stack: slot + 1 };
  }

  /**
   * What to do now. null while something is on its way, or when there is nothing to do.
   * @param {OwnSeat} own
   * @param {{autodraw: boolean, quick: boolean}} settings whether cards are drawn, and played where
   *   only one stack fits, without being asked for
   * @returns {Step | null}
   */
  now(own, { autodraw, quick }) {
    const { hand, table, seat } = own;
    const { before } = this;
    if (!table || table.ended || own.waiting.length) return null;
    const fitting = hand.flatMap((card) => this.#fitting(own, card, quick));
    const wanted = this.#wanted(fitting);
    const empty = !table.drawPiles[seat].length && !table.discardPiles[seat].length;
    const learnt = PLAYS.every((play) => this.done.has(play));
    if (wanted) return { lesson: wanted.lesson, press: { do: "play", fitting: wanted }, before };
    if (empty && (learnt || !fitting.length))
      return { lesson: "out", press: { do: "out" }, before };
    if (fitting.length)
      return { lesson: PRACTICE, press: { do: "play", fitting: best(fitting) }, before };
    if (hand.length < HAND && table.drawPiles[seat].length)
      return autodraw ? null : { lesson: PRACTICE, press: { do: "draw" }, before };
    const card = KEEP.flatMap((face) => hand.filter((held) => faceOf(held) === face))[0];
    return card ? { lesson: "discard", press: { do: "discard", card }, before } : null;
  }

  /** @param {OwnSeat} own @param {string} card @param {boolean} quick @returns {Fitting[]} */
  #fitting(own, card, quick) {
    return fittings(own, card, quick).map((fitting) => {
      return { ...fitting, lesson: lessonOf(faceOf(card), own.top(fitting.slot)) };
    });
  }

  /** What is asked for: a wild only once a 5 has shown what taking is. @param {Fitting[]} fitting */
  #wanted(fitting) {
    const open = PLAYS.filter((play) => !this.done.has(play));
    const asked = open.filter((play) => play !== "wild" || !open.includes("five"));
    const fittings = asked.map((play) => fitting.filter(({ lesson }) => lesson === play));
    const first = fittings.find((some) => some.length);
    return first && best(first);
  }
}

/** The highest take, else the play on the highest stack. A wild last. @param {Fitting[]} fitting */
const best = (fitting) => fitting.toSorted((a, b) => worth(b) - worth(a))[0];

/** @param {Fitting} fitting */
const worth = ({ lesson, height }) =>
  lesson === "five" ? 100 + height : lesson === "wild" ? height - 100 : height;

/** @type {Record<string, (fitting: Fitting, top: number) => string>} */
const PLAYED = {
  start: () => gettext("A 1 starts a stack."),
  up: ({ card }, top) =>
    gettext("One up: a {card} goes on a {top}.", { card: faceName(card), top }),
  down: ({ card }, top) =>
    gettext("One down works too: a {card} goes on a {top}.", { card: faceName(card), top }),
  five: ({ height }) =>
    gettext("A 5 on a 4 takes the whole stack, {count} cards. Each is a point.", {
      count: height + 1,
    }),
  wild: ({ slot, height }) =>
    gettext("A wild takes any stack. Take stack {stack}: {count} cards.", {
      stack: slot + 1,
      count: height + 1,
    }),
};

/** The rule needed now, in words. @param {Step} step @param {OwnSeat} own */
export function ruleOf({ lesson, press }, own) {
  if (press.do === "play") {
    const { fitting } = press;
    return lesson ? PLAYED[lesson](fitting, own.top(fitting.slot)) : whatOf(fitting);
  }
  if (press.do === "discard") return gettext("Nothing fits. Discard a card, and draw another.");
  if (press.do === "draw") return gettext("Draw a card.");
  return gettext("Both your piles are empty. Shout OUT, and the round is over!");
}

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
