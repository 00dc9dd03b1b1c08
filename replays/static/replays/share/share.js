/**
 * The dialog that shares what is shown: a link, code for other sites, a picture, the record.
 * @import { Page } from "../replay/page.js"
 */

import { jsonAt } from "../../games/dom/asking.js";
import { copied } from "../../games/dom/controls.js";
import { box, button, byId, write } from "../../games/dom/elements.js";
import { Newest } from "../../games/dom/newest.js";
import { spanOf } from "../../games/match/links.js";
import { gettext } from "../../games/words/gettext.js";
import { sharedAddress } from "../addresses/copying.js";

/** How long the next seconds are, by their name among the choices. */
const SECONDS = /** @type {Record<string, number>} */ ({ "next-10": 10, "next-30": 30 });
/** How long a clip is at most, in ms of the match. */
const CLIP_MS = 30_000;
/** The charts that have pictures. */
const CHARTS = ["ownership", "scores"];

class Share {
  /** @param {HTMLDialogElement} dialog @param {Page} page */
  constructor(dialog, page) {
    this.dialog = dialog;
    this.page = page;
    /** @type {{html: string, title: string, height: number}} what oEmbed says */
    this.embed = { html: "", title: "", height: 0 };
    this.newest = new Newest();
    /** The clip that the viewer waits for. @type {object | null} */
    this.asked = null;
    this.what = /** @type {HTMLSelectElement | null} */ (document.getElementById("share-what"));
    this.code = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("share-code"));
    this.preview = /** @type {HTMLDetailsElement} */ (byId("share-preview"));
    this.what?.addEventListener("change", () => this.#fill());
    if (this.code) this.preview.addEventListener("toggle", () => this.#show());
    dialog.addEventListener("close", () => this.preview.removeAttribute("open"));
    dialog.addEventListener("click", ({ target }) => this.#press(target));
  }

  open() {
    write(byId("share-said"), "");
    this.#fill();
    this.dialog.showModal();
  }

  /** @param {EventTarget | null} target */
  async #press(target) {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button?.dataset.command) this.dialog.close(); // it opens something else
    if (!button?.dataset.copy) return;
    const field = /** @type {HTMLTextAreaElement} */ (byId(button.dataset.copy));
    const done = await copied(field.value);
    if (!done) field.select();
    write(byId("share-said"), done ? gettext("Copied.") : gettext("Not copied. Press Ctrl+C."));
  }

  #fill() {
    const { line, view } = this.page.state;
    const { round, event } = this.page.player.cursor;
    const place = new URLSearchParams({ round: String(round), event: String(event) });
    if (line) place.set("line", line);
    if (view !== "all") place.set("pov", String(view));
    if (!this.what) return this.#linkPictures(place);
    for (const option of this.what.options)
      option.disabled = Boolean(line) && !["moment", "all", ...CHARTS].includes(option.value);
    if (this.what.selectedOptions[0]?.disabled) this.what.value = "moment";
    this.#linkPictures(place);
    const shared = this.#address(this.what.value);
    const link = /** @type {HTMLTextAreaElement} */ (byId("share-link"));
    const { invitation } = this.dialog.dataset;
    const path = encodeURIComponent(shared.pathname + shared.search);
    link.value = invitation ? `${invitation}.${path}` : shared.href;
    // An embed shows only what happened.
    byId("share-embed").hidden = Boolean(line) && this.what.value === "moment";
    this.#offerClip(spanOf(shared.searchParams));
    this.#embed(shared.href);
  }

  /** A clip of a span, if that is short enough for one. @param {{round: number, event: number, until: number} | null} span */
  #offerClip(span) {
    const place = document.getElementById("share-clip");
    if (!place) return;
    this.asked = null;
    const { player, state } = this.page;
    const events = player.log.rounds[(span?.round ?? 0) - 1]?.events ?? [];
    const [from, to] = [span?.event, span?.until].map((at) => events[(at ?? 0) - 1]?.t ?? 0);
    place.hidden = !span || to <= from || to - from > CLIP_MS;
    const body = { ...span, view: String(state.view) };
    const wanted = () => this.dialog.open && this.asked === body;
    const make = async () => {
      this.asked = body;
      const { makeClip } = await import("./clip.js");
      await makeClip(place, body, wanted);
    };
    place.replaceChildren(button("button", gettext("Make clip"), make));
  }

  /** Which rounds a chart is about: as on the page, while that shows charts. */
  get #of() {
    const { below, of } = this.page.state;
    const { round } = this.page.player.cursor;
    return new URLSearchParams(below === "charts" && !of ? { round: `${round}` } : { of: "match" });
  }

  /** The chart that is the picture of what is chosen: of a whole match the scores, if it has any. */
  get #chart() {
    const what = this.what?.value ?? "";
    if (CHARTS.includes(what)) return what;
    return what === "all" && this.what?.querySelector("[value=scores]") ? "scores" : "";
  }

  /** The pictures of the position, or of a chart. @param {URLSearchParams} place */
  #linkPictures(place) {
    const chart = this.#chart;
    const of = this.what?.value === "all" ? new URLSearchParams({ of: "match" }) : this.#of;
    for (const link of this.dialog.querySelectorAll("a[data-picture]")) {
      const { picture = "", shape } = /** @type {HTMLAnchorElement} */ (link).dataset;
      const query = new URLSearchParams(chart ? of : place);
      if (shape) query.set("shape", shape);
      link.toggleAttribute("hidden", Boolean(shape) && !chart);
      const path = chart ? `charts/${chart}` : "picture";
      link.setAttribute("href", `${this.dialog.dataset.pictures}${path}.${picture}?${query}`);
    }
  }

  /** The page's address at what is to be shared. @param {string} what */
  #address(what) {
    const shared = sharedAddress(this.dialog.dataset.token ?? "");
    shared.hash = "";
    if (what === "moment") return shared;
    const { cursor, round } = this.page.player;
    const kept = SECONDS[what] || what === "round" ? ["share", "pov"] : ["share"];
    for (const name of [...shared.searchParams.keys()])
      if (!kept.includes(name)) shared.searchParams.delete(name);
    if (CHARTS.includes(what))
      for (const [name, value] of [["chart", what], ...this.#of])
        shared.searchParams.set(name, value);
    if (what === "all" || CHARTS.includes(what)) return shared;
    const later = cursor.t + 1000 * (SECONDS[what] ?? 0);
    const [event, until] =
      what === "round" ? [0, round?.length] : [cursor.event, round?.eventBy(later)];
    for (const [name, value] of Object.entries({ round: cursor.round, event, until }))
      shared.searchParams.set(name, String(value));
    return shared;
  }

  /** @param {string} address */
  async #embed(address) {
    if (!this.code) return;
    const url = `${this.dialog.dataset.oembed}?${new URLSearchParams({ url: address })}`;
    const current = this.newest.ask();
    const embed = await jsonAt(url).catch(() => null);
    if (!current()) return; // something else is to be shared meanwhile
    this.embed = embed ?? { html: "", title: "", height: 0 };
    if (!embed)
      write(
        byId("share-said"),
        gettext("The embed code could not be loaded. Check your connection."),
      );
    this.code.value = this.embed.html;
    this.#show();
  }

  /** The embed itself, while its preview is open. */
  #show() {
    const { html, title, height } = this.embed;
    const src = html.match(/src="([^"]*)"/)?.[1]?.replaceAll("&amp;", "&");
    const frame = src && this.preview.open ? [box("iframe", { src, title, height })] : [];
    byId("share-frame").replaceChildren(...frame);
  }
}

/** @param {HTMLDialogElement} dialog @param {Page} page */
export function mount(dialog, page) {
  const share = new Share(dialog, page);
  const opener = /** @type {HTMLButtonElement} */ (byId("share-open"));
  opener.addEventListener("click", () => share.open());
  opener.disabled = false;
}
