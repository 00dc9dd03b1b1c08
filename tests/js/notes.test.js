import "./static.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { promised } from "./handclock.js";

const items = await import("../../replays/static/replays/notes/items.js");

const { NoteStore } = await import("../../replays/static/replays/notes/store.js");

const drafts = await import("../../replays/static/replays/notes/drafts.js");
const audience = await import("../../replays/static/replays/outbox/audience.js");
const { newKey } = await import("../../games/static/games/dom/asking.js");

/** @param {string} key @param {object} [fields] */
const note = (key, fields = {}) => items.itemOf({ key, round: 1, event: 10, ...fields });

test("answers stand in the thread of the first note, also answers of answers", () => {
  const all = [
    note("late", { event: 40 }),
    note("second", { reply: "first", at: "2" }),
    note("root"),
    note("first", { reply: "root", at: "1" }),
    note("orphan", { reply: "gone", event: 20 }),
  ];
  const threads = items
    .threadsOf(all)
    .map(({ root, replies }) => [root.key, replies.map((r) => r.key)]);
  assert.deepEqual(threads, [
    ["root", ["first", "second"]],
    ["orphan", []],
    ["late", []],
  ]);
});

test("a position has its own notes and the spans around it", () => {
  const notes = [
    note("point"),
    note("span", { event: 5, until: 12 }),
    note("other round", { round: 2 }),
    note("along a variation", { line: "v" }),
  ];
  const at = (/** @type {number} */ event) =>
    items.notesAt(notes, { round: 1, event }).map(({ key }) => key);
  assert.deepEqual(
    [at(4), at(5), at(10), at(12), at(13)],
    [[], ["span"], ["point", "span"], ["span"], []],
  );
});

test("a filter asks for author, tag, glyph and words at once", () => {
  const thread = {
    root: note("a", { by: "Ann", glyph: "?" }),
    replies: [note("b", { by: "Bo", tags: ["x"], text: "But why?" })],
  };
  const passes = (/** @type {object} */ filter) =>
    items.passes(thread, { by: "", tag: "", glyph: "", text: "", ...filter });
  assert.ok(passes({}) && passes({ by: "Bo", tag: "x", glyph: "?" }));
  assert.ok(passes({ text: "WHY" }) && !passes({ text: "because" }));
  assert.ok(!passes({ by: "Cy" }) && !passes({ tag: "y" }) && !passes({ glyph: "!" }));
});

test("of two thousand rows a window is drawn, and the wanted one is in it", () => {
  for (const at of [0, 1, 59, 1000, 1999]) {
    const { from, to } = items.windowAround(2000, at, 60);
    assert.ok(from <= at && at < to && to - from === 60, `${at}`);
  }
  assert.deepEqual(items.windowAround(3, 0, 60), { from: 0, to: 3 });
});

test("plain text leads to moments and cards", () => {
  assert.deepEqual(items.linked("See @1:34,1, then @2/0:05 and B5a, not AB5a.", 3), [
    "See ",
    { words: "@1:34,1", href: "?round=3&t=94100" },
    ", then ",
    { words: "@2/0:05", href: "?round=2&t=5000" },
    " and ",
    { words: "B5a", href: "?card=B5a" },
    ", not AB5a.",
  ]);
});

test("shapes are put into words", () => {
  const said = items.shapeWords({ marks: ["stack:0", "card:B5a"], arrows: ["seat:1>stack:2"] }, [
    "Ann",
    "Bo",
  ]);
  assert.equal(said, "stack\u00a01, Bo’s 5, Bo → stack\u00a03");
});

test("a new note is for its author until they choose, whatever the last one was", () => {
  assert.equal(drafts.draftAt({ round: 1, event: 3 }).visibility, "self");
});

test("a class that the visitor is in is an audience, and one that they have left stays chosen", () => {
  audience.inClasses({ key4b: "4b" });
  assert.deepEqual(
    audience.audiences().map(([value]) => value),
    ["self", "people", "class:key4b", "link", "everyone"],
  );
  assert.equal(audience.forClass("class:key4b"), "for class 4b");
  audience.inClasses({});
  const [first] = audience.withChosen(audience.audiences(), "class:key4b");
  assert.deepEqual(first, ["class:key4b", "A class that you are not in any more"]);
  assert.equal(audience.withChosen(audience.audiences(), "self").length, 4);
  const reply = audience.audiencesOfReply("class:key4b").map(([value]) => value);
  assert.deepEqual(reply.sort(), ["class:key4b", "self"]);
});

test("a reply that was begun goes on when Reply is pressed again", () => {
  const root = note("root", { visibility: "everyone", line: "v" });
  const fresh = drafts.replyTo([], root);
  assert.deepEqual([fresh.reply, fresh.visibility, fresh.line], ["root", "everyone", "v"]);
  const kept = [
    drafts.draftAt({ round: 1, event: 10, reply: "other", text: "not this" }),
    drafts.draftAt({ round: 1, event: 10, reply: "root", text: "sent before", revision: 1 }),
    drafts.draftAt({ round: 1, event: 10, reply: "root", text: "half a" }),
  ];
  assert.equal(drafts.replyTo(kept, root).text, "half a");
});

test("the tab says that there are drafts", () => {
  assert.deepEqual(
    [
      items.countWords(0, 0),
      items.countWords(3, 0),
      items.countWords(0, 1),
      items.countWords(3, 2),
    ],
    ["", "3", "✎", "3 ✎"],
  );
});

test("whoever leads is told of shapes that not everybody sees", () => {
  const all = [
    note("text", { visibility: "self" }),
    note("public", { visibility: "everyone", arrows: ["seat:0>stack:1"] }),
    note("record", { log: true, marks: ["stack:1"] }),
    note("named", { visibility: "people", marks: ["stack:1"] }),
  ];
  assert.deepEqual(
    items.drawnForSome(all).map(({ key }) => key),
    ["named"],
  );
});

test("only what others have changed since is new", () => {
  const theirs = note("a", { edited: "2026-01-02" });
  assert.ok(items.isNew(theirs, "2026-01-01"));
  assert.ok(!items.isNew(theirs, "2026-01-02") && !items.isNew(theirs, null));
  assert.ok(!items.isNew({ ...theirs, mine: true }, "2026-01-01"));
  assert.equal(items.newest([theirs, note("b", { mine: true, edited: "2027" })]), "2026-01-02");
});

const mentions = await import("../../replays/static/replays/notes/completing.js");

test("a word after @ or # is begun until it ends, and only there", () => {
  assert.deepEqual(mentions.begunAt("Look, @Ki", 9), { sign: "@", typed: "Ki", from: 6 });
  assert.deepEqual(mentions.begunAt("#", 1), { sign: "#", typed: "", from: 0 });
  assert.deepEqual(mentions.begunAt("@Kim is late", 3), { sign: "@", typed: "Ki", from: 0 });
  for (const text of ["@Kim ", "kim@home", "C#", "##a", "@Kim,", "so"])
    assert.equal(mentions.begunAt(text, text.length), null, text);
});

test("what is typed in full is not offered, and a tag is one word", () => {
  assert.deepEqual(mentions.fitting(["Kim", "kit", "Lee"], "KI"), ["Kim", "kit"]);
  assert.deepEqual(mentions.fitting(["Kim"], "Kim"), []);
  assert.deepEqual(mentions.fitting(["missed take", "a/b"], ""), ["missed-take"]);
});

test("only who may read a note can be mentioned in it", () => {
  const thread = [note("a", { by: "Lee" }), note("b", { by: "A guest" })];
  const to = (/** @type {string} */ visibility, /** @type {string[]} */ readers = []) =>
    mentions.mentionable({ visibility, readers }, thread, ["Bo", "Lee"]);
  assert.deepEqual(to("self"), []);
  assert.deepEqual(to("everyone"), ["Bo", "Lee"]);
  assert.deepEqual(to("people", ["Eve"]), ["Eve", "Lee"]);
});

// --- Drafts --------------------------------------------------------------------------------

test("shapes go one by one by undo, and all by clear", () => {
  const draft = drafts.draftAt({ round: 1, event: 0 });
  drafts.draw(draft, "stack:0", "stack:0");
  drafts.draw(draft, "seat:0", "stack:0");
  assert.equal(drafts.draw(draft, "stack:0", "stack:0"), false);
  assert.deepEqual([draft.marks, draft.arrows], [["stack:0"], ["seat:0>stack:0"]]);
  drafts.undraw(draft);
  assert.deepEqual([draft.marks, draft.arrows], [["stack:0"], []]);
  drafts.clear(draft);
  assert.ok(drafts.isBlank(draft));
});

test("a note that is changed goes out as it came, with its revision", () => {
  const item = note("k".repeat(22), {
    until: 12,
    text: "t",
    tags: ["x"],
    marks: ["seat:0"],
    revision: 4,
    visibility: "everyone",
  });
  const draft = drafts.draftOf(item);
  assert.deepEqual(drafts.draftDifferences(draft, item, []), []);
  assert.deepEqual(drafts.bodyOf(draft), {
    ...{ key: item.key, round: 1, event: 10, until: 12, text: "t", tags: ["x"] },
    ...{ marks: ["seat:0"], revision: 4, visibility: "everyone" },
  });
  const differing = drafts.draftDifferences(draft, { ...item, text: "u" }, []);
  assert.deepEqual(differing, [{ name: "Text", mine: "t", theirs: "u" }]);
});

test("a tag that the text names is no tag of its own, shown or in a draft", () => {
  const item = note("k".repeat(22), { text: "#x", tags: ["y", "x"], text_tags: ["x"] });
  assert.deepEqual(items.tagsBeside(item), ["y"]);
  const draft = drafts.draftOf(item);
  assert.deepEqual(draft.tags, ["y"]);
  assert.deepEqual(drafts.draftDifferences(draft, item, []), []);
  assert.equal(drafts.draftDifferences({ ...draft, tags: [] }, item, []).length, 1);
});

test("keys are new, and in a form that the server accepts", () => {
  const keys = new Set(Array.from({ length: 100 }, newKey));
  assert.equal(keys.size, 100);
  for (const key of keys) assert.match(key, /^[A-Za-z0-9_-]{22}$/);
});

test("a note says when it is; along a variation that is not shown, nobody knows", () => {
  const log = /** @type {any} */ ({ rounds: [{ events: [{ t: 1000 }, { t: 2500 }] }] });
  const place = { round: 1, event: 1 };
  assert.equal(items.whenWords(log, place, null), "0:01.0");
  assert.equal(items.whenWords(log, { ...place, until: 2 }, "v"), "0:01.0 – 0:02.5");
  assert.equal(items.whenWords(log, { ...place, line: "v" }, "v"), "0:01.0, in a what-if");
  assert.equal(items.whenWords(log, { ...place, line: "v" }, null), "in a what-if");
  const varied = { rounds: [{ events: [{ t: 1000 }], mainline: log.rounds[0] }] };
  assert.equal(items.whenWords(varied, { ...place, until: 2 }, "v"), "0:01.0 – 0:02.5");
});

/** What the server says about a match's notes. @param {object[]} notes */
const answerOf = (...notes) => ({ ok: true, status: 200, data: { names: [], notes } });

/** A store whose requests are answered by the test, in any order. */
function heldStore() {
  const log = { endHidden: false, notes: [] };
  const store = new NoteStore("/notes", /** @type {any} */ ({ log, cursor: {} }), "");
  /** @type {((answer: any) => void)[]} */
  const answers = [];
  store.ask = () => {
    const { promise, keep } = promised();
    answers.push(keep);
    return promise;
  };
  const keys = () => store.items.map(({ key }) => key);
  return { store, answers, keys };
}

test("an answer that changes nothing is no change, and so is the same failure again", async () => {
  const { store, answers } = heldStore();
  let changes = 0;
  store.onChange(() => (changes += 1));
  /** @param {object} answer */
  const loads = async (answer) => {
    const loaded = store.load();
    answers.at(-1)?.(answer);
    await loaded;
    return changes;
  };
  assert.equal(await loads(answerOf({ key: "a", text: "One" })), 1);
  assert.equal(await loads(answerOf({ key: "a", text: "One" })), 1);
  assert.equal(await loads(answerOf({ key: "a", text: "Two" })), 2);
  const refused = { ok: false, status: 503, data: { detail: "later" } };
  assert.equal(await loads(refused), 3);
  assert.equal(await loads(refused), 3);
  assert.equal(await loads(answerOf({ key: "a", text: "Two" })), 4, "the failure goes");
});

test("an answer from before a change does not take it back", async () => {
  const { store, answers, keys } = heldStore();
  const loaded = store.load();
  store.take(note("new"));
  store.take(note("old", { deleted: true }));
  answers[0](answerOf({ key: "old" }, { key: "other" }));
  await loaded;
  assert.deepEqual(keys(), ["other", "new"]);
});

test("of two requests for all notes the later one counts, whichever is answered first", async () => {
  const { store, answers, keys } = heldStore();
  const loaded = [store.load(), store.load()];
  answers[1](answerOf({ key: "first" }, { key: "second" }));
  answers[0](answerOf({ key: "first" }));
  await Promise.all(loaded);
  assert.deepEqual(keys(), ["first", "second"]);
});

test("a tag is about the seat in view, unless it points at one", () => {
  /** @param {string} text @param {string[]} marks */
  const draft = (text, marks = []) => ({ text, marks, arrows: [] });
  assert.deepEqual(drafts.marksAt(draft("Too late #slow"), 2), ["seat:2"]);
  assert.deepEqual(drafts.marksAt({ ...draft("", ["stack:1"]), tags: ["slow"] }, 0), [
    "stack:1",
    "seat:0",
  ]);
  assert.deepEqual(drafts.marksAt(draft("#slow", ["seat:1"]), 2), ["seat:1"]);
  assert.deepEqual(drafts.marksAt(draft("#slow"), "all"), []);
  assert.deepEqual(drafts.marksAt(draft("Stack #2 is open"), 2), [], "no tag");
});
