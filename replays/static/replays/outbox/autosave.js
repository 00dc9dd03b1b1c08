// @ts-check
/**
 * Saves what somebody types, one request after another, each based on the last known revision.
 *
 * If somebody else has changed the same in the meantime, nothing is overwritten: the caller shows
 * both and the writer chooses. If they have changed something else, both changes are kept. What could
 * not be sent is tried again when the connection is back, also on the next visit.
 *
 * @typedef {import("../../games/dom/asking.js").Response} Response
 * @typedef {Record<string, any>} Saved  an item as the server has it, with its `revision`
 * @typedef {{send: (body: Record<string, any>, leaving?: boolean) => Promise<Response>, say: (words: string) => void,
 *   saved?: (now: any) => void, merged: (now: any) => void,
 *   conflict: (now: any, own: Record<string, any>, other: any) => void}} Ways
 *   `leaving`: although the page is left; `merged`: others' changes to show; `other`: who has made them
 * @typedef {{key: string, account?: string, edit?: number, trouble?: string, known: Saved,
 *   changed: Record<string, any>}} Unsaved
 *   what has been changed of an item, and what it was based on
 */

import { browserStorage } from "../../games/dom/storage.js";
import { bothTexts, conflictBox } from "./conflict.js";
import { Kept } from "./kept.js";
import { Outbox } from "./outbox.js";

const PAUSE_MS = 700;
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

/** What of `fields` differs from `others`. @param {Record<string, any>} fields @param {Record<string, any>} others */
const besides = (fields, others) =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !same(value, others[name])));

export class Autosave {
  /**
   * @param {string} url of the item
   * @param {Saved} item
   * @param {Ways} ways
   * @param {string} account whose changes these are; empty: a guest's
   * @param {{storage?: Storage, later?: (run: () => void, ms: number) => unknown}} [world]
   */
  constructor(url, item, ways, account, { storage = browserStorage(), later } = {}) {
    // Nobody's words are in another's way, and those kept before there was an API are found.
    this.key = `${account} ${url.replace("/api/v1", "")}`;
    this.url = url;
    this.account = account;
    this.ways = ways;
    this.stopped = false;
    /** Whether this browser keeps what is not saved. */
    this.kept = true;
    /** What this writer knows of what is saved. */
    this.known = structuredClone(item);
    /** @type {Outbox<Unsaved>} */
    this.outbox = new Outbox(
      new Kept("unsaved", storage),
      {
        send: (unsaved) => this.#send(unsaved),
        due: ({ key }) => key === this.key && !this.stopped,
        saved: (sent, data, now) => this.#saved(sent, data, now),
        overtaken: (now, data) => this.#overtaken(now, data),
        failed: ({ data }) => ways.say(`Not saved: ${data.detail}.`),
      },
      later,
    );
    this.outbox.resume(account);
    this.known = this.#entry?.known ?? this.known;
    if (this.#entry) this.#put(this.changed); // what was refused is tried once more
  }

  /** @param {Unsaved} unsaved @param {boolean} [leaving] */
  #send({ changed, known }, leaving) {
    return this.ways.send({ ...changed, revision: known.revision }, leaving);
  }

  get #entry() {
    return this.outbox.entries.get(this.key);
  }

  /** What has changed and is not saved. */
  get changed() {
    return this.#entry?.changed ?? {};
  }

  get revision() {
    return this.known.revision;
  }

  get unsaved() {
    return this.#entry !== undefined;
  }

  /** Sends what is unsaved as the page is left; where this browser keeps nothing, asks to stay. */
  heedLeaving() {
    addEventListener("pagehide", () => this.leave());
    addEventListener(
      "beforeunload",
      (event) => this.unsaved && !this.kept && event.preventDefault(),
    );
  }

  /** @param {Record<string, any>} fields */
  change(fields) {
    this.#put({ ...this.changed, ...fields });
    if (!this.stopped) this.ways.say("Not saved yet …");
    this.outbox.saveSoon(PAUSE_MS);
  }

  /** @param {Record<string, any>} changed */
  #put(changed) {
    const { key, account, known } = this;
    this.kept = this.outbox.put({ key, account, known, changed });
  }

  save() {
    if (this.#entry?.trouble) this.#put(this.changed);
    return this.outbox.save();
  }

  /** The last words, which another tab may have replaced in what is kept, go out and are kept. */
  async leave() {
    const unsaved = this.#entry;
    if (!unsaved || this.stopped) return;
    this.kept = this.outbox.write(unsaved);
    await this.outbox.pass(unsaved, (entry) => this.#send(entry, true));
  }

  /** @param {Unsaved} sent @param {Saved} data @param {Unsaved | null} now */
  #saved(sent, data, now) {
    this.known = structuredClone(data);
    const changed = now ? besides(now.changed, sent.changed) : {};
    const left = now && Object.keys(changed).length ? { ...now, known: this.known, changed } : null;
    this.ways.saved?.(data);
    this.ways.say(left ? "Not saved yet …" : "Saved.");
    return left;
  }

  /** Somebody else was faster. @param {Unsaved} now @param {{now: Saved, changed: any}} data */
  #overtaken(now, data) {
    if (clash(now.changed, this.known, data.now)) {
      this.stopped = true;
      this.ways.conflict(data.now, now.changed, data.changed);
      return now;
    }
    this.known = structuredClone(data.now);
    this.ways.merged(data.now);
    return { ...now, known: this.known };
  }

  /** Once nothing waits to be saved: whether it is saved, or could not be. */
  async settled() {
    await this.save();
    return !this.unsaved;
  }

  /** Gives up this writer's version. */
  drop() {
    this.outbox.drop(this.key);
  }

  /** Keeps this writer's version in place of the other one. @param {Saved} now the other one */
  keepOwn(now) {
    this.known = structuredClone(now);
    this.stopped = false;
    this.#put(this.changed);
    return this.save();
  }

  /** Keeps both texts, this writer's after the other; of the rest this writer's version. @param {Saved} now */
  keepBoth(now) {
    this.#put({ ...this.changed, text: bothTexts(now.text, this.changed.text) });
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
