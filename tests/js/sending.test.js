// What is sent again because its answer was lost says so.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import { send } from "../../games/static/games/dom/sending.js";

// The keys sent so far, and what becomes of the next requests.
/** @type {(string | undefined)[]} */
let keys = [];
/** @type {(number | string)[]} */
let fates = [];

beforeEach(() => {
  keys = [];
  globalThis.fetch = async (_url, options) => {
    keys.push(new Headers(options?.headers).get("X-Request-Key") ?? undefined);
    const fate = fates.shift() ?? 200;
    if (fate === "lost") throw new TypeError("lost");
    if (fate === "breaks off") {
      const body = new ReadableStream({ pull: (stream) => stream.error(new TypeError("lost")) });
      return new Response(body, { status: 201 });
    }
    return new Response("{}", { status: Number(fate) });
  };
});

const post = (body = "a") =>
  send("/x", { method: "POST", headers: {}, body }).then(
    ({ status }) => status,
    () => "lost",
  );

test("a request sent again has its key, and once answered another", async () => {
  fates = ["lost", "breaks off", 503, 201, 201];
  for (let count = 0; count < 5; count += 1) await post();
  const [first, ...others] = keys;
  assert.match(first ?? "", /^[\w-]{16,64}$/);
  assert.deepEqual(others.slice(0, 3), [first, first, first]);
  assert.notEqual(others[3], first);
});

test("something else has a key of its own, a refusal is an answer, and reading has none", async () => {
  fates = ["lost", "lost", 422, 201];
  for (const body of ["a", "b", "a", "a"]) await post(body);
  assert.equal(new Set(keys).size, 3);
  assert.equal(keys[0], keys[2]);
  await send("/x", { method: "GET", headers: {} });
  assert.equal(keys[4], undefined);
});

test("whatever changes something on the site is sent by this", () => {
  // A job, and what a play would have led to, are known by what is asked.
  const asking = ["replays/jobs/waiting.js", "replays/analysis/trialanswers.js"];
  const others = ["games", "replays"].flatMap((app) =>
    globSync(`${app}/static/${app}/**/*.js`)
      .filter((path) => !path.includes("/vendor/") && !path.endsWith("/dom/sending.js"))
      .filter((path) =>
        readFileSync(path, "utf8").match(
          /\bfetch\([^;]*?\bmethod\b(?!: "POST", body: new FormData)/,
        ),
      )
      .map((path) => path.slice(`${app}/static/`.length)),
  );
  assert.deepEqual(others.sort(), asking.sort());
});
