import assert from "node:assert/strict";
import { test } from "node:test";
import {
  brief,
  captionAt,
  captioned,
  HOLD_MS,
  holdOf,
} from "../../games/static/games/match/caption.js";
import { Round } from "../../games/static/games/match/log.js";
import { Timeline } from "../../games/static/games/match/timeline.js";
import { chunk, opened } from "./recorded.js";

const DECKS = ["A1a A2a A3a A4a A5a ARa A1b", "B1a B2a B3a B4a B5a BRa B1b"];
const EVENTS = /** @type {import("../../games/static/games/match/fold.js").RoundEvent[]} */ ([
  { t: 1000, seat: 0, do: "play", card: "A1a", stack: 0 },
  { t: 1500, seat: 1, do: "play", card: "B2a", stack: 0 },
  { t: 1800, seat: 0, do: "draw", card: "A4a" },
  { t: 2000, do: "tie", stack: 0, cards: ["A3a", "B3a"], after: [0, 20] },
  { t: 2400, seat: 1, do: "draw", card: "B4a" },
  { t: 2900, seat: 0, do: "late", card: "A4a", stack: 0 },
  { t: 3000, seat: 1, do: "play", card: "B1a", stack: 1 },
  { t: 7000, seat: 1, do: "discard", card: "B4a" },
]);

/** @returns {Round} */
function played() {
  const round = new Round(1, 1);
  round.timeline = new Timeline({ round: 1, decks: DECKS });
  EVENTS.forEach((event, at) => round.add(event, at + 2));
  return round;
}

test("what mattered holds the line for two seconds, the latest first", () => {
  const round = played();
  assert.equal(captioned(round, 5, 2400, HOLD_MS), 4);
  assert.equal(captioned(round, 7, 3000, HOLD_MS), 4, "a late try hides no tie");
  assert.equal(captioned(round, 7, 4050, HOLD_MS), 6);
  assert.equal(captioned(round, 7, 4950, HOLD_MS), 7);
});

test("draws and discards never enter the line", () => {
  const round = played();
  assert.equal(captioned(round, 3, 1800, 0), 2);
  assert.equal(captioned(round, 8, 7000, HOLD_MS), 7);
  assert.equal(captioned(round, 0, 0, HOLD_MS), 0);
});

test("a step by hand is described at once", () => {
  assert.equal(captioned(played(), 7, 3000, 0), 7);
});

test("while a match is played a take stays for two seconds of the viewer's time", async () => {
  const { log, player, frames } = opened();
  log.append(chunk(1));
  const { round } = player;
  assert.ok(round?.timeline);
  const { events } = round;
  const caption = () => captionAt(round, player.cursor, holdOf(player), ["A", "B", "C"]).text;
  const isPlay = (/** @type {any} */ event) => event.do === "play" && !event.takes;
  const take = round.timeline.takes.find(
    (n) => isPlay(events[n]) && events[n].t - events[n - 1].t < 1500,
  );
  assert.ok(take, "a card is played just after a take");
  await player.goTo({ round: 1, event: take });
  player.play();
  while (player.cursor.event <= take) frames.pass(20);
  assert.match(caption(), /^\w takes stack/);
  player.pause();
  assert.match(caption(), /^\w (plays|starts)/);
});

test("what stays is held longer at a higher speed, and not at all by hand", () => {
  const player = { playing: true, following: false, speed: 4 };
  assert.equal(holdOf(player), 8000);
  assert.equal(holdOf({ ...player, playing: false }), 0);
  assert.equal(holdOf({ ...player, playing: false, following: true }), 2000);
});

test("a list says it in few words", () => {
  const { contexts } = /** @type {Timeline} */ (played().timeline);
  const said = EVENTS.map((event, at) => brief(event, contexts[at], 0).text);
  assert.deepEqual(said, [
    "1 ▸ new stack\u00a01",
    "2 ▸ stack\u00a01",
    "draws 4",
    "tie on stack\u00a01",
    "draws a card",
    "4 ▸ stack\u00a01, 1400\u00a0ms late",
    "1 ▸ new stack\u00a02",
    "discards a card",
  ]);
  assert.equal(
    brief({ t: 1, seat: 0, do: "play", card: "A5a", stack: 3, takes: 5 }).text,
    "5 ▸ stack\u00a04, +5",
  );
  assert.deepEqual(brief(EVENTS[3]).seats, [0, 1]);
});
