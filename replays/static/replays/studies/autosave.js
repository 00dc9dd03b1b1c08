// @ts-check
/**
 * Saves what somebody types, one request after another, each based on the last known revision.
 *
 * If somebody else has changed it in the meantime, nothing is overwritten: the caller shows both
 * and the writer chooses. What could not be sent is tried again when the connection is back.
 *
 * @typedef {import("./ask.js").Answer} Answer
 * @typedef {{send: (body: Record<string, any>) => Promise<Answer>, say: (words: string) => void,
 *   saved?: (now: any) => void, conflict: (now: any, own: Record<string, any>) => void}} Ways
 */

const PAUSE_MS = 700;
const AGAIN_MS = 5000;

export class Autosave {
  /**
   * @param {number} revision
   * @param {Ways} ways
   * @param {(act: () => void, ms: number) => unknown} [later]
   */
  constructor(revision, ways, later = (act, ms) => setTimeout(act, ms)) {
    this.revision = revision;
    this.ways = ways;
    this.later = later;
    /** What has changed and is not saved. @type {Record<string, any>} */
    this.changed = {};
    this.waiting = false;
    this.sending = false;
    this.stopped = false;
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

  async save() {
    if (this.sending || this.stopped || !Object.keys(this.changed).length) return;
    const own = this.changed;
    this.changed = {};
    this.sending = true;
    const { ok, status, data } = await this.ways.send({ ...own, revision: this.revision });
    this.sending = false;
    if (ok) {
      this.revision = data.revision;
      this.ways.saved?.(data);
      this.ways.say(this.unsaved ? "Not saved yet …" : "Saved.");
      if (this.unsaved) this.#soon(0);
      return;
    }
    this.changed = { ...own, ...this.changed };
    if (status === 409) {
      this.stopped = true;
      this.ways.conflict(data.now, this.changed);
      return;
    }
    this.ways.say(`Not saved: ${data.error}.`);
    if (!status || status >= 500 || status === 429) this.#soon(AGAIN_MS);
  }

  /** Gives up this writer's version. */
  drop() {
    this.changed = {};
  }

  /** Keeps this writer's version in place of the other one. @param {number} revision */
  keepOwn(revision) {
    this.revision = revision;
    this.stopped = false;
    return this.save();
  }
}

/**
 * Where two versions differ, in words. @param {Record<string, any>} own @param {Record<string, any>} now
 */
export function differences(own, now) {
  return Object.keys(own)
    .filter((name) => name in now && JSON.stringify(own[name]) !== JSON.stringify(now[name]))
    .map((name) => {
      const [mine, theirs] = [own[name], now[name]].map((value) =>
        typeof value === "object" && value ? "changed" : `“${value ?? ""}”`,
      );
      return `${name}: mine ${mine}, theirs ${theirs}`;
    });
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
