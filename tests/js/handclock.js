/** A clock that is turned by hand. */
export class HandClock {
  constructor() {
    this.time = 0;
    /** @type {{at: number, run: () => void}[]} */
    this.alarms = [];
  }

  now() {
    return this.time;
  }

  /** @param {number} ms @param {() => void} run */
  later(ms, run) {
    const alarm = { at: this.time + ms, run };
    this.alarms.push(alarm);
    return alarm;
  }

  /** @param {unknown} alarm */
  cancel(alarm) {
    this.alarms = this.alarms.filter((other) => other !== alarm);
  }

  /** @param {number} ms */
  pass(ms) {
    const end = this.time + ms;
    for (;;) {
      this.alarms.sort((a, b) => a.at - b.at);
      if (!this.alarms.length || this.alarms[0].at > end) break;
      const [{ at, run }] = this.alarms.splice(0, 1);
      this.time = at;
      run();
    }
    this.time = end;
  }
}

/** After the microtasks that wait now. */
export const settled = () => new Promise((done) => setImmediate(done));

/** A promise that is kept when the test says so. @returns {{promise: Promise<any>, keep: (value?: any) => void}} */
export function promised() {
  /** @type {(value?: any) => void} */
  let keep = () => {};
  const promise = new Promise((resolve) => {
    keep = resolve;
  });
  return { promise, keep };
}
