import assert from "node:assert/strict";
import { test } from "node:test";

import { ConnectionWords } from "../../games/static/games/live/connection.js";

const OFFLINE = "You are offline. What you see may be out of date.";
const LOST = "Connection lost. Reconnecting…";

/** A page that notes what it says, and nothing twice in a row: null while what it shows is current. */
function page() {
  const net = { online: true, reloads: 0 };
  /** @type {(string | null)[]} */
  const said = [];
  const note = (/** @type {string | null} */ words) => words !== said.at(-1) && said.push(words);
  const words = new ConnectionWords({
    say: (text, way) => note(way ? `${text} [${way.label}]` : text),
    clear: () => note(null),
    reload: () => (net.reloads += 1),
    online: () => net.online,
  });
  return { net, said, words };
}

/** A page that has shown what is current. */
function shown() {
  const here = page();
  here.words.status("connecting", "");
  here.words.status("live", "");
  here.words.current();
  return here;
}

test("a page that loads says nothing until a connection fails", () => {
  const { words, said } = page();
  words.status("connecting", "");
  words.status("live", "");
  words.status("away", "");
  assert.deepEqual(said, ["The site is not responding. Retrying…"]);
});

test("without a network that is said once, and a lost connection when there is one again", () => {
  const { net, words, said } = shown();
  net.online = false;
  words.offline();
  words.status("away", "");
  words.status("connecting", "");
  net.online = true;
  words.status("connecting", "");
  words.status("live", "");
  assert.deepEqual(said, [null, OFFLINE, LOST], "news have not come yet");
  words.current();
  assert.deepEqual(said, [null, OFFLINE, LOST, null]);
});

test("a table that comes into sight again has lost nothing", () => {
  const { words, said } = shown();
  words.status("closed", "");
  words.status("connecting", "");
  words.status("live", "");
  words.current();
  assert.deepEqual(said, [null]);
});

test("news of a connection that is gone make nothing current", () => {
  const { words, said } = shown();
  words.status("away", "");
  words.current();
  assert.deepEqual(said, [null, LOST]);
});

test("a final end says why, and offers to reload where that helps", () => {
  const { words, said } = page();
  words.status("closed", "no-such-match");
  words.status("closed", "version");
  words.status("closed", "not-allowed");
  assert.match(String(said[0]), /^This table no longer exists, .* Ask for the new link\.$/);
  assert.deepEqual(said.slice(1), [
    "This page is out of date. [Reload the page]",
    "You can’t watch this table. [Reload the page]",
  ]);
});

test("what changed elsewhere is said until the viewer has dealt with it", () => {
  const { words, said } = shown();
  words.changed("You are playing in another tab.", { label: "Play here", does: () => {} });
  words.offline();
  words.status("away", "");
  words.status("live", "");
  words.current();
  assert.deepEqual(said, [null, "You are playing in another tab. [Play here]"]);
  words.restored();
  assert.equal(said.at(-1), null);
});
