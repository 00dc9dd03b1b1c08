/**
 * "Add to a study": makes the moment on the table a chapter of a study, new or existing.
 * @import { Page } from "../replay/page.js"
 */

import { newKey, request } from "../../games/dom/asking.js";
import { onSubmit } from "../../games/dom/controls.js";
import { byId, leave, single, write } from "../../games/dom/elements.js";
import { stored, tabStorage } from "../../games/dom/storage.js";
import { gettext } from "../../games/words/gettext.js";
import { titleOf } from "./moments.js";

const WORDS = gettext("Add to a study");
const NEW = "";
const LAST = "ratuki.studies.last";

/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement} */ (byId(`collect-${name}`));

export class Collector {
  /** @param {HTMLDialogElement} dialog @param {Page} page */
  constructor(dialog, page) {
    this.dialog = dialog;
    this.page = page;
    this.url = dialog.dataset.url ?? "";
    /** The key of a new study: the same until it is known to be made, however often that is tried. */
    this.key = newKey();
    this.status = byId("collect-status");
    this.study = field("study");
    this.saving = single((/** @type {boolean} */ stay) => this.#save(stay));
    this.study.addEventListener("change", () => this.#chosen());
    onSubmit(byId("collect-form"), () => this.saving(false));
    field("stay").addEventListener("click", () => this.saving(true));
    field("cancel").addEventListener("click", () => dialog.close());
  }

  async open() {
    const { player, names } = this.page;
    player.pause();
    await player.settle();
    const { ok, data } = await request("GET /api/v1/studies", this.url);
    const studies = ok ? data.studies : [];
    const options = studies.map(({ key, title }) => new Option(title, key));
    this.study.replaceChildren(...options, new Option(gettext("A new study…"), NEW));
    this.study.value = this.#last(studies);
    this.#chosen();
    const chapter = field("chapter");
    chapter.value = titleOf(player.round ?? undefined, player.cursor.event, names);
    write(
      this.status,
      ok ? "" : gettext("Your studies could not be loaded. {detail}", { detail: data.detail }),
    );
    if (!this.dialog.open) this.dialog.showModal();
    chapter.select();
    chapter.focus();
  }

  /** Only a new study gets a title here. */
  #chosen() {
    byId("collect-fresh").hidden = this.study.value !== NEW;
  }

  /** @param {{key: string}[]} studies */
  #last(studies) {
    const last = tabStorage().getItem(LAST);
    const known = studies.find(({ key }) => key === last) ?? studies[0];
    return known?.key ?? NEW;
  }

  /** @param {boolean} stay */
  async #save(stay) {
    write(this.status, gettext("Saving…"));
    const key = this.study.value || (await this.#create(field("name").value));
    const made = key && (await this.#add(key, field("chapter").value));
    if (!made) return;
    stored(tabStorage(), LAST, key);
    if (!stay) return leave(() => location.assign(`/studies/${key}/${made.number}/#new`));
    this.dialog.close();
    this.#added(made.number);
  }

  /** The button that was pressed says so, until the cursor moves on. @param {number} chapter */
  #added(chapter) {
    const pressed = byId("add-chapter");
    write(pressed, gettext("Added: chapter {chapter}", { chapter }));
    this.page.call("say", gettext("Added: chapter {chapter}", { chapter }));
    const done = this.page.player.onChange(() => {
      done();
      write(pressed, WORDS);
    });
  }

  /** @param {string} title @returns {Promise<string>} the key. Empty if that failed */
  async #create(title) {
    const { ok, data } = await request("POST /api/v1/studies", this.url, { key: this.key, title });
    if (!ok) write(this.status, gettext("Not saved. {detail}", { detail: data.detail }));
    if (!ok) return "";
    this.key = newKey();
    // It is chosen: another try adds the chapter to it.
    this.study.prepend(new Option(data.title, data.key));
    this.study.value = data.key;
    this.#chosen();
    return data.key;
  }

  /** @param {string} key @param {string} title */
  async #add(key, title) {
    const { player, state } = this.page;
    const { line, view } = state;
    const { round, event } = player.cursor;
    const body = {
      title,
      match: Number(player.log.match.id),
      ...{ round, event, view: String(view) },
      speed: Math.round(player.speed * 100),
      ...(line ? { line } : {}),
    };
    const { ok, data } = await request(
      "POST /api/v1/studies/{key}/chapters",
      `${this.url}/${key}/chapters`,
      body,
    );
    if (!ok) write(this.status, gettext("Not saved. {detail}", { detail: data.detail }));
    return ok ? data : null;
  }
}
