import "./static.js";
import assert from "node:assert/strict";
import test from "node:test";

const { axisOf, behindOf, chosen, firstAt, marginOf, startOf, ticksOf, triesOf } = await import(
  "../../replays/static/replays/analysis/raceaxis.js"
);
const { shiftsOf } = await import("../../replays/static/replays/analysis/oneplay.js");
const { playAddress } = await import("../../replays/static/replays/analysis/momentlist.js");

/** @param {number} seq @param {number} margin @param {object} more @returns {any} */
const race = (seq, margin, more = {}) => ({
  ...{ seq, round: 1, t: 1000 + margin, slot: 0, kind: "late", winner: 0, play_seq: seq - 1 },
  attempts: [
    { seat: 0, card: "A1a", t: 1000, hand_t: 940, margin_ms: 0 },
    { seat: 1, card: "B1a", t: 1000 + margin, hand_t: null, margin_ms: margin },
  ],
  ...more,
});

test("the axis holds every hand and every arrival, with a few round ticks", () => {
  const late = race(9, 34);
  const axis = axisOf(late);
  assert.equal(startOf(late), 940);
  assert.ok(axis.from < 940 && axis.until > 1034);
  assert.ok(axis.share(940) < axis.share(1000) && axis.share(1000) < axis.share(1034));
  assert.equal(axis.share(0), 0);
  const ticks = ticksOf(late, axis);
  assert.deepEqual(
    ticks.map(({ words }) => words),
    ["−60", "−40", "−20", "0", "+20", "+40"].filter((_, at) => at < ticks.length),
  );
  assert.equal(ticks.find(({ words }) => words === "0")?.t, 1000);
});

test("a try that was too late already shows the play that it was too late for first", () => {
  const late_to = { seat: 2, card: "C1a", t: 941, hand_t: 900, margin_ms: -59 };
  const late = race(9, 37, { late_to, flip_ms: 47 });
  assert.deepEqual(
    triesOf(late).map(({ seat }) => seat),
    [2, 0, 1],
  );
  assert.deepEqual(
    [firstAt(late), startOf(late), behindOf(late), marginOf(late)],
    [941, 900, 96, 37],
  );
  assert.deepEqual(
    shiftsOf(late, 50).map(({ ms }) => ms),
    [47, 146],
  );
});

test("a tie within one millisecond has an axis too", () => {
  const axis = axisOf({
    ...race(3, 0),
    attempts: [race(3, 0).attempts[1], race(3, 0).attempts[1]],
  });
  assert.ok(axis.until - axis.from > 40);
});

test("races are listed closest first; a player's are those that were lost", () => {
  const races = [
    race(9, 34),
    race(5, 12, { round: 2 }),
    race(7, 20, { kind: "tie", winner: null }),
  ];
  const all = { round: null, seat: null, kind: null };
  assert.deepEqual(chosen(races, all).map(marginOf), [12, 20, 34]);
  assert.deepEqual(chosen(races, { ...all, round: 1 }).map(marginOf), [20, 34]);
  assert.deepEqual(chosen(races, { ...all, seat: 0 }).map(marginOf), [20]);
  assert.deepEqual(chosen(races, { ...all, seat: 1, kind: "late" }).map(marginOf), [12, 34]);
});

test("a late try is tried again just in time for a tie, and first", () => {
  const late = race(9, 121, { flip_ms: 72 });
  assert.deepEqual(
    shiftsOf(late, 50).map(({ ms }) => ms),
    [72, 171],
  );
  assert.deepEqual(
    shiftsOf({ ...late, flip_ms: 122 }, 0).map(({ ms }) => ms),
    [122],
  );
  const tie = { ...late, kind: "tie", flip_ms: 8 };
  assert.deepEqual(
    shiftsOf(tie, 50).map(({ ms }) => ms),
    [8],
  );
  assert.deepEqual(shiftsOf({ ...late, flip_ms: null }, 50), []);
});

test("a race is played in the seat that lost it, from three seconds before the first hand", () => {
  const events = [{ t: 0 }, { t: 1900 }, { t: 2500 }, { t: 5000 }];
  const late = race(3, 34);
  late.attempts = late.attempts.map((/** @type {any} */ attempt) => ({
    ...attempt,
    t: attempt.t + 4000,
    hand_t: attempt.hand_t && attempt.hand_t + 4000,
  }));
  assert.equal(playAddress("/race", late, events), "/race?round=1&event=2&seat=1");
  const tie = race(9, 34, { kind: "tie" });
  assert.equal(playAddress("/race", tie, events), "/race?round=1&event=0&seat=0");
});
