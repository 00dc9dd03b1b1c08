import assert from "node:assert/strict";
import { test } from "node:test";

import { Log } from "../../games/static/games/match/log.js";
import { Absence } from "../../games/static/games/play/lookback.js";
import { HandClock } from "./handclock.js";

const NAMES = ["Ada", "Bo"];
/** @type {any[]} */
const LINES = [
  { round: 1, decks: ["A1a A2a A3a", "B1a B2a B3a"] },
  { t: 1_000, seat: 0, do: "play", card: "A1a", stack: 0 },
  { t: 2_000, seat: 1, do: "play", card: "B2a", stack: 0 },
  { t: 9_000, seat: 0, do: "play", card: "A3a", stack: 0 },
];
const MISSED = "You missed 8\u00a0s. A bot played 1 card for you. No one else took a stack.";

/** A tab of a browser: what it keeps outlives its pages. */
class Tab {
  constructor() {
    this.clock = new HandClock();
    /** @type {Map<string, string>} */
    this.items = new Map();
    /** @type {string[]} */
    this.told = [];
    this.left = () => {};
  }

  /** A page of the match, as far as it has loaded. @param {number} lines */
  open(lines) {
    const log = new Log({ id: "m", seats: NAMES.map((name) => ({ name, kind: "human" })) });
    const kept = /** @type {any} */ ({
      getItem: (/** @type {string} */ name) => this.items.get(name) ?? null,
      setItem: (/** @type {string} */ name, /** @type {string} */ text) =>
        this.items.set(name, text),
    });
    const absence = new Absence(log, { id: "m", seat: 0 }, (words) => this.told.push(words), {
      kept: () => kept,
      later: (ms, run) => this.clock.later(ms, run),
      leaving: (run) => {
        this.left = run;
      },
    });
    log.append({ seq: 1, lines: LINES.slice(0, lines) });
    return { log, absence };
  }
}

test("who left the page and comes back is told what was missed, once", () => {
  const tab = new Tab();
  tab.open(2);
  tab.left();
  const { absence, log } = tab.open(1);
  absence.end(NAMES);
  log.append({ seq: 2, lines: LINES.slice(1) });
  tab.clock.pass(1_000);
  absence.end(NAMES);
  tab.clock.pass(1_000);
  assert.deepEqual(tab.told, [MISSED]);
});

test("who leaves again before anything has come was away since the first time", () => {
  const tab = new Tab();
  tab.open(2);
  tab.left();
  tab.open(0);
  tab.left();
  const { absence } = tab.open(4);
  absence.end(NAMES);
  tab.clock.pass(1_000);
  assert.deepEqual(tab.told, [MISSED]);
});

test("a lost connection counts from the last line that came, however often it is tried again", () => {
  const tab = new Tab();
  const { absence, log } = tab.open(2);
  absence.leave();
  absence.leave();
  log.append({ seq: 3, lines: LINES.slice(2) });
  absence.end(NAMES);
  tab.clock.pass(1_000);
  assert.deepEqual(tab.told, [MISSED]);
});

test("who was there is told nothing", () => {
  const tab = new Tab();
  tab.open(4).absence.end(NAMES);
  tab.clock.pass(1_000);
  assert.deepEqual(tab.told, []);
});
