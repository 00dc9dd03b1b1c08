import assert from "node:assert/strict";
import test from "node:test";

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
  assert.equal(english.gettext("Round {round}", { round: 3 }), "Round 3");
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
  assert.equal(german.gettext("Round {round}", { round: 3 }), "Runde 3");
  assert.equal(german.gettext("Untranslated"), "Untranslated");
  assert.equal(german.gettext("constructor"), "constructor");
  assert.equal(german.pgettext("verb", "Open"), "Öffnen");
  assert.equal(german.pgettext("adjective", "Open"), "Open");
  assert.equal(german.ngettext("{count} card", "{count} cards", 1), "1 Karte");
  assert.equal(german.ngettext("{count} card", "{count} cards", 2), "2 Karten");
  assert.equal(german.decimal(1234.56, 1), "1234,6");
});
