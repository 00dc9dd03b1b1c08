// @ts-check
/**
 * How far a job is, in words and as a bar.
 *
 * @typedef {{key?: string, title: string, state: string, place: number, done: number,
 *   total: number, error: string, url: string}} Job  `key` only for whoever asked for it
 */

import { box } from "../../games/dom/elements.js";

export const AGAIN_MS = 1000;

/** @param {Job} job */
export const active = (job) => job.state === "waiting" || job.state === "running";

/** @param {Job} job */
export function words(job) {
  if (job.state === "waiting" && job.place) return `Place ${job.place} in the queue`;
  if (!active(job)) return job.state;
  if (job.done >= job.total) return "Almost done";
  return `${Math.floor((100 * job.done) / Math.max(1, job.total))} % done`;
}

/** The bar and the words of one job, kept up to date with `show`. */
export class JobBar {
  /** @param {(() => void) | null} cancel what the button does; none without */
  constructor(cancel) {
    this.bar = document.createElement("progress");
    this.bar.setAttribute("aria-label", "Progress");
    this.text = box("span", "job-state");
    this.button = document.createElement("button");
    this.button.className = "button small";
    this.button.textContent = "Cancel";
    this.button.addEventListener("click", () => cancel?.());
    this.element = box("div", "job-doing", this.bar, this.text, ...(cancel ? [this.button] : []));
  }

  /** @param {Job} job */
  show(job) {
    this.bar.max = Math.max(1, job.total);
    this.bar.value = job.done;
    this.text.textContent = words(job);
  }
}
