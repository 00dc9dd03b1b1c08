/**
 * Saves a writer's text, one request after another, each based on the last known revision.
 *
 * If someone else has changed the same in the meantime, nothing is overwritten: the caller shows
 * both and the writer chooses. If they have changed something else, both changes are kept. Unsent
 * changes are tried again when the connection is back, also on the next visit.
 * @import { Refusal, Response } from "../../games/dom/asking.js"
 * @import { Other } from "./conflict.js"
 * @typedef {Record<string, unknown>} Fields  by their names
 * @typedef {{revision: number}} Saved
 * @typedef {{key: string, account?: string, edit?: number, trouble?: string, known: Saved,
 *   changed: Fields}} Unsaved the changes to an item, and their base
 */

/**
 * @template {Saved} Item  as the server has it
 * @typedef {{send: (body: Fields, leaving?: boolean) => Promise<Response<Item>>, beside?: () => Fields,
 *   say: (words: string) => void,
 *   saved?: (now: Item) => void, merged: (now: Item) => void,
 *   conflict?: (now: Item, own: Fields, other?: Other) => void,
 *   choice?: (box: HTMLElement) => void, reload?: () => unknown,
 *   gone?: (own: Fields) => void}} Ways
 *   `leaving`: although the page is left. `beside`: fields sent with every change. `merged`:
 *   others' changes to show. `choice`: puts the choice between two versions into the page.
 *   `reload`: shows the other one. `conflict`: offers the choice itself. `other`: the other
 *   version's author. `gone`: it was deleted meanwhile.
 */

import { leave } from "../../games/dom/elements.js";
import { browserStorage } from "../../games/dom/storage.js";
import { gettext } from "../../games/words/gettext.js";
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

/** @param {unknown} own @param {unknown} other */
const same = (own, other) => JSON.stringify(own ?? null) === JSON.stringify(other ?? null);

/**
 * Whether someone else has changed the same fields as this writer.
 * @param {Fields} own @param {object} earlier before both @param {object} later as it is now
 */
export function clash(own, earlier, later) {
  const [before, now] = /** @type {Fields[]} */ ([earlier, later]);
  const names = Object.keys(own).filter((name) => !same(own[name], now[name]));
  return names.flatMap(togetherWith).some((name) => !same(before[name], now[name]));
}

/** What of `fields` differs from `others`. @param {Fields} fields @param {Fields} others */
const besides = (fields, others) =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !same(value, others[name])));

/** @template {Saved} Item */
export class Autosave {
  /**
   * @param {string} url of the item
   * @param {Item} item @param {Ways<Item>} ways
   * @param {string} account whose changes these are. Empty: a guest's
   * @param {{storage?: Storage, later?: (run: () => void, ms: number) => unknown}} [world]
   */
  constructor(url, item, ways, account, { storage = browserStorage(), later } = {}) {
    // Nobody's words are in another's way, and those kept before there was an API are found.
    this.key = `${account} ${url.replace("/api/v1", "")}`;
    this.url = url;
    this.account = account;
    this.ways = ways;
    this.stopped = false;
    /** Whether this browser keeps unsaved changes. */
    this.kept = true;
    /** The last saved version that this writer knows. */
    this.known = structuredClone(item);
    /** @type {Outbox<Unsaved, Item>} */
    this.outbox = new Outbox(
      new Kept("unsaved", storage),
      {
        send: (unsaved) => this.#send(unsaved),
        request: ({ changed, known: { revision } }) => {
          const body = { ...ways.beside?.(), ...changed, revision };
          return { method: "PUT", url, body };
        },
        mine: ({ key }) => key === this.key,
        due: ({ key }) => key === this.key && !this.stopped,
        saved: (sent, data, now) => this.#saved(sent, data, now),
        overtaken: (now, data) => this.#overtaken(now, data),
        failed: ({ status, data: { detail } }) => {
          ways.say(gettext("Not saved. {detail}", { detail }));
          if (status !== 404 || this.stopped) return;
          this.stopped = true;
          ways.gone?.(this.changed);
        },
      },
      later,
    );
    this.outbox.resume(account);
    this.known = /** @type {Item} */ (this.#entry?.known ?? this.known);
    if (this.#entry) this.#put(this.changed); // what was refused is tried once more
  }

  /** @param {Unsaved} unsaved @param {boolean} [leaving] */
  #send({ changed, known }, leaving) {
    return this.ways.send({ ...changed, revision: known.revision }, leaving);
  }

  get #entry() {
    return this.outbox.entries.get(this.key);
  }

  get changed() {
    return this.#entry?.changed ?? {};
  }

  get revision() {
    return this.known.revision;
  }

  get unsaved() {
    return this.#entry !== undefined;
  }

  /**
   * Begins with what an earlier visit has left, on the page too. Sends unsaved changes as the page
   * is left. Where this browser keeps nothing, asks to stay.
   * @param {object} shown the item as the page has it
   */
  begin(shown) {
    Object.assign(shown, this.changed);
    this.save();
    addEventListener("pagehide", () => this.leave());
    addEventListener(
      "beforeunload",
      (event) => this.unsaved && !this.kept && event.preventDefault(),
    );
  }

  /** @param {Fields} fields */
  change(fields) {
    this.#put({ ...this.changed, ...fields });
    if (!this.stopped) this.ways.say(gettext("Not saved yet…"));
    this.outbox.saveSoon(PAUSE_MS);
  }

  /** @param {Fields} changed */
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

  /** @param {Unsaved} sent @param {Item} data @param {Unsaved | null} now */
  #saved(sent, data, now) {
    this.known = structuredClone(data);
    const changed = now ? besides(now.changed, sent.changed) : {};
    const left = now && Object.keys(changed).length ? { ...now, known: this.known, changed } : null;
    this.ways.saved?.(data);
    this.ways.say(left ? gettext("Not saved yet…") : gettext("Saved."));
    return left;
  }

  /** Somebody else was faster. @param {Unsaved} now @param {Refusal} data */
  #overtaken(now, data) {
    const saved = /** @type {Item} */ (/** @type {unknown} */ (data.now));
    if (clash(now.changed, this.known, saved)) {
      this.stopped = true;
      if (this.ways.conflict) this.ways.conflict(saved, now.changed, data.changed);
      else this.#offerChoice(saved, now.changed, data.changed);
      return now;
    }
    this.known = structuredClone(saved);
    this.ways.merged(saved);
    return { ...now, known: this.known };
  }

  /** @param {Item} now @param {Fields} own @param {Other} [other] */
  #offerChoice(now, own, other) {
    const theirs = /** @type {Fields} */ (now);
    const both = own.text && theirs.text && own.text !== theirs.text;
    this.ways.say(gettext("Choose a version."));
    const choice = conflictBox(other, differences(own, theirs), {
      own: () => this.keepOwn(now),
      theirs: () => {
        this.drop();
        return this.ways.reload?.();
      },
      both: both ? () => this.keepBoth(now) : null,
    });
    this.ways.choice?.(choice);
  }

  /**
   * Deletes the item, and goes to another page.
   * @param {(body: {revision: number}) => Promise<Response<unknown>>} send @param {string} address
   */
  async remove(send, address) {
    await this.settled(); // which counts the revision up
    const { ok, data } = await send({ revision: this.revision });
    if (!ok) return this.ways.say(gettext("Not deleted. {detail}", { detail: data.detail }));
    this.drop();
    await leave(() => location.assign(address));
  }

  /** Once nothing waits to be saved: whether it is saved, or could not be. */
  async settled() {
    await this.save();
    return !this.unsaved;
  }

  drop() {
    this.outbox.drop(this.key);
  }

  /** Keeps this writer's version in place of the other one. @param {Item} now the other one */
  keepOwn(now) {
    this.known = structuredClone(now);
    this.stopped = false;
    this.#put(this.changed);
    return this.save();
  }

  /** Keeps both texts, this writer's after the other, and this writer's other fields. @param {Item} now */
  keepBoth(now) {
    const { text: theirs } = /** @type {Fields} */ (now);
    const text = bothTexts(String(theirs), String(this.changed.text));
    this.#put({ ...this.changed, text });
    this.ways.merged(now);
    return this.keepOwn(now);
  }
}

/** @param {Fields} own @param {Fields} now */
export function differences(own, now) {
  const names = Object.keys(own).filter((name) => name in now && !same(own[name], now[name]));
  return names.map((name) => ({
    name: WORDS[name] ?? name,
    mine: valueWords(own[name]),
    theirs: valueWords(now[name]),
  }));
}

/** What writers call the fields. @type {Record<string, string>} */
const WORDS = {
  title: gettext("Title"),
  text: gettext("Introduction"),
  group: gettext("Group"),
  question: gettext("Question"),
  view: gettext("Perspective"),
  speed: gettext("Speed"),
  round: gettext("Round"),
  event: gettext("Starts after events"),
  until: gettext("Ends after events"),
  line: gettext("What-if"),
  visibility: gettext("Visible to"),
  readers: gettext("Readers"),
  writers: gettext("Writers"),
};

/** @param {unknown} value */
function valueWords(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "object" ? "changed" : String(value);
}

/** The fields that a writer has written in words. @param {Fields} changed */
export const wordsOf = ({ title, text }) => [title, text].filter(Boolean).join("\n\n");

/**
 * What is kept of the chapters of a study that it does not have any more, by their numbers.
 * @param {Unsaved[]} kept @param {string} account @param {{key: string, chapters: {number: number}[]}} study
 */
export function ofDeleted(kept, account, { key, chapters }) {
  const home = `${account} /studies/${key}/chapters/`;
  const there = new Set(chapters.map(({ number }) => `${home}${number}`));
  return kept.filter(
    (entry) => entry.key.startsWith(home) && !there.has(entry.key) && wordsOf(entry.changed),
  );
}

/** @param {string} account */
export const keptBy = (account, storage = browserStorage()) =>
  /** @type {Kept<Unsaved>} */ (new Kept("unsaved", storage)).of(account);

/** @param {string} key of an entry */
export const discard = (key, storage = browserStorage()) => new Kept("unsaved", storage).drop(key);
