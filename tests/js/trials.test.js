import assert from "node:assert/strict";
import { test } from "node:test";

import { HandClock, promised, settled } from "./handclock.js";
import "./static.js";

const { TrialAnswers } = await import("../../replays/static/replays/analysis/trialanswers.js");

const WHERE = { round: 1, event: 9, seat: 0 };

/** Trials whose questions a test answers by hand. */
function asked() {
  /** @type {any[]} */
  const bodies = [];
  /** @type {((answer: any) => void)[]} */
  const answers = [];
  const clock = new HandClock();
  const trials = new TrialAnswers(
    (body) => {
      const { promise, keep } = promised();
      bodies.push(body);
      answers.push(keep);
      return promise;
    },
    (/** @type {number} */ ms, /** @type {() => void} */ run) => clock.later(ms, run),
  );
  return { trials, bodies, answers, clock };
}

test("of what is asked for one place only the answer to the latest is shown", async () => {
  const { trials, answers } = asked();
  const [place, other] = [{}, {}];
  const elsewhere = trials.first(other, WHERE);
  const both = [trials.first(place, { ...WHERE, ms: 50 }), trials.first(place, WHERE)];
  answers[2]("later");
  answers[1]("earlier");
  answers[0]("elsewhere");
  assert.deepEqual(await Promise.all(both), [null, { found: "later" }]);
  assert.deepEqual(await elsewhere, { found: "elsewhere" });
});

test("an answer about a place that was left is not shown, and no fault of it either", async () => {
  const { trials, answers } = asked();
  const place = {};
  const left = [trials.first(place, WHERE), trials.first(place, WHERE)];
  trials.forget(place);
  answers[0]("too late");
  answers[1](Promise.reject(new Error("too late")));
  assert.deepEqual(await Promise.all(left), [null, null]);
});

test("a question that is not answered says why", async () => {
  const { trials, answers } = asked();
  const answer = trials.first({}, WHERE);
  answers[0](Promise.reject(new Error("that is too much")));
  assert.deepEqual(await answer, { error: "that is too much" });
});

test("a surer answer is asked for until a worker has it", async () => {
  const { trials, bodies, answers, clock } = asked();
  const place = {};
  /** @type {any[]} */
  const told = [];
  const surer = trials.surer(place, { ...WHERE, rollouts: 300 }, (job) => told.push(job.state));
  answers[0]({ job: { state: "waiting" } });
  await settled();
  assert.equal(bodies.length, 1);
  clock.pass(1000);
  await settled();
  answers[1]({ job: { state: "running" } });
  await settled();
  clock.pass(1000);
  await settled();
  answers[2]({ text: "sure" });
  assert.deepEqual(await surer, { found: { text: "sure" } });
  assert.deepEqual(told, ["waiting", "running"]);
});

test("a surer answer that was cancelled or has failed says so", async () => {
  for (const [error, words] of [
    ["", "it was cancelled"],
    ["no memory", "no memory"],
  ]) {
    const { trials, answers } = asked();
    const surer = trials.surer({}, { ...WHERE, rollouts: 300 }, () => {});
    answers[0]({ job: { state: "cancelled", error } });
    assert.deepEqual(await surer, { error: words });
  }
});
