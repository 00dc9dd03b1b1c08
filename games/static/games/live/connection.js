/**
 * Shows whether the table is current. A table that may be out of date is greyed and labelled.
 * @typedef {import("./connectionwords.js").Way} Way
 */

import { box, button } from "../dom/elements.js";
import { ConnectionWords } from "./connectionwords.js";

/** The page's mark that it may be out of date. */
const STALE = "not-current";

/** Whether the page is up to date, as far as it knows. */
export const isCurrent = () => !document.body.classList.contains(STALE);

export class ConnectionStatus extends ConnectionWords {
  /** @param {HTMLElement} root */
  constructor(root) {
    super({
      say: (words, way) => say(root, words, way),
      clear: () => {
        root.hidden = true;
        document.body.classList.remove(STALE);
      },
      reload: () => location.reload(),
      online: () => navigator.onLine,
    });
  }
}

/** @param {HTMLElement} root @param {string} words @param {Way | null} way */
function say(root, words, way) {
  if (root.dataset.words !== words) {
    root.dataset.words = words;
    root.replaceChildren(
      box("span", "", words),
      ...(way ? [button("button small", way.label, way.does)] : []),
    );
  }
  root.hidden = false;
  document.body.classList.add(STALE);
}
