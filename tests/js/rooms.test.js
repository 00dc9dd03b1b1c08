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
  ],
  "replays/priorities": ["games/dom", "replays/analysis", "replays/jobs", "replays/studies"],
  "replays/wall": ["games/dom", "games/wall", "replays/analysis"],
  "replays/variations": [
    ...["games/dom", "games/match", "games/board", "games/live", "games/play"],
    ...["replays/addresses", "replays/outbox"],
  ],
  "replays/share": ["games/dom", "games/match", "replays/addresses", "replays/jobs"],
  "replays/embed": [
    ...["games/dom", "games/match", "games/board", "games/live"],
    ...["replays/analysis", "replays/replay"],
  ],
  "replays/patterns": ["games/dom", "replays/jobs"],
  "replays/receipt": ["games/dom", "games/live"],
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
    ...["replays/analysis", "replays/replay"],
  ],
  "replays/moment": ["games/dom", "games/match", "games/board"],
  "replays/replay": [
    ...["games/dom", "games/match", "games/board", "games/live"],
    ...["replays/addresses", "replays/charts"],
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
      if (target.includes("/vendor/")) continue;
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

/** A module's code, without its comments. @param {string} text */
const codeOf = (text) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");

/** These have pages of their own, which no part of the replay page is on. */
const OTHER_PAGES = [
  "games/play",
  "games/wall",
  "replays/embed",
  "replays/ghostrace",
  "replays/tv",
];
/** Data in a page, which any part may read. */
const DATA = ["uses"];
/** Reviews and chapters have pages of their own, with the same words in their place. */
const IN_TURN = ["chapter-words"];

/** The ids that a module spells, in whatever way it looks for them. @param {string} code */
const idsIn = (code) => [
  ...[...code.matchAll(/(?:byId|getElementById)\(\s*["`']([\w-]+)/g)].map(([, id]) => id),
  ...[...code.matchAll(/(?:querySelector(?:All)?|closest|matches)\(\s*(["`'])(.*?)\1/gs)].flatMap(
    ([, , selector]) =>
      [...selector.matchAll(/#([\w-]+)|\[id\W*=["']?([\w-]+)/g)].map((m) => m[1] ?? m[2]),
  ),
];

/** A tab's name too. */
const NAMES = ["what-if"];

/** The texts that a module spells. @param {string} code */
const textsIn = (code) => [...code.matchAll(/(["'`])((?:(?!\1).)*)\1/g)].map(([, , text]) => text);

/** The classes by which a module looks for elements in the whole page. @param {string} code */
const classesIn = (code) =>
  [...code.matchAll(/document\.querySelector(?:All)?\(\s*(["'`])(.*?)\1/gs)].flatMap(
    ([, , selector]) => [...selector.matchAll(/\.([\w-]+)/g)].map(([, name]) => name),
  );

test("no part of a replay page reaches for another's elements", () => {
  const parts = [...modules]
    .map(([path, text]) => ({ path, room: dirname(path), code: codeOf(text) }))
    .filter(({ room }) => !OTHER_PAGES.includes(room));
  /** @type {Map<string, string>} */
  const rooms = new Map();
  for (const { path, room, code } of parts)
    for (const id of idsIn(code)) {
      if ([...DATA, ...IN_TURN].includes(id)) continue;
      assert.equal(rooms.get(id) ?? room, room, `${path} reaches for #${id} of ${rooms.get(id)}`);
      rooms.set(id, room);
    }
  assert.equal(rooms.get("below-tabs"), "replays/replay");
  assert.equal(rooms.get("tab-"), "replays/replay");
  /** Where elements of a class are made. @type {Map<string, Set<string>>} */
  const made = new Map();
  for (const { room, code } of parts)
    for (const name of textsIn(code).flatMap((text) => text.split(" ")))
      made.set(name, (made.get(name) ?? new Set()).add(room));
  for (const { path, room, code } of parts) {
    assert.doesNotMatch(code, /getElementsBy|document\.(?:all|forms|links)\b/, path);
    // An id may be spelled first, and looked for under another name.
    for (const id of textsIn(code).filter((text) => /-/.test(text) && !NAMES.includes(text)))
      assert.equal(rooms.get(id) ?? room, room, `${path} spells #${id} of ${rooms.get(id)}`);
    for (const name of classesIn(code)) {
      const owners = made.get(name) ?? new Set([room]);
      assert.ok(owners.has(room), `${path} reaches for .${name} of ${[...owners]}`);
    }
  }
});

/** A field tells its own form what it wrote itself, and the theme is an attribute of the page. */
const OWN_EVENTS = ["replays/notes/completing.js", "replays/charts/chartstyle.js"];

test("no module speaks to another by events of the page, or by watching its elements", () => {
  for (const [path, text] of modules) {
    if (OWN_EVENTS.includes(path)) continue;
    const bus = /dispatchEvent|new (?:Custom)?Event\(|EventTarget\(|MutationObserver|postMessage/;
    if (path !== "games/play/play.js") assert.doesNotMatch(codeOf(text), bus, path);
  }
});
