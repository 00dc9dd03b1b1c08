import assert from "node:assert/strict";
import { test } from "node:test";
import { pageAt } from "../../games/static/games/dom/pages.js";

test("a fetched page has the reader's days and times", async () => {
  const at = new Date(Date.now() - 86_400_000);
  const time = (/** @type {string} */ textContent, /** @type {object} */ dataset) => ({
    dateTime: at.toISOString(),
    textContent,
    dataset,
  });
  const times = [time("Monday", { day: "" }), time("3 May, 14:05 UTC", {}), time("14:05", {})];
  const page = { querySelectorAll: () => times };
  class DOMParser {
    parseFromString = () => page;
  }
  const fetch = async () => new Response("");
  Object.assign(globalThis, { DOMParser, fetch });
  assert.equal(await pageAt("/"), page);
  const [day, moment, other] = times.map((one) => one.textContent);
  assert.equal(day, "Yesterday");
  assert.ok(!moment.includes("UTC"));
  assert.equal(other, "14:05");
});
