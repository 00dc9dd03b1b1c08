/**
 * An answer that takes a job: asked for once, followed until it is there.
 * @typedef {import("api").AnalysisComing | import("api").DecisionsComing} Coming  how far it is
 */

/**
 * @template Found
 * @typedef {{ready: true, body: Found} | {ready: false, body: Coming}} Asked
 */

import { ask, inTurn } from "../../games/dom/asking.js";
import { box, button } from "../../games/dom/elements.js";
import { AGAIN_MS, active, JobBar } from "./progress.js";

const pause = () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS));

/**
 * The answer as it is now: all there is, or how far the job is.
 * @template Found
 * @param {string} url @param {string} [method]
 * @returns {Promise<Asked<Found>>}
 */
export const asked = (url, method = "GET") =>
  inTurn(async () => {
    /** @type {import("../../games/dom/asking.js").Response<Found | Coming>} */
    const { ok, status, data: body } = await ask(method, url);
    if (!ok) throw new Error(body.detail);
    return /** @type {Asked<Found>} */ ({ ready: status !== 202, body });
  });

/**
 * The answer at a URL. While a job makes it (202), the panel shows how far that is.
 * @template Found
 * @param {string} url
 * @param {HTMLElement} panel
 * @param {string} title what the panel says above the bar
 * @param {(body: Coming) => void} [meanwhile] shows what there is so far
 * @returns {Promise<Found>}
 */
export async function answerAt(url, panel, title, meanwhile = () => {}) {
  /** @type {Asked<Found>} */
  let now = await asked(url);
  if (!now.ready && !now.body.job) now = await asked(url, "POST");
  return now.ready ? now.body : new Wait(url, panel, title, now.body, meanwhile).answer();
}

/** @template Found */
class Wait {
  /**
   * @param {string} url @param {HTMLElement} panel @param {string} title @param {Coming} body
   * @param {(body: Coming) => void} meanwhile
   */
  constructor(url, panel, title, body, meanwhile) {
    this.url = url;
    this.panel = panel;
    this.title = title;
    this.body = body;
    this.meanwhile = meanwhile;
  }

  /** @returns {Promise<Found>} */
  async answer() {
    const bar = this.begin();
    while (this.body.job && active(this.body.job)) {
      bar.show(this.body.job);
      this.meanwhile(this.body);
      await pause();
      const { ready, body } = await asked(this.url);
      if (ready) return body;
      this.body = body;
    }
    return this.restart();
  }

  /** Shows the bar. */
  begin() {
    const key = this.body.job?.key;
    const bar = new JobBar(key ? () => this.cancel(key) : null);
    const note = "This page shows it when it is done; you can leave and come back.";
    this.panel.replaceChildren(
      box("h2", "analysis-title", this.title),
      bar.element,
      box("p", "analysis-note", note),
    );
    return bar;
  }

  /** @param {string} key */
  cancel(key) {
    ask("DELETE", `/api/v1/jobs/${key}`);
  }

  /** After the job was cancelled or has failed: offers to start again. */
  async restart() {
    /** @type {(value?: unknown) => void} */
    let go = () => {};
    const again = new Promise((resolve) => {
      go = resolve;
    });
    const cause = this.body.job?.error || "It was cancelled.";
    this.panel.replaceChildren(
      box("p", "analysis-note", cause),
      button("button", "Start again", () => go()),
    );
    await again;
    const { ready, body } = await asked(this.url, "POST");
    if (ready) return body;
    this.body = body;
    return this.answer();
  }
}
