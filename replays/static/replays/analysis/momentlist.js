// @ts-check
/**
 * The moments that mattered, in match order, each with a small picture of the center and what it
 * changed. A click goes there, with a little run-up.
 *
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("./analysis.js").Moment} Moment
 */

import { cardElement, markOf } from "../../games/board/cards.js";
import { box, button } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";
import { signed } from "./percent.js";
import { neighbour, watch } from "./watching.js";

const RUN_UP_MS = 2500;
/** Half a percent: a smaller change is not shown. */
const LEAST = 0.005;

export class MomentList {
  /** @param {Player} player @param {Moment[]} moments @param {import("./races.js").Show} show */
  constructor(player, moments, show) {
    this.player = player;
    this.show = show;
    this.moments = [...moments].sort((a, b) => a.seq - b.seq);
    this.element = box("ol", "moments", ...this.moments.map((moment) => this.#item(moment)));
    if (!moments.length)
      this.element.replaceChildren(box("li", "analysis-note", "No moment stands out."));
  }

  /** @param {Moment} moment */
  #item(moment) {
    const place = box(
      "span",
      "moment-place",
      `Round ${moment.round} · ${clock(moment.t)}`,
      ...moment.seats.slice(0, 1).map((seat) => markOf(seat)),
      ...this.#change(moment),
    );
    const inside = [place, box("span", "moment-text", moment.text)];
    const row = button("row-button", inside, () => {
      this.go(moment);
    });
    this.#picture(moment).then((picture) => picture && row.append(picture));
    return box("li", "", row, ...this.#race(moment));
  }

  /** What it changed; a comeback is a place on the curve, not a change. @param {Moment} moment */
  #change({ kind, delta }) {
    if (Math.abs(delta) < LEAST || kind === "comeback") return [];
    const change = box("b", "moment-delta", signed(delta));
    change.title =
      "Change of the win probability, or what a tie for a stack cost, in percentage points (estimate)";
    return [change];
  }

  /** The race that decided it, if there was one. @param {Moment} moment */
  #race(moment) {
    const race = this.show.race(moment.seq);
    if (!race) return [];
    return [button("button small moment-race", "See the race", () => this.show.open(race))];
  }

  /** The center at that moment: the top of each stack. @param {Moment} moment */
  async #picture(moment) {
    const round = this.player.log.rounds[moment.round - 1];
    if (!round) return null;
    await this.player.log.load(round);
    const event = round.eventAt(moment.seq);
    const table = event ? round.timeline?.tableAt(Math.max(0, event - 1)) : null;
    if (!table) return null;
    const done = round.events[event - 1];
    const slot = done && "stack" in done ? done.stack : -1;
    const slots = table.stacks.map((stack, at) => {
      const top = stack.at(-1);
      const place = box("span", at === slot ? "moment-slot is-here" : "moment-slot");
      if (top) place.append(cardElement(top, "small"));
      return place;
    });
    const picture = box("span", "moment-picture", ...slots);
    picture.setAttribute("aria-hidden", "true");
    return picture;
  }

  /** @param {Moment} moment */
  go(moment) {
    watch(this.player, moment, RUN_UP_MS);
  }

  /** Goes to the moment before or after the cursor. @param {number} by */
  step(by) {
    const next = neighbour(this.moments, this.player.cursor, by, RUN_UP_MS);
    if (next) this.go(next);
  }
}
