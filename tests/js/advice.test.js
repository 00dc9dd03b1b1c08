import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, deal } from "../../games/static/games/match/fold.js";
import { advice } from "../../games/static/games/play/advice.js";
import { OwnSeat } from "../../games/static/games/play/seat.js";
import { USES } from "./uses.js";

const KEYS = ["q", "w", "e"];

/** @param {string} deck @param {any[]} events @param {string[] | null} keys @param {boolean} drawn */
function advised(deck, events = [], keys = KEYS, drawn = false) {
  const table = deal({ round: 1, decks: [deck, "B1a B2a B3a B4a"] });
  for (const event of events) apply(table, event);
  const own = new OwnSeat(0, USES, () => "m");
  own.confirm(table);
  return advice(own, table.hands[0], keys, { drawn });
}

test("a take comes before everything", () => {
  const events = [{ t: 1, seat: 1, do: "play", card: "B1a", stack: 1 }];
  assert.equal(
    advised("A1a A2a ARa A3a", events),
    "Your wild takes stack 2, 2 cards: tap it, or press E.",
  );
});

test("then what fits, then drawing, then discarding", () => {
  const filled = { t: 1, seat: 1, do: "play", card: "B1a", stack: 1 };
  assert.equal(advised("A4a A1a A3a A3b", [filled]), "Your 1 starts a stack: tap it, or press W.");
  const discarded = { t: 1, seat: 0, do: "discard", card: "A4a" };
  assert.equal(advised("A4a A3a A2a A3b", [discarded]), "Draw a card: Space.");
  assert.equal(advised("A4a A3a A2a A3b", [discarded], KEYS, true), "", "it is drawn by itself");
  assert.equal(advised("A4a A3a A2a A3b"), "Nothing fits. Discard a card: D, then the card.");
});

test("a 1 starts the first of several free slots", () => {
  assert.equal(advised("A4a A1a A2a A3a"), "Your 1 starts a stack: tap it, or press W.");
});

test("a card that fits in several places is picked first", () => {
  const filled = { t: 1, seat: 1, do: "play", card: "B2a", stack: 1 };
  assert.equal(
    advised("A4a A1a A4b A3a", [filled]),
    "Your 1 starts a stack: tap it, then the stack, or press W and the stack’s key.",
  );
});

test("a player with no cards left to draw is reminded of OUT, where it ends the round", () => {
  const own = new OwnSeat(0, USES, () => "m");
  const table = deal({ round: 1, decks: ["A4a A3a A3b", "B1a B2a B3a B4a"] });
  own.confirm(table);
  assert.equal(
    advice(own, table.hands[0], KEYS, { shout: true }),
    "You have no cards left: shout OUT! (O)",
  );
  assert.equal(
    advice(own, table.hands[0], null, { shout: true }),
    "You have no cards left: shout OUT!",
  );
  assert.equal(advice(own, table.hands[0], KEYS, {}), "");
});

test("players who tap see no keys", () => {
  assert.equal(advised("A4a A1a A2a A3a", [], null), "Your 1 starts a stack: tap it.");
  assert.equal(advised("A4a A3a A2a A3b", [], null), "Nothing fits. Tap Discard, then a card.");
  const discarded = { t: 1, seat: 0, do: "discard", card: "A4a" };
  assert.equal(advised("A4a A3a A2a A3b", [discarded], null), "Draw a card.");
});

test("nothing is said once the round is over", () => {
  const end = { t: 1, do: "end", reason: "out", scores: [0, 0], totals: [0, 0] };
  assert.equal(advised("A1a A2a A3a A4a", [end]), "");
});
