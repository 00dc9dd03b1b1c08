// @ts-check
/**
 * An answer that takes a job: asked for once, followed until it is there.
 *
 * @typedef {import("./progress.js").Job} Job
 * @typedef {{job: Job | null, csrf: string}} Waiting
 */

import { inTurn } from "../../games/dom/asking.js";
import { box, button } from "../../games/dom/elements.js";
import { AGAIN_MS, active, JobBar } from "./progress.js";

const pause = () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS));

/** @param {string} url @param {RequestInit} [options] */
const ask = (url, options = {}) =>
  inTurn(async () => {
    const answer = await fetch(url, { headers: { Accept: "application/json" }, ...options });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error ?? answer.statusText);
    return { ready: answer.status !== 202, body };
  });

/**
 * The answer at a URL. While a job makes it (202), the panel shows how far that is.
 * @param {string} url
 * @param {HTMLElement} panel
 * @param {string} title what the panel says above the bar
 */
export async function answerAt(url, panel, title) {
  let { ready, body } = await ask(url);
  if (!ready && !body.job) ({ ready, body } = await post(url, body));
  return ready ? body : new Wait(url, panel, title, body).answer();
}

/** @param {string} url @param {Waiting} body */
const post = (url, body) => ask(url, { method: "POST", headers: { "X-CSRFToken": body.csrf } });

class Wait {
  /** @param {string} url @param {HTMLElement} panel @param {string} title @param {Waiting} body */
  constructor(url, panel, title, body) {
    this.url = url;
    this.panel = panel;
    this.title = title;
    this.body = body;
  }

  /** @returns {Promise<any>} */
  async answer() {
    const bar = this.begin();
    while (this.body.job && active(this.body.job)) {
      bar.show(this.body.job);
      await pause();
      const { ready, body } = await ask(this.url);
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
    const headers = { "X-CSRFToken": this.body.csrf };
    fetch(`/jobs/${key}`, { method: "DELETE", headers }).catch(() => {});
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
