/**
 * The changes to one item, field by field, each based on the last known revision.
 *
 * If someone else has changed the same in the meantime, the writer chooses. If they have changed
 * something else, both changes are kept.
 * @import { Response } from "../../games/dom/asking.js"
 * @typedef {Record<string, unknown>} Fields  by their names
 * @typedef {{revision: number}} Saved
 * @typedef {{key: string, account?: string, edit?: number, trouble?: string, known: Saved,
 *   changed: Fields}} Unsaved the changes to an item, and their base
 */

/**
 * @template {Saved} Item  as the server has it
 * @typedef {object} Ways
 * @property {(words: string) => void} say
 * @property {HTMLElement} [place] the choice between two versions is put before it
 * @property {() => unknown} reload shows the other version
 * @property {(now: Item) => void} merged shows others' changes
 * @property {(now: Item) => void} [saved]
 * @property {(own: Fields) => void} [gone] it was deleted meanwhile
 */

import { leave } from "../../games/dom/elements.js";
import { browserStorage } from "../../games/dom/storage.js";
import { gettext } from "../../games/words/gettext.js";
import { withBothTexts } from "./conflict.js";
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
   * @param {NoInfer<Item>} item @param {Ways<Item>} ways
   * @param {string} account whose changes these are. Empty: a guest's
   * @param {{storage?: Storage} & ConstructorParameters<typeof Outbox>[2]} [world]
   */
  constructor(url, item, ways, account, { storage = browserStorage(), ...world } = {}) {
    // Nobody's words are in another's way, and those kept before there was an API are found.
    this.key = `${account} ${url.replace("/api/v1", "")}`;
    this.url = url;
    this.account = account;
    this.ways = ways;
    /** Whether nothing more can be saved here. */
    this.stopped = false;
    /** The last saved version that this writer knows. */
    this.known = structuredClone(item);
    /** @type {Outbox<Unsaved, Item>} */
    this.outbox = new Outbox(
      new Kept("unsaved", storage),
      {
        request: ({ changed, known: { revision } }) =>
          this.stopped ? null : { method: "PUT", url, body: { ...changed, revision } },
        saved: (sent, data, now) => this.#saved(sent, data, now),
        merged: (now, theirs) =>
          clash(now.changed, this.known, theirs) ? null : { ...now, known: theirs },
        differences: ({ changed }, theirs) => differences(changed, /** @type {any} */ (theirs)),
        based: (now, theirs) => ({ ...now, known: theirs }),
        both: (now, theirs) => {
          const changed = withBothTexts(now.changed, theirs);
          return changed && { ...now, changed };
        },
        taken: () => ways.reload(),
        written: ({ known }) => {
          if (known.revision === this.known.revision) return;
          this.known = /** @type {Item} */ (structuredClone(known));
          ways.merged(this.known);
        },
        changed: (_, { status }) => this.#changed(status),
      },
      world,
    );
    this.outbox.resume(account, ({ key }) => key === this.key);
    this.known = /** @type {Item} */ (this.#entry?.known ?? this.known);
  }

  get #entry() {
    return this.outbox.entries.get(this.key);
  }

  get changed() {
    return this.#entry?.changed ?? {};
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
      (event) => this.unsaved && !this.outbox.keeps && event.preventDefault(),
    );
  }

  /** @param {Fields} fields */
  change(fields) {
    const { key, account, known } = this;
    this.outbox.put({ key, account, known, changed: { ...this.changed, ...fields } });
    if (!this.stopped) this.ways.say(this.outbox.words(key));
    this.outbox.saveSoon(PAUSE_MS);
  }

  save() {
    return this.outbox.save();
  }

  /** The last words, which another tab may have replaced in what is kept, go out and are kept. */
  async leave() {
    const unsaved = this.#entry;
    if (!unsaved || this.stopped || this.outbox.choices.has(this.key)) return;
    this.outbox.write(unsaved);
    await this.outbox.pass(unsaved, true);
  }

  /** @param {Unsaved} sent @param {Item} data @param {Unsaved | null} now */
  #saved(sent, data, now) {
    this.known = structuredClone(data);
    const changed = now ? besides(now.changed, sent.changed) : {};
    this.ways.saved?.(data);
    return now && Object.keys(changed).length ? { ...now, known: this.known, changed } : null;
  }

  /** @param {number} status of the site's response */
  #changed(status) {
    const { ways, outbox, key } = this;
    if (this.stopped) return;
    ways.say(outbox.words(key));
    if (outbox.choices.has(key)) ways.place?.before(outbox.choice(key) ?? "");
    if (status !== 404) return;
    this.stopped = true;
    ways.gone?.(this.changed);
  }

  /**
   * Deletes the item, and goes to another page.
   * @param {(body: {revision: number}) => Promise<Response<unknown>>} send @param {string} address
   */
  async remove(send, address) {
    await this.settled(); // which counts the revision up
    const { ok, data } = await send({ revision: this.known.revision });
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
