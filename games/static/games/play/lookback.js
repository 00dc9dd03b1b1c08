/**
 * Looking back at a round, and at what happened while the player was away or behind.
 * @typedef {import("../match/player.js").Player} Player
 * @import { Log, Round } from "../match/log.js"
 * @typedef {{kept: () => Storage, later: import("../dom/clock.js").Later,
 *   leaving: (run: () => void) => void}} World  what it needs from its environment: what the tab
 *   keeps over a reload, a timer, and a call before the page goes
 */

import { later } from "../dom/clock.js";
import { byId, write } from "../dom/elements.js";
import { stored, tabStorage } from "../dom/storage.js";
import { isTake, seconds } from "../match/words.js";
import { gettext, ngettext } from "../words/gettext.js";

/** An absence shorter than this, in ms of play, needs no words. */
const SHORT_MS = 5_000;

/** The cards taken by each seat. @param {Round} round @param {number} from @param {number} seats */
function takenSince(round, from, seats) {
  const taken = Array.from({ length: seats }, () => 0);
  for (const event of round.events.slice(from))
    if (event.do === "play" && isTake(event)) taken[event.seat] += event.takes ?? 0;
  return taken;
}

/** What a bot did in the seat. @param {number} played @param {number} taken */
function ownSeat(played, taken) {
  if (!played) return gettext("Nothing was played for you.");
  return taken
    ? ngettext(
        "A bot played {count} card for you and took {taken}.",
        "A bot played {count} cards for you and took {taken}.",
        played,
        { taken },
      )
    : ngettext("A bot played {count} card for you.", "A bot played {count} cards for you.", played);
}

/** @param {number[]} taken @param {string[]} names @param {number} seat */
function others(taken, names, seat) {
  const takers = names.map((_, other) => other).filter((other) => other !== seat && taken[other]);
  takers.sort((a, b) => taken[b] - taken[a]);
  if (!takers.length) return gettext("No one else took a stack.");
  const said = takers.map((taker) => {
    const name = names[taker];
    return ngettext("{name} took {count} card.", "{name} took {count} cards.", taken[taker], {
      name,
    });
  });
  return said.join(" ");
}

/**
 * What happened since a line of the log, in the round that is being played.
 * @param {Log} log
 * @param {number} seen the last seq that the player saw
 * @param {string[]} names @param {number} seat
 * @returns {string} empty if it was not much
 */
export function meanwhile(log, seen, names, seat) {
  const round = log.last;
  if (!round?.events.length || round.end) return "";
  const from = round.eventAt(seen);
  const since = round.events[from - 1]?.t ?? 0;
  const away = round.duration - since;
  const began = round.seq > seen;
  if (!began && away < SHORT_MS) return "";
  const taken = takenSince(round, from, names.length);
  const played = round.events.slice(from).filter((e) => e.do === "play" && e.seat === seat).length;
  const when = began
    ? gettext("Round {round} began while you were away.", { round: round.number })
    : gettext("You missed {seconds} s.", { seconds: Math.round(away / 1_000) });
  return [when, ownSeat(played, taken[seat]), others(taken, names, seat)].join(" ");
}

export class LookBack {
  /** @param {Player} player @param {() => void} returned the present is shown again */
  constructor(player, returned) {
    this.player = player;
    this.returned = returned;
  }

  /** Whether the page shows the past. */
  get back() {
    return this.player.detached;
  }

  /** Steps. A step that reaches the end follows from there. @param {number} by */
  async step(by) {
    if (by > 0 && !this.back) return;
    await this.player.stepEvent(by);
    if (this.player.atEnd) await this.end();
  }

  async end() {
    await this.player.follow();
    this.returned();
  }

  /** Whether the page shows the present. If not it returns there, and the key does nothing else. */
  here() {
    if (!this.back) return true;
    this.end();
    return false;
  }
}

/** How long, in ms, missed lines may take to arrive. */
const ARRIVAL_MS = 300;

/** @type {World} */
const BROWSER = {
  kept: tabStorage,
  later,
  leaving: (run) => addEventListener("pagehide", run),
};

export class Absence {
  /**
   * @param {Log} log @param {{id: string, seat: number}} place
   * @param {(words: string) => void} show @param {World} [world]
   */
  constructor(log, { id, seat }, show, world = BROWSER) {
    this.log = log;
    this.seat = seat;
    this.show = show;
    this.world = world;
    const key = `ratuki.seen.${id}`;
    /** The last seq that the player saw before going away. 0: not away. */
    this.seen = Number(world.kept().getItem(key) ?? 0);
    world.leaving(() => stored(world.kept(), key, String(this.seen || this.last)));
  }

  get last() {
    return this.log.next - 1;
  }

  leave() {
    this.seen ||= this.last;
  }

  /** Lines arrive again. @param {string[]} names */
  end(names) {
    const { seen } = this;
    this.seen = 0;
    if (!seen) return;
    this.world.later(ARRIVAL_MS, () => {
      const words = meanwhile(this.log, seen, names, this.seat);
      if (words) this.show(words);
    });
  }
}

/** @param {string} name */
const button = (name) =>
  /** @type {HTMLButtonElement} */ (document.querySelector(`[data-do=${name}]`));

export class Behind {
  /** @param {LookBack} lookback */
  constructor(lookback) {
    this.lookback = lookback;
    this.banner = byId("behind");
    this.time = byId("behind-time");
    button("back").addEventListener("click", () => lookback.step(-1));
    button("on").addEventListener("click", () => lookback.step(1));
    button("now").addEventListener("click", () => lookback.end());
    lookback.player.onState(() => this.show());
    lookback.player.onChange(() => this.show());
  }

  show() {
    const { back, player } = this.lookback;
    document.body.classList.toggle("looking-back", back);
    this.banner.hidden = !back;
    button("now").hidden = !back;
    button("on").disabled = !back;
    if (back) write(this.time, gettext("{time} behind", { time: seconds(player.behind) }));
  }
}
