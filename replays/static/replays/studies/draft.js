// @ts-check
/**
 * A chapter that is being changed: what it says now, saved by itself. Its editors share it.
 *
 * @typedef {import("./lesson.js").Lesson} Lesson
 * @typedef {import("./lesson.js").Chapter} Chapter
 */

import { box, byId, write } from "../../games/dom/elements.js";
import { ask } from "./ask.js";
import { Autosave, savedByOther } from "./autosave.js";

export class ChapterDraft {
  /** @param {Lesson} lesson */
  constructor(lesson) {
    this.lesson = lesson;
    /** @type {Chapter} */
    this.chapter = lesson.chapter;
    this.status = box("p", "soft save-status");
    this.status.setAttribute("role", "status");
    /** Called when the place or the question has changed. @type {(() => void)[]} */
    this.watchers = [];
    /** @type {(() => void) | null} */
    this.whenSaved = null;
    /** Called when somebody else has changed something. @type {(() => void)[]} */
    this.mergers = [];
    this.saver = new Autosave(this.chapter, {
      send: (body) => ask("PUT", lesson.urls.chapter, body, lesson.csrf),
      say: (words) => this.say(words),
      saved: (now) => this.#saved(now),
      merged: (now) => this.#merged(now),
      conflict: (now, own, other) => this.#conflict({ now, own, other }),
    });
    addEventListener("beforeunload", (event) => this.saver.unsaved && event.preventDefault());
  }

  /** @param {string} words */
  say(words) {
    write(this.status, words);
  }

  /** @param {Record<string, any>} fields */
  change(fields) {
    Object.assign(this.chapter, fields);
    this.saver.change(fields);
    if (["event", "question", "until"].some((name) => name in fields))
      for (const changed of this.watchers) changed();
  }

  /** Once everything is saved. @param {() => void} act */
  saved(act) {
    if (!this.saver.unsaved) return act();
    this.whenSaved = act;
    this.saver.save();
  }

  /** @param {any} now */
  #saved(now) {
    byId("chapter-words").innerHTML = now.html; // sanitised by the server
    write(byId("chapter-title"), now.title);
    if (this.saver.unsaved || !this.whenSaved) return;
    this.whenSaved();
    this.whenSaved = null;
  }

  /** Shows what somebody else has changed beside one's own changes. @param {any} now */
  #merged(now) {
    Object.assign(this.chapter, now, this.saver.changed);
    for (const changed of [...this.watchers, ...this.mergers]) changed();
  }

  /** @param {{now: any, own: Record<string, any>, other: any}} versions */
  #conflict(versions) {
    this.say("Choose a version.");
    const reload = () => location.assign(location.pathname); // the chapter's place may be another now
    this.status.before(savedByOther(this.saver, versions, reload));
  }
}
