// @ts-check
/**
 * The chat of a review. All text is inserted as text, never as HTML.
 *
 * @import { ReviewErrorFrame, ErrorFrame } from "frames"
 * @import { ChatNews } from "../../games/live/socket.js"
 * @typedef {import("frames").ChatsFrame["lines"][number]} Written
 */

import { box, button, byId, write } from "../../games/dom/elements.js";

const MOST = 200;
const WORDS = /** @type {Record<string, string>} */ ({
  muted: "You are muted here.",
  "chat-off": "Chat is off here.",
  closed: "The chat is closed to you while the group is at this chapter.",
  unavailable: "That was not sent. Try again.",
});

export class Chat {
  /**
   * @param {import("./session.js").Say} say returns whether there is a connection
   * @param {() => void} unread called for each line that comes while the tab is closed
   */
  constructor(say, unread) {
    this.say = say;
    this.unread = unread;
    /** @type {Map<number, HTMLElement>} */
    this.rows = new Map();
    this.sent = "";
    this.own = "";
    this.log = byId("review-log");
    this.list = byId("review-lines");
    this.note = byId("review-note");
    this.text = /** @type {HTMLInputElement} */ (byId("review-text"));
    byId("review-chat").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
  }

  /** @param {ChatNews} frame */
  hear(frame) {
    if (frame.type === "reported") {
      write(this.note, "Thanks. A moderator will take a look.");
      return;
    }
    const { scrollHeight, scrollTop, clientHeight } = this.log;
    const atEnd = scrollHeight - scrollTop - clientHeight < 40;
    for (const n of frame.gone) this.#drop(n);
    for (const line of frame.lines) if (!this.rows.has(line.n)) this.#add(line);
    const known = [...this.rows.keys()].sort((a, b) => a - b);
    for (const n of known.slice(0, -MOST)) this.#drop(n);
    if (atEnd) this.log.scrollTop = this.log.scrollHeight;
  }

  /** @param {Written} line */
  #add(line) {
    const by = box("b", "chat-by", line.by);
    if (!line.account) by.append(box("span", "chat-guest", " guest"));
    const report = button("chat-tool", "Report", () => this.say("report", { n: line.n }));
    report.setAttribute("aria-label", `Report this message from ${line.by} to the moderators`);
    const tools = line.by === this.own ? [] : [report];
    const row = box(
      "li",
      "chat-line",
      box("span", "chat-head", by, ...tools),
      box("span", "chat-text", line.text),
    );
    // What was withheld at first comes later, and stands where it was said.
    const later = [...this.rows].filter(([n]) => n > line.n).sort(([a], [b]) => a - b);
    this.rows.set(line.n, row);
    this.list.insertBefore(row, later[0]?.[1] ?? null);
    if (this.log.closest("[hidden]")) this.unread();
  }

  /** @param {number} n */
  #drop(n) {
    this.rows.get(n)?.remove();
    this.rows.delete(n);
  }

  #send() {
    const text = this.text.value.trim();
    if (!text) return;
    const said = this.say("chat", { text });
    write(this.note, said ? "" : "There is no connection. Try again.");
    if (!said) return;
    this.sent = text;
    this.text.value = "";
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** Whether a refusal is about what was written; then it comes back. @param {ReviewErrorFrame | ErrorFrame} frame */
  refused(frame) {
    if (!this.sent) return false;
    write(this.note, WORDS[frame.code] ?? "Slow down: at most five messages in ten seconds.");
    if (!this.text.value) this.text.value = this.sent;
    this.sent = "";
    return true;
  }
}
