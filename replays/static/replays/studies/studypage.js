/**
 * A study's page: copying it, and for its writers title, introduction,
 * sharing, order and groups of chapters. Saves by itself.
 * @import { ChapterJson, StudyJson } from "api"
 * @import { Other } from "../outbox/conflict.js"
 * @typedef {StudyJson & {account: string, classes: Record<string, string>}} Study
 */

import { request } from "../../games/dom/asking.js";
import { moved, movers, picker } from "../../games/dom/controls.js";
import { box, button, byId, leave, single, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { copyShared, share, showShared } from "../addresses/copying.js";
import { audiences, audienceWords, inClasses, namesIn, withChosen } from "../outbox/audience.js";
import { Autosave, discard, keptBy, ofDeleted, wordsOf } from "../outbox/autosave.js";
import { conflictBox, lostWords } from "../outbox/conflict.js";
import { labelled, line, words } from "./fields.js";

/** A study's writers read it in any case. */
const sharing = () =>
  audiences().map(
    ([value, words]) =>
      /** @type {[string, string]} */ ([
        value,
        value === "self" ? gettext("Only me and the writers") : words,
      ]),
  );

class StudyPage {
  /** @param {Study} study */
  constructor(study) {
    this.study = study;
    inClasses(study.classes);
    this.url = `/api/v1/studies/${study.key}`;
    this.status = byId("study-status");
    this.move = single((/** @type {number} */ number, /** @type {number} */ by) =>
      this.#move(number, by),
    );
    this.copy();
    if (!study.may_write) return;
    /** By the names of their fields. @type {Record<string, {value: string}>} */
    this.inputs = {};
    /** @type {import("../outbox/autosave.js").Ways<StudyJson>} */
    const ways = {
      say: (text) => write(this.status, text),
      saved: (now) => {
        Object.assign(study, { token: now.token, visibility: now.visibility });
        byId("study-words").innerHTML = now.html; // sanitised by the server
        write(byId("study-title"), now.title);
        write(byId("study-visible"), audienceWords(now.visibility));
        this.link?.toggleAttribute("hidden", now.visibility === "self");
        this.#address();
      },
      merged: (now) => this.#merged(now),
      place: byId("study-editor"),
      reload: () => location.reload(),
    };
    /** @type {Autosave<StudyJson>} */
    this.saver = new Autosave(this.url, study, ways, study.account);
    this.saver.begin(study);
    byId("study-editor").append(this.#editor());
    this.#order();
    this.#deleted();
    this.#lost();
    this.#address();
  }

  /** Deleted chapters. Open right after a deletion, so that it can be undone at once. */
  #deleted() {
    const list = document.getElementById("deleted");
    if (!list) return;
    for (const press of list.querySelectorAll("button")) {
      const restore = () => this.#restore(press.dataset.restore ?? "");
      press.addEventListener("click", single(restore));
    }
    if (location.hash !== "#deleted") return;
    list.setAttribute("open", "");
    write(this.status, gettext("The chapter is deleted. “Restore” brings it back."));
    list.querySelector("button")?.focus();
  }

  /** What this writer wrote in chapters that were deleted meanwhile. */
  #lost() {
    const { study } = this;
    for (const { key, changed } of ofDeleted(keptBy(study.account), study.account, study))
      byId("study-editor").before(lostWords(wordsOf(changed), () => discard(key)));
  }

  /** @param {string} number */
  async #restore(number) {
    const address = `${this.url}/chapters/${number}/restore`;
    const { ok, data } = await request(
      "POST /api/v1/studies/{key}/chapters/{number}/restore",
      address,
      {},
    );
    if (ok) await leave(() => location.replace(location.pathname + location.search));
    else write(this.status, gettext("Not restored. {detail}", { detail: data.detail }));
  }

  copy() {
    const copy = /** @type {HTMLButtonElement | null} */ (document.getElementById("study-copy"));
    copy?.addEventListener("click", async () => {
      copy.disabled = true;
      const { ok, data } = await request(
        "POST /api/v1/studies/{key}/copy",
        `${this.url}/copy${share()}`,
        {},
      );
      if (ok) await leave(() => location.assign(`/studies/${data.key}/`));
      else write(this.status, gettext("Not copied. {detail}", { detail: data.detail }));
      copy.disabled = false;
    });
  }

  /** A study shared by link has that link in its owner's address bar, from where it is copied too. */
  #address() {
    const { mine, token, visibility } = this.study;
    if (mine) showShared(visibility === "link" ? token : "");
  }

  /** Shows another writer's changes beside one's own. @param {StudyJson} now */
  #merged(now) {
    /** @type {import("../outbox/autosave.js").Fields} */
    const shown = { ...now, ...this.saver?.changed };
    for (const [name, input] of Object.entries(this.inputs ?? {}))
      input.value = Array.isArray(shown[name]) ? shown[name].join(", ") : String(shown[name] ?? "");
  }

  #editor() {
    const { study } = this;
    const title = line(study.title);
    title.addEventListener(
      "input",
      () => title.value.trim() && this.saver?.change({ title: title.value }),
    );
    const text = words(study.text, 3);
    text.addEventListener("input", () => this.saver?.change({ text: text.value }));
    Object.assign(this.inputs ?? {}, { title, text });
    const editor = box("details", "panel form study-editor unbound");
    editor.append(box("summary", "", gettext("Edit title, introduction and sharing")));
    editor.append(
      labelled(gettext("Title"), title),
      labelled(gettext("Introduction (Markdown)"), text),
    );
    if (study.mine) editor.append(...this.#sharing());
    return editor;
  }

  #sharing() {
    const { study } = this;
    const visible = picker("", withChosen(sharing(), study.visibility), study.visibility);
    const readers = line((study.readers ?? []).join(", "), 2000);
    const writers = line((study.writers ?? []).join(", "), 2000);
    Object.assign(this.inputs ?? {}, { visibility: visible, readers, writers });
    const named = labelled(gettext("Readers’ usernames, separated by commas"), readers);
    const save = () => {
      named.hidden = visible.value !== "people";
      this.saver?.change({
        visibility: visible.value,
        readers: visible.value === "people" ? namesIn(readers.value) : [],
        writers: namesIn(writers.value),
      });
    };
    for (const input of [visible, readers, writers]) input.addEventListener("change", save);
    named.hidden = study.visibility !== "people";
    this.link = button("button small", gettext("Copy the link"), async () =>
      write(this.status, await copyShared(this.study.token)),
    );
    this.link.hidden = study.visibility === "self";
    const remove = button("button small quiet", gettext("Delete the study"), () =>
      this.saver?.remove(
        (body) => request("DELETE /api/v1/studies/{key}", this.url, body),
        "/studies/",
      ),
    );
    return [
      labelled(gettext("Visible to"), visible),
      named,
      labelled(gettext("Writers’ usernames, separated by commas"), writers),
      box("div", "form-end", this.link, remove),
    ];
  }

  /** Buttons that move chapters up and down, and into the group of their new neighbour. */
  #order() {
    for (const row of document.querySelectorAll(".chapter-row")) {
      const number = Number(/** @type {HTMLElement} */ (row).dataset.number);
      const title = row.querySelector("a")?.textContent ?? "";
      const { chapters } = this.study;
      const at = chapters.findIndex((chapter) => chapter.number === number);
      const moves = movers("button small quiet", title, at, chapters.length, (by) =>
        this.move(number, by),
      );
      row.append(box("span", "push", ...moves));
    }
  }

  /** @param {number} number @param {number} by */
  async #move(number, by) {
    const from = this.study.chapters.findIndex((chapter) => chapter.number === number);
    const beside = this.study.chapters[from + by];
    const own = this.study.chapters[from];
    // Across a heading it first joins the neighbour's group, without passing the neighbour.
    const joins = beside.group !== own.group;
    const order = joins ? [...this.study.chapters] : moved(this.study.chapters, from, from + by);
    const chapters = order.map((chapter) => ({
      number: chapter.number,
      group: chapter.number === number ? beside.group : chapter.group,
    }));
    write(this.status, gettext("Saving…"));
    await this.#arrange(chapters, this.study.chapters);
  }

  /** @typedef {{number: number, group: string}[]} Order */
  /** @param {Order} chapters @param {Order} before the order on which that is based */
  async #arrange(chapters, before) {
    const was = before.map(({ number, group }) => ({ number, group }));
    const body = { chapters, was };
    const { ok, status, data } = await request(
      "PUT /api/v1/studies/{key}/chapters",
      `${this.url}/chapters`,
      body,
    );
    if (ok) await leave(() => location.reload());
    else if (status === 409)
      this.#reordered(chapters, /** @type {ChapterJson[]} */ (data.now?.chapters), data.changed);
    else write(this.status, gettext("Not moved. {detail}", { detail: data.detail }));
  }

  /** Somebody else has changed the order. @param {Order} own @param {ChapterJson[]} now @param {Other} [other] */
  #reordered(own, now, other) {
    const title = (/** @type {{number: number}} */ { number }) =>
      now.find((chapter) => chapter.number === number)?.title ?? number;
    const [mine, theirs] = [own, now].map((order) => order.map(title).join(", "));
    const then = { own: () => this.#arrange(own, now), theirs: () => location.reload() };
    write(this.status, gettext("Choose an order."));
    byId("study-editor").prepend(
      conflictBox(other, [{ name: gettext("Order"), mine, theirs }], then),
    );
  }
}

new StudyPage(JSON.parse(byId("study").textContent ?? "null"));
