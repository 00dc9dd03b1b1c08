import "./static.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Log } from "../../games/static/games/match/log.js";
import { DEALS, LINES } from "./recorded.js";

const { headline, pointsNow } = await import("../../replays/static/replays/analysis/sofar.js");
const NAMES = ["Ada", "Bo", "Cy"];

test("a live headline says who is ahead in points", () => {
  assert.equal(headline(NAMES, [1, 0, -3]), "Ada leads by 1 point with this round.");
  assert.equal(headline(NAMES, [3, 9, 4]), "Bo leads by 5 points with this round.");
  assert.equal(headline(NAMES, [9, 9, 4]), "Ada and Bo lead together.");
  assert.equal(headline(NAMES, [-7, -7, -7]), "All are level.");
});

test("the points of a headline are those of the table, with every line that comes", () => {
  const log = new Log({ id: "m", seats: LINES[0].seats });
  assert.deepEqual(pointsNow(log), [0, 0, 0]);
  log.append({ seq: 1, lines: LINES.slice(1, DEALS[1]) });
  const { end } = log.rounds[0];
  assert.ok(end);
  assert.deepEqual(pointsNow(log), end.totals);
  log.append({ seq: DEALS[1], lines: LINES.slice(DEALS[1], DEALS[1] + 1) });
  const round = log.rounds[1];
  const scores = end.totals.map((_, seat) => round.timeline?.tableAt(0).score(seat) ?? 0);
  assert.deepEqual(
    pointsNow(log),
    end.totals.map((total, seat) => total + scores[seat]),
  );
  const take = LINES.findIndex((line, seq) => seq > DEALS[1] && line.takes);
  log.append({ seq: DEALS[1] + 1, lines: LINES.slice(DEALS[1] + 1, take + 1) });
  const { seat } = LINES[take];
  assert.ok(pointsNow(log)[seat] > end.totals[seat] + scores[seat]);
});
