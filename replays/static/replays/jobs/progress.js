/**
 * How far a job is, in words and as a bar.
 * @typedef {import("api").JobJson & {warning?: string}} Job `key` only for the job's owner.
 *   `warning`: shown while no worker runs.
 */

import { box, button } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";

export const AGAIN_MS = 1000;

/** @param {Job} job */
export const active = (job) => job.state === "waiting" || job.state === "running";

const STATES = /** @type {Record<string, string>} */ ({
  waiting: gettext("waiting"),
  done: gettext("done"),
  failed: gettext("failed"),
  cancelled: gettext("cancelled"),
});

/** @param {Job} job */
export function words(job) {
  if (job.state === "waiting" && job.place)
    return gettext("Place {place} in the queue", { place: job.place });
  if (!active(job)) return STATES[job.state] ?? job.state;
  if (job.done >= job.total) return gettext("Almost done");
  return gettext("{number}% done", {
    number: Math.floor((100 * job.done) / Math.max(1, job.total)),
  });
}

/** @param {HTMLElement | null} place @param {string | undefined} warning while no worker runs */
export function warn(place, warning) {
  if (!place || place.textContent === (warning ?? "")) return;
  place.textContent = warning ?? "";
  place.hidden = !warning;
}

/** The bar and the words of one job, kept up to date with `show`. */
export class JobBar {
  /** @param {(() => void) | null} cancel the button's action. No button without it */
  constructor(cancel) {
    this.bar = box("progress", { "aria-label": gettext("Progress") });
    this.text = box("span", "job-state soft small");
    this.button = button("button small", gettext("Cancel"), () => cancel?.());
    this.warning = box("p", { class: "job-warning notice warn", role: "status", hidden: true });
    const doing = box(
      "div",
      "job-doing row",
      this.bar,
      this.text,
      ...(cancel ? [this.button] : []),
    );
    this.element = box("div", "stack", doing, this.warning);
  }

  /** @param {Job} job */
  show(job) {
    this.bar.max = Math.max(1, job.total);
    this.bar.value = job.done;
    this.text.textContent = words(job);
    warn(this.warning, job.warning);
  }
}
