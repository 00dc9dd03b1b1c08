/**
 * The shared state of a replay page's parts: the table, its view, and functions that one part
 * offers to others. A part changes the view here and hears of every change here. No DOM.
 * @import { NoteFrame } from "frames"
 * @import { View } from "../../games/match/fold.js"
 * @import { Command } from "./shortcuts.js"
 * @typedef {"review" | "you" | "analysis" | "events" | "notes" | "what-if" | "chat"} Tab
 * @typedef {"points" | "players" | "races" | "decisions" | "charts"} Below
 * @typedef {{event: number, words: string}} Screen  how many events a seat's screen had shown, and
 *   the words for the missing ones
 * @typedef {{requestIdleCallback?: (run: () => void, how: {timeout: number}) => any,
 *   setTimeout: (run: () => void) => any}} World
 * @typedef {{next: (run: () => void) => unknown, hidden: () => boolean}} Frames
 *   `hidden`: the page has none now
 */

import { addressAlong } from "../../games/match/links.js";
import { Loop } from "../../games/match/loop.js";

/** What is chosen by a press, by its name in the address. @type {(keyof State)[]} */
export const CHOICES = ["tab", "below", "chart", "of", "only", "race", "events"];

/** @type {Frames} */
const FRAMES = { next: (run) => requestAnimationFrame(run), hidden: () => document.hidden };

/**
 * @typedef {object} State
 * @property {View} view
 * @property {string | null} line the variation shown. null: the mainline
 * @property {Tab} tab beside the table
 * @property {Below} below the table
 * @property {string} chart that the address leads to. Empty: none
 * @property {"" | "match"} of what the charts show: the cursor's round, or all
 * @property {number | null} only the seat whose parts of the charts are shown
 * @property {number | null} race the seq of the one whose card is shown
 * @property {string} events the kinds in the list. Empty: the usual ones
 * @property {ReadonlySet<number>} decides the seqs of plays that decide something
 * @property {(() => Screen | null) | null} screen at the cursor, while a seat's screen is shown
 * @property {boolean} forSome whether a note here has a drawing that not everyone sees
 * @property {string} lineFor the audience of the viewer's own variation that is shown. Empty: none is
 */

/**
 * Functions that some parts offer to others.
 * @typedef {object} Offers
 * @property {(line: string | null, event?: number) => Promise<void>} openLine
 * @property {() => void} mainline shows what happened, for a part that leads into it
 * @property {(note: NoteFrame["note"]) => void} takeNote shows a note that has just been saved
 * @property {() => Promise<{type: (text: string) => void} | null>} writeNote opens the form of a new one
 * @property {(key: string) => void} noteSaved this viewer has saved a note
 * @property {(audience: string) => Promise<void>} showLine shows the viewer's own variation to others
 * @property {(seq: number) => void} openRace
 * @property {(words: string) => void} say tells it to a screen reader
 * @property {(shown: boolean) => void} offerViews whether there is a choice of perspectives
 * @property {(row: HTMLElement) => void} underViews puts a further choice below that one
 * @property {(name: Below, shown: boolean) => void} showTab whether a tab below the table is there
 * @property {(name: Below, nodes: Node[]) => void} fillTab what a tab below the table shows
 * @property {(name: Below) => void} openTab turns to a tab below the table
 */

/**
 * @typedef {object} Table
 * @property {import("../../games/match/player.js").Player} player
 * @property {import("../../games/board/board.js").Board} board
 * @property {string[]} names
 * @property {import("./scrubber.js").Scrubber} scrubber
 * @property {boolean} placed whether the address names a place: the viewer came for that
 * @property {{line: string, event: number | null} | null} along the place in a variation that the
 *   address asks for, until that is shown
 */

export class Page {
  /** @type {Map<(state: Readonly<State>, origin: string) => void, (keyof State)[]>} */
  #watchers = new Map();
  /** @type {Partial<Record<Command, () => unknown>>} */
  #commands = {};
  /** Pressed last, before its part was there. @type {Command | null} */
  #early = null;
  /** @type {Partial<Offers>} */
  #offers = {};

  /** @type {Set<string>} */
  #chosen = new Set();

  /** The viewer has done something. */
  use = () => {};
  /** What a first look does not need comes then. @type {Promise<void>} */
  used = new Promise((used) => {
    this.use = used;
  });

  /** @param {Table} table @param {Partial<State>} [state] @param {string[]} [chosen] the names of what the address chooses */
  constructor(table, state, chosen = []) {
    this.player = table.player;
    this.board = table.board;
    this.names = table.names;
    this.scrubber = table.scrubber;
    this.placed = table.placed;
    /** The seq at which it opened. @type {number | null} */
    this.opened = null;
    this.along = table.along;
    /** @type {Readonly<State>} */
    this.state = {
      ...{ view: "all", line: null, tab: "events", below: "charts", screen: null },
      ...{ decides: new Set(), forSome: false, lineFor: "" },
      ...{ chart: "", of: "", only: null, race: null, events: "" },
      ...state,
    };
    this.#chosen = new Set(chosen);
  }

  /** The play that comes next, if it decides something. null while cards move. */
  get aim() {
    const { round, cursor, playing } = this.player;
    const { decides, line } = this.state;
    if (!round || playing || line || !decides.has(round.seqs[cursor.event])) return null;
    return round.events[cursor.event];
  }

  /** Watchers get only the changes. @param {Partial<State>} part @param {string} [origin] who changes it */
  set(part, origin = "") {
    const keys = /** @type {(keyof State)[]} */ (Object.keys(part));
    const changed = keys.filter((key) => part[key] !== this.state[key]);
    if (!changed.length) return;
    this.state = { ...this.state, ...part };
    for (const [watcher, wanted] of [...this.#watchers])
      if (changed.some((key) => wanted.includes(key))) watcher(this.state, origin);
  }

  /** By a press, so that it stays in the address. @param {Partial<State>} part */
  choose(part) {
    for (const key of Object.keys(part)) this.#chosen.add(key);
    this.set(part);
  }

  /**
   * Adds what was chosen to a place's address. One that asks for a variation stays until that is
   * shown: who reloads meanwhile, or copies it, gets there too.
   * @param {string} place
   */
  addressed(place) {
    const { along, state } = this;
    const asked = along ? addressAlong(along.line, along.event, state.view) : place;
    const query = new URLSearchParams(asked);
    for (const key of CHOICES)
      if (this.#chosen.has(key) && (this.state[key] ?? "") !== "")
        query.set(key, String(this.state[key]));
    return `?${query}`;
  }

  /**
   * @param {(keyof State)[]} keys
   * @param {(state: Readonly<State>, origin: string) => void} watcher
   * @returns {() => void} stops it
   */
  onChange(keys, watcher) {
    this.#watchers.set(watcher, keys);
    return () => this.#watchers.delete(watcher);
  }

  /**
   * Draws where the player is, once a frame: what changes after that waits for the next frame.
   * @param {(keyof State)[]} keys on which the drawing depends besides
   * @param {() => void} draw
   * @param {Frames} [frames]
   */
  onScene(keys, draw, frames = FRAMES) {
    let drawn = false;
    let stale = false;
    const next = () => {
      drawn = false;
      if (stale) look();
    };
    const look = () => {
      stale = drawn && !frames.hidden();
      if (stale) return;
      if (!drawn) frames.next(next);
      drawn = true;
      draw();
    };
    this.player.onChange(look);
    this.player.onState(look);
    this.onChange(keys, look);
  }

  /**
   * Sets the action of a key or a button. The last one pressed before its part was there runs now.
   * @param {Command} name @param {() => unknown} run
   */
  command(name, run) {
    this.#commands[name] = run;
    if (this.#early === name) this.run(name);
  }

  /** Returns whether the page has such a command. @param {Command} name */
  run(name) {
    const has = name in this.#commands;
    this.#early = has ? null : name;
    this.#commands[name]?.();
    return has;
  }

  /** @template {keyof Offers} Name @param {Name} name @param {Offers[Name]} run */
  offer(name, run) {
    this.#offers[name] = run;
  }

  /**
   * Does nothing where no part offers it.
   * @template {keyof Offers} Name
   * @param {Name} name @param {Parameters<Offers[Name]>} given
   * @returns {ReturnType<Offers[Name]> | undefined}
   */
  call(name, ...given) {
    const run = /** @type {((...given: unknown[]) => any) | undefined} */ (this.#offers[name]);
    return run?.(...given);
  }
}

/** A table that moves all the time leaves a slow machine no idle moment. */
export const LATEST_MS = 500;

/** At the latest after `LATEST_MS`. @param {() => void} run @param {World} [world] */
export function whenIdle(run, world = window) {
  if (world.requestIdleCallback) world.requestIdleCallback(run, { timeout: LATEST_MS });
  else world.setTimeout(run);
}

/**
 * Once a tab below the table is chosen.
 * @param {Page} page @param {string} tab @param {() => void} act
 */
export function whenChosen(page, tab, act) {
  if (page.state.below === tab) return whenIdle(act);
  const stop = page.onChange(["below"], ({ below }) => {
    if (below !== tab) return;
    stop();
    act();
  });
}

/**
 * Fetches all parts at once and mounts them in their order. One that fails leaves the others alone.
 * @template Part
 * @param {Part[]} parts
 * @param {(part: Part) => Promise<() => void>} fetched what mounts it
 * @param {(part: Part, why: unknown) => void} failed
 */
export async function mountAll(parts, fetched, failed) {
  const coming = parts.map((part) =>
    fetched(part).catch((why) => () => {
      throw why;
    }),
  );
  for (const [place, part] of parts.entries()) {
    try {
      (await coming[place])();
    } catch (why) {
      failed(part, why);
    }
  }
}

/**
 * Makes a page's command play a span from its start, and stop at its end, while the cursor is in it.
 * @param {Page} page @param {import("../../games/match/loop.js").Span} span
 */
export function playSpan(page, span) {
  const { player } = page;
  const loop = new Loop(player, () => {
    player.pause();
    player.goTo({ round: span.round, event: span.until });
  });
  page.command("toggle", () => {
    const { round, event } = player.cursor;
    const inside = round === span.round && event >= span.event && event <= span.until;
    if (player.playing || !inside) player.toggle();
    else loop.start(span);
  });
}
