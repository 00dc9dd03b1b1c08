/**
 * Writing notes: the editor, its drafts, saving. Fetched when first needed.
 * @typedef {import("./items.js").Item} Item
 * @typedef {import("./drafts.js").Draft} Draft
 * @import { NoteJson } from "api"
 * @typedef {import("../../games/dom/asking.js").Refused} Refused
 * @typedef {import("./notes.js").Notes} Notes
 */

import { request } from "../../games/dom/asking.js";
import { box, button } from "../../games/dom/elements.js";
import { browserStorage } from "../../games/dom/storage.js";
import { gettext } from "../../games/words/gettext.js";
import { audiences, audiencesOfReply, withChosen } from "../outbox/audience.js";
import { mayPass } from "../outbox/kept.js";
import { Outbox } from "../outbox/outbox.js";
import { mentionable } from "./completing.js";
import { bodyOf, draftAt, draftDifferences, draftsOf, draw, isBlank, marksAt } from "./drafts.js";
import { Editor } from "./editor.js";
import { choices, itemOf, threadOf, whenWords } from "./items.js";
import { NoteActions } from "./noteactions.js";

export class Writing {
  /** @param {Notes} notes */
  constructor(notes) {
    this.notes = notes;
    this.store = notes.store;
    this.player = notes.player;
    this.drafts = draftsOf(notes.player.log.match.id, browserStorage());
    /** @type {Editor | null} */
    this.editor = null;
    /** @type {Outbox<Draft, NoteJson>} */
    this.outbox = new Outbox(this.drafts, {
      request: (draft) => (draft.wanted ? this.#requestOf(draft) : null),
      saved: (sent, data, now) => this.#saved(sent, itemOf(data), now),
      differences: (draft, now) => draftDifferences(draft, itemOf(now), notes.page.names),
      based: (draft, { revision }) => ({ ...draft, revision, wanted: true }),
      taken: (now) => this.#discard(itemOf(now)),
      refused: (draft) => ({ ...draft, wanted: false }),
      written: (draft) => this.#editorOf(draft.key)?.take(draft),
      changed: (key, response) => this.#tell(key, response),
      visitor: () => this.store.load(),
    });
    this.actions = new NoteActions(this);
    /** Who is logged in, and by which name. */
    this.account = this.store.may.account;
    this.signed = this.store.may.name;
    this.store.onChange(() => this.#whose());
    addEventListener("online", () => this.outbox.save());
    addEventListener("storage", () => this.editor || this.offerDrafts());
    this.#resume();
  }

  /** Sends what an earlier visit has left to be sent. */
  #resume() {
    this.outbox.resume(this.store.may.account);
    this.outbox.save();
  }

  /** Opens the editor for the cursor's place, or continues with the open one. */
  open() {
    this.notes.openTab();
    if (!this.editor) {
      const { round, event } = this.player.cursor;
      this.player.settle();
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
      drawing: (on) => {
        notes.drawing.switchTo(on);
        if (on) notes.drawing.root.scrollIntoView({ block: "nearest" }); // it must be in sight
      },
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
    this.#offerChoice(editor);
    editor.text.focus({ preventScroll: true });
    editor.form.scrollIntoView({ block: "nearest" });
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
    const all = { round: draft.round, when: whenWords(player.log, draft, page.state.line) };
    return draft.reply
      ? gettext("Reply at round {round} · {when}", all)
      : gettext("Note at round {round} · {when}", all);
  }

  #changed() {
    const draft = this.editor?.draft;
    if (!draft) return;
    if (isBlank(draft) && draft.revision === null) this.outbox.drop(draft.key);
    else if (!this.outbox.put({ ...draft }))
      this.editor?.say(gettext("This browser cannot store drafts. Save soon."), true);
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
  }

  /** @param {string} text */
  async #preview(text) {
    const round = this.editor?.draft.round ?? 1;
    const { ok, data } = await request("POST /api/v1/notes/preview", "/api/v1/notes/preview", {
      text,
      round,
    });
    return ok ? data : null;
  }

  // --- Saving -----------------------------------------------------------------------------

  async save() {
    const { editor } = this;
    if (!editor) return;
    const { draft } = editor;
    if (isBlank(draft))
      return editor.say(gettext("Write something, choose a symbol or a tag, or draw."), true);
    if (draft.revision === null && !draft.reply)
      draft.marks = marksAt(draft, this.notes.page.state.view);
    editor.say(gettext("Saving…"));
    const unnamed = await this.#name(editor);
    if (unnamed && !mayPass(unnamed.status))
      return editor.say(gettext("Not saved. {detail}", { detail: unnamed.data.detail }), true);
    this.outbox.choices.delete(draft.key);
    this.outbox.put({ ...draft, wanted: true });
    await this.outbox.save();
  }

  /** Sets a guest's changed name. null if all is well. @param {Editor} editor @returns {Promise<Refused | null>} */
  async #name(editor) {
    const { may } = this.store;
    const name = editor.name?.trim();
    if (!name || name === may.name) return null;
    const answer = await request("PUT /api/v1/name", this.notes.renameUrl, { name });
    if (!answer.ok) return answer;
    may.name = answer.data.name;
    return null;
  }

  /** @param {Draft} draft */
  #requestOf(draft) {
    const { store } = this;
    const body = { ...bodyOf(draft), ...store.signer };
    return draft.revision === null
      ? { method: "POST", url: store.url, body }
      : { method: "PUT", url: `/api/v1/notes/${draft.key}`, body };
  }

  /** The editor of a draft, if it is open. @param {string} key */
  #editorOf(key) {
    return this.editor?.draft.key === key ? this.editor : null;
  }

  /**
   * The site has a draft as it was sent. Its author may have gone on typing by now.
   * @param {Draft} sent @param {Item} item @param {Draft | null} now @returns {Draft | null}
   */
  #saved(sent, item, now) {
    const editor = this.#editorOf(sent.key);
    const latest = editor?.draft ?? now;
    const more = latest && JSON.stringify(bodyOf(latest)) !== JSON.stringify(bodyOf(sent));
    const known = { revision: item.revision ?? 1, wanted: Boolean(!editor && now?.wanted) };
    if (editor && more) {
      Object.assign(editor.draft, known);
      editor.say(gettext("Saved. What you have changed since is not saved yet."));
    } else if (editor) this.#close();
    this.store.may.name = item.by ?? "";
    this.store.take(item);
    this.notes.page.call("noteSaved", item.key);
    const copy = button("button small", gettext("Copy link"), () => this.notes.copyLink(item));
    this.notes.say(
      this.store.may.guest ? gettext("Saved, by {by}.", { by: item.by }) : gettext("Saved."),
      ...(item.visibility === "self" ? [] : [copy]),
    );
    queueMicrotask(() => this.editor || this.offerDrafts()); // once it is no draft any more
    if (editor && !more) this.notes.list.focus(item.reply ?? item.key);
    return more ? { ...latest, ...known } : null;
  }

  /** What became of a draft, if it is not saved. @param {string} key @param {import("../../games/dom/asking.js").Response<unknown>} response */
  #tell(key, { ok, status }) {
    const draft = this.outbox.entries.get(key);
    const editor = this.#editorOf(key);
    if (!draft || ok) return;
    const waits = mayPass(status);
    if (editor) {
      editor.draft.wanted = waits;
      if (waits) this.outbox.put({ ...editor.draft });
      editor.say(this.outbox.words(key), true);
      this.#offerChoice(editor);
    } else if (!waits)
      this.notes.say(`${this.outbox.words(key)} ${gettext("Your draft is kept.")}`);
  }

  /** Shows both versions, if someone else has changed it. @param {Editor} editor */
  #offerChoice({ draft, extra }) {
    extra.replaceChildren(this.outbox.choice(draft.key) ?? "");
  }

  /** @param {Item} [now] the current version */
  #discard(now) {
    const { editor } = this;
    if (!editor) return;
    const { draft } = editor;
    this.outbox.drop(draft.key);
    this.#close();
    if (now) this.store.take(now);
    const back = button("button small", gettext("Restore"), () => this.edit(draft));
    if (!isBlank(draft)) this.notes.say(gettext("Discarded."), back);
  }

  /** Closes the editor. The text stays as a draft. */
  leave() {
    this.#close();
    this.offerDrafts();
  }

  #close() {
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

  /** Puts away the texts of an account that has logged out, and offers the visitor's. */
  #whose() {
    const { account, name } = this.store.may;
    if (account === this.account) return;
    const draft = this.editor?.draft;
    const before = this.signed;
    Object.assign(this, { account, signed: name });
    if (draft?.account && draft.account !== account) {
      this.#close();
      const words = gettext("Not saved. You are not logged in as {name} any more.", {
        name: before,
      });
      const kept = this.outbox.entries.get(draft.key)?.wanted
        ? gettext("Your draft is kept in this browser until you are, and is sent then.")
        : gettext("Your draft is kept in this browser until you are.");
      this.notes.say(`${words} ${kept}`);
    }
    if (!this.editor) this.offerDrafts();
    this.#resume();
  }

  offerDrafts() {
    const rows = this.ownDrafts().map((draft) => {
      const text = draft.text.slice(0, 60) || gettext("without text");
      const waits = draft.wanted && !this.outbox.choices.has(draft.key);
      const what = waits ? gettext("To be sent") : gettext("Draft");
      const words = box("span", "draft-words cut", `${what}: ${this.#placeWords(draft)}, ${text}`);
      const go = button("button small", gettext("Go on"), () => this.edit(draft));
      return box("li", "note-draft apart small line", words, go);
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

  /** Whom a note may be shown to. @param {Draft} draft */
  #audiences({ reply, visibility }) {
    if (this.store.may.study) return [];
    const thread = reply ? this.store.find(reply)?.visibility : undefined;
    return reply ? audiencesOfReply(thread ?? "self") : withChosen(audiences(), visibility);
  }
}
