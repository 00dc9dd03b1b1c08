/** The buttons of a seat's page: what they do, and which of them ask to be pressed. */

import { byId } from "../dom/elements.js";

/** @param {string} name */
const buttonOf = (name) => document.querySelector(`[data-do=${name}]`);

export class Buttons {
  /** @param {Record<string, () => void>} does by the button's name @param {() => void} done after any */
  constructor(does, done) {
    for (const [name, run] of Object.entries({ ...does, options: toggleOptions })) {
      const button = buttonOf(name);
      button?.addEventListener("pointerdown", (event) => event.preventDefault());
      button?.addEventListener("click", () => {
        run();
        done();
      });
    }
  }

  /** @param {{out: boolean, draw: boolean, discarding: boolean, drawn: boolean}} now `drawn`: cards are drawn without a button */
  show({ out, draw, discarding, drawn }) {
    const button = /** @type {HTMLElement | null} */ (buttonOf("draw"));
    if (button) button.hidden = drawn;
    buttonOf("out")?.classList.toggle("calls", out);
    buttonOf("draw")?.classList.toggle("calls", draw);
    buttonOf("discard")?.setAttribute("aria-pressed", String(discarding));
  }
}

function toggleOptions() {
  const options = byId("options");
  options.hidden = !options.hidden;
  buttonOf("options")?.setAttribute("aria-expanded", String(!options.hidden));
  if (!options.hidden) options.scrollIntoView({ block: "nearest" });
}
