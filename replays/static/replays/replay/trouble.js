/**
 * Over the table: that part of the match could not be loaded, or that a live match is not followed
 * now. One place, one button.
 */

import { byId, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";

/** How many requests fail. */
let failing = 0;
/** What is wrong with the connection to a live match, and the way back. */
let lost = { words: "", label: "", does: () => {} };

function show() {
  byId("trouble").hidden = !failing && !lost.words;
  const failed = navigator.onLine
    ? gettext("Part of the match could not be loaded.")
    : gettext("You are offline.");
  write(byId("trouble-words"), lost.words || (failing ? failed : ""));
  write(byId("retry"), lost.label || gettext("Try again"));
}

/** An attempt has failed, or is over. @param {number} by */
export function trouble(by) {
  failing += by;
  show();
}

/** Until the viewer asks again, the network is back, or so much time has passed. @param {number} ms */
export const anotherTry = (ms) =>
  new Promise((again) => {
    const over = new AbortController();
    const now = () => {
      over.abort();
      again(null);
    };
    byId("retry").addEventListener("click", now, over);
    window.addEventListener("online", now, over);
    setTimeout(now, ms);
  });

/** Says what is wrong with the connection, and offers the way back. @param {typeof lost} now no words: nothing */
export function lose(now) {
  lost = now;
  byId("retry").onclick = () => lost.does();
  show();
}

/** Asks the viewer to reload. There is nothing to wait for. @param {string} words @returns {Promise<never>} */
export function reload(words) {
  lose({ words, label: gettext("Reload"), does: () => location.reload() });
  return new Promise(() => {});
}
