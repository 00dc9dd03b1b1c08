import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path/posix";
import test from "node:test";

/** What each room may import besides itself and its texts, types included. */
const ROOMS = {
  "games/words": [],
  "games/dom": [],
  "games/match": [],
  "games/board": ["games/dom", "games/match"],
  "games/live": ["games/dom", "games/match", "games/board"],
  "games/play": ["games/dom", "games/match", "games/board", "games/live"],
  "games/wall": ["games/dom", "games/match", "games/board", "games/live"],
  "replays/charts": ["games/dom", "games/match", "games/board", "replays/analysis"],
  "replays/jobs": ["games/dom"],
  "replays/addresses": ["games/dom"],
  "replays/outbox": ["games/dom"],
  "replays/analysis": [
    ...["games/dom", "games/match", "games/board", "replays/addresses", "replays/jobs"],
    "replays/priorities",
  ],
  "replays/priorities": ["games/dom", "replays/jobs"],
  "replays/wall": ["games/dom", "games/wall", "replays/analysis"],
  "replays/variations": [
    ...["games/dom", "games/match", "games/board", "games/live", "games/play"],
    ...["replays/addresses", "replays/outbox"],
  ],
  "replays/share": ["games/dom", "replays/addresses"],
  "replays/embed": [
    ...["games/dom", "games/match", "games/board", "games/live"],
    ...["replays/notes", "replays/replay"],
  ],
  "replays/receipt": ["games/dom", "games/match", "games/live"],
  "replays/ghostrace": [
    ...["games/dom", "games/match", "games/board", "games/live", "games/play"],
    "replays/variations",
  ],
  "replays/notes": [
    ...["games/dom", "games/match", "games/board", "replays/addresses", "replays/outbox"],
  ],
  "replays/studies": [
    ...["games/dom", "games/match", "games/board", "games/play"],
    ...["replays/addresses", "replays/charts", "replays/notes", "replays/outbox"],
    "replays/variations",
  ],
  "replays/reviews": [
    ...["games/dom", "games/match", "games/board", "games/live", "replays/addresses"],
    ...["replays/notes", "replays/studies"],
  ],
  "replays/classes": ["games/dom", "replays/addresses"],
  "replays/news": ["games/dom"],
  "replays/tv": [
    ...["games/dom", "games/match", "games/board", "games/wall"],
    ...["replays/analysis", "replays/notes"],
  ],
  "replays/moment": ["games/dom", "games/match", "games/board", "replays/notes"],
  "replays/replay": [
    ...["games/dom", "games/match", "games/board", "games/live"],
    ...["replays/addresses", "replays/charts", "replays/notes"],
  ],
};

/** What the parts of the replay page are given; no part imports the rest of that room. */
const PAGE = "replays/replay/page.js";

/** Each module by the place where it is served, and its text. */
const modules = new Map(
  ["games", "replays"].flatMap((app) =>
    globSync(`${app}/static/${app}/**/*.js`)
      .filter((path) => !/\/(vendor|catalogues)\//.test(path))
      .map((path) => [relative(`${app}/static`, path), readFileSync(path, "utf8")]),
  ),
);

/** @param {string} text */
const imports = (text) =>
  [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, path]) => path);

test("a module imports from the rooms that its room may use, and from modules that exist", () => {
  assert.ok(modules.size > 30);
  for (const [path, text] of modules) {
    const room = dirname(path);
    assert.ok(room in ROOMS, `${path} lies in no room`);
    for (const name of imports(text)) {
      const target = join(room, name);
      const allowed = [room, "games/words", ...ROOMS[/** @type {keyof ROOMS} */ (room)]];
      assert.ok(modules.has(target), `${path}: ${target} does not exist`);
      assert.ok(
        target === PAGE || allowed.includes(dirname(target)),
        `${path} must not import ${target}`,
      );
    }
  }
});

test("match/ knows no DOM", () => {
  for (const [path, text] of modules) {
    if (!path.startsWith("games/match/")) continue;
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    assert.doesNotMatch(code, /\b(document|window|location|localStorage|fetch)\b[.(]/, path);
  }
});

test("parts of a replay page speak to each other through the page, not through its elements", () => {
  const owners = ["replay/controls", "replay/replay", "embed/embed"];
  for (const [path, text] of modules) {
    assert.doesNotMatch(text, /dispatchEvent\(new Event\("change"\)\)/, path);
    if (!owners.some((owner) => path === `replays/${owner}.js`))
      assert.doesNotMatch(text, /byId\("(view|tabs|scrubber)"\)/, path);
  }
});
