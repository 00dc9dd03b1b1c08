/**
 * The spectators' chat beside a live match.
 * @import { ErrorFrame, ReviewErrorFrame, Said } from "frames"
 * @import { ChatNews } from "../../games/live/socket.js"
 * @typedef {import("../../games/live/chatlines.js").Written} Written
 * @typedef {{off: boolean, named: boolean, muted: string[]}} Choices
 */

import { onSubmit } from "../../games/dom/controls.js";
import { box, byId, write } from "../../games/dom/elements.js";
import { ChatLines, THANKS, takeName, tool } from "../../games/live/chatlines.js";
import { LastSaid } from "../../games/live/lastsaid.js";

const KEY = "ratuki.chat";
const MOST_MUTED = 200;
const WAITS = "Not sent yet: there is no connection. It is sent when that is back.";

/** @returns {Choices} */
function load() {
  const usual = { off: false, named: false, muted: [] };
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return usual;
  }
}

/** Guests and accounts with the same name are different people. @param {Written} line */
const whose = (line) => (line.account ? `@${line.by}` : line.by);

/** @param {string} at */
const timeOf = (at) => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

export class Chat {
  /**
   * @param {{send: (frame: Said) => boolean, again: () => void}} way `again`: reconnect with a new
   *   hello
   */
  constructor(way) {
    this.way = way;
    this.choices = load();
    this.unread = 0;
    this.said = new LastSaid();
    /** Whether what is in the field is sent as soon as there is a connection. */
    this.waits = false;
    this.root = byId("panel-chat");
    this.lines = new ChatLines(byId("chat-log"), byId("chat-lines"), {
      own: () => this.name,
      report: (n) => this.way.send({ type: "report", n }),
      head: (line, own) => this.#head(line, own),
      added: (line, row) => {
        row.hidden = this.choices.muted.includes(whose(line));
        if (this.root.hidden && !row.hidden) this.unread += 1;
      },
    });
    this.note = byId("chat-note");
    this.text = /** @type {HTMLInputElement} */ (byId("chat-text"));
    this.name = this.root.dataset.name ?? "";
    this.#bind();
    this.#showChoices();
  }

  /** Further fields of the hello. */
  get hello() {
    return {
      ...(!this.choices.off && { chat: true }),
      ...(this.choices.named && this.name && { named: true }),
    };
  }

  // Incoming

  /** @param {ChatNews} frame */
  hear(frame) {
    if (frame.type === "reported") write(this.note, THANKS);
    else if (!this.choices.off) {
      this.said.heard(frame.lines, this.name);
      this.lines.take(frame);
      this.#count();
    }
  }

  /** @param {Written} line @param {boolean} own @returns {Node[]} */
  #head(line, own) {
    const at = box("time", "chat-at", timeOf(line.at));
    at.dateTime = line.at;
    return own ? [at] : [at, tool("Mute", `Mute ${line.by}`, () => this.#mute(whose(line)))];
  }

  #count() {
    if (!this.root.hidden) this.unread = 0;
    write(byId("chat-count"), this.unread ? String(this.unread) : "");
    byId("chat-empty").hidden = this.lines.rows.size > 0 || this.choices.off;
  }

  /** @param {ErrorFrame | ReviewErrorFrame} frame */
  error(frame) {
    const { why, text } = this.said.refused(frame.code);
    write(this.note, why);
    this.text.value ||= text;
  }

  /** @param {number} watching @param {string[]} names */
  watchers(watching, names) {
    const others = watching - names.length;
    const rest = others > 0 && names.length ? ` and ${others} more` : "";
    const who = names.length ? `: ${names.join(", ")}${rest}` : "";
    write(byId("watchers"), watching ? `${watching} watching${who}` : "Nobody is watching.");
  }

  close() {
    write(this.note, "The match is over and chat is closed.");
    byId("chat-form").hidden = true;
    byId("chat-name").hidden = true;
  }

  // The viewer's actions

  #bind() {
    onSubmit(byId("chat-form"), () => this.#send());
    onSubmit(byId("chat-name"), (form) => this.#introduce(form));
    byId("chat-unmute").addEventListener("click", () => this.#unmute());
    this.#bindChoice("chat-on", (on) => (this.choices.off = !on));
    this.#bindChoice("chat-named", (on) => (this.choices.named = on));
  }

  /** @param {string} id @param {(on: boolean) => void} take */
  #bindChoice(id, take) {
    const input = /** @type {HTMLInputElement} */ (byId(id));
    input.addEventListener("change", () => {
      take(input.checked);
      this.#keep();
      this.way.again();
    });
  }

  /** Its tab may have been opened. */
  opened() {
    if (this.root.hidden) return;
    this.lines.toEnd();
    this.#count();
  }

  /** The connection is there again. */
  again() {
    if (this.waits) this.#send();
  }

  #send() {
    const text = this.text.value.trim();
    if (!text) return;
    this.waits = !this.way.send({ type: "chat", text });
    if (this.waits) {
      write(this.note, WAITS);
      return;
    }
    this.said.text = text;
    this.text.value = "";
    write(this.note, "");
    this.lines.toEnd();
  }

  /** @param {HTMLElement} form */
  async #introduce(form) {
    const { status, data } = await takeName(form);
    write(this.note, status ? (data.detail ?? "") : "That was not saved. Try again.");
    if (data.name) this.#become(data.name);
  }

  /** @param {string} name */
  #become(name) {
    this.name = name;
    this.way.again();
    this.#showChoices();
    this.text.focus();
  }

  /** @param {string} who */
  #mute(who) {
    this.choices.muted = [...this.choices.muted.filter((name) => name !== who), who].slice(
      -MOST_MUTED,
    );
    this.#keep();
  }

  #unmute() {
    this.choices.muted = [];
    this.#keep();
  }

  #keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.choices));
    } catch {
      // It works without storage too.
    }
    this.#showChoices();
  }

  #showChoices() {
    const { off, named, muted } = this.choices;
    /** @type {HTMLInputElement} */ (byId("chat-on")).checked = !off;
    /** @type {HTMLInputElement} */ (byId("chat-named")).checked = named;
    byId("chat-named-row").hidden = !this.name;
    byId("chat-form").hidden = off || !this.name;
    byId("chat-name").hidden = off || Boolean(this.name);
    this.lines.log.hidden = off;
    for (const { line, row } of this.lines.rows.values()) row.hidden = muted.includes(whose(line));
    byId("chat-unmute").hidden = !muted.length;
    write(byId("chat-unmute"), muted.length === 1 ? "Unmute" : `Unmute all ${muted.length}`);
    write(byId("chat-empty"), "No messages yet.");
    this.#count();
  }
}
