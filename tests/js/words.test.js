import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { clock, outcome, saying, victoryWords } from "../../games/static/games/match/words.js";
import { dayOf, signed } from "../../games/static/games/words/gettext.js";

const NAMES = ["Ada", "Bo"];

/** @param {import("../../games/static/games/match/fold.js").RoundEvent} event @param {any} [met] @param {any} [view] */
const say = (event, met, view) => saying(event, NAMES, met, view).text;

/** @type {[number, string][]} */
const TIMES = JSON.parse(readFileSync(new URL("../times.json", import.meta.url), "utf8"));

test("times are minutes, seconds and tenths, as on the server", () => {
  for (const [ms, said] of TIMES) assert.equal(clock(ms), said);
});

test("a score carries its sign", () => assert.deepEqual([3, 0, -2].map(signed), ["+3", "0", "−2"]));

test("a recent day has a name, as the reader's days go", () => {
  const now = new Date(2026, 2, 4, 0, 30);
  const days = [0, 1, 2, 6, 7].map((ago) => dayOf(new Date(2026, 2, 4 - ago, 23), now));
  assert.deepEqual(days.slice(0, 4), ["Today", "Yesterday", "Monday", "Thursday"]);
  assert.match(days[4], /^(Feb 25|25 Feb)$/, "not the day that it is elsewhere");
  assert.match(dayOf(new Date(2025, 11, 24), now), /2025/);
});

test("a play says on whose card it goes", () => {
  const play = /** @type {const} */ ({ t: 5, seat: 0, do: "play", card: "A2a", stack: 1 });
  assert.equal(
    say(play, { under: "B1a", taken: [], first: null }),
    "Ada plays a 2 on Bo’s card, stack\u00a02.",
  );
  assert.equal(say({ ...play, card: "A1a" }), "Ada starts stack\u00a02 with a 1.");
});

test("a take says whose cards were lost to a player, and how many to all", () => {
  const take = /** @type {const} */ ({
    t: 5,
    seat: 1,
    do: "play",
    card: "B5a",
    stack: 0,
    takes: 3,
  });
  const met = { under: "A4a", taken: ["A3a", "A4a", "B5a"], first: null };
  assert.equal(say(take, met), "Bo takes stack\u00a01 with a 5, in all 3 cards.");
  const { text } = saying(take, ["Ada", "Bo"], met, "all", 0);
  assert.equal(text, "Bo took stack\u00a01 with a 5, +3: 2 of yours and 1 of Bo’s.");
});

test("a late try says who was first, and by how much", () => {
  const late = /** @type {const} */ ({
    t: 90,
    seat: 0,
    do: "late",
    card: "A3a",
    stack: 0,
    seen: 3,
  });
  assert.equal(
    say(late, { under: null, taken: [], first: { seat: 1, ms: 12 } }),
    "Ada is 12\u00a0ms late with a 3 on stack\u00a01: Bo was first.",
  );
});

test("a player's own log says what they did, and what others did to them", () => {
  /** @param {import("../../games/static/games/match/fold.js").RoundEvent} event @param {any} [met] */
  const told = (event, met) => saying(event, NAMES, met, 0, 0).text;
  const five = /** @type {const} */ ({ t: 5, do: "play", stack: 3, takes: 3 });
  const met = { under: "A4a", taken: ["A3a", "A4a", "B5a"], first: null };
  assert.equal(
    told({ ...five, seat: 0, card: "A5a" }, { ...met, taken: ["A3a", "B4a", "A5a"] }),
    "You took stack\u00a04 with a 5, +3: 2 of yours and 1 of Bo’s.",
  );
  assert.equal(
    told({ ...five, seat: 1, card: "B5a" }, met),
    "Bo took stack\u00a04 with a 5, +3: 2 of yours and 1 of Bo’s.",
  );
  const two = /** @type {const} */ ({ t: 5, seat: 1, do: "play", card: "B2a", stack: 1 });
  assert.equal(told(two, { ...met, under: "A1a" }), "Bo played a 2 on your card, stack\u00a02.");
  const own = { ...met, under: "A1a", taken: ["A4a", "A5a"] };
  assert.equal(told({ ...two, seat: 0 }, own), "You played a 2 on your own card, stack\u00a02.");
  assert.equal(
    told({ ...five, seat: 0, card: "A5a", takes: 2 }, own),
    "You took stack\u00a04 with a 5, +2: all your own.",
  );
  const late = /** @type {const} */ ({ t: 9, seat: 0, do: "late", card: "A3a", stack: 0, seen: 3 });
  const first = { under: null, taken: [], first: { seat: 1, ms: 12 } };
  assert.equal(
    told(late, first),
    "You were 12\u00a0ms late with a 3 on stack\u00a01: Bo was first.",
  );
  const last = { ...first, first: { seat: 0, ms: 12 } };
  assert.match(told({ ...late, seat: 1 }, last), /^Bo was 12\u00a0ms late .*: you were first\.$/);
  const tied = /** @type {any} */ ({ t: 9, do: "tie", stack: 0, after: [0, 8] });
  assert.equal(
    told({ ...tied, cards: ["A2a", "B2a"] }),
    "Tie on stack\u00a01: your 2 and Bo’s 2 (8\u00a0ms later) went to the discard piles.",
  );
  assert.equal(told({ t: 9, seat: 0, do: "out" }), "You are OUT!");
});

test("a hidden card stays a card", () => {
  const draw = /** @type {const} */ ({ t: 1, seat: 0, do: "draw", card: "A3a" });
  assert.deepEqual(
    [say(draw), say(draw, undefined, 0), say(draw, undefined, "spectator")],
    ["Ada draws a 3.", "Ada draws a 3.", "Ada draws a card."],
  );
});

test("a wild says what it stands for", () => {
  assert.equal(
    say({ t: 1, seat: 0, do: "play", card: "ARa", stack: 0, as: 1 }),
    "Ada starts stack\u00a01 with a wild as\u00a01.",
  );
});

test("a right-to-left name does not reorder a sentence", () => {
  const names = ["שרה", "Bo"];
  const play = /** @type {const} */ ({ t: 5, seat: 1, do: "play", card: "B2a", stack: 1 });
  const said = saying(play, names, { under: "A1a", taken: [], first: null });
  assert.equal(said.text, "Bo plays a 2 on \u2068שרה\u2069’s card, stack\u00a02.");
  assert.equal(outcome([0, 1], names), "\u2068שרה\u2069 and Bo share the win.");
  assert.equal(outcome([1], names), "Bo wins the match.");
  assert.equal(outcome([1], names, 1), "You win the match!");
  assert.equal(victoryWords([1], names, [4, 9], 0), "Bo wins the match by 5 points.");
  assert.equal(victoryWords([1], names, [8, 9], 1), "You win the match by 1 point!");
  assert.equal(victoryWords([0, 1], names, [9, 9], 1), "You share the win with \u2068שרה\u2069.");
});

const MODULE = "../../games/static/games/words/gettext.js";
/** @type {import("../../games/static/games/words/gettext.js").Catalogue} */
const GERMAN = {
  language: "de",
  form: (count) => Number(count !== 1),
  texts: {
    "Round {round}": "Runde {round}",
    "verb\u0004Open": "Öffnen",
    "{count} card": ["{count} Karte", "{count} Karten"],
  },
};

test("a text has its values, in another language too", async () => {
  const english = await import("../../games/static/games/words/gettext.js");
  assert.equal(english.gettext("Round {round}", { round: 3 }), "Round\u00a03");
  assert.equal(english.gettext("{name} has {no}", { name: "{no}" }), "{no} has {no}");
  assert.equal(english.ngettext("{count} card", "{count} cards", 1), "1 card");
  assert.equal(
    english.ngettext("{name}: {count} card", "{name}: {count} cards", 0, { name: "Tamsin" }),
    "Tamsin: 0 cards",
  );
  assert.equal(english.decimal(1234.56, 1), "1234.6");
  Object.assign(globalThis, { catalogue: GERMAN });
  /** @type {typeof english} */
  const german = await import(`${MODULE}?german`);
  Object.assign(globalThis, { catalogue: undefined });
  assert.equal(german.gettext("Round {round}", { round: 3 }), "Runde\u00a03");
  assert.equal(german.gettext("Untranslated"), "Untranslated");
  assert.equal(german.gettext("constructor"), "constructor");
  assert.equal(german.pgettext("verb", "Open"), "Öffnen");
  assert.equal(german.pgettext("adjective", "Open"), "Open");
  assert.equal(german.ngettext("{count} card", "{count} cards", 1), "1 Karte");
  assert.equal(german.ngettext("{count} card", "{count} cards", 2), "2 Karten");
  assert.equal(german.decimal(1234.56, 1), "1234,6");
});
