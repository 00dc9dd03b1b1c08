/**
 * The chat of a review.
 * @import { ReviewErrorFrame, ErrorFrame } from "frames"
 * @import { ChatNews } from "../../games/live/socket.js"
 */

import { onSubmit } from "../../games/dom/controls.js";
import { byId, write } from "../../games/dom/elements.js";
import { ChatLines, THANKS } from "../../games/live/chatlines.js";
import { LastSaid } from "../../games/live/lastsaid.js";

export class Chat {
  /**
   * @param {import("./session.js").Say} say returns whether there is a connection
   * @param {() => void} unread called for each line that comes while the tab is closed
   */
  constructor(say, unread) {
    this.say = say;
    this.said = new LastSaid();
    this.own = "";
    const log = byId("review-log");
    this.lines = new ChatLines(log, byId("review-lines"), {
      own: () => this.own,
      report: (n) => this.say("report", { n }),
      added: () => log.closest("[hidden]") && unread(),
    });
    this.note = byId("review-note");
    this.text = /** @type {HTMLInputElement} */ (byId("review-text"));
    onSubmit(byId("review-chat"), () => this.#send());
  }

  /** @param {ChatNews} frame */
  hear(frame) {
    if (frame.type === "reported") return write(this.note, THANKS);
    this.said.heard(frame.lines, this.own);
    this.lines.take(frame);
  }

  #send() {
    const text = this.text.value.trim();
    if (!text) return;
    const said = this.say("chat", { text });
    write(this.note, said ? "" : "There is no connection. Try again.");
    if (!said) return;
    this.said.text = text;
    this.text.value = "";
    this.lines.toEnd();
  }

  /** Whether a refusal is about what was written; then it comes back. @param {ReviewErrorFrame | ErrorFrame} frame */
  refused(frame) {
    const { why, text } = this.said.refused(frame.code);
    if (!text) return false;
    write(this.note, why);
    this.text.value ||= text;
    return true;
  }
}
