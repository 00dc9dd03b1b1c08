import "./static.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { answerWords, happened, momentWords, nextQuestion, sameAnswer, tookMs } = await import(
  "../../replays/static/replays/studies/moments.js"
);

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
  assert.equal(momentWords(round, 3, names), "0:32.5, before Ann takes stack 2");
  assert.equal(momentWords(round, 0, names), "0:00.0, before Ann plays on stack 1");
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
  assert.equal(answerWords({ do: "play", card: "A5a", stack: 1 }), "the 5 on stack 2");
  assert.equal(answerWords({ do: "discard", card: "BRa" }), "discard the wild");
  const five = { do: /** @type {const} */ ("play"), card: "A5a", stack: 1 };
  assert.ok(sameAnswer(five, { ...five, card: "A5c" }));
  assert.ok(!sameAnswer(five, { ...five, stack: 0 }));
  assert.ok(!sameAnswer(five, { do: "discard", card: "A5a" }));
});
