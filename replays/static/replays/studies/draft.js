/**
 * A chapter that is being changed: what it says now, saved by itself. Its editors share it.
 * @import { Chapter, Lesson } from "./lesson.js"
 */

import { request } from "../../games/dom/asking.js";
import { box, byId, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { Autosave, savedByOther, wordsOf } from "../outbox/autosave.js";
import { lostWords } from "../outbox/conflict.js";

export class ChapterDraft {
  /** @param {Lesson} lesson */
  constructor(lesson) {
    this.lesson = lesson;
    /** @type {Chapter} */
    this.chapter = lesson.chapter;
    this.status = box("p", { class: "soft save-status", role: "status" });
    /** Called when the place or the question has changed. @type {(() => void)[]} */
    this.watchers = [];
    /** Called when someone else has changed something. @type {(() => void)[]} */
    this.mergers = [];
    /** @type {import("../outbox/autosave.js").Ways<Chapter>} */
    const ways = {
      send: (body, leaving) =>
        request("PUT /api/v1/studies/{key}/chapters/{number}", lesson.urls.chapter, body, leaving),
      say: (words) => this.say(words),
      saved: (now) => this.#saved(now),
      merged: (now) => this.#merged(now),
      conflict: (now, own, other) => this.#conflict({ now, own, other }),
      gone: (own) => this.#gone(own),
    };
    /** @type {Autosave<Chapter>} */
    this.saver = new Autosave(lesson.urls.chapter, this.chapter, ways, lesson.account);
    Object.assign(this.chapter, this.saver.changed);
    this.saver.save();
    this.saver.heedLeaving();
  }

  /** @param {string} words */
  say(words) {
    write(this.status, words);
  }

  /** @param {import("../outbox/autosave.js").Fields} fields */
  change(fields) {
    Object.assign(this.chapter, fields);
    this.saver.change(fields);
    if (["event", "question", "until"].some((name) => name in fields))
      for (const changed of this.watchers) changed();
  }

  /** Once everything is saved. @param {() => void} act */
  async saved(act) {
    if (await this.saver.settled()) act();
  }

  /** @param {Chapter} now */
  #saved(now) {
    byId("chapter-words").innerHTML = now.html; // sanitised by the server
    write(byId("chapter-title"), now.title);
  }

  /** Shows another writer's changes beside one's own. @param {Chapter} now */
  #merged(now) {
    Object.assign(this.chapter, now, this.saver.changed);
    for (const changed of [...this.watchers, ...this.mergers]) changed();
  }

  /** @param {import("../outbox/autosave.js").Fields} own */
  #gone(own) {
    const words = wordsOf(own);
    if (words) this.status.before(lostWords(words, () => this.saver.drop()));
  }

  /** @param {Parameters<typeof savedByOther<Chapter>>[1]} versions */
  #conflict(versions) {
    this.say(gettext("Choose a version."));
    const reload = () => location.assign(location.pathname); // the chapter's place may be another now
    this.status.before(savedByOther(this.saver, versions, reload));
  }
}
