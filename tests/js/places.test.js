import assert from "node:assert/strict";
import { test } from "node:test";
import { places } from "../../games/static/games/board/choreography.js";
import { apply, deal } from "../../games/static/games/match/fold.js";

const DECKS = ["A1a A2a A3a A4a A5a", "B1a B2a B3a B4a BRa"];

const opening = () => deal({ round: 1, decks: DECKS });

/** @param {any} view @param {string} spot */
const upIn = (view, spot) =>
  places(opening(), view)
    .filter((card) => card.spot === spot)
    .map((card) => card.up);

test("everybody's hand is open to a viewer of all cards, the own one to a seat, none to a spectator", () => {
  assert.deepEqual(
    ["all", 0, 1, "spectator"].map((view) => upIn(view, "hand-0")[0]),
    [true, true, false, false],
  );
});

test("draw piles are face down for all", () =>
  assert.deepEqual(upIn("all", "draw-0"), [false, false]));

test("each card has one place", () => {
  const keys = places(opening(), "all").map((card) => card.key);
  assert.equal(new Set(keys).size, 10);
});

test("hidden cards are distinguished by their places", () => {
  const table = deal({ round: 1, decks: ["A? A? A? A?", DECKS[1]] });
  assert.equal(new Set(places(table, 1).map((card) => card.key)).size, 9);
});

test("a stack shows all its cards, bottom first", () => {
  const table = opening();
  apply(table, { t: 1, seat: 0, do: "play", card: "A1a", stack: 1 });
  apply(table, { t: 2, seat: 1, do: "play", card: "B2a", stack: 1 });
  const stack = places(table, "spectator").filter((card) => card.spot === "slot-1");
  assert.deepEqual(
    stack.map(({ key, up, shown }) => [key, up, shown]),
    [
      ["A1a", true, true],
      ["B2a", true, true],
    ],
  );
});
