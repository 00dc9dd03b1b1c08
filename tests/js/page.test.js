import assert from "node:assert/strict";
import { test } from "node:test";

import "./static.js";

const { Page } = await import("../../replays/static/replays/replay/page.js");

const page = () => new Page(/** @type {any} */ ({ names: ["Kim", "Lee"] }), { view: 1 });

test("whoever asked for it hears what is new, and from whom", () => {
  const shown = page();
  /** @type {unknown[]} */
  const heard = [];
  shown.onChange(["view", "line"], ({ view, line }, origin) => heard.push([view, line, origin]));
  shown.set({ view: "all" }, "leader");
  shown.set({ tab: "notes" });
  shown.set({ view: "all", line: "v" });
  shown.set({ view: "all", line: "v", tab: "notes" });
  assert.deepEqual(heard, [
    ["all", null, "leader"],
    ["all", "v", ""],
  ]);
});

test("a change by one who hears of another is told last, and everybody is told of both", () => {
  const shown = page();
  /** @type {unknown[]} */
  const heard = [];
  shown.onChange(["view"], ({ view }) => view === "all" && shown.set({ view: 0 }));
  shown.onChange(["view"], ({ view }) => heard.push(view));
  shown.set({ view: "all" });
  assert.equal(heard.at(-1), 0);
});

test("whoever has stopped hears nothing more", () => {
  const shown = page();
  let heard = 0;
  const stop = shown.onChange(["forSome"], () => {
    heard += 1;
  });
  shown.set({ forSome: true });
  stop();
  shown.set({ forSome: false });
  assert.equal(heard, 1);
});

test("a command does what it was last said to do; one that the page lacks does nothing", () => {
  const shown = page();
  /** @type {string[]} */
  const done = [];
  assert.equal(shown.run("note"), false);
  shown.command("momentOn", () => done.push("take"));
  shown.command("momentOn", () => done.push("moment"));
  assert.equal(shown.run("momentOn"), true);
  assert.deepEqual(done, ["moment"]);
});

test("the last key pressed before its part is there works once the part comes", () => {
  const shown = page();
  /** @type {string[]} */
  const done = [];
  shown.run("whatIf");
  shown.run("note");
  shown.command("whatIf", () => done.push("what-if"));
  shown.command("note", () => done.push("note"));
  shown.command("note", () => done.push("another"));
  assert.deepEqual(done, ["note"]);
  shown.run("tags");
  shown.run("note");
  shown.command("tags", () => done.push("tags"));
  assert.deepEqual(done, ["note", "another"]);
});

test("what no part offers is not done", async () => {
  const shown = page();
  assert.equal(await shown.call("openLine", "v"), undefined);
  shown.offer("openLine", async (line, event) => assert.deepEqual([line, event], ["v", 3]));
  await shown.call("openLine", "v", 3);
});
