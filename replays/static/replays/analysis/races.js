/**
 * The races of a match: every late try and every tie, closest first, each with its card: the tries on
 * one time axis, the numbers, the stake, and changes that would have reversed the race.
 * @import { Page } from "../replay/page.js"
 * @import { Attempt, Race } from "./raceaxis.js"
 * @typedef {{race: (seq: number) => Race | null, open: (race: Race) => void}} Show how other parts
 *   of the page find and show races
 */

import { cardElement, marked, markOf } from "../../games/board/cards.js";
import {
  box,
  bringIntoView,
  button,
  drawn,
  placed,
  redraw,
  templated,
} from "../../games/dom/elements.js";
import { positionWords, spokenNames, stackName } from "../../games/match/words.js";
import { gettext, listed, ngettext } from "../../games/words/gettext.js";
import { centerAt, SlowMotion } from "./momentlist.js";
import { axisOf, chosen, firstAt, marginOf, startOf, ticksOf, triesOf } from "./raceaxis.js";

/** How long before the first hand and after the last arrival slow motion plays, in ms. */
const BEFORE_MS = 400;
const AFTER_MS = 500;
const LISTED = 12;

export class Races {
  /** @param {Page} page @param {Race[]} races */
  constructor(page, races) {
    const { player, names } = page;
    this.page = page;
    this.player = player;
    this.races = races;
    this.names = names;
    this.slow = new SlowMotion(player);
    this.windowMs = player.log.match.rules?.tie_window_ms ?? 0;
    /** @type {RaceCard | null} */
    this.card = null;
    /** @type {((race: Race) => Node | null) | null} what a card offers beside watching */
    this.action = null;
    /** @type {((race: Race) => Node[]) | null} what else a card offers */
    this.offers = null;
    /** @type {((race: Race) => Node[]) | null} what leads to a loser's screen */
    this.screen = null;
    this.most = LISTED;
    this.element = templated("race-parts");
    /** @template {HTMLElement} Part @param {string} name @returns {Part} */
    const part = (name) => /** @type {Part} */ (this.element.querySelector(name));
    this.place = part(".race-open");
    /** @type {HTMLFormElement} */
    this.filters = part("form");
    this.about = part("p");
    this.list = part("ol");
    this.more = part(":scope > button");
    const rounds = [...new Set(races.map(({ round }) => round))].sort((a, b) => a - b);
    part("select").append(
      ...rounds.map((round) => new Option(gettext("Round {round}", { round }), String(round))),
    );
    this.filters.addEventListener("change", () => this.#list(LISTED));
    this.more.addEventListener("click", () => this.#list(this.most + LISTED));
    player.onChange(({ round, t }) => this.card?.moved(round, t));
    this.#list();
  }

  get shown() {
    const wanted = new FormData(this.filters);
    const text = (/** @type {string} */ name) => String(wanted.get(name));
    const number = (/** @type {string} */ name) => (text(name) === "" ? null : Number(text(name)));
    const [round, seat] = [number("round"), number("seat")];
    return chosen(this.races, { round, seat, kind: text("kind") || null });
  }

  /** @param {number} [most] of them shown */
  #list(most = this.most) {
    const { shown } = this;
    this.most = most;
    const words = shown.length
      ? ngettext("{count} race, closest first.", "{count} races, closest first.", shown.length)
      : gettext("No such race.");
    this.about.textContent = this.races.length
      ? words
      : gettext("No races: no two players went for the same stack at the same time.");
    redraw(
      this.list,
      shown.slice(0, most).map((race) => this.#item(race)),
    );
    this.more.hidden = shown.length <= most;
  }

  /** @param {Race} race */
  #item(race) {
    const [first, ...others] = race.attempts;
    const who = box("span", "race-who yields breaks", ...this.#racers(race, first, others));
    const taken = { stack: race.slot + 1 };
    const what = race.takes
      ? ngettext(
          "stack {stack}, {count} card taken",
          "stack {stack}, {count} cards taken",
          race.takes,
          taken,
        )
      : stackName(race.slot);
    const inside = [
      box("b", "race-margin", gettext("{ms} ms", { ms: marginOf(race) })),
      who,
      box("span", "race-words soft small", what),
      centerAt(this.player, { ...race, seq: race.play_seq ?? race.seq }),
      box("span", "race-where soft small", positionWords(race.round, race.t)),
    ];
    const item = button("race-item full starts bare", inside, () => this.open(race));
    if (race === this.card?.race) item.setAttribute("aria-current", "true");
    return box("li", "", item);
  }

  /** @param {Race} race @param {{seat: number}} first @param {{seat: number}[]} others */
  #racers(race, first, others) {
    /** @param {{seat: number}[]} tries */
    const marks = (tries) => {
      const spoken = spokenNames(this.names);
      const nodes = tries.map(({ seat }) => [marked(seat, spoken[seat])]);
      return placed(listed(tries.map((_, at) => `{${at}}`)), Object.fromEntries(nodes.entries()));
    };
    return race.kind === "tie"
      ? placed(gettext("{players} tied"), { players: marks([first, ...others]) })
      : placed(gettext("{first} before {others}"), {
          first: marks([first]),
          others: marks(others),
        });
  }

  /** The race at a line of the log: its own, or the play that won it. @param {number} seq */
  at(seq) {
    const own = this.races.find((race) => race.seq === seq);
    const won = this.races.filter((race) => race.play_seq === seq);
    return own ?? won.sort((a, b) => marginOf(a) - marginOf(b))[0] ?? null;
  }

  /** Shows a race's card, and the table just before it. @param {Race} race */
  open(race) {
    this.card = new RaceCard(race, this.names, this.windowMs);
    this.page.choose({ race: race.seq });
    const watch = button("button primary small", gettext("Watch in slow motion"), () => {
      this.watch(race); // not waited for: another press begins again
    });
    const close = button("button small", gettext("Close"), () => {
      this.slow.stop();
      this.place.replaceChildren();
      this.card = null;
      this.page.choose({ race: null });
      this.#list();
    });
    const more = this.action?.(race);
    const actions = box("div", "actions race-actions", watch);
    actions.append(...(this.screen?.(race) ?? []), ...(more ? [more] : []), close);
    this.card.picture.after(actions);
    this.card.element.append(...(this.offers?.(race) ?? []));
    this.place.replaceChildren(this.card.element);
    this.#list();
    this.page.call("mainline");
    this.player.pause();
    this.player.goTo({ round: race.round, t: Math.max(0, startOf(race) - 1) });
    bringIntoView(this.place);
  }

  /** @param {Race} race */
  watch(race) {
    bringIntoView(this.place);
    const last = Math.max(...race.attempts.map(({ t }) => t));
    this.page.call("mainline");
    this.slow.play(race.round, startOf(race) - BEFORE_MS, last + AFTER_MS);
  }
}

const WIDTH = 360;
const ROW = 46;
const FOOT = 22;
const MARGIN = 12;

export class RaceCard {
  /** @param {Race} race @param {string[]} names @param {number} windowMs of a tie */
  constructor(race, names, windowMs) {
    this.race = race;
    this.names = names;
    this.windowMs = windowMs;
    this.axis = axisOf(race);
    this.cursor = drawn("path", { class: "race-cursor" });
    this.tries = triesOf(race);
    this.height = this.tries.length * ROW + FOOT;
    const { words } = race;
    this.picture = this.#picture();
    this.element = box(
      "article",
      "race-card",
      box("h3", "race-result breaks", words.result),
      box("p", "race-place soft small", positionWords(race.round, race.t)),
      this.picture,
      box("p", "analysis-note soft small", this.#caption()),
      this.#verdicts(),
    );
  }

  /** @param {number} t */
  #x(t) {
    return MARGIN + this.axis.share(t) * (WIDTH - 2 * MARGIN);
  }

  #caption() {
    const said = [
      gettext(
        "Each line is a card on its way: from the hand’s move (estimated) to when it arrived.",
      ),
    ];
    if (this.race.shown) said.push(gettext("The dot below is when the other card showed there."));
    if (this.windowMs)
      said.push(gettext("Tries inside the shaded {ms} ms tie.", { ms: this.windowMs }));
    return said.join(" ");
  }

  #picture() {
    const { race, height } = this;
    const svg = drawn("svg", {
      viewBox: `0 0 ${WIDTH} ${height}`,
      class: "race-picture",
      role: "img",
      "aria-label": race.words.result,
    });
    const first = firstAt(race);
    const [x, end] = [this.#x(first), this.#x(first + this.windowMs)];
    svg.append(
      drawn("rect", { x, y: 0, width: end - x, height: height - FOOT, fill: "var(--sunken)" }),
      ...ticksOf(race, this.axis).flatMap(({ t, words }) => [
        drawn("path", { d: `M${this.#x(t)} 0V${height - FOOT}`, stroke: "var(--line)" }),
        drawn("text", { x: this.#x(t), y: height - 7, class: "race-label is-tick" }, words),
      ]),
      this.cursor,
      ...this.tries.flatMap((attempt, at) => this.#row(attempt, at)),
    );
    return svg;
  }

  /** @param {Attempt} attempt @param {number} at */
  #row(attempt, at) {
    const y = at * ROW + 34;
    const to = this.#x(attempt.t);
    const { seat, hand_t, t } = attempt;
    const after = t - firstAt(this.race);
    const name = this.names[seat];
    const short = name.length > 24 ? `${name.slice(0, 23)}…` : name;
    const words =
      after || at
        ? gettext("{name}, {ms} ms after", { name: short, ms: after })
        : gettext("{name}, first", { name: short });
    const mark = drawn("use", {
      href: `#mark-${seat}`,
      x: to - 9,
      y: y - 9,
      width: 18,
      height: 18,
    });
    const group = drawn("g", { class: `race-hand deck-${seat}` });
    if (hand_t !== null) {
      const from = this.#x(hand_t);
      group.append(
        drawn("path", { d: `M${from} ${y}H${to}`, class: "race-line" }),
        drawn("circle", { cx: from, cy: y, r: 4, class: "race-start" }),
      );
    }
    group.append(mark);
    if (at === this.tries.length - 1) group.append(...this.#shown(y));
    return [drawn("text", { x: 2, y: at * ROW + 16, class: "race-label" }, words), group];
  }

  /** When this player's screen showed what it was too late for. @param {number} y */
  #shown(y) {
    const { shown } = this.race;
    if (!shown) return [];
    const [low, likely, high] = shown.map((t) => this.#x(t));
    const before = this.tries[0].seat;
    return [
      drawn("path", { d: `M${low} ${y + 10}H${high}`, class: `race-shown deck-${before}` }),
      drawn("circle", { cx: likely, cy: y + 10, r: 4, class: `race-shown deck-${before}` }),
    ];
  }

  #verdicts() {
    const { words } = this.race;
    const cards = box(
      "div",
      "race-cards line gap-2-half",
      ...this.race.attempts.map((attempt) =>
        box(
          "span",
          "race-played inline gap-1",
          markOf(attempt.seat),
          cardElement(attempt.card, "small"),
        ),
      ),
    );
    cards.setAttribute("aria-hidden", "true");
    return box(
      "dl",
      "race-verdicts breaks",
      box("dt", "soft small", gettext("What they saw")),
      box("dd", "", words.screens),
      box("dt", "soft small", gettext("What it decided")),
      box("dd", "", cards, words.decided),
      box("dt", "soft small", gettext("With equal connections")),
      box("dd", "", words.equal_lines),
      box("dt", "soft small", gettext("What would have changed the race")),
      box("dd", "", words.flip),
    );
  }

  /** Puts the cursor's line where the player is. @param {number} round @param {number} t */
  moved(round, t) {
    const { from, until } = this.axis;
    const inside = round === this.race.round && t >= from && t <= until;
    const x = this.#x(t).toFixed(1);
    this.cursor.setAttribute("d", inside ? `M${x} 0V${this.height - FOOT}` : "");
  }
}
