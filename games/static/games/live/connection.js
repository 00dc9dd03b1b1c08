// @ts-check
/**
 * Shows whether the table is current. A table that may be out of date is greyed and labelled.
 *
 * @typedef {import("./socket.js").Status} Status
 */

import { box } from "../dom/elements.js";

const ENDS = /** @type {Record<string, string>} */ ({
  "not-allowed": "You can’t watch this table.",
  "no-such-match":
    "This table no longer exists, or the link to it was replaced. Ask for the new link.",
  version: "This page is out of date.",
  "bad-frames": "The connection failed.",
});
/** The reasons for closing that a reload fixes. */
const RELOAD = new Set(["version", "bad-frames", "not-allowed"]);

/** @typedef {{label: string, does: () => void}} Way  the one way back */

/** The page's mark that it may be out of date. */
const STALE = "not-current";

/** Whether the page shows what is the case now, as far as it knows. */
export const isCurrent = () => !document.body.classList.contains(STALE);

export class ConnectionStatus {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.live = false;
    this.known = false;
    /** Whether the message stays until the viewer does something. */
    this.held = false;
  }

  /** @param {Status} status @param {string} why */
  status(status, why) {
    this.live = status === "live";
    if (this.held) return;
    if (!this.live && !navigator.onLine) this.offline();
    else if (status === "closed") this.#end(why);
    else if (!this.live && this.known) this.#say("Connection lost. Reconnecting…");
    else if (!this.live && status === "away") this.#say("The site is not responding. Retrying…");
  }

  /** Something current has arrived. */
  current() {
    this.known = true;
    if (!this.live || this.held) return;
    this.root.hidden = true;
    document.body.classList.remove(STALE);
  }

  offline() {
    if (!this.held) this.#say("You are offline. What you see may be out of date.");
  }

  /** @param {string} why */
  #end(why) {
    const reload = { label: "Reload the page", does: () => location.reload() };
    if (ENDS[why]) this.#say(ENDS[why], RELOAD.has(why) ? reload : null);
  }

  /**
   * Something has changed that the viewer did not do here.
   * @param {string} words
   * @param {Way} way
   */
  changed(words, way) {
    this.held = true;
    this.#say(words, way);
  }

  /** The change has been dealt with. */
  restored() {
    this.held = false;
    this.root.hidden = true;
    document.body.classList.remove(STALE);
  }

  /** @param {string} words @param {Way | null} [way] */
  #say(words, way = null) {
    if (this.root.dataset.words !== words) {
      this.root.dataset.words = words;
      this.root.replaceChildren(box("span", "", words), ...(way ? [buttonFor(way)] : []));
    }
    this.root.hidden = false;
    document.body.classList.add(STALE);
  }
}

/** @param {Way} way */
function buttonFor({ label, does }) {
  const button = box("button", "button small", label);
  button.setAttribute("type", "button");
  button.addEventListener("click", does);
  return button;
}
