import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { promised, settled } from "./handclock.js";
import { HandWire } from "./handwire.js";
import "./static.js";

const answers = await import("../../replays/static/replays/reviews/answers.js");
const revealed = await import("../../replays/static/replays/reviews/revealed.js");
const { questionAt } = await import("../../replays/static/replays/studies/moments.js");
const { Log } = await import("../../games/static/games/match/log.js");
const { Player } = await import("../../games/static/games/match/player.js");
const { ReviewSession } = await import("../../replays/static/replays/reviews/session.js");
const { Steering } = await import("../../replays/static/replays/reviews/steering.js");

const FILE = new URL("../matches/valid-full-match-3.ratuki", import.meta.url);
const [HEAD, ...LINES] = readFileSync(FILE, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));

/** A member's browser: player, session and steering, with a clock and a wire turned by hand. */
class Browser {
  /** @param {number} you */
  constructor(you, chapter = 0) {
    this.you = you;
    this.chapter = chapter;
    this.leaves = 0;
    this.looked = 0;
    this.wire = new HandWire();
    this.clock = this.wire.clock;
    /** @type {((now: number) => void) | null} */
    this.frame = null;
    this.log = new Log(
      { ...HEAD, id: 1, seats: HEAD.seats, urls: {}, spoilers: true },
      {
        unpack: () => ({ lines: [], timeline: null }),
        fetchJson: async () => ({ next: 1, finished: false, chunks: [] }),
      },
    );
    this.log.append({ seq: 1, lines: LINES });
    this.player = new Player(this.log, (step) => {
      this.frame = step;
    });
    this.view = "all";
    /** @type {string | null} */
    this.line = null;
    const none = () => {};
    const listeners = {
      changed: () => this.steering?.heard(),
      ...{ status: none, note: none, chat: none, refused: none },
    };
    this.session = new ReviewSession("ws://review", listeners, this.wire.world);
    this.steering = new Steering(
      this.player,
      this.session,
      {
        view: () => this.view,
        look: (view) => {
          this.view = view;
        },
        line: () => this.line,
        openLine: async (line) => {
          this.looked += 1;
          if (line === null || line === "theirs") this.line = line;
        },
        changed: none,
        chapter: this.chapter,
        leave: () => {
          this.leaves += 1;
        },
      },
      this.wire.world,
      `b${you}-`,
    );
  }

  async connect(leader = 1, place = {}) {
    this.session.start();
    this.wire.socket.onopen();
    this.wire.say({ type: "welcome", v: 1, review: "x", you: this.you, window: 32, chat: true });
    await this.review({ leader, place });
  }

  /** @param {{leader?: number, place?: object}} news */
  async review({ leader, place }) {
    const led = leader && { owner: 1, leader, leader_name: "Ada", hands: [], muted: [] };
    const usual = { round: 1, event: 0, line: "", chapter: this.chapter, t: 0, playing: false };
    const rest = {
      following: false,
      smart: false,
      speed: 100,
      view: "all",
      id: "other-1",
      at: 1000,
    };
    const where = place && { place: { ...usual, ...rest, ...place } };
    this.wire.say({ type: "review", seq: 1, now: 1000, ...led, ...where });
    await settled();
  }

  /** Play for some ms, in frames of 20. @param {number} ms */
  play(ms) {
    for (let left = ms; left > 0; left -= 20) {
      this.clock.pass(20);
      const step = this.frame;
      this.frame = null;
      step?.(this.clock.now());
    }
  }

  /** Do something by hand. @param {() => unknown} run */
  async byHand(run) {
    this.steering.input();
    await run();
    await settled();
  }

  /** Forgets a round; it comes back when the test says so. @param {number} number */
  lose(number) {
    const round = this.log.rounds[number - 1];
    const end = this.log.rounds[number]?.seq ?? LINES.length + 1;
    const chunk = { seq: round.seq, lines: LINES.slice(round.seq - 1, end - 1) };
    const { promise, keep } = promised();
    round.forget();
    /** @type {any} */ (this.log.source).fetchJson = () => promise;
    return () => keep({ next: LINES.length + 1, finished: true, chunks: [chunk] });
  }

  get moves() {
    return this.wire.said("move");
  }

  /** To which events it has led. */
  get moved() {
    return this.moves.map(({ event }) => event);
  }
}

test("the leader's place is sent again while the review is not known to have it", async () => {
  const ada = new Browser(1);
  await ada.connect(1, { id: "b1-0" });
  await ada.byHand(() => ada.player.goTo({ round: 1, event: 7 }));
  assert.deepEqual(ada.moved, [7]);
  ada.clock.pass(6000); // it was refused, or lost with what should have stored it
  assert.deepEqual(ada.moved, [7, 7]);
  await ada.review({ place: { event: 7, id: ada.moves[1].id } });
  ada.clock.pass(6000);
  assert.equal(ada.moves.length, 2);
});

test("a follower has the leader's position and view", async () => {
  const bo = new Browser(2);
  await bo.connect(1, { event: 60, view: "1", speed: 200 });
  assert.equal(bo.player.cursor.event, 60);
  assert.equal(bo.view, "1");
  assert.equal(bo.player.speed, 2);
  assert.deepEqual(bo.moves, []);
});

test("a follower who moves by hand is detached until they go back", async () => {
  const bo = new Browser(2);
  await bo.connect(1, { event: 60 });
  await bo.byHand(() => bo.player.stepEvent(-1));
  assert.equal(bo.steering.attached, false);
  await bo.review({ place: { event: 70, id: "other-2" } });
  assert.equal(bo.player.cursor.event, 59);
  bo.steering.back();
  await settled();
  assert.equal(bo.player.cursor.event, 70);
  assert.equal(bo.steering.attached, true);
});

for (const how of ["playing", "following"])
  test(`a place that arrives late moves nobody who has gone on: ${how}`, async () => {
    const bo = new Browser(2);
    bo.log.finished = how !== "following";
    await bo.connect(1, { event: 60 });
    const come = bo.lose(bo.log.rounds.length);
    await bo.review({ place: { round: bo.log.rounds.length, [how]: true, id: "other-2" } });
    await bo.review({ place: { event: 60, id: "other-3" } });
    come();
    await settled();
    const { cursor, playing, following } = bo.player;
    assert.deepEqual([cursor.round, cursor.event, playing, following], [1, 60, false, false]);
  });

test("what moves without a hand detaches nobody", async () => {
  const bo = new Browser(2);
  await bo.connect(1, { event: 60 });
  await bo.player.goTo({ round: 1, event: 10 });
  await settled();
  assert.equal(bo.steering.attached, true);
});

test("a follower's clock runs with the leader's, and is set when it is off", async () => {
  const bo = new Browser(2);
  await bo.connect(1, { t: 5000, event: 0, playing: true });
  assert.equal(bo.player.playing, true);
  bo.play(1000);
  const { t } = bo.player.cursor;
  assert.ok(Math.abs(t - 6000) < 100, `${t}`);
  await bo.review({ place: { t: 6100, playing: true, id: "other-2" } });
  assert.ok(Math.abs(bo.player.cursor.t - t) < 1, "a little off is left alone");
  await bo.review({ place: { t: 20000, playing: true, id: "other-3" } });
  assert.ok(Math.abs(bo.player.cursor.t - 20000) < 100);
  await bo.review({ place: { event: 80, id: "other-4" } });
  assert.equal(bo.player.playing, false);
  assert.equal(bo.player.cursor.event, 80);
});

test("the leader's steps are sent at once, then no more often than is useful", async () => {
  const ada = new Browser(1);
  await ada.connect(1, { event: 60 });
  for (let count = 0; count < 10; count += 1) await ada.byHand(() => ada.player.stepEvent(1));
  assert.deepEqual(ada.moved, [61]);
  ada.clock.pass(1000);
  assert.deepEqual(ada.moved, [61, 70]);
});

test("a playing leader is sent every two seconds", async () => {
  const ada = new Browser(1);
  await ada.connect(1, { event: 60 });
  await ada.byHand(() => ada.player.play());
  ada.clock.pass(1000);
  const before = ada.moves.length;
  ada.play(6000);
  const beats = ada.moves.length - before;
  assert.ok(beats >= 2 && beats <= 4, `${beats}`);
  assert.equal(ada.moves.at(-1).playing, true);
});

test("whoever starts a review says where it begins", async () => {
  const ada = new Browser(1);
  await ada.player.goTo({ round: 1, event: 33 });
  await ada.connect(1, { id: "" });
  assert.deepEqual(ada.moved, [33]);
});

test("the review is told who looks around, again after every reconnection", async () => {
  const bo = new Browser(2);
  const told = () => bo.wire.said("detach").map(({ detached }) => detached);
  await bo.connect(1, { event: 60 });
  bo.steering.again();
  assert.deepEqual(told(), []);
  await bo.byHand(() => bo.player.stepEvent(-1));
  await bo.byHand(() => bo.player.stepEvent(-1));
  assert.deepEqual(told(), [true]);
  await bo.connect(1, { event: 60 });
  bo.steering.again();
  assert.deepEqual(told(), [true, true]);
  bo.steering.back();
  await settled();
  await bo.byHand(() => bo.player.stepEvent(-1));
  await bo.review({ leader: 2 });
  assert.deepEqual(told(), [true, true, false, true, false], "who leads does not look around");
});

test("a place that the server may not have got is sent again", async () => {
  const ada = new Browser(1);
  await ada.connect(1, { event: 60 });
  await ada.byHand(() => ada.player.stepEvent(1));
  const [{ id }] = ada.moves;
  await ada.connect(1, { event: 60 });
  ada.steering.again();
  assert.equal(ada.player.cursor.event, 61, "the leader is not yanked back");
  assert.equal(ada.moves.at(-1).event, 61);
  await ada.review({ place: { event: 61, id: ada.moves.at(-1).id } });
  assert.notEqual(ada.moves.at(-1).id, id);
  const count = ada.moves.length;
  ada.steering.again();
  assert.equal(ada.moves.length, count);
});

test("whoever becomes the leader leads on from where the review is", async () => {
  const bo = new Browser(2);
  await bo.connect(1, { event: 60 });
  await bo.byHand(() => bo.player.goTo({ round: 1, event: 5 }));
  assert.equal(bo.steering.attached, false);
  await bo.review({ leader: 2 });
  assert.equal(bo.player.cursor.event, 60);
  await bo.byHand(() => bo.player.stepEvent(1));
  bo.clock.pass(1000);
  assert.equal(bo.moves.at(-1).event, 61);
});

test("moments that are gone are forgotten", async () => {
  const bo = new Browser(2);
  await bo.connect();
  const moment = { by: "Ada", member: 1, drawn: true, round: 1, event: 3, line: "", text: "" };
  const shapes = { marks: ["stack:0"], arrows: [] };
  const [first, second] = [1, 2].map((n) => ({ ...moment, ...shapes, n }));
  bo.wire.say({
    type: "review",
    seq: 2,
    now: 1,
    moments: { changed: [first, second], all: [1, 2] },
  });
  bo.wire.say({ type: "review", seq: 3, now: 1, moments: { changed: [], all: [2] } });
  assert.deepEqual([...bo.session.moments.keys()], [2]);
});

test("everybody goes to the chapter that the leader chose, once the review is there", async () => {
  const [leader, follower, detached] = [new Browser(1, 3), new Browser(2, 3), new Browser(3, 3)];
  for (const browser of [leader, follower, detached]) await browser.connect(1, { id: "start" });
  await detached.byHand(() => detached.player.stepEvent(1));
  assert.equal(detached.steering.attached, false);
  const place = { chapter: 5, round: 2, event: 9, line: "", view: "all", speed: 50 };
  leader.steering.leadTo(place);
  leader.steering.input();
  await leader.byHand(() => leader.player.stepEvent(1));
  const told = leader.wire.said("move");
  assert.deepEqual(
    told.map(({ chapter }) => chapter),
    [5],
    "nothing is said about the chapter that is being left",
  );
  assert.equal(leader.leaves, 0);
  for (const browser of [leader, follower, detached])
    await browser.review({ place: { ...place, id: told[0].id } });
  leader.clock.pass(0);
  follower.clock.pass(1990);
  assert.deepEqual([leader.leaves, follower.leaves], [1, 0]);
  follower.clock.pass(20);
  detached.clock.pass(5000);
  assert.deepEqual([follower.leaves, detached.leaves], [1, 0]);
  detached.steering.back();
  detached.clock.pass(200);
  assert.equal(detached.leaves, 1);
});

test("who is where the leader has come back to stays there", async () => {
  const follower = new Browser(2, 3);
  await follower.connect(1, { id: "start", event: 4 });
  await follower.review({ place: { chapter: 5, id: "other-2" } });
  await follower.review({ place: { chapter: 3, event: 9, id: "other-3" } });
  follower.clock.pass(5000);
  await settled();
  assert.equal(follower.leaves, 0);
  assert.equal(follower.player.cursor.event, 9);
});

test("a choice of a chapter is said again when the connection was lost", async () => {
  const leader = new Browser(1, 3);
  await leader.connect(1, { id: "start" });
  leader.steering.leadTo({ chapter: 5, round: 2, event: 9, line: "", view: "all", speed: 50 });
  leader.steering.again();
  assert.deepEqual(
    leader.wire.said("move").map(({ chapter }) => chapter),
    [5, 5],
  );
});

test("who may not see the leader's what-if stays where they are, and is told so", async () => {
  const follower = new Browser(2);
  await follower.connect(1, { event: 4 });
  await follower.review({ place: { event: 40, line: "private", id: "other-2" } });
  assert.equal(follower.steering.unseen, true);
  assert.equal(follower.player.cursor.event, 4);
  const looked = follower.looked;
  for (let count = 0; count < 30; count += 1) {
    follower.clock.pass(1000);
    await settled();
  }
  assert.equal(follower.looked, looked + 5, "it may only just have been saved");
  await follower.review({ place: { event: 40, line: "theirs", id: "other-3" } });
  assert.equal(follower.steering.unseen, false);
});

test("a place told again uses up none of the tries for a what-if that is not saved yet", async () => {
  const follower = new Browser(2);
  await follower.connect(1, { event: 4 });
  for (let count = 0; count < 10; count += 1)
    await follower.review({ place: { event: 40, line: "private", id: "other-2" } });
  const { looked } = follower;
  for (let count = 0; count < 30; count += 1) {
    follower.clock.pass(1000);
    await settled();
  }
  assert.equal(follower.looked, looked + 5);
  for (let count = 0; count < 60; count += 1) {
    follower.clock.pass(1000);
    await settled();
  }
  assert.ok(follower.looked > looked + 5, "on a slow line it is saved late");
});

test("answers stand together by what was said, the commonest first, and are counted", () => {
  const said = (/** @type {string} */ name, /** @type {string} */ words, verdict = "wrong") =>
    /** @type {const} */ ({ name, state: "answered", words, verdict, ms: 900 });
  const all = [
    said("Ada", "the 5 on stack\u00a02", "right"),
    said("Bo", ""),
    said("Cy", "the 5 on stack\u00a02", "right"),
    /** @type {const} */ ({ name: "Di", state: "asked", words: "", verdict: "", ms: null }),
  ];
  assert.deepEqual(
    answers.grouped(all).map(({ words, right, people }) => [words, right, people.length]),
    [
      ["the 5 on stack\u00a02", true, 2],
      ["gave up", false, 1],
    ],
  );
  const away = /** @type {const} */ ({
    name: "Eve",
    state: "away",
    words: "",
    verdict: "",
    ms: null,
  });
  assert.equal(
    answers.summed([...all, away], "Bo"),
    "What does Bo play? · waiting for Di",
    "who is not here is not waited for",
  );
  assert.equal(answers.summed([away]), "");
  assert.equal(answers.counted([...all, away]), "3 of 4 answered");
  const right = ["the 2 on stack\u00a04"];
  assert.deepEqual(
    answers.grouped(all, right).map(({ words, people }) => [words, people.length])[0],
    [right[0], 0],
    "what was revealed is first, even if no one had it",
  );
  const news = { asking: 0, forgotten: "", answers: all, right };
  assert.equal(answers.revealedWords(news), "The answer: the 2 on stack\u00a04. 2 of 4 right.");
  assert.equal(answers.revealedWords({ ...news, right: [] }), "");
  const shown = [all[0], { ...said("Di", "", "given up"), ms: null }];
  assert.equal(answers.counted(shown), "1 of 2 answered", "showing what happened answers nothing");
  assert.equal(answers.grouped(shown)[1].words, "no answer");
});

test("answers are closed while a class is asked, each time again", async () => {
  let asking = 0;
  const part = { textContent: "", replaceChildren() {}, parentElement: {} };
  const root = { hidden: false, open: false, dataset: {}, querySelector: () => part };
  const here = new answers.Answers(/** @type {any} */ (root), () => {});
  globalThis.fetch = async () => Response.json({ asking, right: [], answers: [] });
  /** @type {boolean[]} */
  const open = [];
  for (asking of [3, 0, 0, 3, 0]) {
    await here.load();
    open.push(root.open);
  }
  assert.deepEqual(open, [false, true, true, false, true], "revealed ones stay open");
  const loaded = here.of(4);
  assert.ok(!root.open, "nor do they open before anything is known of the next question");
  await loaded;
});

test("after the reveal a page plays on to what the seat did, or a few seconds", () => {
  const at = (/** @type {number} */ t, /** @type {number} */ seat) => ({ do: "draw", seat, t });
  const round = /** @type {any} */ ({ events: [at(0, 0), at(900, 1), at(1500, 0), at(9000, 2)] });
  assert.equal(revealed.knownAt(round, { round: 1, event: 1, seat: 0 }), 3);
  assert.equal(revealed.knownAt(round, { round: 1, event: 1, seat: 2 }), 4);
  assert.equal(revealed.knownAt(round, { round: 1, event: 3, seat: 0 }), 4, "then it is too long");
});

test("any moment makes a question: of the seat that is looked at, or of who plays next", () => {
  const events = [
    { do: "draw", seat: 1, t: 0 },
    { do: "play", seat: 0, card: "A1a", stack: 2, t: 400 },
    { do: "draw", seat: 1, t: 700 },
  ];
  const round = /** @type {any} */ ({ events });
  const play = { do: "play", card: "A1a", stack: 2 };
  assert.deepEqual(questionAt(round, 0, null), { seat: 0, answer: play });
  assert.deepEqual(questionAt(round, 1, 1), { seat: 1, answer: { do: "draw" } });
  assert.deepEqual(questionAt(round, 1, 2), { seat: 2, answer: { do: "wait" } });
  assert.equal(questionAt(round, 2, null), null, "nothing is played any more");
});
