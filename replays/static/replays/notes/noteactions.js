/**
 * What can be done with a note that is there: edit, reply, copy, settle, report, hide, delete, go
 * back to an earlier version.
 * @typedef {import("./items.js").Item} Item
 * @typedef {{text: string, glyph: string, revision: number}} Old  an earlier version
 * @typedef {{hint: string, label: string, send: string, needed?: boolean}} Asked
 *   `needed`: nothing is sent without a reason
 */

import { newKey, request } from "../../games/dom/asking.js";
import { onSubmit } from "../../games/dom/controls.js";
import { box, button } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { draftOf, replyTo } from "./drafts.js";
import { itemOf } from "./items.js";

const MOST_REASON = 500;

/**
 * Lists the earlier versions in a row. One of them can be brought back.
 * @param {HTMLElement} row
 * @param {Old[]} versions newest first
 * @param {(revision: number) => unknown} restore
 */
export function showHistory(row, versions, restore) {
  const shown = box("div", "note-history", box("h4", "small", gettext("Earlier versions")));
  const items = versions.map((old) => {
    const words = box(
      "span",
      "",
      box("b", "", `${old.glyph} `),
      old.text || gettext("without text"),
    );
    const back = button("note-action strong soft small bare", gettext("Go back to this"), () => {
      shown.remove();
      return restore(old.revision);
    });
    return box("li", "note-plain", words, " ", back);
  });
  shown.append(box("ol", "", ...items));
  place(row, shown);
}

/**
 * Asks for a reason.
 * @param {HTMLElement} row @param {Asked} asked @param {(reason: string) => void} send
 */
export function askReason(row, asked, send) {
  const { hint, label, needed = false } = asked;
  const words = { maxlength: MOST_REASON, placeholder: hint, required: needed };
  const input = box("input", { ...words, "aria-label": label });
  const submit = box("button", "button small", asked.send);
  const form = box("form", "note-history entry gap-1-half small row", input, submit);
  onSubmit(form, () => {
    send(input.value.trim());
    form.remove();
  });
  place(row, form);
  input.focus();
}

/** Opens something in a row, and closes the last one there. @param {HTMLElement} row @param {HTMLElement} element */
function place(row, element) {
  row.querySelector(".note-history")?.remove();
  row.append(element);
}

const REPORT = {
  hint: gettext("What is wrong with it?"),
  label: gettext("Why you report this note"),
  send: gettext("Send to the moderators"),
};
const HIDE = {
  hint: gettext("Why?"),
  label: gettext("Why you hide this note"),
  send: gettext("Hide it"),
  needed: true,
};
const SHOW = {
  hint: gettext("Why?"),
  label: gettext("Why you show this note again"),
  send: gettext("Show it again"),
  needed: true,
};

export class NoteActions {
  /** @param {import("./writing.js").Writing} writing */
  constructor(writing) {
    this.writing = writing;
    this.notes = writing.notes;
    this.store = writing.store;
  }

  /** @param {string} name @param {Item} item */
  act(name, item) {
    const acts = /** @type {Record<string, () => unknown>} */ ({
      edit: () =>
        this.writing.edit(
          this.writing.ownDrafts().find(({ key }) => key === item.key) ?? draftOf(item),
        ),
      reply: () => this.writing.edit(replyTo(this.writing.ownDrafts(), this.#rootOf(item))),
      copy: () =>
        this.writing.edit({
          ...draftOf(item),
          key: newKey(),
          revision: null,
          reply: null,
          line: null,
        }),
      settle: () => this.#post("settle", { settled: !item.settled }, item),
      report: () => {
        const row = this.notes.list.rowOf(item.key);
        if (!row) return;
        askReason(row, REPORT, async (reason) => {
          const { ok } = await this.#post("complaint", { reason }, item);
          if (ok) this.notes.say(gettext("Thank you. A moderator will look at it."));
        });
      },
      hide: () => this.#hide(item),
      delete: () => this.#delete(item),
      history: () => this.#history(item),
    });
    return acts[name]();
  }

  /** The first note of a thread: its readers see the replies. @param {Item} item @returns {Item} */
  #rootOf(item) {
    const above = item.reply ? this.store.find(item.reply) : null;
    return above ? this.#rootOf(above) : item;
  }

  /** @param {string} what @param {object} body @param {Item} item */
  async #post(what, body, item) {
    const answer = await this.store.change("POST", `/api/v1/notes/${item.key}/${what}`, body);
    if (!answer.ok)
      this.notes.say(gettext("That did not work. {detail}", { detail: answer.data.detail }));
    return answer;
  }

  /** A moderator hides it, or shows it again. @param {Item} item */
  #hide(item) {
    const row = this.notes.list.rowOf(item.key);
    if (!row) return;
    const hidden = !item.hidden;
    askReason(row, hidden ? HIDE : SHOW, async (reason) => {
      const { ok } = await this.#post("hide", { hidden, reason }, item);
      if (ok)
        this.notes.say(
          hidden ? gettext("Hidden from all but its author.") : gettext("Shown again."),
        );
    });
  }

  /** @param {Item} item */
  async #delete(item) {
    const { revision } = item;
    const answer = await this.store.change("DELETE", `/api/v1/notes/${item.key}`, { revision });
    if (!answer.ok) {
      if (answer.status === 409) this.store.take(itemOf(answer.data.now));
      return this.notes.say(gettext("Not deleted. {detail}", { detail: answer.data.detail }));
    }
    const back = button("button small", gettext("Undo"), async () => {
      const { ok } = await this.#post("restore", {}, item);
      if (ok) this.notes.say(gettext("Restored."));
    });
    if (!item.mine) return this.notes.say(gettext("Deleted.")); // only its author can take that back
    this.notes.say(gettext("Deleted."), back);
    back.focus();
  }

  /** @param {Item} item */
  async #history(item) {
    const { ok, data } = await request(
      "GET /api/v1/notes/{key}/history",
      `/api/v1/notes/${item.key}/history`,
    );
    const row = this.notes.list.rowOf(item.key);
    if (!ok)
      return this.notes.say(
        gettext("The history could not be loaded. {detail}", { detail: data.detail }),
      );
    if (!row) return; // it has gone meanwhile
    showHistory(row, data.history.slice(1), (revision) => this.#goBack(item, revision));
  }

  /** @param {Item} item @param {number} revision an earlier one */
  async #goBack({ key }, revision) {
    const now = this.store.find(key)?.revision;
    const body = { revision: now, as_of: revision };
    const answer = await this.store.change("PUT", `/api/v1/notes/${key}`, body);
    if (!answer.ok && answer.status === 409) this.store.take(itemOf(answer.data.now));
    this.notes.say(
      answer.ok
        ? gettext("That version is back.")
        : gettext("Not changed. {detail}", { detail: answer.data.detail }),
    );
  }
}
