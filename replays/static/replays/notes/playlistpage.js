/**
 * A playlist's page: plays it. Its owner can reorder, rename and share it. Each change is saved at
 * once.
 * @typedef {import("./unsaved.js").Item} Item
 * @import { PlaylistJson } from "api"
 * @typedef {Pick<PlaylistJson, "title" | "visibility" | "items" | "revision">} Fields
 * @typedef {Fields & Partial<PlaylistJson>} Saved
 * @typedef {PlaylistJson & {names: Record<string, string>, times: Record<string, [number, number]>,
 *   classes: Record<string, string>,
 *   account: string}} Playlist
 */

import { request } from "../../games/dom/asking.js";
import { moved, movers, picker, twice } from "../../games/dom/controls.js";
import { box, button, byId, leave, redraw, write } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";
import { gettext, pgettext } from "../../games/words/gettext.js";
import { copyShared, showShared } from "../addresses/copying.js";
import { audienceWords, inClasses, nameless, withChosen } from "../outbox/audience.js";
import { Autosave } from "../outbox/autosave.js";
import { differing } from "../outbox/conflict.js";

class PlaylistPage {
  /** @param {Playlist} list @param {HTMLElement} root */
  constructor(list, root) {
    this.list = list;
    inClasses(list.classes);
    this.root = root;
    this.rows = box("ol", "numbered");
    this.status = box("p", { class: "soft", role: "status" });
    // What the owner cannot see would be lost with the next change.
    this.changes = list.mine && !list.unseen;
    /** Whether spans came from elsewhere, whose names and times a new page has. */
    this.joined = false;
    /** @type {Autosave<Saved>} */
    this.saver = new Autosave(
      `/api/v1/playlists/${list.key}`,
      fieldsOf(list),
      this.#ways(),
      list.account,
    );
    if (this.changes) this.saver.begin(list);
    root.append(this.#tools(), this.rows, this.status);
    this.#draw();
    if (list.mine) showShared(list.token);
  }

  /** @returns {import("../outbox/autosave.js").Ways<Saved>} */
  #ways() {
    const { list } = this;
    return {
      beside: () => fieldsOf(list),
      say: (words) => write(this.status, words),
      // One shared by link has that link in its owner's address bar, and in the links to its spans.
      saved: ({ token = "" }) => {
        if (this.joined) this.#reload();
        if (token === list.token) return;
        list.token = token;
        showShared(token);
        if (list.items.length && this.play) this.play.href = this.#address(0);
        this.#draw();
      },
      merged: (now) => this.#merged(now),
      place: this.rows,
      reload: () => this.#reload(),
      differences: (_, now) => this.#differences(now),
      both: (_, now) => {
        const added = missing(list.items, now.items);
        return now.unseen || !added.length ? null : { items: [...now.items, ...added] };
      },
    };
  }

  #reload() {
    return leave(() => location.reload());
  }

  /** @param {Partial<Playlist>} fields */
  #change(fields) {
    Object.assign(this.list, fields);
    this.#draw();
    this.saver.change(fields);
    return this.saver.settled();
  }

  #tools() {
    const hidden = !this.list.items.length;
    this.play = box(
      "a",
      { class: "button primary", href: this.#address(0), hidden },
      pgettext("playback", "Play"),
    );
    const tools = box("div", "playlist-tools row gap-1-half", this.play);
    if (this.changes) tools.append(this.#title(), this.#sharing(), this.#remove());
    return tools;
  }

  /** @param {number} at */
  #address(at) {
    const { key, items, token } = this.list;
    const share = token || new URLSearchParams(location.search).get("share");
    const hash = share ? `#share=${share}` : location.hash;
    return `/matches/${items[at]?.match}/?playlist=${key}&item=${at + 1}${hash}`;
  }

  #title() {
    const input = box("input", {
      value: this.list.title,
      maxlength: 100,
      "aria-label": gettext("Title"),
    });
    this.title = input;
    input.addEventListener("change", () => {
      const title = input.value.trim() || this.list.title;
      write(byId("playlist-title"), title);
      this.#change({ title });
    });
    return input;
  }

  #sharing() {
    const { visibility } = this.list;
    const choices = withChosen(nameless(), visibility);
    const label = { "aria-label": gettext("Visible to") };
    this.sharing = picker(label, choices, visibility, async (chosen) => {
      await this.#change({ visibility: chosen });
      this.copy?.toggleAttribute("hidden", chosen === "self");
    });
    this.copy = button("button", gettext("Copy link"), async () =>
      write(this.status, await copyShared(this.list.token)),
    );
    this.copy.hidden = this.list.visibility === "self";
    return box("span", "row gap-1-half", this.sharing, this.copy);
  }

  #remove() {
    const remove = button("button danger", gettext("Delete"), () => press());
    const press = twice(remove, gettext("Press again to delete it"), () =>
      this.saver.remove(
        () => request("DELETE /api/v1/playlists/{key}", this.saver.url, {}),
        "/playlists/",
      ),
    );
    return remove;
  }

  #draw() {
    redraw(
      this.rows,
      this.list.items.map((item, at) => this.#row(item, at)),
    );
    const { items, unseen } = this.list;
    if (!items.length && !unseen)
      this.rows.append(box("li", "soft", gettext("This playlist is empty.")));
  }

  /** @param {Item} item @param {number} at */
  #row(item, at) {
    const link = box("a", { href: this.#address(at) }, this.#words(item));
    const row = box("li", "playlist-item framed row", link);
    if (this.changes) this.#movable(row, at);
    return row;
  }

  /** A span in words. @param {Item} item */
  #words(item) {
    const name = this.list.names[item.match] ?? gettext("match {match}", { match: item.match });
    const place = this.#place(item, name);
    return item.label && item.label !== name ? `${item.label}: ${place}` : place;
  }

  /** With the clock from the span's begin to its end, as far as the server read it. @param {Item} item @param {string} name */
  #place({ match, round, event, until, line }, name) {
    if (line) return gettext("{name}, round {round}, in a what-if", { name, round });
    const times = this.list.times[`${match} ${round} ${event} ${until}`];
    if (!times) return gettext("{name}, round {round}", { name, round });
    const [from, to] = times.map(clock);
    return gettext("{name}, round {round}, {from} to {to}", { name, round, from, to });
  }

  /** @param {HTMLElement} row @param {number} at */
  #movable(row, at) {
    const { items } = this.list;
    const moves = movers("button small", this.#words(items[at]), at, items.length, (by) =>
      this.#change({ items: moved(items, at, at + by) }),
    );
    const remove = button("button small quiet", gettext("Remove"), () => {
      this.#change({ items: this.list.items.filter((_, index) => index !== at) });
    });
    row.append(box("span", "row gap-1-half", ...moves, remove));
  }

  /** Shows what was changed elsewhere beside one's own changes. @param {Saved} now */
  #merged(now) {
    if (now.unseen) {
      this.saver.stopped = true; // what the owner cannot see would be lost
      return write(this.status, gettext("Not saved. The playlist has changed. Reload the page."));
    }
    this.joined ||= missing(now.items, this.list.items).length > 0;
    Object.assign(this.list, fieldsOf(now), this.saver.changed);
    const { title, visibility } = this.list;
    write(byId("playlist-title"), title);
    if (this.title) this.title.value = title;
    if (this.sharing) this.sharing.value = visibility;
    this.#draw();
  }

  /** Where this list and another version of it differ, in words. @param {Saved} now */
  #differences(now) {
    /** @param {Fields} list */
    const spans = ({ items }) => items.map((item) => this.#words(item)).join("\n");
    /** @type {[string, (list: Fields) => string][]} */
    const fields = [
      [gettext("Title"), ({ title }) => title],
      [gettext("Spans"), spans],
      [gettext("Visible to"), ({ visibility }) => audienceWords(visibility)],
    ];
    return differing(fields, this.list, now);
  }
}

/** What is saved of a list. @param {Fields} list */
const fieldsOf = ({ title, visibility, items, revision }) => ({
  ...{ title, visibility, items, revision },
});

/** Those that another list does not have. @param {Item[]} items @param {Item[]} others */
const missing = (items, others) => {
  const known = others.map((item) => JSON.stringify(item));
  return items.filter((item) => !known.includes(JSON.stringify(item)));
};

const data = byId("playlist-data").textContent ?? "null";
new PlaylistPage(JSON.parse(data), byId("playlist"));
