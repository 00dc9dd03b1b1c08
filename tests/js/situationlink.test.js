import "./static.js";
import assert from "node:assert/strict";
import test from "node:test";

const { situationAddress } = await import(
  "../../replays/static/replays/analysis/situationlink.js"
);

test("a moment leads to the situation that its seat was in before its line", () => {
  const place = { round: 2, seq: 345, seat: 0, delta: 0.1 };
  assert.equal(
    situationAddress("/situations/?match=12", place),
    "/situations/?match=12&round=2&seq=345&seat=0",
  );
});
