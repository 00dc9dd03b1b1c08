/**
 * The replay's keys. They are inactive while the viewer types or chooses, and leave combinations
 * with Ctrl, Alt or Meta to the browser. `templates/replays/keys.html` lists them.
 * @typedef {(typeof LISTED)[number]["command"] | "roundBack" | "roundOn" | "smart" | "collect"} Command
 * @typedef {{keys: readonly string[], shift?: boolean, command: Command}} Key
 * @import { Page } from "./page.js"
 */

import { keepsKey, keyOf } from "../../games/dom/keptkeys.js";

const LISTED = /** @type {const} */ ([
  { keys: [" ", "k"], command: "toggle" },
  { keys: ["ArrowLeft"], command: "eventBack" },
  { keys: ["ArrowRight"], command: "eventOn" },
  { keys: ["ArrowLeft"], shift: true, command: "secondBack" },
  { keys: ["ArrowRight"], shift: true, command: "secondOn" },
  { keys: ["["], command: "takeBack" },
  { keys: ["]"], command: "takeOn" },
  { keys: ["p"], command: "raceBack" },
  { keys: ["n"], command: "raceOn" },
  { keys: [","], command: "momentBack" },
  { keys: ["."], command: "momentOn" },
  { keys: ["h"], command: "highlights" },
  { keys: ["a"], command: "note" },
  { keys: ["o"], command: "loop" },
  { keys: ["w"], command: "whatIf" },
  { keys: ["r"], command: "review" },
  { keys: ["<"], command: "slower" },
  { keys: [">"], command: "faster" },
  { keys: ["Home"], command: "home" },
  { keys: ["End"], command: "end" },
  { keys: ["f"], command: "view" },
  { keys: ["l"], command: "follow" },
  { keys: ["?"], command: "help" },
]);

/** @type {readonly Key[]} */
export const KEYS = LISTED;

/** In a dialog, or used by an element. @param {EventTarget | null} target @param {string} key */
function isKept(target, key) {
  if (keepsKey(target, key) || document.querySelector("dialog[open]")) return true;
  return (
    target instanceof Element &&
    key.startsWith("Arrow") &&
    target.closest("[role=tablist]") !== null
  );
}

/**
 * Letters and named keys require Shift exactly where the list says so, regardless of Caps Lock.
 * Typing a sign may require it anyway.
 * @param {Key} key @param {KeyboardEvent} event
 */
function matches(key, event) {
  const name = keyOf(event);
  if (!key.keys.includes(name)) return false;
  const named = /^[a-z ]$/.test(name) || name.length > 1;
  return !named || event.shiftKey === Boolean(key.shift);
}

/** @param {KeyboardEvent} event */
export function commandOf(event) {
  const sign = event.getModifierState("AltGraph") && event.key.length === 1;
  if (event.metaKey || ((event.ctrlKey || event.altKey) && !sign)) return null;
  return KEYS.find((key) => matches(key, event))?.command ?? null;
}

/** To keys, and to the page's buttons. @param {Page} page */
export function listen(page) {
  for (const button of document.querySelectorAll("button[data-command]")) {
    const { command } = /** @type {HTMLElement} */ (button).dataset;
    button.addEventListener("click", () => page.run(/** @type {Command} */ (command)));
  }
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isKept(event.target, event.key)) return;
    const command = commandOf(event);
    if (command && page.run(command)) event.preventDefault();
  });
}

/** @param {Page} page */
export function bindCommands(page) {
  const { player } = page;
  /** @param {() => unknown} move a manual step stops playing */
  const byHand = (move) => () => {
    player.pause();
    move();
  };
  const commands = {
    toggle: () => player.toggle(),
    eventBack: byHand(() => player.stepEvent(-1)),
    eventOn: byHand(() => player.stepEvent(1)),
    secondBack: () => player.stepTime(-1000),
    secondOn: () => player.stepTime(1000),
    takeBack: byHand(() => player.stepTake(-1)),
    takeOn: byHand(() => player.stepTake(1)),
    // Until the moments are known.
    momentBack: byHand(() => player.stepTake(-1)),
    momentOn: byHand(() => player.stepTake(1)),
    raceBack: byHand(() => player.stepRace(-1)),
    raceOn: byHand(() => player.stepRace(1)),
    roundBack: byHand(() => player.stepRound(-1)),
    roundOn: byHand(() => player.stepRound(1)),
    slower: () => player.changeSpeed(-1),
    faster: () => player.changeSpeed(1),
    home: byHand(() => player.home()),
    // If results are hidden there is no end to go to yet, as the line beside the clock says.
    end: byHand(() => player.log.endHidden || player.end()),
    follow: byHand(() => player.follow()),
    smart: () => player.setSmart(!player.smart),
  };
  for (const [name, run] of Object.entries(commands))
    page.command(/** @type {Command} */ (name), run);
}
