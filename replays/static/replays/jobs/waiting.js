/**
 * An answer that takes a job: asked for once, followed until it is there.
 * @typedef {import("api").AnalysisComing | import("api").DecisionsComing | import("api").JobComing} Coming  how far it is
 * @typedef {import("api").JobJson & {warning?: string}} Job `key` only for the job's owner.
 *   `warning`: shown while no worker runs.
 */

/**
 * @template Found
 * @typedef {{ready: true, body: Found} | {ready: false, body: Coming}} Asked
 */

import { ask, inTurn, request } from "../../games/dom/asking.js";
import { box, button } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";

const FIRST_MS = 200;
const SENT_MS = 5000;

// A form that was sent leaves the page, and may hide the match that it still asks about.
let sentUntil = 0;
globalThis.addEventListener?.("submit", ({ defaultPrevented }) => {
  if (!defaultPrevented) sentUntil = performance.now() + SENT_MS;
});

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @typedef {object} How
 * @property {object} [body] the request. Without it, GET returns the progress
 * @property {(body: Coming) => void} [meanwhile] shows what there is so far
 * @property {() => boolean} [wanted] whether the answer still is
 */

/**
 * The answer as it is now: all there is, or how far the job is.
 * @template Found
 * @param {string} url @param {string} [method] @param {object} [body]
 * @returns {Promise<Asked<Found>>}
 */
export const asked = (url, method = "GET", body = undefined) =>
  inTurn(async () => {
    /** @type {import("../../games/dom/asking.js").Response<Found | Coming>} */
    const { ok, status, data } = await ask(method, url, body);
    if (!ok) throw new Error(data.detail);
    return /** @type {Asked<Found>} */ ({ ready: status !== 202, body: data });
  });

/**
 * The answer at a URL. While a job makes it (202), the panel shows how far that is. Throws if it
 * is not wanted any more.
 * @template Found
 * @param {string} url
 * @param {HTMLElement} panel
 * @param {string} title what the panel says above the bar
 * @param {How} [how]
 * @returns {Promise<Found>}
 */
export async function answerAt(url, panel, title, how = {}) {
  const first = how.body ? "POST" : "GET";
  /** @type {Asked<Found>} */
  let now = await asked(url, first, how.body);
  if (!now.ready && !now.body.job) now = await asked(url, "POST");
  return now.ready ? now.body : new Wait(url, panel, title, now.body, how).answer();
}

/** @template Found */
class Wait {
  /**
   * @param {string} url @param {HTMLElement} panel @param {string} title @param {Coming} body
   * @param {How} how
   */
  constructor(url, panel, title, body, how) {
    this.url = url;
    this.panel = panel;
    this.title = title;
    this.body = body;
    this.how = how;
  }

  /** @returns {Promise<Found>} */
  async answer() {
    const { body: question, meanwhile, wanted = () => true } = this.how;
    const bar = this.begin();
    let ms = FIRST_MS; // most matches are analysed in a moment
    while (this.body.job && active(this.body.job)) {
      bar.show(this.body.job);
      meanwhile?.(this.body);
      await pause(ms);
      ms = Math.min(AGAIN_MS, 2 * ms);
      if (!wanted()) throw new Error(gettext("not wanted"));
      if (performance.now() < sentUntil) continue;
      const { ready, body } = await asked(this.url, question ? "POST" : "GET", question);
      if (ready) return body;
      this.body = body;
    }
    return this.restart();
  }

  begin() {
    const bar = new JobBar(this.body.job?.key);
    const note = gettext("This page shows it when it is done. You can leave and come back.");
    this.panel.replaceChildren(
      box("h2", "analysis-title soft small", this.title),
      bar.element,
      box("p", "analysis-note soft small", note),
    );
    return bar;
  }

  /** After the job was cancelled or has failed: offers to start again. */
  async restart() {
    /** @type {(value?: unknown) => void} */
    let go = () => {};
    const again = new Promise((resolve) => {
      go = resolve;
    });
    const cause = this.body.job?.error || gettext("It was cancelled.");
    this.panel.replaceChildren(
      box("p", "analysis-note soft small", cause),
      button("button", gettext("Start again"), () => go()),
    );
    await again;
    const { ready, body } = await asked(this.url, "POST", this.how.body);
    if (ready) return body;
    this.body = body;
    return this.answer();
  }
}

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
  return gettext("Done: {number}%", {
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
  /** @param {string | null} [key] the job's, for its owner, who can cancel it */
  constructor(key) {
    this.bar = box("progress", { "aria-label": gettext("Progress") });
    this.text = box("span", "job-state soft small");
    this.button = button("button small", gettext("Cancel"), () =>
      request("DELETE /api/v1/jobs/{key}", `/api/v1/jobs/${key}`),
    );
    this.warning = box("p", { class: "job-warning notice warn", role: "status", hidden: true });
    const doing = box(
      "div",
      "job-doing gap-1-half across-3 row",
      this.bar,
      this.text,
      ...(key ? [this.button] : []),
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
