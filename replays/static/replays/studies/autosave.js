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
 *   conflict: (now: any, own: Record<string, any>) => void}} Ways  `merged`: others' changes to show
 */

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
    if (status === 409) return this.#overtaken(data.now);
    this.ways.say(`Not saved: ${data.error}.`);
    if (!status || status >= 500 || status === 429) this.#soon(AGAIN_MS);
  }

  /** Somebody else was faster. @param {Saved} now */
  #overtaken(now) {
    if (clash(this.changed, this.known, now)) {
      this.stopped = true;
      this.ways.conflict(now, this.changed);
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
}

/**
 * Where two versions differ, in words. @param {Record<string, any>} own @param {Record<string, any>} now
 */
export function differences(own, now) {
  return Object.keys(own)
    .filter((name) => name in now && !same(own[name], now[name]))
    .map((name) => {
      const [mine, theirs] = [own[name], now[name]].map(valueWords);
      return `${WORDS[name] ?? name}: mine ${mine}, theirs ${theirs}`;
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
  if (value === null || value === undefined || value === "") return "none";
  if (Array.isArray(value)) return value.join(", ") || "none";
  return typeof value === "object" ? "changed" : `“${value}”`;
}

/**
 * A choice between two versions.
 * @param {string[]} differing in words
 * @param {{theirs: () => void, own: () => void}} then
 * @param {(kind: string, label: string, press: () => void) => HTMLElement} button
 */
export function conflictChoice(differing, then, button) {
  const box = document.createElement("div");
  box.className = "notice warn conflict";
  box.setAttribute("role", "alert");
  const list = document.createElement("ul");
  list.append(
    ...differing.map((words) =>
      Object.assign(document.createElement("li"), { textContent: words }),
    ),
  );
  box.append(
    "Somebody else has changed this in the meantime.",
    list,
    button("button small", "Keep mine", () => {
      box.remove();
      then.own();
    }),
    " ",
    button("button small", "Take theirs", () => {
      box.remove();
      then.theirs();
    }),
  );
  return box;
}
