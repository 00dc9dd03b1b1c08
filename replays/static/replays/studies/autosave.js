// @ts-check
/**
 * Saves what somebody types, one request after another, each based on the last known revision.
 *
 * If somebody else has changed the same in the meantime, nothing is overwritten: the caller shows
 * both and the writer chooses. If they have changed something else, both changes are kept. What could
 * not be sent is tried again when the connection is back.
 *
 * @typedef {import("./ask.js").Answer} Answer
 * @typedef {Record<string, any>} Saved  an item as the server has it, with its `revision`
 * @typedef {{send: (body: Record<string, any>) => Promise<Answer>, say: (words: string) => void,
 *   saved?: (now: any) => void, merged: (now: any) => void,
 *   conflict: (now: any, own: Record<string, any>, other: any) => void}} Ways
 *   `merged`: others' changes to show; `other`: who has made them
 */

import { bothTexts, conflictBox } from "../notes/conflict.js";

const PAUSE_MS = 700;
const AGAIN_MS = 5000;
/** Fields that say something only together. */
const TOGETHER = [
  ["round", "event", "until", "line", "question"],
  ["visibility", "readers"],
];

/** @param {string} name */
const togetherWith = (name) => TOGETHER.find((names) => names.includes(name)) ?? [name];

/** @param {any} one @param {any} other */
const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * Whether somebody else has changed what this writer has changed, too.
 * @param {Record<string, any>} own @param {Saved} before both @param {Saved} now
 */
export function clash(own, before, now) {
  const names = Object.keys(own).filter((name) => !same(own[name], now[name]));
  return names.flatMap(togetherWith).some((name) => !same(before[name], now[name]));
}

export class Autosave {
  /**
   * @param {Saved} item
   * @param {Ways} ways
   * @param {(act: () => void, ms: number) => unknown} [later]
   */
  constructor(item, ways, later = (act, ms) => setTimeout(act, ms)) {
    /** What this writer knows of what is saved. */
    this.known = structuredClone(item);
    this.ways = ways;
    this.later = later;
    /** What has changed and is not saved. @type {Record<string, any>} */
    this.changed = {};
    this.waiting = false;
    this.sending = false;
    this.stopped = false;
    /** The request that is under way. @type {Promise<void>} */
    this.busy = Promise.resolve();
  }

  get revision() {
    return this.known.revision;
  }

  get unsaved() {
    return this.sending || Object.keys(this.changed).length > 0;
  }

  /** @param {Record<string, any>} fields */
  change(fields) {
    Object.assign(this.changed, fields);
    if (!this.stopped) this.ways.say("Not saved yet …");
    this.#soon(PAUSE_MS);
  }

  /** @param {number} ms */
  #soon(ms) {
    if (this.waiting || this.stopped) return;
    this.waiting = true;
    this.later(() => {
      this.waiting = false;
      this.save();
    }, ms);
  }

  save() {
    if (this.sending || this.stopped || !Object.keys(this.changed).length) return this.busy;
    this.busy = this.#send();
    return this.busy;
  }

  async #send() {
    const own = this.changed;
    this.changed = {};
    this.sending = true;
    const { ok, status, data } = await this.ways.send({ ...own, revision: this.revision });
    this.sending = false;
    if (ok) {
      this.known = structuredClone(data);
      this.ways.saved?.(data);
      this.ways.say(this.unsaved ? "Not saved yet …" : "Saved.");
      if (this.unsaved) this.#soon(0);
      return;
    }
    this.changed = { ...own, ...this.changed };
    if (status === 409) return this.#overtaken(data.now, data.changed);
    this.ways.say(`Not saved: ${data.error}.`);
    if (!status || status >= 500 || status === 429) this.#soon(AGAIN_MS);
  }

  /** Somebody else was faster. @param {Saved} now @param {any} other */
  #overtaken(now, other) {
    if (clash(this.changed, this.known, now)) {
      this.stopped = true;
      this.ways.conflict(now, this.changed, other);
      return;
    }
    this.known = structuredClone(now);
    this.ways.merged(now);
    return this.save();
  }

  /** Once nothing waits to be saved: whether it is saved, or could not be. */
  async settled() {
    await this.busy;
    if (Object.keys(this.changed).length) await this.save();
    return !this.unsaved;
  }

  /** Gives up this writer's version. */
  drop() {
    this.changed = {};
  }

  /** Keeps this writer's version in place of the other one. @param {Saved} now the other one */
  keepOwn(now) {
    this.known = structuredClone(now);
    this.stopped = false;
    return this.save();
  }

  /** Keeps both texts, this writer's after the other; of the rest this writer's version. @param {Saved} now */
  keepBoth(now) {
    this.changed.text = bothTexts(now.text, this.changed.text);
    this.ways.merged(now);
    return this.keepOwn(now);
  }
}

/**
 * Where two versions differ, in words. @param {Record<string, any>} own @param {Record<string, any>} now
 */
export function differences(own, now) {
  return Object.keys(own)
    .filter((name) => name in now && !same(own[name], now[name]))
    .map((name) => {
      const [mine, theirs] = [own[name], now[name]].map(valueWords);
      return { name: WORDS[name] ?? name, mine, theirs };
    });
}

/** What writers call the fields. @type {Record<string, string>} */
const WORDS = {
  title: "Title",
  text: "Introduction",
  group: "Group",
  question: "Question",
  view: "Perspective",
  speed: "Speed",
  round: "Round",
  event: "Starts after events",
  until: "Ends after events",
  line: "What-if",
  visibility: "Visible to",
  readers: "Readers",
  writers: "Writers",
};

/** @param {any} value */
function valueWords(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "object" ? "changed" : String(value);
}

/**
 * The choice of who has been overtaken by somebody else.
 * @param {Autosave} saver
 * @param {{now: any, own: Record<string, any>, other: any}} versions
 * @param {() => void} reload shows the other version
 */
export function savedByOther(saver, { now, own, other }, reload) {
  const both = own.text && now.text && own.text !== now.text;
  return conflictBox(other, differences(own, now), {
    own: () => saver.keepOwn(now),
    theirs: () => {
      saver.drop();
      reload();
    },
    both: both ? () => saver.keepBoth(now) : null,
  });
}
