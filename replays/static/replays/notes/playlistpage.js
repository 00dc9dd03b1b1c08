// @ts-check
/**
 * A playlist's page: plays it; its owner can reorder it by dragging or with buttons, rename and
 * share it. Each change is saved at once.
 *
 * @typedef {import("./unsaved.js").Item} Item
 * @typedef {{key: string, title: string, mine: boolean, visibility: string, revision: number,
 *   token: string, items: Item[], unseen: number, names: Record<string, string>,
 *   times: Record<string, [number, number]>, csrf: string}} Playlist
 */

import { box, button, byId, write } from "../../games/dom/elements.js";
import { send } from "../../games/dom/sending.js";
import { leave } from "../../games/dom/single.js";
import { clock } from "../../games/match/words.js";
import { copied, sharedAddress, showShared } from "../addresses/copying.js";
import { conflictBox } from "./conflict.js";
import { moved } from "./order.js";

const SHARING = [
  ["self", "Only me"],
  ["link", "Anyone with the link"],
  ["everyone", "Everyone"],
];

class PlaylistPage {
  /** @param {Playlist} list @param {HTMLElement} root */
  constructor(list, root) {
    this.list = list;
    this.root = root;
    this.dragged = -1;
    this.rows = box("ol", "playlist-items");
    this.status = box("p", "soft");
    this.status.setAttribute("role", "status");
    // What the owner cannot see would be lost with the next change.
    this.changes = list.mine && !list.unseen;
    root.append(this.#tools(), this.rows, this.status);
    this.#draw();
    if (list.mine) showShared(list.token);
  }

  #tools() {
    this.play = Object.assign(box("a", "button primary", "Play"), { href: this.#address(0) });
    this.play.hidden = !this.list.items.length;
    const tools = box("div", "playlist-tools", this.play);
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
    const input = Object.assign(document.createElement("input"), {
      value: this.list.title,
      maxLength: 100,
    });
    input.setAttribute("aria-label", "Title");
    input.addEventListener("change", () => {
      this.list.title = input.value.trim() || this.list.title;
      write(byId("playlist-title"), this.list.title);
      this.#save();
    });
    return input;
  }

  #sharing() {
    const select = document.createElement("select");
    select.setAttribute("aria-label", "Visible to");
    select.append(...SHARING.map(([value, words]) => new Option(words, value)));
    select.value = this.list.visibility;
    this.copy = button("button", "Copy link", () => this.#copyLink());
    this.copy.hidden = this.list.visibility === "self";
    select.addEventListener("change", async () => {
      this.list.visibility = select.value;
      await this.#save();
      this.copy?.toggleAttribute("hidden", select.value === "self");
    });
    return box("span", "playlist-sharing", select, this.copy);
  }

  async #copyLink() {
    const address = sharedAddress(this.list.token);
    address.hash = "";
    const done = await copied(address.href);
    write(this.status, done ? "Link copied." : `The link: ${address}`);
  }

  /** A list shared by link has that link in its owner's address bar, and in the links to its spans. */
  #shared() {
    showShared(this.list.token);
    if (this.list.items.length && this.play) this.play.href = this.#address(0);
    this.#draw();
  }

  #remove() {
    return button("button danger", "Delete", async () => {
      if (!window.confirm("Delete this playlist?")) return;
      await this.saving;
      const { ok, data } = await this.#ask("DELETE", {});
      if (ok) await leave(() => location.assign("/playlists/"));
      else write(this.status, `Not deleted: ${data.error}.`);
    });
  }

  #draw() {
    this.rows.replaceChildren(...this.list.items.map((item, at) => this.#row(item, at)));
    const { items, unseen } = this.list;
    if (!items.length && !unseen) this.rows.append(box("li", "soft", "This playlist is empty."));
  }

  /** @param {Item} item @param {number} at */
  #row(item, at) {
    const link = Object.assign(box("a", "", this.#words(item)), { href: this.#address(at) });
    const row = box("li", "playlist-item", link);
    if (this.changes) this.#movable(row, at);
    return row;
  }

  /** A span in words. @param {Item} item */
  #words(item) {
    const name = this.list.names[item.match] ?? `match ${item.match}`;
    const place = `${name}, round ${item.round}${this.#times(item)}`;
    return item.label && item.label !== name ? `${item.label}: ${place}` : place;
  }

  /** The clock from the span's begin to its end, as far as the server read it. @param {Item} item */
  #times({ match, round, event, until, line }) {
    if (line) return ", in a variation";
    const times = this.list.times[`${match} ${round} ${event} ${until}`];
    return times ? `, ${clock(times[0])} to ${clock(times[1])}` : "";
  }

  /** @param {HTMLElement} row @param {number} at */
  #movable(row, at) {
    const last = this.list.items.length - 1;
    /** @param {string} words @param {number} to */
    const mover = (words, to) => {
      const element = button("button small", words, () => this.#move(at, to, words));
      element.setAttribute("aria-label", `${words}: ${at + 1}`);
      element.toggleAttribute("disabled", to < 0 || to > last);
      return element;
    };
    const remove = button("button small quiet", "Remove", () => {
      this.list.items = this.list.items.filter((_, one) => one !== at);
      this.#draw();
      this.#save();
    });
    row.append(box("span", "playlist-moves", mover("Up", at - 1), mover("Down", at + 1), remove));
    row.draggable = true;
    row.addEventListener("dragstart", () => {
      this.dragged = at;
    });
    row.addEventListener("dragover", (event) => event.preventDefault());
    row.addEventListener("drop", (event) => {
      event.preventDefault();
      if (this.dragged >= 0) this.#move(this.dragged, at, "");
      this.dragged = -1;
    });
  }

  /** @param {number} from @param {number} to @param {string} focus */
  #move(from, to, focus) {
    this.list.items = moved(this.list.items, from, to);
    this.#draw();
    const here = this.rows.children[to]?.querySelectorAll("button");
    if (focus) [...(here ?? [])].find((one) => one.textContent === focus && !one.disabled)?.focus();
    this.#save();
  }

  /** @param {string} method @param {object} body */
  async #ask(method, body) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.list.csrf };
    try {
      const answer = await send(`/playlists/${this.list.key}`, {
        method,
        headers,
        body: JSON.stringify(body),
      });
      const data = await answer.json().catch(() => ({ error: `no answer (${answer.status})` }));
      return { ok: answer.ok, status: answer.status, data };
    } catch {
      return { ok: false, status: 0, data: { error: "there is no connection" } };
    }
  }

  /** One change after another: each is based on the revision returned for the last one. */
  #save() {
    this.saving = (this.saving ?? Promise.resolve()).then(async () => {
      const { title, revision, visibility, items } = this.list;
      const { ok, status, data } = await this.#ask("PUT", { title, revision, visibility, items });
      const { token } = this.list;
      if (ok) Object.assign(this.list, { revision: data.revision, token: data.token });
      if (token !== this.list.token) this.#shared();
      if (ok) this.conflict?.remove();
      if (status === 409) this.#overtaken(data.now, data.changed);
      else write(this.status, ok ? "Saved." : `Not saved: ${data.error}.`);
      return ok;
    });
    return this.saving;
  }

  /** It has been changed elsewhere. @param {Playlist} now @param {import("./conflict.js").Other} other */
  #overtaken(now, other) {
    const { list } = this;
    const added = list.items.filter((item) => !now.items.some((one) => same(one, item)));
    /** @param {Item[]} [items] */
    const save = (items = list.items) => {
      Object.assign(list, { revision: now.revision, items });
      this.#draw();
      return this.#save();
    };
    const own = () => save();
    const theirs = () => leave(() => location.reload());
    const both = async () => {
      if (await save([...now.items, ...added])) await theirs();
    };
    const choices = { own, theirs, both: now.unseen || !added.length ? null : both };
    this.conflict?.remove();
    this.conflict = conflictBox(other, this.#differences(now), choices);
    this.rows.before(this.conflict);
    write(this.status, "Choose a version.");
  }

  /** Where this list and another version of it differ, in words. @param {Playlist} now */
  #differences(now) {
    /** @param {Playlist} list */
    const spans = ({ items }) => items.map((item) => this.#words(item)).join("\n");
    const sharing = (/** @type {Playlist} */ { visibility }) =>
      SHARING.find(([value]) => value === visibility)?.[1] ?? visibility;
    const title = (/** @type {Playlist} */ list) => list.title;
    /** @type {[string, (list: Playlist) => string][]} */
    const fields = [
      ["Title", title],
      ["Spans", spans],
      ["Visible to", sharing],
    ];
    return fields
      .map(([name, words]) => ({ name, mine: words(this.list), theirs: words(now) }))
      .filter(({ mine, theirs }) => mine !== theirs);
  }
}

/** @param {Item} one @param {Item} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const data = byId("playlist-data").textContent ?? "null";
new PlaylistPage(JSON.parse(data), byId("playlist"));
