/**
 * Plays the spans of a playlist one after another, across matches. An unsaved list comes from the
 * table of tags by player and lasts as long as the browser tab.
 * @typedef {import("./unsaved.js").Item} Item
 * @typedef {{key: string, title: string, items: Item[], unseen?: number}} Playlist
 * @import { Page } from "../replay/page.js"
 */

import { newKey, request } from "../../games/dom/asking.js";
import { box, button, write } from "../../games/dom/elements.js";
import { Loop } from "../../games/match/loop.js";
import { gettext, pgettext } from "../../games/words/gettext.js";
import { readUnsaved, UNSAVED } from "./unsaved.js";

export class PlaylistPlayer {
  /** @param {Page} page @param {string} key @param {number} at from 0 */
  constructor(page, key, at) {
    this.page = page;
    this.player = page.player;
    this.match = Number(page.player.log.match.id);
    this.key = key;
    this.at = at;
    /** @type {Playlist} */
    this.list = { key, title: "", items: [] };
    this.repeats = false;
    this.loop = new Loop(page.player, () => {
      if (this.repeats) this.#play();
      else if (this.at + 1 < this.list.items.length) this.#goTo(this.at + 1);
      else this.player.pause();
    });
    this.words = box("p", { class: "strong breaks", role: "status" });
    this.bar = box("section", {
      class: "playlist-bar stack framed",
      "aria-label": gettext("Playlist"),
    });
    /** What an unsaved list is saved as, however often that is tried. */
    this.fresh = newKey();
  }

  async open() {
    const fetched = await this.#fetch();
    this.page.scrubber.root.parentElement?.prepend(this.bar);
    this.bar.append(this.words);
    if (typeof fetched === "string")
      return write(
        this.words,
        gettext("The playlist could not be loaded. {detail}", { detail: fetched }),
      );
    this.list = fetched;
    this.at = Math.min(Math.max(this.at, 0), fetched.items.length - 1);
    if (!fetched.items.length)
      return write(
        this.words,
        gettext("{title}: it contains nothing that you can see.", { title: fetched.title }),
      );
    this.bar.append(this.#buttons());
    if (this.#item.match === this.match) await this.#play();
    else this.#goTo(this.at);
  }

  /** @returns {Promise<Playlist | string>} */
  async #fetch() {
    if (this.key === UNSAVED) return readUnsaved() ?? gettext("It was not saved and is lost.");
    const token = new URLSearchParams(location.hash.slice(1)).get("share");
    const share = token ? `?share=${token}` : "";
    const { ok, data } = await request(
      "GET /api/v1/playlists/{key}",
      `/api/v1/playlists/${this.key}${share}`,
    );
    return ok ? data : data.detail;
  }

  #buttons() {
    this.repeat = button(
      { class: "button small", "aria-pressed": "false" },
      gettext("Loop"),
      () => {
        this.repeats = !this.repeats;
        this.repeat?.setAttribute("aria-pressed", String(this.repeats));
      },
    );
    const again = button("button small", pgettext("playback", "Play"), () => this.#play());
    const save = button("button small", gettext("Save playlist"), () => this.#save(save));
    save.hidden = this.key !== UNSAVED;
    const steps = [
      button("button small", gettext("Previous"), () => this.#goTo(this.at - 1)),
      again,
      button("button small", gettext("Next"), () => this.#goTo(this.at + 1)),
    ];
    return box("div", "gap-1-half row", ...steps, this.repeat, save);
  }

  get #item() {
    return this.list.items[this.at];
  }

  /** @param {number} at */
  #goTo(at) {
    const count = this.list.items.length;
    this.at = (at + count) % count;
    const query = new URLSearchParams({ playlist: this.key, item: String(this.at + 1) });
    const { match } = this.#item;
    if (match !== this.match) location.assign(`/matches/${match}/?${query}${location.hash}`);
    else {
      const here = new URLSearchParams(location.search);
      query.forEach((value, name) => here.set(name, value));
      history.replaceState(history.state, "", `?${here}${location.hash}`);
      this.#play();
    }
  }

  async #play() {
    const { title, items } = this.list;
    const { label } = this.#item;
    const all = { title, number: this.at + 1, count: items.length, label };
    write(
      this.words,
      label
        ? gettext("{title}: {number} of {count}, {label}", all)
        : gettext("{title}: {number} of {count}", all),
    );
    await this.loop.start(this.#item);
  }

  /** @param {HTMLButtonElement} save */
  async #save(save) {
    const { title, items } = this.list;
    const answer = await request("POST /api/v1/playlists", "/api/v1/playlists", {
      key: this.fresh,
      title,
      items,
    });
    if (!answer.ok)
      return write(this.words, gettext("Not saved. {detail}", { detail: answer.data.detail }));
    this.key = answer.data.key;
    const place = { class: "button small", href: `/playlists/${this.key}/?edit=1` };
    save.replaceWith(box("a", place, gettext("Order and share it"))); // the next span takes the words
    write(this.words, gettext("Saved."));
  }
}
