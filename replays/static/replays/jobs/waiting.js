// @ts-check
/**
 * An answer that takes a job: asked for once, followed until it is there.
 *
 * @typedef {import("./progress.js").Job} Job
 * @typedef {{job: Job | null, csrf: string}} Waiting
 */

import { box } from "../../games/dom/elements.js";
import { AGAIN_MS, active, JobBar } from "./progress.js";

const pause = () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS));

/** @param {string} url @param {RequestInit} [options] */
async function ask(url, options = {}) {
  const answer = await fetch(url, { headers: { Accept: "application/json" }, ...options });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error ?? answer.statusText);
  return { ready: answer.status !== 202, told };
}

/**
 * The answer at a URL. While a job makes it (202), the panel shows how far that is.
 * @param {string} url
 * @param {HTMLElement} panel
 * @param {string} title what the panel says above the bar
 */
export async function answerAt(url, panel, title) {
  let { ready, told } = await ask(url);
  if (!ready && !told.job) ({ ready, told } = await post(url, told));
  return ready ? told : new Wait(url, panel, title, told).answer();
}

/** @param {string} url @param {Waiting} told */
const post = (url, told) => ask(url, { method: "POST", headers: { "X-CSRFToken": told.csrf } });

class Wait {
  /** @param {string} url @param {HTMLElement} panel @param {string} title @param {Waiting} told */
  constructor(url, panel, title, told) {
    this.url = url;
    this.panel = panel;
    this.title = title;
    this.told = told;
  }

  /** @returns {Promise<any>} */
  async answer() {
    const bar = this.begin();
    while (this.told.job && active(this.told.job)) {
      bar.show(this.told.job);
      await pause();
      const { ready, told } = await ask(this.url);
      if (ready) return told;
      this.told = told;
    }
    return this.restart();
  }

  /** Shows the bar. */
  begin() {
    const key = this.told.job?.key;
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
    const headers = { "X-CSRFToken": this.told.csrf };
    fetch(`/jobs/${key}`, { method: "DELETE", headers }).catch(() => {});
  }

  /** After the job was cancelled or has failed: offers to start again. */
  async restart() {
    const button = document.createElement("button");
    button.className = "button";
    button.textContent = "Start again";
    const cause = this.told.job?.error || "It was cancelled.";
    this.panel.replaceChildren(box("p", "analysis-note", cause), button);
    await new Promise((resolve) => button.addEventListener("click", resolve, { once: true }));
    const { ready, told } = await post(this.url, this.told);
    if (ready) return told;
    this.told = told;
    return this.answer();
  }
}
