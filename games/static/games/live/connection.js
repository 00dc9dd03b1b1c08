/**
 * Shows whether the table is current. A table that may be out of date is greyed and labelled.
 * @typedef {import("./socket.js").Status} Status
 * @typedef {{label: string, does: () => void}} Way  the one way back
 * @typedef {{say: (words: string, way: Way | null) => void, clear: () => void, reload: () => void,
 *   online: () => boolean}} Page  `clear`: its content is current
 */

import { box, button } from "../dom/elements.js";
import { gettext } from "../words/gettext.js";

const ENDS = /** @type {Record<string, string>} */ ({
  "not-allowed": gettext("You can’t watch this table."),
  "no-such-match": gettext(
    "This table no longer exists, or the link to it was replaced. Ask for the new link.",
  ),
  version: gettext("This page is out of date."),
  "bad-frames": gettext("The connection failed."),
});
/** The reasons for closing that a reload fixes. */
const RELOAD = new Set(["version", "bad-frames", "not-allowed"]);

/**
 * A page's words about its connection.
 * - Without a network it says so. The connection's own end is then no news.
 * - A connection lost for the first time is called lost, not missing. What the page itself has
 *   closed, because nobody looked, is not lost when it begins again.
 * - The content is current again with the next news, and not with the connection alone.
 * - A change that the viewer did not make here is shown until they have dealt with it.
 */
export class ConnectionWords {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.live = false;
    this.known = false;
    /** Whether the message stays until the viewer does something. */
    this.held = false;
  }

  /** @param {Status} status @param {string} why */
  status(status, why) {
    this.live = status === "live";
    if (this.held) return;
    if (!this.live && !this.page.online()) this.offline();
    else if (status === "closed" && ENDS[why]) {
      const reload = { label: gettext("Reload the page"), does: () => this.page.reload() };
      this.page.say(ENDS[why], RELOAD.has(why) ? reload : null);
    } else if (status === "closed") this.known = false;
    else if (!this.live && this.known)
      this.page.say(gettext("Connection lost. Reconnecting…"), null);
    else if (!this.live && status === "away")
      this.page.say(gettext("The site is not responding. Retrying…"), null);
  }

  /** Something current has arrived. */
  current() {
    this.known = true;
    if (this.live && !this.held) this.page.clear();
  }

  offline() {
    if (!this.held)
      this.page.say(gettext("You are offline. What you see may be out of date."), null);
  }

  /** Changed, but not by this page. @param {string} words @param {Way} way */
  changed(words, way) {
    this.held = true;
    this.page.say(words, way);
  }

  /** The change has been dealt with. */
  restored() {
    this.held = false;
    this.page.clear();
  }
}

/** The page's mark that it may be out of date. */
const STALE = "not-current";

/** Whether the page is up to date, as far as it knows. */
export const isCurrent = () => !document.body.classList.contains(STALE);

export class ConnectionStatus extends ConnectionWords {
  /** @param {(words: string, way: Way | null) => void} show without words, all is current */
  constructor(show) {
    super({
      say: (words, way) => {
        show(words, way);
        document.body.classList.add(STALE);
      },
      clear: () => {
        show("", null);
        document.body.classList.remove(STALE);
      },
      reload: () => location.reload(),
      online: () => navigator.onLine,
    });
  }
}

/** @param {HTMLElement} root @returns {(words: string, way: Way | null) => void} shows them there */
export const saidIn = (root) => (words, way) => {
  root.hidden = !words;
  if (words && root.dataset.words !== words) {
    root.dataset.words = words;
    root.replaceChildren(
      box("span", "", words),
      ...(way ? [button("button small", way.label, way.does)] : []),
    );
  }
};
