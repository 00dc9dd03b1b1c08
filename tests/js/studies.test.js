import "./static.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Log } from "../../games/static/games/match/log.js";
import { Player } from "../../games/static/games/match/player.js";
import { HandClock, settled } from "./handclock.js";
import { handStorage } from "./handstorage.js";

const { Autosave, clash, differences, keptBy, ofDeleted } = await import(
  "../../replays/static/replays/outbox/autosave.js"
);
const { bothTexts, excerpt, whoChanged } = await import(
  "../../replays/static/replays/outbox/conflict.js"
);
const { Approach, inOrder } = await import("../../replays/static/replays/studies/approach.js");
const { answerWords, happened, momentWords, nextQuestion, sameAnswer, tookMs } = await import(
  "../../replays/static/replays/studies/moments.js"
);

const WAYS = { say: () => {}, reload: () => {}, merged: () => {} };
/** @type {any} */
const LOST = { ok: false, status: 0, data: { detail: "There is no connection." } };

/** An editor whose server answers as given, and whose clock is turned by hand. @param {any[]} answers */
function editor(...answers) {
  /** @type {any[]} */
  const sent = [];
  /** @type {string[]} */
  const said = [];
  /** @type {any[]} */
  const merged = [];
  /** @type {(() => void)[]} */
  let due = [];
  const storage = handStorage();
  /** @type {import("../../replays/static/replays/outbox/autosave.js").Autosave<any>} */
  const saver = new Autosave(
    "/studies/s",
    { revision: 1, title: "old", text: "old" },
    {
      ...WAYS,
      say: (words) => said.push(words),
      merged: (now) => merged.push(now),
    },
    "7",
    {
      storage,
      later: (act) => due.push(act),
      send: async (_method, _url, body) => {
        sent.push(body);
        return answers.shift();
      },
    },
  );
  /** Lets everything that waits happen, until nothing does. */
  const pass = async () => {
    const now = due;
    due = [];
    for (const act of now) act();
    await new Promise((done) => setImmediate(done));
  };
  const choice = () => saver.outbox.choices.get(saver.key);
  return { saver, sent, said, choice, merged, pass, storage };
}

/** @param {number} revision */
const saved = (revision) => ({ ok: /** @type {const} */ (true), status: 200, data: { revision } });

test("what is typed is sent together, and each save is based on the one before", async () => {
  const { saver, sent, said, pass } = editor(saved(2), saved(3));
  saver.change({ title: "a" });
  saver.change({ title: "ab", text: "x" });
  assert.ok(saver.unsaved);
  await pass();
  assert.deepEqual(sent, [{ title: "ab", text: "x", revision: 1 }]);
  assert.ok(!saver.unsaved);
  saver.change({ text: "y" });
  await pass();
  assert.deepEqual(sent[1], { text: "y", revision: 2 });
  assert.equal(said.at(-1), "Saved.");
});

test("without a connection nothing is lost, and it is sent again later", async () => {
  const { saver, sent, said, pass } = editor(LOST, saved(2));
  saver.change({ title: "a" });
  await pass();
  assert.match(
    said.at(-1) ?? "",
    /^Not saved\. There is no connection\. It is kept .* will be sent/,
  );
  assert.ok(saver.unsaved);
  saver.change({ text: "b" });
  await pass();
  assert.deepEqual(sent[1], { title: "a", text: "b", revision: 1 });
});

test("what was not saved is there on the next visit, for its account alone, and is saved then", async () => {
  const { saver, pass, storage } = editor(LOST, LOST);
  saver.change({ title: "a" });
  await pass();
  assert.ok(saver.outbox.keeps);
  /** @type {any[]} */
  const sent = [];
  const send = async (/** @type {any[]} */ ...[, , body]) => {
    sent.push(body);
    return /** @type {any} */ (saved(2));
  };
  const visit = async (/** @type {string} */ url, /** @type {string} */ account) => {
    const item = { revision: 1, title: "old" };
    const next = new Autosave(url, item, WAYS, account, { storage, send });
    const { changed } = next;
    await next.save();
    return changed;
  };
  assert.deepEqual(await visit("/studies/s", "8"), {});
  assert.deepEqual(await visit("/studies/other", "7"), {});
  assert.deepEqual([sent, storage.length], [[], 1]);
  assert.deepEqual(await visit("/studies/s", "7"), { title: "a" });
  assert.deepEqual([sent, storage.length], [[{ title: "a", revision: 1 }], 0]);
});

test("what was written in a chapter that was deleted meanwhile is offered, then and later", async () => {
  /** @type {any} */
  const gone = { ok: false, status: 404, data: { detail: "there is no such chapter" } };
  const storage = handStorage();
  /** @type {any[]} */
  const offered = [];
  const ways = { ...WAYS, gone: (/** @type {any} */ own) => offered.push(own) };
  const send = async () => gone;
  const url = "/api/v1/studies/s/chapters/2";
  const saver = new Autosave(url, { revision: 1 }, ways, "7", { storage, send });
  saver.change({ text: "Long words." });
  await saver.save();
  saver.change({ text: "Long words, and more." });
  await saver.save();
  assert.deepEqual(offered, [{ text: "Long words." }]);
  /** @param {number[]} numbers */
  const lost = (...numbers) => {
    const study = { key: "s", chapters: numbers.map((number) => ({ number })) };
    return ofDeleted(keptBy("7", storage), "7", study).map(({ changed }) => changed.text);
  };
  assert.deepEqual(lost(1, 3), ["Long words, and more."]);
  assert.deepEqual(lost(2), [], "that chapter is there again");
});

test("the last words go out as the page is left, and are kept if nobody answers", async () => {
  const { saver, sent, storage } = editor(LOST, saved(2));
  saver.change({ title: "a" });
  storage.clear(); // another tab, with the same account, has saved its own
  await saver.leave();
  assert.deepEqual([sent.length, storage.length], [1, 1]);
  await saver.leave();
  assert.deepEqual([sent[1], storage.length], [{ title: "a", revision: 1 }, 0]);
  await saver.leave();
  assert.equal(sent.length, 2, "there is nothing left to say");
});

test("what was refused is tried once more on the next visit, and says why", async () => {
  /** @type {any} */
  const refused = { ok: false, status: 422, data: { detail: "Writers: there is no Zoe." } };
  const { saver, pass, storage } = editor(refused);
  saver.change({ writers: ["Zoe"] });
  await pass();
  /** @type {string[]} */
  const said = [];
  const ways = { ...WAYS, say: (/** @type {string} */ words) => said.push(words) };
  const send = async () => refused;
  const next = new Autosave("/studies/s", { revision: 1 }, ways, "7", { storage, send });
  await next.save();
  assert.deepEqual(said, ["Not saved. Writers: there is no Zoe."]);
});

test("a page that breaks in one of its own parts still saves what comes next", async () => {
  const { saver, sent, pass } = editor(saved(2), saved(3));
  saver.ways.saved = () => {
    saver.ways.saved = undefined;
    throw new Error("no such place");
  };
  saver.change({ title: "a" });
  await assert.rejects(saver.save(), /no such place/);
  saver.change({ title: "b" });
  await pass();
  assert.equal(sent.at(-1).title, "b");
});

test("nothing overwrites somebody else's version before the writer chooses", async () => {
  const now = { revision: 7, title: "theirs", text: "new" };
  const { saver, sent, said, choice, merged, pass, storage } = editor(
    { ok: false, status: 409, data: { now } },
    saved(8),
  );
  saver.change({ title: "mine" });
  await pass();
  assert.equal(said.at(-1), "Choose a version.");
  assert.deepEqual(choice()?.differing, [{ name: "Title", mine: "mine", theirs: "theirs" }]);
  assert.equal(choice()?.both, null, "there is no text to be joined");
  saver.change({ title: "mine!" });
  await pass();
  await saver.leave();
  assert.equal(sent.length, 1);
  await choice()?.own();
  assert.deepEqual(sent[1], { title: "mine!", revision: 7 });
  assert.deepEqual([merged, storage.length, said.at(-1)], [[now], 0, "Saved."]);
});

test("the other version replaces what the writer has", async () => {
  const now = { revision: 7, title: "theirs" };
  const { saver, choice, pass, storage } = editor({ ok: false, status: 409, data: { now } });
  let reloaded = 0;
  saver.ways.reload = () => (reloaded += 1);
  saver.change({ title: "mine" });
  await pass();
  choice()?.theirs();
  assert.deepEqual([reloaded, storage.length, saver.unsaved], [1, 0, false]);
});

test("two writers who change different things need not choose", async () => {
  const now = { revision: 7, title: "theirs", text: "old" };
  const answer = { ok: false, status: 409, data: { now } };
  const { saver, sent, choice, merged, said, pass } = editor(answer, saved(8));
  saver.change({ text: "mine" });
  await pass();
  assert.ok(await saver.settled());
  assert.deepEqual(sent[1], { text: "mine", revision: 7 });
  assert.deepEqual([choice(), merged, said.at(-1)], [undefined, [now], "Saved."]);
});

test("a chapter's place is one thing, however many fields it has", () => {
  const before = { event: 3, until: null, text: "a" };
  assert.ok(clash({ until: 9 }, before, { ...before, event: 5 }));
  assert.ok(!clash({ until: 9 }, before, { ...before, text: "b" }));
  assert.ok(!clash({ text: "b" }, before, { ...before, text: "b" }), "both wrote the same");
});

test("a choice between two versions says where they differ", () => {
  const own = { title: "mine", text: "same", question: { seat: 0 }, group: "" };
  const now = { title: "theirs", text: "same", question: null, group: "G", revision: 2 };
  assert.deepEqual(differences(own, now), [
    { name: "Title", mine: "mine", theirs: "theirs" },
    { name: "Question", mine: "changed", theirs: "" },
    { name: "Group", mine: "", theirs: "G" },
  ]);
});

test("a choice says who saved the other version and when, and shows where texts differ", () => {
  const now = new Date(2026, 10, 22, 14, 30);
  const at = new Date(2026, 10, 22, 14, 5).toISOString();
  const words = whoChanged({ by: "Bo", at, you: false }, now);
  assert.match(words, /^Bo changed this while you were changing it \(.*05.*\)\.$/);
  assert.match(
    whoChanged({ by: "Bo", at, you: true }, now),
    /^You .* in another tab or on another/,
  );
  assert.doesNotMatch(words, /22/);
  const later = whoChanged({ by: "", at, you: false }, new Date(2027, 10, 24));
  assert.match(later, /^Someone else changed this .*22.*2026/);
  const long = "x".repeat(900);
  assert.equal(excerpt(`${long}mine`, `${long}theirs`).slice(-6), "xxmine");
  assert.equal(excerpt("short", long), "short");
  assert.deepEqual(
    [bothTexts("a", "b"), bothTexts("a b", "b"), bothTexts("a", "a b")],
    ["a\n\n---\n\nb", "a b", "a b"],
  );
});

test("both texts are kept, and the writer's version of the rest", async () => {
  const now = { revision: 7, title: "theirs", text: "their text" };
  const conflict = { ok: false, status: 409, data: { now } };
  const { saver, sent, choice, pass } = editor(conflict, saved(8));
  saver.change({ title: "mine", text: "my text" });
  await pass();
  await choice()?.both?.();
  const text = "their text\n\n---\n\nmy text";
  assert.deepEqual(sent[1], { title: "mine", text, revision: 7 });
});

test("an answer leaves when the server knows that the question was asked", async () => {
  /** @type {[string, (answer: any) => void][]} */
  const sent = [];
  const post = inOrder(
    (/** @type {string} */ body) => new Promise((done) => sent.push([body, done])),
  );
  const turn = () => new Promise((done) => setImmediate(done));
  const asked = post("asked");
  const answered = post("answer");
  await turn();
  assert.deepEqual(
    sent.map(([body]) => body),
    ["asked"],
  );
  sent[0][1]({ ok: false, status: 0, data: {} });
  assert.equal((await asked).ok, false);
  await turn();
  assert.deepEqual(
    sent.map(([body]) => body),
    ["asked", "answer"],
  );
  sent[1][1](saved(1));
  assert.deepEqual(await answered, saved(1));
});

const RECORD = readFileSync(
  new URL("../matches/valid-full-match-3.ratuki", import.meta.url),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

/** A learner before a question after 60 events. @param {number | null} passed ms since the stop */
async function learner(passed) {
  const log = new Log({ id: "m", seats: RECORD[0].seats, finished: true });
  log.append({ seq: 0, lines: RECORD.slice(0, 62) });
  /** @type {((ms: number) => void)[]} */
  const frames = [];
  const player = new Player(log, (step) => frames.push(step));
  await player.goTo({ round: 1, event: 40 });
  const clock = new HandClock();
  clock.pass(5_000);
  let arrived = 0;
  const moment = { round: 1, event: 60 };
  const how = { passed, arrived: () => (arrived += 1), now: () => clock.now() };
  const approach = new Approach(player, moment, how);
  approach.start();
  return { player, approach, clock, arrivals: () => arrived };
}

test("whoever stops the play before a question has come to it, and time counts", async () => {
  const { player, approach, clock, arrivals } = await learner(null);
  assert.deepEqual([player.playing, arrivals(), approach.ms], [true, 0, 0]);
  player.pause(); // Space
  await settled();
  assert.deepEqual([player.playing, arrivals(), player.cursor.event], [false, 1, 60]);
  clock.pass(2_000);
  assert.equal(approach.ms, 2_000);
  await player.goTo({ round: 1, event: 50 });
  await player.goTo({ round: 1, event: 60 });
  assert.deepEqual([arrivals(), approach.ms], [1, 2_000]);
});

test("a question that is opened again goes on with its time", async () => {
  const { approach, clock, arrivals, player } = await learner(4_200);
  await settled();
  assert.deepEqual([arrivals(), player.playing, approach.ms], [1, false, 4_200]);
  clock.pass(100);
  assert.equal(approach.ms, 4_300);
});

test("a question says how long there is, on the way and at the stop, and counts it", async () => {
  const { clockWords, paceWords } = await import(
    "../../replays/static/replays/studies/approach.js"
  );
  const given = { timed: true, limit_ms: 2_512 };
  const original = { timed: true, limit_ms: null };
  const calm = { timed: false, limit_ms: null };
  const words = [given, original, calm].map(paceWords);
  assert.deepEqual(words, ["", "You have as long as in the match.", ""]);
  assert.deepEqual(
    [0, 1_240, 2_600, 10_100].map((ms) => clockWords(ms, given)),
    ["2.5\u00a0s left", "1.3\u00a0s left", "Late: try anyway", "Time is up"],
  );
  assert.deepEqual(
    [clockWords(1_240, original), clockWords(1_240, calm)],
    ["0:01.2", "Take your time"],
  );
});

test("a question ends by itself at its limit, but never within ten seconds", async () => {
  const { isOver } = await import("../../replays/static/replays/studies/approach.js");
  const over = (/** @type {number} */ ms, /** @type {number | null} */ limit_ms) =>
    isOver(ms, { timed: true, limit_ms });
  assert.deepEqual([over(9_900, 2_500), over(10_100, 2_500)], [false, true]);
  assert.deepEqual([over(10_100, 30_000), over(30_100, 30_000)], [false, true]);
  assert.equal(over(60_000, null), false, "the limit is not known");
});

const names = ["Ann", "Bea"];
/** @type {any} */
const round = {
  events: [
    { do: "play", seat: 0, card: "A1a", stack: 0, t: 1000 },
    { do: "draw", seat: 1, card: "B5b", t: 2000 },
    { do: "play", seat: 1, card: "B2a", stack: 0, t: 32500 },
    { do: "play", seat: 0, card: "A5a", stack: 1, takes: 5, t: 34000 },
    { do: "discard", seat: 1, card: "BRa", t: 35000 },
    { do: "end", scores: [5, -5], t: 36000 },
  ],
};

test("a moment is its time and what comes next, without the cards", () => {
  assert.equal(momentWords(round, 3, names), "0:32.5, before Ann takes stack\u00a02");
  assert.equal(momentWords(round, 0, names), "0:00.0, before Ann plays on stack\u00a01");
  assert.equal(momentWords(round, 4, names), "0:34.0, before Bea discards a wild");
  assert.equal(momentWords(round, 5, names), "0:35.0, the end of the round");
});

test("a question stops before a seat's next take, otherwise before its next play", () => {
  assert.equal(nextQuestion(round, 0, null)?.event, 3);
  assert.equal(nextQuestion(round, 0, 1)?.event, 2, "Bea takes nothing");
  assert.equal(nextQuestion(round, 3, 1), null);
  assert.equal(nextQuestion(undefined, 0, null), null);
});

test("the right answer is what the seat did next, and when", () => {
  assert.deepEqual(happened(round, 3, 0), { do: "play", card: "A5a", stack: 1 });
  assert.deepEqual(happened(round, 1, 1), { do: "draw" });
  assert.deepEqual(happened(round, 3, 1), { do: "discard", card: "BRa" });
  assert.equal(happened(round, 4, 0), null);
  assert.equal(tookMs(round, 3, 0), 1500);
  assert.equal(tookMs(round, 4, 0), null);
});

test("answers are worded by faces, and cards with the same face are the same answer", () => {
  assert.equal(answerWords({ do: "play", card: "A5a", stack: 1 }), "the 5 on stack\u00a02");
  assert.equal(answerWords({ do: "discard", card: "BRa" }), "discard the wild");
  const five = { do: /** @type {const} */ ("play"), card: "A5a", stack: 1 };
  assert.ok(sameAnswer(five, { ...five, card: "A5c" }));
  assert.ok(!sameAnswer(five, { ...five, stack: 0 }));
  assert.ok(!sameAnswer(five, { do: "discard", card: "A5a" }));
});
