/**
 * A study's page: copying it, and for its writers title, introduction,
 * sharing, order and groups of chapters. Saves by itself.
 * @import { ChapterJson, StudyJson } from "api"
 * @import { Other } from "../outbox/conflict.js"
 * @typedef {StudyJson & {account: string, classes: Record<string, string>}} Study
 */

import { request } from "../../games/dom/asking.js";
import { moved, movers } from "../../games/dom/controls.js";
import { box, byId, leave, single, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { copyShared, share, showShared } from "../addresses/copying.js";
import { audiences, audienceWords, inClasses, withChosen } from "../outbox/audience.js";
import { Autosave, discard, keptBy, ofDeleted, wordsOf } from "../outbox/autosave.js";
import { conflictBox, lostWords } from "../outbox/conflict.js";
import { fill, follow } from "../outbox/forms.js";

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
    /** For its writers. */
    this.form = /** @type {HTMLElement} */ (document.getElementById("study-editor"));
    if (!study.may_write) return;
    /** @type {import("../outbox/autosave.js").Ways<StudyJson>} */
    const ways = {
      say: (text) => write(this.status, text),
      saved: (now) => {
        Object.assign(study, { token: now.token, visibility: now.visibility });
        byId("study-words").innerHTML = now.html; // sanitised by the server
        write(byId("study-title"), now.title);
        write(byId("study-visible"), audienceWords(now.visibility));
        this.#share();
      },
      merged: (now) => fill(this.form, { ...now, ...this.saver?.changed }),
      place: this.form,
      reload: () => location.reload(),
    };
    /** @type {Autosave<StudyJson>} */
    this.saver = new Autosave(this.url, study, ways, study.account);
    this.saver.begin(study);
    this.#edit();
    this.#order();
    this.#deleted();
    this.#lost();
    this.#share();
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
  #share() {
    const { mine, token, visibility } = this.study;
    if (!mine) return;
    showShared(visibility === "link" ? token : "");
    byId("study-copy-link").hidden = visibility === "self";
    byId("study-readers").hidden = visibility !== "people";
  }

  #edit() {
    const { form, study, saver } = this;
    const visible = form.querySelector("select");
    // Its writers read it in any case.
    for (const [value, words] of withChosen(audiences(), study.visibility))
      visible?.append(
        new Option(value === "self" ? gettext("Only me and the writers") : words, value),
      );
    fill(form, study);
    follow(form, (fields) => saver?.change(fields));
    if (!visible) return; // only its owner shares it
    visible.addEventListener("change", () => {
      byId("study-readers").hidden = visible.value !== "people";
    });
    byId("study-copy-link").addEventListener("click", async () =>
      write(this.status, await copyShared(study.token)),
    );
    const remove = single(() =>
      saver?.remove((body) => request("DELETE /api/v1/studies/{key}", this.url, body), "/studies/"),
    );
    byId("study-delete").addEventListener("click", remove);
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
