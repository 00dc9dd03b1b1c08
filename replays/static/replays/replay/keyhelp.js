/**
 * The keys of the page, in words. Fetched when the help is first asked for.
 * @import { Listed } from "./shortcuts.js"
 */

import { box } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { KEYS } from "./shortcuts.js";

/** @type {Record<Listed, string>} */
const WORDS = {
  toggle: gettext("Play or pause"),
  eventBack: gettext("One event back"),
  eventOn: gettext("One event forward"),
  secondBack: gettext("One second back"),
  secondOn: gettext("One second forward"),
  takeBack: gettext("Previous take"),
  takeOn: gettext("Next take"),
  raceBack: gettext("Previous race or note"),
  raceOn: gettext("Next race or note"),
  momentBack: gettext("Previous moment"),
  momentOn: gettext("Next moment"),
  highlights: gettext("Play the moments"),
  note: gettext("Write a note here"),
  loop: gettext("Loop the note’s span"),
  whatIf: gettext("Try another move"),
  review: gettext("In a review: back to the leader"),
  slower: gettext("Slower"),
  faster: gettext("Faster"),
  home: gettext("To the start"),
  end: gettext("To the end, unless results are hidden"),
  view: gettext("Change perspective"),
  follow: gettext("Follow live"),
  help: gettext("Show this help"),
};

const NAMES = /** @type {Record<string, string>} */ ({
  " ": gettext("Space"),
  Home: gettext("Home"),
  End: gettext("End"),
  ArrowLeft: "←",
  ArrowRight: "→",
});

/** Writes the keys into a description list. @param {HTMLElement} list */
export function describe(list) {
  for (const { keys, shift, command } of KEYS) {
    const ways = keys.map((key) => [...(shift ? [gettext("Shift")] : []), NAMES[key] ?? key]);
    const spelled = ways.map((parts) => parts.map((part) => box("kbd", "", part)));
    const inside = spelled.flatMap((part, at) => (at ? [` ${gettext("or")} `, ...part] : part));
    const words = box("dd", "", WORDS[/** @type {Listed} */ (command)]);
    list.append(box("div", "", box("dt", "", ...inside), words));
  }
}
