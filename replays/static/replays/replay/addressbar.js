// @ts-check
/** The place that is shown, as the address of the page. */

/** Browsers allow only so many changes of the address in a time. */
const EVERY = 600;
/** What is no place, and stays: which hands are shown, and what is played through. */
const KEPT = ["hands", "playlist", "item"];

/** Keeps the address at the cursor without filling the history. */
export class AddressBar {
  constructor() {
    this.wanted = "";
    this.timer = 0;
  }

  /** @param {string} address */
  show(address) {
    this.wanted = address;
    this.timer ||= window.setTimeout(() => this.#write(), EVERY);
  }

  #write() {
    this.timer = 0;
    const now = new URLSearchParams(location.search);
    const kept = KEPT.flatMap((name) => {
      const value = now.get(name);
      return value === null ? [] : [`${name}=${encodeURIComponent(value)}`];
    }).join("&");
    const address = `${this.wanted}${kept && this.wanted.length > 1 ? "&" : ""}${kept}`;
    if (address !== (location.search || "?"))
      history.replaceState(history.state, "", address + location.hash);
  }
}
