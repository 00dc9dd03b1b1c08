/**
 * Reading the notes of a match: the tab, the marks on the timeline and on the table. The code for
 * writing is fetched when needed.
 * @import { Page } from "../replay/page.js"
 * @typedef {import("./items.js").Item} Item
 * @typedef {import("./writing.js").Writing} Writing
 */

import { Pen } from "../../games/board/pen.js";
import { Shapes } from "../../games/board/shapes.js";
import { box, button, byId, styled, write } from "../../games/dom/elements.js";
import { later } from "../../games/dom/later.js";
import { browserStorage, stored } from "../../games/dom/storage.js";
import { Loop } from "../../games/match/loop.js";
import { gettext, ngettext } from "../../games/words/gettext.js";
import { copyLink } from "../addresses/copying.js";
import { keeps } from "../outbox/kept.js";
import {
  countWords,
  drawnForSome,
  isNew,
  itemOf,
  newest,
  noteAddress,
  notesAt,
  passes,
  threadsOf,
  whenWords,
} from "./items.js";
import { NoteLinks } from "./links.js";
import { FilterBar, NoteList } from "./list.js";
import { NoteStore } from "./store.js";
import { TimelineMarks } from "./timelinemarks.js";

/**
 * Null for notes that are not the match's own, and while there is no record.
 * @param {import("../../games/match/log.js").Match} match
 * @param {string} url of the notes
 */
export function recordLink({ id, urls }, url) {
  if (!urls?.record || url !== `/api/v1/matches/${id}/notes`) return null;
  const file = { class: "notes-record soft small", href: `${urls.record}?notes=1`, download: true };
  return box("a", file, gettext("Download the match with these notes"));
}

const STYLE = new URL("./notes.css", import.meta.url).href;
/** How often an open tab asks for others' notes, in ms. */
const AGAIN_MS = 30_000;

class Notes {
  /** @param {HTMLElement} panel @param {Page} page */
  constructor(panel, page) {
    this.panel = panel;
    this.page = page;
    this.player = page.player;
    const asked = new URLSearchParams(location.hash.slice(1));
    this.wanted = asked.get("note");
    const { wanted } = this;
    const url = panel.dataset.url ?? "";
    this.store = new NoteStore(url, page.player, asked.get("share") ?? "", wanted ?? "");
    this.loop = new Loop(page.player);
    this.shapes = new Shapes(page.board);
    this.scrubber = page.scrubber;
    this.renameUrl = panel.dataset.rename ?? "";
    this.drawing = new Pen(page.board.root, this.shapes, {
      drawn: (from, to) => this.#draw((writing) => writing.drawn(from, to)),
      held: () => this.#draw((writing) => writing.open()),
    });
    /** The code for writing notes. @type {() => Promise<Writing>} */
    this.writing = later(() => import("./writing.js").then(({ Writing }) => new Writing(this)));
    this.links = new NoteLinks(page.player, this.shapes, {
      say: (words) => this.say(words),
      point: () => this.point(),
    });
    this.marks = new TimelineMarks(page.scrubber, (item) => this.choose(item));
    this.filters = new FilterBar(() => this.draw());
    this.list = new NoteList(box("ol", "notes"), this.#way());
    this.empty = box("p", "notes-empty soft", gettext("There are no notes on this match yet."));
    this.more = button("button small", "", () => this.store.more());
    this.top = box("div", "notes-top");
    this.words = box("p", { class: "notes-words small breaks row", role: "status" });
    /** @type {Item | null} */
    this.chosen = null;
    this.pinned = false;
    this.reached = 0;
    this.asking = 0;
    /** Drawn instead of everything else. @type {import("../../games/board/shapes.js").Drawing | null} */
    this.drafted = null;
    /** The span that is being edited. @type {Item | null} */
    this.spanned = null;
    /** How many drafts this browser keeps for who is here. */
    this.unsent = 0;
    this.seenKey = `ratuki.notes.seen.${page.player.log.match.id}`;
    this.seen = browserStorage().getItem(this.seenKey);
    const title = gettext("Write a note here (a)");
    const writes = { class: "button small primary notes-write", title };
    this.writeButton = button(writes, gettext("Write a note"), () => this.write());
    this.filters.element.append(this.writeButton);
    this.record = recordLink(page.player.log.match, this.store.url);
    panel.replaceChildren(
      ...[
        this.top,
        this.filters.element,
        this.words,
        this.empty,
        this.list.root,
        this.more,
        this.record ?? "",
      ],
    );
    panel.classList.add("notes-panel", "column", "gap-0");
  }

  /** @param {import("api").NotesJson | null} fetched the server's response, if already received */
  async start(fetched) {
    const { store, player, panel } = this;
    store.onChange(() => this.changed());
    player.log.onGrow(() => store.readLog());
    player.onChange(() => this.moved());
    player.onState(() => this.list.draw());
    panel.addEventListener("click", (event) => this.links.follow(event));
    this.page.onChange(["view", "line"], () => this.point());
    this.page.onChange(["tab"], ({ tab }) => {
      if (tab !== "notes") return;
      this.draw();
      const { round, event } = player.cursor;
      if (!this.chosen) this.list.start(round, event);
      this.moved();
      const last = newest(store.items);
      if (last) stored(browserStorage(), this.seenKey, last);
    });
    addEventListener("hashchange", () => this.#fromHash());
    setInterval(() => {
      if (!document.hidden && !panel.hidden && store.loaded) store.load();
    }, AGAIN_MS);
    this.page.command("loop", () => this.toggleLoop(this.spanned ?? this.chosen));
    this.#playlist();
    store.readLog();
    if (fetched) store.adopt(fetched);
    else await store.load();
    this.#arrive();
    return this;
  }

  /** @returns {import("./list.js").Way} */
  #way() {
    return {
      names: this.page.names,
      when: (item) => whenWords(this.player.log, item, this.page.state.line),
      choose: (item) => this.choose(item),
      act: (name, item) => this.act(name, item),
      may: () => this.store.may,
      isNew: (item) => isNew(item, this.seen),
      loops: (item) => this.loop.running && this.chosen?.key === item.key,
    };
  }

  /** Someone else has saved a note. Own ones are known already. @param {import("frames").NoteFrame["note"]} given */
  hear(given) {
    const note = itemOf(given);
    if (!this.store.find(note.key)?.mine) this.store.take(note);
  }

  changed() {
    const { items } = this.store;
    if (this.chosen) this.chosen = this.store.find(this.chosen.key);
    this.filters.offer(items);
    this.marks.show(items);
    this.player.noted = new Set(
      items
        .filter((item) => !item.line && !item.reply)
        .map((item) => `${item.round}.${item.event}`),
    );
    this.draw();
  }

  draw() {
    const { store, panel } = this;
    const all = threadsOf(store.items);
    const shown = all.filter((thread) => passes(thread, this.filters.chosen));
    if (!panel.hidden) this.list.show(shown, this.chosen?.key ?? null);
    const unread = store.items.filter((item) => isNew(item, this.seen)).length;
    const count = byId("notes-count");
    const news = unread
      ? [box("span", "spoken", `, ${ngettext("{count} new", "{count} new", unread)}`)]
      : [];
    const drafts = this.unsent
      ? [box("span", "spoken", `, ${ngettext("{count} draft", "{count} drafts", this.unsent)}`)]
      : [];
    count.replaceChildren(countWords(all.length, this.unsent), ...news, ...drafts);
    count.classList.toggle("has-new", unread > 0);
    this.empty.hidden = shown.length > 0;
    this.more.hidden = !store.left;
    write(this.more, gettext("Show more notes ({left} left)", { left: store.left }));
    this.record?.toggleAttribute("hidden", !all.length);
    write(this.empty, this.#emptyWords(all.length));
    this.writeButton.hidden = !store.may.write;
    this.moved();
  }

  /** @param {number} all */
  #emptyWords(all) {
    if (this.store.failed)
      return gettext("The notes could not be loaded. {detail}", { detail: this.store.failed });
    if (all) return gettext("No notes match this filter.");
    const none = gettext("There are no notes on this match yet.");
    return this.store.may.write
      ? `${none} ${gettext("Go to a position and write the first.")}`
      : none;
  }

  moved() {
    if (this.player.log.endHidden) this.#loadReached();
    const here = this.#here();
    if (!this.panel.hidden) this.list.mark(here);
    this.point(here);
  }

  #here() {
    return notesAt(this.store.items, this.player.cursor);
  }

  /** Draws the notes at the cursor, and the chosen one. @param {Item[]} [here] */
  point(here = this.#here()) {
    const { chosen } = this;
    const far = chosen && !here.includes(chosen) && this.pinned ? [chosen] : [];
    this.shapes.show(this.drafted ? [this.drafted] : [...here, ...far]);
    const some = this.drafted || this.store.may.study ? [] : drawnForSome([...here, ...far]);
    this.page.set({ forSome: some.length > 0 });
  }

  /** If results are hidden, notes are loaded as the cursor advances. */
  #loadReached() {
    const { round, event } = this.player.cursor;
    const reached = round * 1e6 + event;
    if (this.asking || reached <= this.reached) return;
    this.reached = reached;
    this.asking = window.setTimeout(() => {
      this.asking = 0;
      this.store.load();
    }, 1500);
  }

  /** Goes to a note and opens its thread. @param {Item} item */
  async choose(item) {
    this.loop.stop();
    this.chosen = item;
    this.pinned = true;
    this.player.pause();
    this.marks.mark(item);
    this.draw();
    this.list.reveal(item.key);
    await this.page.call("openLine", item.line ?? null, item.event);
    if (!item.line) await this.player.goTo({ round: item.round, event: item.event });
    this.pinned = false;
  }

  /** @param {Item | null} item */
  toggleLoop(item) {
    if (this.loop.running) this.player.pause();
    else if (item?.until !== undefined) this.loop.start({ ...item, until: item.until });
    this.list.draw();
  }

  /** @param {string} name @param {Item} item */
  async act(name, item) {
    if (name === "loop") this.toggleLoop(item);
    else if (name === "link") await this.copyLink(item);
    else await (await this.writing()).actions.act(name, item);
  }

  /** @param {Item} item */
  async copyLink(item) {
    this.say(await copyLink(noteAddress(item)));
  }

  /** @param {string} words @param {...Node} more */
  say(words, ...more) {
    this.words.replaceChildren(words, ...more);
  }

  /** Opens the editor. null if this viewer may not write. @returns {Promise<Writing | null>} */
  async write() {
    if (!this.store.may.write) {
      this.say(gettext("You can’t write notes on a match while you are playing in it."));
      return null;
    }
    this.player.pause();
    const writing = await this.writing();
    writing.open();
    return writing;
  }

  /** @param {(writing: Writing) => void} then */
  #draw(then) {
    if (this.store.may.write) this.writing().then(then);
  }

  async #playlist() {
    const query = new URLSearchParams(location.search);
    const key = query.get("playlist");
    if (!key) return;
    const { PlaylistPlayer } = await import("./playlistplayer.js");
    await new PlaylistPlayer(this.page, key, Number(query.get("item") ?? 1) - 1).open();
  }

  openTab() {
    this.page.choose({ tab: "notes" });
  }

  #arrive() {
    if (this.seen === null) {
      this.seen = newest(this.store.items);
      stored(browserStorage(), this.seenKey, String(this.seen));
    }
    if (this.wanted) this.#fromHash();
    const { id } = this.player.log.match;
    if (keeps(`notes.drafts.${id}`, browserStorage()))
      this.writing().then((writing) => writing.offerDrafts());
  }

  #fromHash() {
    const key = new URLSearchParams(location.hash.slice(1)).get("note");
    const item = key && this.store.find(key);
    if (!key) return;
    this.openTab();
    if (item) this.choose(item).then(() => this.list.bring(item.key));
    else this.say(gettext("The linked note is gone, or you can’t see it."));
  }
}

/** @param {HTMLElement} panel @param {Page} page @param {import("api").NotesJson | null} fetched */
export async function open(panel, page, fetched) {
  await styled(STYLE);
  return new Notes(panel, page).start(fetched);
}
