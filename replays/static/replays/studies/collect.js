/**
 * "Add to a study", until it is pressed: then `collector.js` is fetched.
 * @import { Page } from "../replay/page.js"
 * @import { Collector } from "./collector.js"
 */

import { single } from "../../games/dom/elements.js";
import { later } from "../../games/dom/later.js";

/** @param {HTMLDialogElement} dialog @param {Page} page */
export function mount(dialog, page) {
  /** @type {() => Promise<Collector>} */
  const collector = later(() =>
    import("./collector.js").then(({ Collector: Made }) => new Made(dialog, page)),
  );
  page.command(
    "collect",
    single(async () => (await collector()).open()),
  );
  document.getElementById("add-chapter")?.removeAttribute("disabled");
}
