// @ts-check
/**
 * An answer that takes a job: asked for once, followed until it is there.
 *
 * @typedef {import("./progress.js").Job} Job
 * @typedef {{job: Job | null, csrf: string, found?: any}} Waiting  `found`: what there is so far
 */

import { ask, inTurn } from "../../games/dom/asking.js";
import { box, button } from "../../games/dom/elements.js";
import { AGAIN_MS, active, JobBar } from "./progress.js";

const pause = () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS));

/**
 * The answer as it is now: all there is, or how far the job is.
 * @param {string} url @param {string} [method] @param {string} [csrf]
 */
export const asked = (url, method = "GET", csrf = "") =>
  inTurn(async () => {
    const { ok, status, data: body } = await ask(method, url, null, csrf);
    if (!ok) throw new Error(body.detail);
    return { ready: status !== 202, body };
  });

/**
 * The answer at a URL. While a job makes it (202), the panel shows how far that is.
 * @param {string} url
 * @param {HTMLElement} panel
 * @param {string} title what the panel says above the bar
 * @param {(body: Waiting) => void} [meanwhile] shows what there is so far
 */
export async function answerAt(url, panel, title, meanwhile = () => {}) {
  let { ready, body } = await asked(url);
  if (!ready && !body.job) ({ ready, body } = await post(url, body));
  return ready ? body : new Wait(url, panel, title, body, meanwhile).answer();
}

/** @param {string} url @param {Waiting} body */
const post = (url, body) => asked(url, "POST", body.csrf);

class Wait {
  /**
   * @param {string} url @param {HTMLElement} panel @param {string} title @param {Waiting} body
   * @param {(body: Waiting) => void} meanwhile
   */
  constructor(url, panel, title, body, meanwhile) {
    this.url = url;
    this.panel = panel;
    this.title = title;
    this.body = body;
    this.meanwhile = meanwhile;
  }

  /** @returns {Promise<any>} */
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
    ask("DELETE", `/api/v1/jobs/${key}`, null, this.body.csrf);
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
    const { ready, body } = await post(this.url, this.body);
    if (ready) return body;
    this.body = body;
    return this.answer();
  }
}
