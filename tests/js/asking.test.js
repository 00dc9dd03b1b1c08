import "./static.js";
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { ask, inTurn, jsonAt, ResultsHidden } from "../../games/static/games/dom/asking.js";
import { promised, settled } from "./handclock.js";

const { Newest } = await import("../../games/static/games/dom/newest.js");
const { later } = await import("../../games/static/games/dom/later.js");
const { bringIntoView } = await import("../../games/static/games/dom/elements.js");

/** What was sent, and what becomes of it. @type {RequestInit[]} */
let sent = [];
/** @type {(() => Response)[]} */
let fates = [];

beforeEach(() => {
  sent = [];
  fates = [];
  globalThis.fetch = async (_url, options = {}) => {
    sent.push(options);
    return (fates.shift() ?? gives(200))();
  };
});

const gives =
  (/** @type {number} */ status, text = "{}") =>
  () =>
    new Response(text, { status });
const lost = () => {
  throw new TypeError("lost");
};
const breaksOff = () =>
  new Response(new ReadableStream({ pull: (stream) => stream.error(new TypeError("lost")) }));
const headersOf = () => sent.map(({ headers }) => new Headers(headers));
const keys = () => headersOf().map((headers) => headers.get("X-Request-Key"));

test("what the site says comes back", async () => {
  fates = [
    gives(200, '{"next": 9}'),
    gives(409, '{"detail": "not over"}'),
    () => new Response(null, { status: 204 }),
  ];
  assert.deepEqual(await ask("GET", "/log"), { ok: true, status: 200, data: { next: 9 } });
  const refused = { ok: false, status: 409, data: { detail: "Not over." } };
  assert.deepEqual(await ask("PUT", "/log", { a: 1 }), refused);
  assert.deepEqual(await ask("DELETE", "/log"), { ok: true, status: 204, data: {} });
  assert.equal(sent[1]?.body, '{"a":1}');
});

test("what changes something is signed by the page, once refused by the token that came", async () => {
  const field = { value: "of the page" };
  Object.assign(globalThis, { document: { querySelector: () => field } });
  fates = [gives(403, '{"detail": "older", "csrf": "renewed"}')];
  await ask("POST", "/note", { a: 1 });
  await ask("POST", "/note", { a: 1 });
  await ask("GET", "/note");
  Object.assign(globalThis, { document: undefined });
  const tokens = headersOf().map((headers) => headers.get("X-CSRFToken"));
  assert.deepEqual(tokens, ["of the page", "renewed", null]);
});

test("half a response, none, and one in no known form are failures that say so", async () => {
  fates = [breaksOff, lost, gives(200, '{"next"'), gives(502, "<html>")];
  /** @type {unknown[]} */
  const said = [];
  for (let count = 0; count < 4; count += 1) {
    const { ok, status, data } = await ask("GET", "/log");
    said.push([ok, status, data.detail]);
  }
  const nobody = [false, 0, "There is no connection."];
  assert.deepEqual(said, [
    nobody,
    nobody,
    [false, 200, "No answer (200)."],
    [false, 502, "No answer (502)."],
  ]);
});

test("a refusal carries the site's words, or its status where it has none", async () => {
  fates = [gives(409, '{"detail": "not over"}'), gives(500, "{}")];
  await assert.rejects(jsonAt("/log"), { message: "Not over." });
  await assert.rejects(jsonAt("/log"), /500 \/log/);
});

test("results hidden in another tab are told apart from a failure", async () => {
  fates = [
    gives(403, '{"detail": "results are hidden", "results": "hidden"}'),
    gives(403, '{"detail": "no"}'),
  ];
  await assert.rejects(jsonAt("/charts/"), ResultsHidden);
  await assert.rejects(jsonAt("/charts/"), (error) => !(error instanceof ResultsHidden));
});

test("a request sent again has its key, and once answered another", async () => {
  fates = [lost, breaksOff, gives(503), gives(201), gives(201)];
  for (let count = 0; count < 5; count += 1) await ask("POST", "/x", { a: 1 });
  const [first, ...others] = keys();
  assert.match(first ?? "", /^[\w-]{16,64}$/);
  assert.deepEqual(others.slice(0, 3), [first, first, first]);
  assert.notEqual(others[3], first);
});

test("something else has a key of its own, a refusal is an answer, and reading has none", async () => {
  fates = [lost, lost, gives(422), gives(201)];
  for (const a of [1, 2, 1, 1]) await ask("POST", "/x", { a });
  assert.equal(new Set(keys()).size, 3);
  assert.equal(keys()[0], keys()[2]);
  await ask("GET", "/x");
  assert.equal(keys()[4], null);
});

test("whatever asks the site for something does it by this, or as nobody from caches", () => {
  const others = ["games", "replays"].flatMap((app) =>
    globSync(`${app}/static/${app}/**/*.js`)
      .filter((path) => !path.includes("/vendor/"))
      .filter((path) => /(?<![.#\w]|async )\bfetch\(/.test(readFileSync(path, "utf8")))
      .map((path) => path.slice(`${app}/static/`.length)),
  );
  assert.deepEqual(others, ["games/dom/asking.js", "games/dom/caches.js", "games/dom/pages.js"]);
});

test("one thing is worked out at a time, also where another tab has asked", async () => {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  /** @type {any} */
  const locks = {
    request: (/** @type {string} */ name, /** @type {() => Promise<unknown>} */ run) => {
      assert.equal(name, "worked-out");
      const mine = last.then(run);
      last = mine.catch(() => {});
      return mine;
    },
  };
  /** @type {string[]} */
  const begun = [];
  const first = promised();
  const failing = inTurn(async () => {
    begun.push("charts");
    await first.promise;
    throw new Error("busy");
  }, locks);
  const other = inTurn(async () => begun.push("analysis"), locks);
  await settled();
  assert.deepEqual(begun, ["charts"]);
  first.keep();
  await assert.rejects(failing, /busy/);
  assert.equal(await other, 2);
});

test("without locks, on an insecure address, all is asked at once", async () => {
  assert.equal(await inTurn(async () => 7, null), 7);
});

test("an answer that a later request's has overtaken is not shown", () => {
  const newest = new Newest();
  const [first, second, third] = [newest.ask(), newest.ask(), newest.ask()];
  assert.deepEqual([second(), first(), third()], [true, false, true]);
});

test("what could not be fetched is fetched again by the next press, and then once", async () => {
  /** @type {string[]} */
  const said = [];
  let asked = 0;
  const read = later(
    async () => {
      asked += 1;
      if (asked < 3) throw new TypeError("Failed to fetch");
      return asked;
    },
    (words) => said.push(words),
  );
  await assert.rejects(read({ quiet: true }));
  assert.deepEqual(said, [], "nobody has pressed anything");
  await assert.rejects(read());
  assert.match(said.join(), /could not be loaded: there is no connection. Try again/);
  assert.deepEqual(await Promise.all([read(), read()]), [3, 3]);
  assert.equal(await read(), 3);
  assert.equal(said.length, 1);
});

/**
 * What is scrolled so that an element at `at` px of the window is seen.
 * @param {{at: number, stage: {top: number, position: string} | null, within?: string, panel?: number}} where
 */
function scrolled({ at, stage, within = ".tabpanel", panel = 100 }) {
  /** @type {string[]} */
  const done = [];
  const box = (/** @type {string} */ name, /** @type {number} */ top) => ({
    getBoundingClientRect: () => ({ top, height: 400 }),
    scrollIntoView: (/** @type {{block: string}} */ how) => done.push(`${name} ${how.block}`),
    scrollBy: (/** @type {number} */ _, /** @type {number} */ by) => done.push(`${name} by ${by}`),
  });
  const shown = {
    ...box("element", at),
    closest: (/** @type {string} */ name) => (name === within ? box("panel", panel) : null),
    style: { setProperty: (/** @type {any[]} */ ...set) => done.push(set.join(" ")) },
  };
  Object.assign(globalThis, {
    document: { querySelector: () => stage && box("stage", stage.top) },
    getComputedStyle: () => ({ position: stage?.position }),
  });
  bringIntoView(/** @type {any} */ (shown));
  return done;
}

test("on a phone what was asked for begins below the table that stays on top", () => {
  assert.deepEqual(scrolled({ at: 1200, stage: { top: 0, position: "sticky" } }), [
    "scroll-margin-block-start 408px",
    "element start",
  ]);
});

test("beside the table the panel scrolls, and the table's top stays in the window", () => {
  const stage = { top: 60, position: "static" };
  assert.deepEqual(scrolled({ at: 700, stage }), ["panel by 592"]);
  assert.deepEqual(scrolled({ at: 700, stage: { ...stage, top: -90 } }), [
    "panel by 592",
    "stage start",
  ]);
});

test("far below the table only as much is scrolled as it takes", () => {
  for (const position of ["sticky", "static"]) {
    const stage = { top: 0, position };
    assert.deepEqual(scrolled({ at: 2000, stage, within: ".below" }), ["element nearest"]);
  }
});

test("the table itself is brought into view, and no further", () => {
  const stage = { top: -120, position: "sticky" };
  assert.deepEqual(scrolled({ at: -100, stage, within: ".stage" }), ["stage nearest"]);
});

test("in a low narrow window what was asked for comes first, whatever becomes of the table", () => {
  const stage = { top: -90, position: "static" };
  for (const within of [".tabpanel", ".side"])
    assert.deepEqual(scrolled({ at: 700, stage, within, panel: 400 }), ["element start"]);
});

test("a page without a table is left as it is", () => {
  assert.deepEqual(scrolled({ at: 700, stage: null }), []);
});
