/**
 * Trying another move, until it is needed: the key and the tab wait here. The rest (`whatif.js`) is
 * fetched on request, or at once where there are variations to be shown.
 * @import { Page } from "../replay/page.js"
 * @typedef {import("./whatif.js").WhatIf} WhatIf
 */

import { bringIntoView, byId, styled } from "../../games/dom/elements.js";
import { later } from "../../games/dom/later.js";
import { browserStorage } from "../../games/dom/storage.js";
import { keeps } from "../outbox/kept.js";

const STYLE = new URL("./variations.css", import.meta.url).href;
const TAB = "tab-what-if";

export class Waiting {
  /** @param {HTMLElement} panel @param {Page} page @param {() => Promise<WhatIf>} fetchIt */
  constructor(panel, page, fetchIt) {
    this.panel = panel;
    this.page = page;
    this.fetched = later(fetchIt);
    this.opened = false;
    page.command("whatIf", async () => {
      page.set({ tab: "what-if" });
      (await this.open()).toggle();
    });
    // Always by this one way: what is asked for while the rest is fetched comes in its turn.
    page.offer("openLine", async (key, event) => {
      if (key !== null || this.opened) await (await this.open()).openLine(key, event);
    });
    const open = () => this.open().catch(() => {}); // a press shows the failure
    for (const kind of ["focus", "pointerdown"]) byId(TAB).addEventListener(kind, open);
    page.onChange(["tab"], ({ tab }) => {
      if (tab !== "what-if") return;
      bringIntoView(byId(TAB));
      open();
    });
    page.player.log.onGrow(() => this.#look());
    this.#look();
  }

  /** Opens where there are variations: in the record, in this browser, on the site, in the URL. */
  #look() {
    const { log } = this.page.player;
    const some =
      this.panel.dataset.some === "yes" ||
      this.page.along !== null ||
      log.notes.some((note) => note.variation) ||
      keeps(`what-if.${log.match.id}`, browserStorage());
    if (some || !this.panel.hidden) this.open({ quiet: true }).catch(() => {});
  }

  /** @param {{quiet?: boolean}} [how] */
  open(how) {
    const opening = this.fetched(how);
    this.opened = true;
    opening.catch(() => {
      this.opened = false;
    });
    return opening;
  }
}

/** @param {HTMLElement} panel @param {Page} page */
export function mount(panel, page) {
  new Waiting(panel, page, async () => {
    styled(STYLE);
    const { open } = await import("./whatif.js");
    return open(panel, page);
  });
}
