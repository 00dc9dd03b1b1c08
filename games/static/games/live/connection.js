// @ts-check
/**
 * Says whether what is shown is current. A table that may be old is greyed, and says so.
 *
 * @typedef {import("./socket.js").Status} Status
 */

import { write } from "../dom/elements.js";

const ENDS = /** @type {Record<string, string>} */ ({
  "not-allowed": "You can’t watch this table.",
  "no-such-match": "This table no longer exists.",
  version: "This page is out of date. Reload it.",
  "bad-frames": "The connection failed. Reload the page.",
});

export class ConnectionStatus {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.live = false;
    this.known = false;
  }

  /** @param {Status} status @param {string} why */
  status(status, why) {
    this.live = status === "live";
    if (status === "closed") this.#end(why);
    else if (!this.live && this.known) this.#say("Connection lost. Reconnecting…");
    else if (!this.live && status === "away") this.#say("The site is not responding. Retrying…");
  }

  /** Something came that is true now. */
  current() {
    this.known = true;
    if (!this.live) return;
    this.root.hidden = true;
    document.body.classList.remove("not-current");
  }

  offline() {
    this.#say("You are offline. What you see may be out of date.");
  }

  /** @param {string} why */
  #end(why) {
    if (ENDS[why]) this.#say(ENDS[why]);
  }

  /** @param {string} words */
  #say(words) {
    write(this.root, words);
    this.root.hidden = false;
    document.body.classList.add("not-current");
  }
}
