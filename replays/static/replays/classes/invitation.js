/** Copying the invitation to a class. */

import { copied } from "../../games/dom/controls.js";
import { gettext } from "../../games/words/gettext.js";

const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("[data-copy]"));
const field = /** @type {HTMLInputElement | null} */ (document.querySelector("#invite"));
const said = document.querySelector("#copied");

button?.addEventListener("click", async () => {
  if (!field || !said) return;
  field.select();
  said.textContent = (await copied(field.value))
    ? gettext("Copied.")
    : gettext("Copy the link from the field.");
});
