// @ts-check
/** The place that is shown, as the address of the page. */

/** Browsers allow only so many changes of the address in a time. */
const EVERY = 600;

/** Keeps the address at the cursor without filling the history. */
export class AddressBar {
  constructor() {
    this.wanted = "";
    /** Which hands are shown is no place, and stays. */
    this.hands = new URLSearchParams(location.search).get("hands");
    this.timer = 0;
  }

  /** @param {string} address */
  show(address) {
    this.wanted = this.hands
      ? `${address}${address.length > 1 ? "&" : ""}hands=${this.hands}`
      : address;
    this.timer ||= window.setTimeout(() => this.#write(), EVERY);
  }

  #write() {
    this.timer = 0;
    if (this.wanted !== (location.search || "?"))
      history.replaceState(history.state, "", this.wanted + location.hash);
  }
}
