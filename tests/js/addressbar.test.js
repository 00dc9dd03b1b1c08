import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

import { HandClock } from "./handclock.js";
import "./static.js";

const { addressShown } = await import("../../games/static/games/match/links.js");
const { Log } = await import("../../games/static/games/match/log.js");
const { Player } = await import("../../games/static/games/match/player.js");
const { AddressBar, EVERY } = await import("../../replays/static/replays/replay/addressbar.js");

const FILE = new URL("../matches/valid-full-match-3.ratuki", import.meta.url);
const LINES = readFileSync(FILE, "utf8")
  .split("\n", 20)
  .map((line) => JSON.parse(line));
const [{ seats }] = LINES;

/** A page's address, which changes only when somebody writes it. */
class Page {
  constructor() {
    this.clock = new HandClock();
    this.query = "";
    this.line = /** @type {string | null} */ (null);
    this.read = () => {};
    this.log = new Log(/** @type {any} */ ({ seats, spoilers: true, finished: false }));
    this.player = new Player(this.log, () => {});
    new AddressBar(this.player, () => addressShown(this.player, "all", this.line), {
      query: () => this.query,
      write: (query) => {
        this.query = query === "?" ? "" : query;
      },
      later: (ms, run) => {
        this.clock.later(ms, run);
        return run;
      },
      cancel: (run) => {
        this.clock.alarms = this.clock.alarms.filter((alarm) => alarm.run !== run);
      },
      asked: (write) => {
        this.read = write;
      },
    });
  }
}

/** @type {Page} */
let page;

beforeEach(() => {
  page = new Page();
  page.log.append({ seq: 1, lines: LINES.slice(1) });
});

test("a match that is silent while its end is followed keeps no place in the address", async () => {
  await page.player.goTo({ round: 1, event: 3 });
  page.clock.pass(EVERY);
  assert.match(page.query, /^\?round=1&t=\d+$/);
  await page.player.follow();
  page.clock.pass(EVERY);
  assert.equal(page.query, "");
});

test("a page that opens at the end of a running match has no place in its address", async () => {
  await page.player.follow();
  page.clock.pass(EVERY);
  assert.equal(page.query, "");
});

test("whoever stops following a silent match gets its place into the address", async () => {
  await page.player.follow();
  page.clock.pass(EVERY);
  page.player.play();
  page.clock.pass(EVERY);
  assert.match(page.query, /^\?round=1&t=\d+$/);
});

test("a form that is sent, or a link that is copied, takes the place just reached", async () => {
  await page.player.goTo({ round: 1, event: 3 });
  page.clock.pass(EVERY);
  const before = page.query;
  await page.player.stepEvent(1);
  page.clock.pass(EVERY - 1);
  assert.equal(page.query, before);
  page.read();
  assert.notEqual(page.query, before);
  assert.equal(page.query, addressShown(page.player, "all", null));
});

test("what is not a place stays in the address", async () => {
  page.query = "?hands=open&round=1&t=0&playlist=a%26b&practice=1";
  await page.player.goTo({ round: 1, event: 3 });
  page.clock.pass(EVERY);
  assert.equal(
    page.query,
    `${addressShown(page.player, "all", null)}&hands=open&playlist=a%26b&practice=1`,
  );
});

test("along a variation the address names it", async () => {
  page.line = "abc";
  await page.player.goTo({ round: 1, event: 3 });
  page.clock.pass(EVERY);
  assert.equal(page.query, "?line=abc&event=3");
});
