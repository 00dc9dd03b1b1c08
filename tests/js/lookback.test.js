import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Log } from "../../games/static/games/match/log.js";
import { Player } from "../../games/static/games/match/player.js";
import { LookBack } from "../../games/static/games/play/lookback.js";
import { settled } from "./handclock.js";

const SEATS = ["Ada", "Bo"].map((name) => ({ name, kind: "human" }));
/** @type {any[]} */
const EVENTS = [
  { t: 100, seat: 1, do: "play", card: "B1a", stack: 0 },
  { t: 200, seat: 0, do: "discard", card: "A3a" },
  { t: 900, seat: 1, do: "discard", card: "B4a" },
];

/** @type {Log} */
let log;
/** @type {LookBack} */
let lookback;
let returned = 0;

beforeEach(async () => {
  returned = 0;
  log = new Log({ id: "m", seats: SEATS });
  log.append({ seq: 1, lines: [{ round: 1, decks: ["A3a A4a A5a", "B1a B4a B5a"] }, ...EVENTS] });
  const player = new Player(log, () => {});
  lookback = new LookBack(player, () => (returned += 1));
  await player.follow();
});

const goesOn = () =>
  log.append({ seq: log.next, lines: [{ t: 2000, seat: 1, do: "discard", card: "B5a" }] });

test("a player looks back while the table goes on, and sees how far behind that is", async () => {
  await lookback.step(-1);
  await lookback.step(-1);
  goesOn();
  assert.equal(lookback.back, true);
  assert.deepEqual([lookback.player.cursor.event, lookback.player.behind], [1, 1900]);
});

test("what is pressed to play returns to now, and does nothing else", async () => {
  await lookback.step(-1);
  goesOn();
  assert.equal(lookback.here(), false);
  await settled();
  assert.deepEqual([lookback.back, lookback.player.cursor.event, returned], [false, 4, 1]);
  assert.equal(lookback.here(), true);
  assert.equal(returned, 1);
});

test("stepping on to the end stays there from then on", async () => {
  await lookback.step(-1);
  await lookback.step(1);
  assert.deepEqual([lookback.back, returned], [false, 1]);
  goesOn();
  assert.equal(lookback.player.cursor.event, 4);
});

test("there is nothing after now", async () => {
  await lookback.step(1);
  assert.deepEqual([lookback.back, lookback.player.following, returned], [false, true, 0]);
});
