import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, deal } from "../../games/static/games/match/fold.js";
import {
  abandonWords,
  advice,
  giveUpWords,
  leaveWords,
} from "../../games/static/games/play/advice.js";
import { NOTICE_MS, Notice, READING_MS } from "../../games/static/games/play/announcements.js";
import { OwnSeat } from "../../games/static/games/play/seat.js";
import { HandClock } from "./handclock.js";
import { USES } from "./uses.js";

const KEYS = { hand: ["q", "w", "e"], slots: ["1", "2", "3", "4", "5"] };
const FILLED = { t: 1, seat: 1, do: "play", card: "B1a", stack: 1 };

/** @param {string} deck @param {any[]} [events] @param {any} [how] and what is pressed */
function advised(deck, events = [], how = {}) {
  const { by = "keys", quick = true, drawn = false, ...pressed } = how;
  const table = deal({ round: 1, decks: [deck, "B1a B2a B3a B4a"] });
  for (const event of events) apply(table, event);
  const own = new OwnSeat(0, USES, () => "m");
  own.confirm(table);
  return advice(own, { places: table.hands[0], ...pressed }, { by, keys: KEYS, quick, drawn });
}

test("a take comes before everything", () => {
  assert.equal(
    advised("A1a A2a ARa A3a", [FILLED]),
    "Your wild takes stack\u00a02, 2 cards. Press E.",
  );
});

test("then what fits, then drawing, then discarding", () => {
  assert.equal(advised("A4a A1a A3a A3b", [FILLED]), "Your 1 starts a stack. Press W.");
  const discarded = { t: 1, seat: 0, do: "discard", card: "A4a" };
  assert.equal(advised("A4a A3a A2a A3b", [discarded]), "Draw a card. Press Space.");
  assert.equal(
    advised("A4a A3a A2a A3b", [discarded], { drawn: true }),
    "",
    "it is drawn by itself",
  );
  assert.equal(advised("A4a A3a A2a A3b"), "Nothing fits. Press Discard, then a card.");
});

test("a card that fits in several places, or does not go by itself, is picked first", () => {
  const filled = { ...FILLED, card: "B2a" };
  const words = "Your 1 starts a stack. Press W, then 1.";
  assert.equal(advised("A4a A1a A4b A3a", [filled]), words);
  assert.equal(advised("A4a A1a A4b A3a", [], { quick: false }), words);
});

test("with a card picked up, the hint is about that card", () => {
  const deck = "A1a A2a A4a A3a";
  assert.equal(advised(deck, [FILLED]), "Your 1 starts a stack. Press Q.");
  assert.equal(advised(deck, [FILLED], { picked: "A2a" }), "Your 2 fits on stack\u00a02. Press 2.");
  assert.equal(advised(deck, [FILLED], { picked: "A4a" }), "Your 4 fits no stack now.");
  assert.equal(advised(deck, [FILLED], { discarding: true }), "Choose the card to discard.");
});

test("a player with no cards left to draw is reminded of OUT, where it ends the round", () => {
  const own = new OwnSeat(0, USES, () => "m");
  const table = deal({ round: 1, decks: ["A4a A3a A3b", "B1a B2a B3a B4a"] });
  own.confirm(table);
  /** @param {string} by @param {boolean} shout */
  const said = (by, shout) =>
    advice(own, { places: table.hands[0] }, { by, keys: KEYS, quick: true, shout });
  assert.equal(said("keys", true), "You have no cards left: shout OUT! Press O.");
  assert.equal(said("touch", true), "You have no cards left: shout OUT!");
  assert.equal(said("keys", false), "");
});

test("players who tap or click see no keys", () => {
  const touch = { by: "touch" };
  assert.equal(advised("A4a A1a A2a A3a", [], touch), "Your 1 starts a stack. Tap your 1.");
  assert.equal(
    advised("A4a A1a A2a A3a", [], { by: "mouse" }),
    "Your 1 starts a stack. Click your 1.",
  );
  const discarded = { t: 1, seat: 0, do: "discard", card: "A4a" };
  assert.equal(advised("A4a A3a A2a A3b", [discarded], touch), "Draw a card. Tap Draw.");
});

test("nothing is said once the round is over", () => {
  const end = { t: 1, do: "end", reason: "out", scores: [0, 0], totals: [0, 0] };
  assert.equal(advised("A1a A2a A3a A4a", [end]), "");
});

/** @param {boolean} wants @param {object} [other] */
const seated = (wants, other) => ({
  ...{ name: "Bo", kind: "human", bot: false, votes: wants ? ["abandon"] : [] },
  ...other,
});

test("a player reads what it means to abandon the match, before and after the vote", () => {
  const now = "It ends now, and no one wins.";
  const later = "It ends when everyone wants this. Until then you play on.";
  const bot = seated(false, { kind: "bot", bot: true });
  const away = seated(false, { bot: true });
  const me = seated(false, { name: "Ada" });
  /** @param {object[]} seats */
  const news = (...seats) => /** @type {any} */ ({ seats: [me, ...seats] });
  assert.equal(abandonWords(news(bot, away, seated(true)), 0), now);
  assert.equal(abandonWords(news(bot, seated(false)), 0), later);
  const program = seated(false, { kind: "bot" });
  assert.equal(abandonWords(news(program), 0), later);
  me.votes = ["abandon"];
  const voted = "You have agreed to this. Press again to take it back.";
  assert.equal(abandonWords(news(seated(false)), 0), voted);
});

test("a player who leaves reads how long the match waits", () => {
  const bot = seated(false, { kind: "bot", bot: true, here: true });
  const away = seated(false, { here: false });
  const me = seated(false, { here: true });
  const until = "A bot plays for you. You can come back until the match is over.";
  const alone =
    "A bot plays for you until you come back. If no one plays or watches for 2 minutes, no one wins.";
  /** @param {number} watching @param {object[]} others */
  const words = (watching, ...others) =>
    leaveWords(/** @type {any} */ ({ seats: [me, ...others], watching }), 0, 2);
  assert.equal(words(0, bot, away), alone);
  assert.equal(words(1, bot), until);
  assert.equal(words(0, bot, seated(false, { here: true })), until);
});

test("who wants to abandon the match is said to each player", () => {
  const news = /** @type {any} */ ({ seats: [seated(true, { name: "Ada" }), seated(false)] });
  assert.equal(giveUpWords(news, 0), "");
  assert.equal(giveUpWords(news, 1), "Ada wants to abandon the match. It ends when everyone does.");
  news.seats[1].votes = ["abandon"];
  assert.equal(giveUpWords(news, 1), "Ada wants to abandon the match. It ends when everyone does.");
  assert.equal(giveUpWords(/** @type {any} */ ({ seats: [seated(false)] }), 0), "");
});

function told() {
  const clock = new HandClock();
  /** @type {string[]} */
  const shown = [];
  const notice = new Notice(
    ({ words, kind }) => shown.push(`${kind}:${words}`),
    (ms, run) => clock.later(ms, run),
  );
  return { clock, notice, now: () => shown.at(-1) };
}

test("a message covers the advice for a while", () => {
  const { clock, notice, now } = told();
  notice.advise("Draw a card.");
  notice.say("Too late.", "warn");
  notice.advise("Nothing fits.");
  clock.pass(NOTICE_MS - 1);
  assert.equal(now(), "warn:Too late.");
  clock.pass(1);
  assert.equal(now(), "advice:Nothing fits.");
});

test("the newer message counts, for its whole time", () => {
  const { clock, notice, now } = told();
  notice.say("One card at a time.");
  clock.pass(NOTICE_MS - 1);
  notice.say("Your hand is full.");
  clock.pass(NOTICE_MS - 1);
  assert.equal(now(), ":Your hand is full.");
  clock.pass(1);
  assert.equal(now(), "advice:");
});

test("what was missed stays until the player does something", () => {
  const { clock, notice, now } = told();
  notice.keep("You missed 12\u00a0s.");
  clock.pass(10 * READING_MS);
  assert.equal(now(), ":You missed 12\u00a0s.");
  notice.acted();
  assert.equal(now(), "advice:");
});

test("who plays on at once has time to read what was missed", () => {
  const { clock, notice, now } = told();
  notice.keep("You missed 12\u00a0s.");
  notice.acted();
  clock.pass(READING_MS - 1);
  assert.equal(now(), ":You missed 12\u00a0s.");
  clock.pass(1);
  assert.equal(now(), "advice:");
});
