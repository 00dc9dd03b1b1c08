/**
 * The replay's keys. They are inactive while the viewer types or chooses, and leave combinations
 * with Ctrl, Alt or Meta to the browser.
 * @typedef {(typeof LISTED)[number]["command"] | "roundBack" | "roundOn" | "smart" | "collect"} Command
 * @typedef {{keys: readonly string[], shift?: boolean, command: Command, words: string}} Key
 * @import { Page } from "./page.js"
 */

import { box } from "../../games/dom/elements.js";
import { keepsKey, keyOf } from "../../games/dom/keptkeys.js";
import { gettext } from "../../games/words/gettext.js";

const LISTED = /** @type {const} */ ([
  { keys: [" ", "k"], command: "toggle", words: gettext("Play or pause") },
  { keys: ["ArrowLeft"], command: "eventBack", words: gettext("One event back") },
  { keys: ["ArrowRight"], command: "eventOn", words: gettext("One event forward") },
  { keys: ["ArrowLeft"], shift: true, command: "secondBack", words: gettext("One second back") },
  { keys: ["ArrowRight"], shift: true, command: "secondOn", words: gettext("One second forward") },
  { keys: ["["], command: "takeBack", words: gettext("Previous take") },
  { keys: ["]"], command: "takeOn", words: gettext("Next take") },
  { keys: ["p"], command: "raceBack", words: gettext("Previous race or note") },
  { keys: ["n"], command: "raceOn", words: gettext("Next race or note") },
  { keys: [","], command: "momentBack", words: gettext("Previous moment") },
  { keys: ["."], command: "momentOn", words: gettext("Next moment") },
  { keys: ["h"], command: "highlights", words: gettext("Play the moments") },
  { keys: ["a"], command: "note", words: gettext("Write a note here") },
  { keys: ["o"], command: "loop", words: gettext("Loop the note’s span") },
  { keys: ["w"], command: "whatIf", words: gettext("Try another move") },
  { keys: ["r"], command: "review", words: gettext("In a review: back to the leader") },
  { keys: ["<"], command: "slower", words: gettext("Slower") },
  { keys: [">"], command: "faster", words: gettext("Faster") },
  { keys: ["Home"], command: "home", words: gettext("To the start") },
  { keys: ["End"], command: "end", words: gettext("To the end, unless results are hidden") },
  { keys: ["f"], command: "view", words: gettext("Change perspective") },
  { keys: ["l"], command: "follow", words: gettext("Follow live") },
  { keys: ["?"], command: "help", words: gettext("Show this help") },
]);

/** @type {readonly Key[]} */
export const KEYS = LISTED;

const NAMES = /** @type {Record<string, string>} */ ({
  " ": gettext("Space"),
  Home: gettext("Home"),
  End: gettext("End"),
  ArrowLeft: "←",
  ArrowRight: "→",
});

/** A key's label. @param {Key} key */
const spelled = ({ keys, shift }) =>
  keys.map((key) => [...(shift ? [gettext("Shift")] : []), NAMES[key] ?? key]);

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

/** Writes the keys into a description list. @param {HTMLElement} list */
export function describe(list) {
  for (const key of KEYS) {
    const ways = spelled(key).map((parts) => parts.map((part) => box("kbd", "", part)));
    const term = box(
      "dt",
      "",
      ...ways.flatMap((keys, at) => (at ? [` ${gettext("or")} `, ...keys] : keys)),
    );
    list.append(box("div", "", term, box("dd", "", key.words)));
  }
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
