/**
 * "Add to a study": makes the moment on the table a chapter of a study, new or existing.
 * @import { Page } from "../replay/page.js"
 */

import { newKey, request } from "../../games/dom/asking.js";
import { onSubmit, picker } from "../../games/dom/controls.js";
import { box, button, byId, leave, write } from "../../games/dom/elements.js";
import { stored, tabStorage } from "../../games/dom/storage.js";
import { gettext } from "../../games/words/gettext.js";
import { labelled, line } from "./fields.js";
import { titleOf } from "./moments.js";

const WORDS = gettext("Add to a study");
const NEW = "";
const LAST = "ratuki.studies.last";

export class Collector {
  /** @param {HTMLDialogElement} dialog @param {Page} page */
  constructor(dialog, page) {
    this.dialog = dialog;
    this.page = page;
    this.url = dialog.dataset.url ?? "";
    /** The key of a new study: the same until it is known to be made, however often that is tried. */
    this.key = newKey();
    this.status = box("p", { class: "soft", role: "status" });
  }

  async open() {
    const { player } = this.page;
    player.pause();
    await player.settle();
    const { ok, data } = await request("GET /api/v1/studies", this.url);
    write(this.status, "");
    const heading = box("h2", { id: "collect-title" }, WORDS);
    this.form = onSubmit(box("form", "form"), () => this.#save());
    this.chapter = line(titleOf(player.round ?? undefined, player.cursor.event, this.page.names));
    this.study = picker(
      "",
      [
        ...(ok ? data.studies : []).map(
          ({ key, title }) => /** @type {[string, string]} */ ([key, title]),
        ),
        [NEW, gettext("A new study…")],
      ],
      this.#last(ok ? data.studies : []),
      () => this.#chosen(),
    );
    this.title = line(gettext("My study"));
    this.fresh = labelled(gettext("Title of the study"), this.title);
    this.#chosen();
    // A submit button, so that Enter adds the chapter.
    this.save = button(
      { class: "button primary", type: "submit" },
      gettext("Add and open"),
      () => {},
    );
    const stay = button("button", gettext("Add and stay"), () => this.#save(true));
    const cancel = button("button quiet", gettext("Cancel"), () => this.dialog.close());
    const ends = box("div", "form-end", this.save, stay, cancel);
    this.form.append(
      labelled(gettext("Study"), this.study),
      this.fresh,
      labelled(gettext("Title of the chapter"), this.chapter),
      ends,
      this.status,
    );
    this.dialog.replaceChildren(heading, this.form);
    if (!ok)
      write(
        this.status,
        gettext("Your studies could not be loaded. {detail}", { detail: data.detail }),
      );
    if (!this.dialog.open) this.dialog.showModal();
    this.chapter.select();
    this.chapter.focus();
  }

  /** Only a new study gets a title here. */
  #chosen() {
    if (this.fresh) this.fresh.hidden = this.study?.value !== NEW;
  }

  /** @param {{key: string}[]} studies */
  #last(studies) {
    const last = tabStorage().getItem(LAST);
    const known = studies.find(({ key }) => key === last) ?? studies[0];
    return known?.key ?? NEW;
  }

  /** @param {boolean} [stay] */
  async #save(stay = false) {
    const { study, title, chapter, status, save } = this;
    if (!study || !title || !chapter || !save || save.disabled) return;
    save.disabled = true;
    write(status, gettext("Saving…"));
    const key = study.value || (await this.#create(title.value));
    const made = key && (await this.#add(key, chapter.value));
    if (made) stored(tabStorage(), LAST, key);
    if (made && !stay) await leave(() => location.assign(`/studies/${key}/${made.number}/#new`));
    else if (made) {
      this.dialog.close();
      this.#added(made.number);
    }
    save.disabled = false;
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
    this.study?.prepend(new Option(data.title, data.key));
    if (this.study) this.study.value = data.key;
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
