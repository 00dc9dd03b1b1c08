/**
 * Writing notes: the editor, its drafts, saving. Fetched when first needed.
 * @typedef {import("./items.js").Item} Item
 * @typedef {import("./drafts.js").Draft} Draft
 * @typedef {import("./store.js").NoteStore} Store
 * @import { Named, NoteJson } from "api"
 * @typedef {import("../../games/dom/asking.js").Response<NoteJson>} Response
 * @typedef {import("../../games/dom/asking.js").Refused} Refused
 * @typedef {{store: Store, page: import("../replay/page.js").Page,
 *   player: import("../../games/match/player.js").Player, shapes: import("./shapes.js").Shapes,
 *   scrubber: import("./spanhandles.js").Scrubber, drawing: import("./drawing.js").Drawing,
 *   loop: import("./loop.js").Loop, top: HTMLElement, renameUrl: string,
 *   list: {rows: Map<string, HTMLElement>, focus: (key: string) => void},
 *   unsent: number, draw: () => void, drafted: {marks: string[], arrows: string[]} | null, spanned: Item | null, point: () => void,
 *   choose: (item: Item) => Promise<void>, openTab: () => void,
 *   say: (words: string, ...more: Node[]) => void, copyLink: (item: Item) => Promise<void>}} Notes
 */

import { ask } from "../../games/dom/asking.js";
import { box, button } from "../../games/dom/elements.js";
import { browserStorage } from "../../games/dom/storage.js";
import { audiences, audiencesOfReply, withChosen } from "../outbox/audience.js";
import { bothTexts, conflictBox } from "../outbox/conflict.js";
import {
  bodyOf,
  draftAt,
  draftDifferences,
  draftsOf,
  draw,
  isBlank,
  saysTheSame,
} from "./drafts.js";
import { Editor } from "./editor.js";
import { choices, itemOf, threadOf } from "./items.js";
import { mentionable } from "./mentions.js";
import { NoteActions } from "./noteactions.js";
import { whenWords } from "./noteplaces.js";
import { SpanHandles } from "./spanhandles.js";

/** When to retry what could not be sent, in ms; also when the connection is back. */
const AGAIN_MS = 8000;

export class Writing {
  /** @param {Notes} notes */
  constructor(notes) {
    this.notes = notes;
    this.store = notes.store;
    this.player = notes.player;
    this.drafts = draftsOf(notes.player.log.match.id, browserStorage());
    /** @type {Editor | null} */
    this.editor = null;
    this.saving = false;
    /** New notes that were sent and not answered, by key: the server may have them. @type {Set<string>} */
    this.unanswered = new Set();
    this.timer = 0;
    this.actions = new NoteActions(this);
    this.handles = new SpanHandles(notes.player, notes.scrubber, (span) => this.#dragged(span));
    /** Who is logged in, and by which name. */
    this.account = this.store.may.account;
    this.signed = this.store.may.name;
    this.store.onChange(() => this.#whose());
    addEventListener("online", () => this.#again());
    addEventListener("storage", () => this.editor || this.offerDrafts());
  }

  /** Opens the editor for the cursor's place, or continues with the open one. */
  open() {
    this.notes.openTab();
    if (!this.editor) {
      const { round, event } = this.player.cursor;
      const { line } = this.notes.page.state;
      this.edit(draftAt({ round, event, line }));
    }
    this.editor?.text.focus({ preventScroll: true });
  }

  /** Adds what was typed before the editor was there. @param {string} text */
  type(text) {
    this.editor?.put(this.editor.draft.text + text);
  }

  /** Something was pointed at on the table. @param {string} from @param {string} to */
  drawn(from, to) {
    if (!this.editor || this.editor.draft.reply) this.open();
    const { editor } = this;
    if (!editor || editor.draft.reply) return;
    if (draw(editor.draft, from, to)) {
      editor.refresh();
      this.#changed();
    }
  }

  /** Opens the editor for a draft. @param {Draft} draft */
  edit(draft) {
    if (this.editor) this.leave();
    const { notes, store } = this;
    draft.account ||= store.may.account;
    const editor = new Editor(draft, {
      names: notes.page.names,
      known: choices(store.items).tag,
      signer: store.may.guest ? store.may.name : null,
      audiences: this.#audiences(draft),
      targets: () => notes.shapes.targets(),
      place: (edited) => this.#placeWords(edited),
      here: () => this.player.cursor,
      changed: () => this.#changed(),
      typed: () => this.player.pause(),
      drawing: (on) => this.#drawing(on),
      loop: () => this.#loop(),
      people: () => this.#people(draft),
      preview: (text) => this.#preview(text),
      save: () => this.save(),
      leave: () => this.leave(),
      discard: () => this.#discard(),
    });
    editor.drawn = (from, to) => this.drawn(from, to);
    this.editor = editor;
    notes.say("");
    notes.top.replaceChildren(editor.form);
    this.#show();
    editor.text.focus({ preventScroll: true });
    editor.form.scrollIntoView({ block: "nearest" });
  }

  /** Draws on the table, which must be in sight for that. @param {boolean} on */
  #drawing(on) {
    this.notes.drawing.switchTo(on);
    if (on) this.notes.drawing.root.scrollIntoView({ block: "nearest" });
  }

  /** Who may be mentioned in it. @param {Draft} draft */
  #people(draft) {
    const { names, items, may } = this.store;
    if (may.study) return names;
    return mentionable(draft, threadOf(items, draft.reply ?? draft.key), names);
  }

  /** @param {Draft} draft */
  #placeWords(draft) {
    const { player, page } = this.notes;
    const what = draft.reply ? "Reply at" : "Note at";
    return `${what} round ${draft.round} · ${whenWords(player.log, draft, page.state.line)}`;
  }

  #changed() {
    const draft = this.editor?.draft;
    if (!draft) return;
    if (isBlank(draft) && draft.revision === null) this.drafts.drop(draft.key);
    else if (!this.drafts.write(draft))
      this.editor?.say("This browser cannot store drafts. Save soon.", true);
    this.#show();
  }

  /** The shapes and the span of the draft. */
  #show() {
    const { notes } = this;
    const draft = this.editor?.draft;
    notes.drafted = draft && !draft.reply ? { marks: draft.marks, arrows: draft.arrows } : null;
    notes.point();
    const span = draft && draft.until !== null ? { ...draft, until: draft.until } : null;
    notes.spanned = span && itemOf(span);
    this.handles.show(span);
  }

  /** @param {{event: number, until: number}} span */
  #dragged({ event, until }) {
    const { editor } = this;
    if (!editor) return;
    Object.assign(editor.draft, { event, until });
    this.notes.spanned = itemOf(editor.draft);
    editor.refresh();
    this.drafts.write(editor.draft);
  }

  #loop() {
    const { loop } = this.notes;
    const draft = this.editor?.draft;
    if (loop.running) this.player.pause();
    else if (draft && draft.until !== null) loop.start({ ...draft, until: draft.until });
  }

  /** @param {string} text */
  async #preview(text) {
    const round = this.editor?.draft.round ?? 1;
    const { ok, data } = await ask("POST", "/api/v1/notes/preview", { text, round });
    return ok ? data : null;
  }

  // --- Saving -----------------------------------------------------------------------------

  /** @returns {Promise<void>} */
  async save() {
    const { editor } = this;
    if (!editor || this.saving) return;
    const { draft } = editor;
    if (isBlank(draft))
      return editor.say("Write something, choose a symbol or a tag, or draw.", true);
    this.saving = true;
    editor.say("Saving …");
    const body = bodyOf(draft);
    const answer = (await this.#name(editor)) ?? (await this.#send(draft, body));
    this.saving = false;
    if (answer.status === 403 && this.editor !== editor) return; // they have logged out
    const first = answer.status === 409 && !answer.ok && answer.data.now?.revision === 1;
    if (first && this.unanswered.delete(draft.key) && !this.#wasSaved(answer, draft)) {
      draft.revision = 1; // it was saved after all, and its author has gone on typing
      return this.save();
    }
    if (answer.ok || (answer.status === 409 && this.#wasSaved(answer, draft)))
      this.#saved(editor, body, answer);
    else if (answer.status === 409)
      this.#conflict(editor, itemOf(answer.data.now), answer.data.changed);
    else this.#unsaved(editor, answer);
  }

  /** Sets a guest's changed name; null if all is well. @param {Editor} editor @returns {Promise<Refused | null>} */
  async #name(editor) {
    const { may } = this.store;
    const name = editor.name?.value.trim();
    if (!name || name === may.name) return null;
    /** @type {import("../../games/dom/asking.js").Response<Named>} */
    const answer = await ask("PUT", this.notes.renameUrl, { name });
    if (!answer.ok) return answer;
    may.name = answer.data.name;
    return null;
  }

  /**
   * Sends a draft, again with a new token if the old one has expired.
   * @param {Draft} draft @param {object} body @returns {Promise<Response>}
   */
  async #send(draft, body) {
    const { store } = this;
    const known = draft.revision !== null;
    const send = () =>
      ask(known ? "PUT" : "POST", known ? `/api/v1/notes/${draft.key}` : store.url, {
        ...body,
        ...store.signer,
      });
    const answer = await send();
    if (answer.status !== 403) return answer;
    await store.load();
    return !draft.account || draft.account === store.may.account ? send() : answer;
  }

  /** The response to an earlier request was lost, or another tab says the same. @param {Refused} answer @param {Draft} draft */
  #wasSaved(answer, draft) {
    const now = itemOf(answer.data.now);
    return (draft.wanted && saysTheSame(now, draft)) || !this.#differences(draft, now).length;
  }

  /** @param {Draft} draft @param {Item} now */
  #differences(draft, now) {
    return draftDifferences(draft, now, this.notes.page.names);
  }

  /**
   * The server has a draft as it was when it was sent.
   * @param {Editor} editor its author may have left it by now, or have gone on typing
   * @param {object} body @param {Response} answer
   */
  #saved(editor, body, answer) {
    const { draft } = editor;
    const item = itemOf(answer.ok ? answer.data : answer.data.now);
    const more = JSON.stringify(bodyOf(draft)) !== JSON.stringify(body);
    if (more) {
      Object.assign(draft, { revision: item.revision, wanted: false });
      this.drafts.write(draft);
    } else this.drafts.drop(draft.key);
    if (this.editor === editor && more)
      editor.say("Saved. What you have changed since is not saved yet.");
    else if (this.editor === editor) this.#close();
    else if (!this.editor) this.offerDrafts();
    this.store.may.name = item.by ?? "";
    this.store.take(item);
    this.notes.page.call("noteSaved", item.key);
    const copy = button("button small", "Copy link", () => this.notes.copyLink(item));
    this.notes.say(
      this.store.may.guest ? `Saved, by ${item.by}.` : "Saved.",
      ...(item.visibility === "self" ? [] : [copy]),
    );
    if (!this.editor) this.notes.list.focus(item.reply ?? item.key);
  }

  /** @param {Editor} editor @param {Refused} answer */
  #unsaved(editor, { status, data }) {
    const lost = status === 0 || status >= 500;
    editor.draft.wanted = lost;
    if (lost && editor.draft.revision === null) this.unanswered.add(editor.draft.key);
    const kept = this.drafts.write(editor.draft);
    clearTimeout(this.timer);
    if (lost) this.timer = window.setTimeout(() => this.#again(), AGAIN_MS);
    const where = kept ? "It is kept in this browser and" : "Leave this page open: it";
    const later = lost ? ` ${where} will be sent as soon as possible.` : "";
    editor.say(`Not saved: ${data.detail}.${later}`, true);
  }

  #again() {
    if (this.editor?.draft.wanted) this.save();
  }

  /**
   * Somebody else has changed it: shows both versions, so nothing is lost.
   * @param {Editor} editor @param {Item} now
   * @param {import("../outbox/conflict.js").Other | undefined} other
   */
  #conflict(editor, now, other) {
    const { draft, extra } = editor;
    /** @param {() => void} then */
    const chosen = (then) => () => {
      draft.revision = now.revision ?? draft.revision;
      extra.replaceChildren();
      editor.say("");
      then();
    };
    const both = () => {
      editor.put(bothTexts(now.text ?? "", draft.text));
      this.save();
    };
    const choices = {
      own: chosen(() => this.save()),
      theirs: () => this.#discard(now),
      both: draft.text && now.text ? chosen(both) : null,
    };
    extra.replaceChildren(conflictBox(other, this.#differences(draft, now), choices));
    editor.say("Choose a version.", true);
  }

  /** @param {Item} [now] the current version */
  #discard(now) {
    const { editor } = this;
    if (!editor) return;
    const { draft } = editor;
    this.drafts.drop(draft.key);
    this.#close();
    if (now) this.store.take(now);
    const back = button("button small", "Restore", () => this.edit(draft));
    if (!isBlank(draft)) this.notes.say("Discarded.", back);
  }

  /** Closes the editor; the text stays as a draft. */
  leave() {
    this.#close();
    this.offerDrafts();
  }

  #close() {
    clearTimeout(this.timer);
    this.notes.drawing.switchTo(false);
    this.notes.loop.stop();
    this.editor = null;
    this.notes.top.replaceChildren();
    this.#show();
    this.#sign();
  }

  /** The drafts of who is here: an account's are kept for it alone. */
  ownDrafts() {
    return this.drafts.of(this.store.may.account);
  }

  /** Puts away what was written by somebody who has logged out, and offers what is the visitor's. */
  #whose() {
    const { account, name } = this.store.may;
    if (account === this.account) return;
    const draft = this.editor?.draft;
    const before = this.signed;
    Object.assign(this, { account, signed: name });
    if (draft?.account && draft.account !== account) {
      this.#close();
      const words = `Not saved: you are not logged in as ${before} any more.`;
      this.notes.say(`${words} Your draft is kept in this browser until you are.`);
    }
    if (!this.editor) this.offerDrafts();
  }

  /** Shows drafts that were never saved. */
  offerDrafts() {
    const rows = this.ownDrafts().map((draft) => {
      const text = draft.text.slice(0, 60) || "without text";
      const words = box("span", "draft-words", `Draft: ${this.#placeWords(draft)}, ${text}`);
      const go = button("button small", "Go on", () => this.edit(draft));
      return box("li", "note-draft", words, go);
    });
    this.notes.top.replaceChildren(...(rows.length ? [box("ul", "note-drafts", ...rows)] : []));
    this.#sign();
  }

  /** The tab says that there are drafts, also where it is not open. */
  #sign() {
    const { notes } = this;
    const unsent = this.ownDrafts().length;
    if (unsent === notes.unsent) return;
    notes.unsent = unsent;
    notes.draw();
  }

  /** What can be done with a note. @param {string} name @param {Item} item */
  act(name, item) {
    return this.actions.act(name, item);
  }

  /** Whom a note may be shown to. @param {Draft} draft */
  #audiences({ reply, visibility }) {
    if (this.store.may.study) return [];
    const thread = reply ? this.store.find(reply)?.visibility : undefined;
    return reply ? audiencesOfReply(thread ?? "self") : withChosen(audiences(), visibility);
  }
}
