import "./static.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { places } from "../../games/static/games/board/choreography.js";
import { apply, deal } from "../../games/static/games/match/fold.js";
import { promised, settled } from "./handclock.js";

const { Page } = await import("../../replays/static/replays/replay/page.js");
const { firstTab } = await import("../../replays/static/replays/replay/controls.js");
const { LATEST_MS, mountAll, whenIdle } = await import(
  "../../replays/static/replays/replay/page.js"
);

/** What a player offers to those that watch it. */
function watched() {
  /** @type {(() => void)[]} */
  const watchers = [];
  return {
    watch: (/** @type {() => void} */ watcher) => watchers.push(watcher),
    tell: () => watchers.forEach((watcher) => watcher()),
  };
}

const page = () => new Page(/** @type {any} */ ({ names: ["Kim", "Lee"] }), { view: 1 });

test("a match opens on what mattered, and on its events until that is known or at a place", () => {
  /** @param {string} leading @param {boolean} placed @param {number} [opening] */
  const opens = (leading, placed, opening) =>
    firstTab(
      {
        querySelector: (/** @type {string} */ which) =>
          /** @type {any} */ ({ id: `tab-${which === "[role=tab]" ? leading : "events"}` }),
      },
      placed,
      opening,
    );
  assert.equal(opens("analysis", false, 9), "analysis");
  assert.equal(opens("analysis", false), "events", "of a match being played");
  assert.equal(opens("analysis", false, 0), "events");
  assert.equal(opens("you", false, 0), "you", "which is known before");
  assert.equal(opens("analysis", true), "events");
});

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

test("what was pressed is in the address, whatever else changes, and what led here stays", () => {
  const shown = page();
  assert.equal(shown.addressed("?round=1&t=0"), "?round=1&t=0");
  shown.set({ below: "players" });
  shown.choose({ tab: "notes" });
  shown.choose({ only: 0, of: "match" });
  assert.equal(shown.addressed("?round=1&t=0"), "?round=1&t=0&tab=notes&of=match&only=0");
  shown.choose({ only: null });
  assert.equal(shown.addressed("?"), "?tab=notes&of=match");
  shown.along = { line: "v", event: 9 };
  assert.equal(shown.addressed("?seq=7"), "?line=v&event=9&pov=1&tab=notes&of=match");
  const led = new Page(/** @type {any} */ ({}), { chart: "scores" }, ["chart", "round"]);
  assert.equal(led.addressed("?seq=7"), "?seq=7&chart=scores");
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

test("a place is drawn once a frame: at once, and with what changed since in the next one", () => {
  /** @type {(() => void)[]} */
  const frames = [];
  let [drawn, hidden] = [0, false];
  const world = { next: (/** @type {() => void} */ run) => frames.push(run), hidden: () => hidden };
  const [moves, states] = [watched(), watched()];
  const player = { onChange: moves.watch, onState: states.watch };
  const shown = new Page(/** @type {any} */ ({ player }), { view: 1 });
  shown.onScene(["view"], () => (drawn += 1), world);
  moves.tell();
  shown.set({ view: 2 });
  states.tell();
  assert.equal(drawn, 1);
  frames.pop()?.();
  assert.equal(drawn, 2, "both together");
  frames.pop()?.();
  assert.equal(drawn, 2, "nothing has changed");
  hidden = true;
  for (let move = 0; move < 3; move++) moves.tell();
  assert.equal(drawn, 5, "a hidden page has no frames");
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
  shown.run("loop");
  shown.run("note");
  shown.command("loop", () => done.push("loop"));
  assert.deepEqual(done, ["note", "another"]);
});

test("what no part offers is not done", async () => {
  const shown = page();
  assert.equal(await shown.call("openLine", "v"), undefined);
  shown.offer("openLine", async (line, event) => assert.deepEqual([line, event], ["v", 3]));
  await shown.call("openLine", "v", 3);
});

test("the parts of a page that is never idle are fetched soon all the same", () => {
  /** @type {number[]} */
  const times = [];
  const busy = {
    requestIdleCallback: (/** @type {any} */ _run, /** @type {{timeout: number}} */ how) =>
      times.push(how.timeout),
    setTimeout: () => assert.fail("it has idle moments"),
  };
  whenIdle(() => {}, busy);
  assert.deepEqual(times, [LATEST_MS]);
  let ran = 0;
  whenIdle(() => (ran += 1), { setTimeout: (/** @type {() => void} */ run) => run() });
  assert.equal(ran, 1);
});

test("parts are fetched at once and mounted in order, and one that fails leaves the others alone", async () => {
  /** @type {string[]} */
  const said = [];
  const first = promised();
  const fetched = async (/** @type {string} */ part) => {
    said.push(`fetch ${part}`);
    if (part === "charts") await first.promise;
    if (part === "notes") throw new Error("gone");
    return () => {
      said.push(`mount ${part}`);
      if (part === "what-if") throw new Error("broken");
    };
  };
  const all = mountAll(["charts", "notes", "what-if", "review"], fetched, (part, why) =>
    said.push(`${part}: ${/** @type {Error} */ (why).message}`),
  );
  await settled();
  const asked = ["fetch charts", "fetch notes", "fetch what-if", "fetch review"];
  assert.deepEqual(said, asked);
  first.keep();
  await all;
  assert.deepEqual(said.slice(asked.length), [
    "mount charts",
    "notes: gone",
    "mount what-if",
    "what-if: broken",
    "mount review",
  ]);
});

const DECKS = ["A1a A2a A3a A4a A5a", "B1a B2a B3a B4a BRa"];

const opening = () => deal({ round: 1, decks: DECKS });

/** @param {any} view @param {string} spot */
const upIn = (view, spot) =>
  places(opening(), view)
    .filter((card) => card.spot === spot)
    .map((card) => card.up);

test("everybody's hand is open to a viewer of all cards, the own one to a seat, none to a spectator", () => {
  assert.deepEqual(
    ["all", 0, 1, "spectator"].map((view) => upIn(view, "hand-0")[0]),
    [true, true, false, false],
  );
});

test("draw piles are face down for all", () =>
  assert.deepEqual(upIn("all", "draw-0"), [false, false]));

test("each card has one place", () => {
  const keys = places(opening(), "all").map((card) => card.key);
  assert.equal(new Set(keys).size, 10);
});

test("hidden cards are distinguished by their places", () => {
  const table = deal({ round: 1, decks: ["A? A? A? A?", DECKS[1]] });
  assert.equal(new Set(places(table, 1).map((card) => card.key)).size, 9);
});

test("a stack shows all its cards, bottom first", () => {
  const table = opening();
  apply(table, { t: 1, seat: 0, do: "play", card: "A1a", stack: 1 });
  apply(table, { t: 2, seat: 1, do: "play", card: "B2a", stack: 1 });
  const stack = places(table, "spectator").filter((card) => card.spot === "slot-1");
  assert.deepEqual(
    stack.map(({ key, up, shown }) => [key, up, shown]),
    [
      ["A1a", true, true],
      ["B2a", true, true],
    ],
  );
});
