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
import { moved, movers, twice } from "../../games/dom/controls.js";
import { box, button, byId, leave, redraw, write } from "../../games/dom/elements.js";
import { clock } from "../../games/match/words.js";
import { gettext } from "../../games/words/gettext.js";
import { copyShared, showShared } from "../addresses/copying.js";
import { audienceWords, inClasses, nameless, withChosen } from "../outbox/audience.js";
import { Autosave } from "../outbox/autosave.js";
import { differing } from "../outbox/conflict.js";
import { fill, follow } from "../outbox/forms.js";

class PlaylistPage {
  /** @param {Playlist} list */
  constructor(list) {
    this.list = list;
    inClasses(list.classes);
    this.rows = byId("playlist-items");
    this.status = byId("playlist-status");
    this.play = /** @type {HTMLAnchorElement} */ (byId("playlist-play"));
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
    if (this.changes) this.#edit(byId("playlist-editor"));
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
    this.saver.change(fields);
    this.#draw();
  }

  /** @param {HTMLElement} form */
  #edit(form) {
    const { list, saver } = this;
    const choices = withChosen(nameless(), list.visibility);
    form
      .querySelector("select")
      ?.append(...choices.map(([value, words]) => new Option(words, value)));
    saver.begin(list);
    fill(form, list);
    follow(form, (fields) => this.#change(fields));
    const copy = async () => write(this.status, await copyShared(list.token));
    byId("playlist-copy").addEventListener("click", copy);
    const remove = byId("playlist-delete");
    const send = () => request("DELETE /api/v1/playlists/{key}", saver.url, {});
    const sure = gettext("Press again to delete it");
    remove.addEventListener(
      "click",
      twice(remove, sure, () => saver.remove(send, "/playlists/")),
    );
  }

  /** @param {number} at */
  #address(at) {
    const { key, items, token } = this.list;
    const share = token || new URLSearchParams(location.search).get("share");
    const hash = share ? `#share=${share}` : location.hash;
    return `/matches/${items[at]?.match}/?playlist=${key}&item=${at + 1}${hash}`;
  }

  #draw() {
    const { items, unseen, title, visibility, token } = this.list;
    this.play.href = this.#address(0);
    this.play.hidden = !items.length;
    write(byId("playlist-title"), title);
    const shared = visibility === "link" ? Boolean(token) : visibility !== "self";
    document.getElementById("playlist-copy")?.toggleAttribute("hidden", !shared);
    redraw(
      this.rows,
      items.map((item, at) => this.#row(item, at)),
    );
    if (!items.length && !unseen)
      this.rows.append(box("li", "soft", gettext("This playlist is empty.")));
  }

  /** @param {Item} item @param {number} at */
  #row(item, at) {
    const link = box("a", { href: this.#address(at) }, this.#words(item));
    const row = box("li", "framed row", link);
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
    fill(byId("playlist-editor"), this.list);
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
new PlaylistPage(JSON.parse(data));
