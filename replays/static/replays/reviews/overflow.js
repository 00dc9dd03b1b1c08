/**
 * A row of buttons that always fits. Without room, buttons move to a list that "More" opens: the
 * last first, and the most important (`primary`) last.
 */

export class Overflow {
  /** @param {HTMLElement} row @param {HTMLElement} more @param {HTMLElement} list */
  constructor(row, more, list) {
    this.row = row;
    this.more = more;
    this.list = list;
    this.buttons = [...row.querySelectorAll("button")].filter((button) => button !== more);
    this.shape = "";
    /** The row's container: its own width depends on its buttons. */
    this.room = row.parentElement ?? row;
    new ResizeObserver(() => this.fit()).observe(this.room);
    more.addEventListener("click", () => this.open(list.hidden));
    list.addEventListener("click", () => this.open(false));
    for (const part of [more, list]) part.addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("pointerdown", ({ target }) => {
      const inside = target instanceof Node && (list.contains(target) || more.contains(target));
      if (!inside) this.open(false);
    });
  }

  /** Lays the buttons out again, if they have changed or the room for them has. */
  fit() {
    const { row, more, list, buttons } = this;
    const shown = buttons.filter((button) => !button.hidden);
    const words = shown.map((button) => `${button.textContent} ${button.className}`);
    const shape = [this.room.clientWidth, ...words].join("\n");
    if (shape === this.shape) return;
    this.shape = shape;
    const focused = document.activeElement;
    more.hidden = true;
    row.prepend(...buttons);
    const leaving = [...shown].reverse().sort((a, b) => rank(a) - rank(b));
    for (const button of leaving) {
      if (row.scrollWidth <= row.clientWidth) break;
      more.hidden = false;
      list.prepend(button);
    }
    if (more.hidden) this.open(false);
    const known = buttons.find((button) => button === focused);
    if (known) (list.contains(known) && list.hidden ? more : known).focus();
  }

  /** @param {boolean} open */
  open(open) {
    if (!open && this.list.contains(document.activeElement)) this.more.focus();
    this.list.hidden = !open;
    this.more.ariaExpanded = String(open);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key !== "Escape" || this.list.hidden) return;
    event.stopPropagation();
    this.open(false);
  }
}

/** @param {HTMLElement} button */
const rank = (button) => Number(button.classList.contains("primary"));
