/**
 * The chat of a match in progress, or of a review. All text is inserted as text, never as HTML.
 * @import { ChatsFrame, ErrorFrame, ReviewErrorFrame, Said } from "frames"
 * @import { ChatNews } from "./socket.js"
 * @typedef {ChatsFrame["lines"][number]} Written
 */

import { ask } from "../dom/asking.js";
import { onSubmit } from "../dom/controls.js";
import { box, button, byId, write } from "../dom/elements.js";
import { gettext, timeOf } from "../words/gettext.js";

const WORDS = /** @type {Record<string, string>} */ ({
  "too-often": gettext("Slow down: at most five messages in ten seconds."),
  muted: gettext("You are muted here."),
  nameless: gettext("Choose a name first."),
  "chat-off": gettext("Chat is off here."),
  closed: gettext("The chat is closed to you while the group is at this chapter."),
  unavailable: gettext("That was not sent. Try again."),
  "bad-frame": gettext("That can’t be sent. Remove unusual characters."),
});

/** The writer's last chat line, until all have heard it or it is refused. */
export class LastSaid {
  constructor() {
    this.text = "";
  }

  /**
   * Lines have come. Only an equal text under the same name is the writer's last line.
   * @param {{by: string, text: string}[]} lines @param {string} own the writer's name
   */
  heard(lines, own) {
    if (lines.some(({ by, text }) => by === own && text === this.text)) this.text = "";
  }

  /**
   * Why something is refused, if that can be about a chat, and the text to write again.
   * @param {(ErrorFrame | ReviewErrorFrame)["code"]} code
   */
  refused(code) {
    const why = WORDS[code] ?? "";
    const text = why && this.text;
    if (why) this.text = "";
    return { why, text };
  }
}

const MOST = 200;
/** So close to the end, in px, new lines are scrolled to. */
const NEAR = 40;
const THANKS = gettext("Thanks. A moderator will take a look.");
const WAITS = gettext("Not sent yet: there is no connection. It is sent when that is back.");

/** What can be done about a line. @param {string} words @param {string} label @param {() => void} run */
export function tool(words, label, run) {
  return button({ class: "chat-tool rigid soft text-xs bare", "aria-label": label }, words, run);
}

/** Gives a guest the name in a form. @param {HTMLElement} form */
export function takeName(form) {
  const { action } = /** @type {HTMLFormElement} */ (form);
  const name = new FormData(/** @type {HTMLFormElement} */ (form)).get("name");
  return ask("PUT", action, { name: String(name ?? "") });
}

export class Chat {
  /**
   * @param {string} name the reader's. Empty: none yet
   * @param {(frame: Extract<Said, {type: "chat" | "report"}>) => boolean} send whether there is a connection
   */
  constructor(name, send) {
    this.name = name;
    this.send = send;
    /** Called for each line that comes while its tab is closed. */
    this.unread = () => {};
    this.said = new LastSaid();
    /** Whether the text in the field is sent as soon as there is a connection. */
    this.waits = false;
    /** @type {Map<number, {line: Written, row: HTMLElement}>} */
    this.rows = new Map();
    this.log = byId("chat-log");
    this.list = byId("chat-lines");
    this.note = byId("chat-note");
    this.text = /** @type {HTMLInputElement} */ (byId("chat-text"));
    this.empty = byId("chat-empty");
    this.form = byId("chat-form");
    onSubmit(this.form, () => this.#send());
  }

  /** @param {ChatNews} frame */
  hear(frame) {
    if (frame.type === "reported") return write(this.note, THANKS);
    const { gone, lines } = frame;
    this.said.heard(lines, this.name);
    const { scrollHeight, scrollTop, clientHeight } = this.log;
    const atEnd = scrollHeight - scrollTop - clientHeight < NEAR;
    for (const n of gone) this.#drop(n);
    for (const line of lines) if (!this.rows.has(line.n)) this.#add(line);
    const known = [...this.rows.keys()].sort((a, b) => a - b);
    for (const n of known.slice(0, -MOST)) this.#drop(n);
    this.empty.hidden = this.rows.size > 0;
    if (atEnd) this.toEnd();
  }

  toEnd() {
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** The connection is there again. */
  again() {
    if (this.waits) this.#send();
  }

  #send() {
    const text = this.text.value.trim();
    if (!text) return;
    this.waits = !this.send({ type: "chat", text });
    write(this.note, this.waits ? WAITS : "");
    if (this.waits) return;
    this.said.text = text;
    this.text.value = "";
    this.toEnd();
  }

  /** Whether a line was refused. It comes back. @param {ErrorFrame | ReviewErrorFrame} frame */
  refused(frame) {
    const { why, text } = this.said.refused(frame.code);
    write(this.note, why);
    this.text.value ||= text;
    return Boolean(text);
  }

  /** @param {Written} line */
  #add(line) {
    const row = box(
      "li",
      "chat-line text-dense",
      this.#head(line),
      box("span", "chat-text breaks", line.text),
    );
    // What was withheld at first comes later, and goes where it was said.
    const later = [...this.rows].filter(([n]) => n > line.n).sort(([a], [b]) => a - b);
    this.rows.set(line.n, { line, row });
    this.list.insertBefore(row, later[0]?.[1].row ?? null);
    this.added(line, row);
  }

  /** @param {Written} line */
  #head(line) {
    const { by, account, n } = line;
    const name = box("b", "small cut", by);
    if (!account) name.append(box("span", "soft light", ` ${gettext("guest")}`));
    const at = box("time", "chat-at rigid text-xs soft", timeOf(new Date(line.at)));
    at.dateTime = line.at;
    const head = box("span", "chat-head yields line", name, at);
    if (by === this.name) return head;
    const label = gettext("Report this message from {by} to the moderators", { by });
    head.append(
      ...this.tools(line),
      tool(gettext("Report"), label, () => this.send({ type: "report", n })),
    );
    return head;
  }

  /** Further actions on a line. @param {Written} _line @returns {Node[]} */
  tools(_line) {
    return [];
  }

  /** @param {Written} _line @param {HTMLElement} row */
  added(_line, row) {
    if (!row.hidden && this.log.closest("[hidden]")) this.unread();
  }

  /** @param {number} n */
  #drop(n) {
    this.rows.get(n)?.row.remove();
    this.rows.delete(n);
  }
}
