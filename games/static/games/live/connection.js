// @ts-check
/**
 * Says whether what is shown is current. A table that may be old is greyed, and says so.
 *
 * @typedef {import("./socket.js").Status} Status
 */

import { write } from "../dom/elements.js";

const ENDS = /** @type {Record<string, string>} */ ({
  "not-allowed": "You may not watch this table.",
  "no-such-match": "This table is not there any more.",
  version: "This page is older than the site. Load it again.",
  "bad-frames": "This page and the site do not understand each other. Load it again.",
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
    else if (!this.live && this.known) this.#say("The connection is lost. Coming back …");
    else if (!this.live && status === "away") this.#say("The site does not answer. Trying again …");
  }

  /** Something came that is true now. */
  current() {
    this.known = true;
    if (!this.live) return;
    this.root.hidden = true;
    document.body.classList.remove("not-current");
  }

  offline() {
    this.#say("This device is offline. What you see is not current.");
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
