/**
 * A study's page: copying it, and for its writers title, introduction and sharing. Saves by itself.
 * @import { StudyJson } from "api"
 * @typedef {StudyJson & {account: string, classes: Record<string, string>}} Study
 */

import { request } from "../../games/dom/asking.js";
import { byId, leave, single, write } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { copyShared, share, showShared } from "../addresses/copying.js";
import { audiences, audienceWords, inClasses, withChosen } from "../outbox/audience.js";
import { Autosave, discard, keptBy, ofDeleted, wordsOf } from "../outbox/autosave.js";
import { lostWords } from "../outbox/conflict.js";
import { fill, follow } from "../outbox/forms.js";

class StudyPage {
  /** @param {Study} study */
  constructor(study) {
    this.study = study;
    inClasses(study.classes);
    this.url = `/api/v1/studies/${study.key}`;
    this.status = byId("study-status");
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
    this.#deleted();
    this.#lost();
    this.#share();
  }

  /** Deleted chapters. Open right after a deletion, so that it can be undone at once. */
  #deleted() {
    const list = document.getElementById("deleted");
    if (!list || location.hash !== "#deleted") return;
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
}

new StudyPage(JSON.parse(byId("study").textContent ?? "null"));
