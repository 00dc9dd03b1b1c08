import assert from "node:assert/strict";
import test from "node:test";

const MODULE = "../../games/static/games/words/gettext.js";
/** @type {import("../../games/static/games/words/gettext.js").Catalogue} */
const GERMAN = {
  gettext: (text) => (text === "Round {round}" ? "Runde {round}" : text),
  pgettext: (context, text) => (context === "verb" ? "Öffnen" : text),
  ngettext: (_one, _many, count) => (count === 1 ? "{count} Karte" : "{count} Karten"),
};

test("a text has its values, in another language too", async () => {
  const english = await import("../../games/static/games/words/gettext.js");
  assert.equal(english.gettext("Round {round}", { round: 3 }), "Round 3");
  assert.equal(english.gettext("{name} has {no}", { name: "{no}" }), "{no} has {no}");
  assert.equal(english.ngettext("{count} card", "{count} cards", 1), "1 card");
  assert.equal(
    english.ngettext("{name}: {count} card", "{name}: {count} cards", 0, { name: "Tamsin" }),
    "Tamsin: 0 cards",
  );
  Object.assign(globalThis, { django: GERMAN });
  /** @type {typeof english} */
  const german = await import(`${MODULE}?german`);
  Object.assign(globalThis, { django: undefined });
  assert.equal(german.gettext("Round {round}", { round: 3 }), "Runde 3");
  assert.equal(german.gettext("Untranslated"), "Untranslated");
  assert.equal(german.pgettext("verb", "Open"), "Öffnen");
  assert.equal(german.ngettext("{count} card", "{count} cards", 2), "2 Karten");
});
