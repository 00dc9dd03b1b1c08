/**
 * The buttons, the perspective menu and the tabs of the page.
 * @import { Below, Page, Tab } from "./page.js"
 * @import { Player } from "../../games/match/player.js"
 */

import { Board } from "../../games/board/board.js";
import { markOf } from "../../games/board/cards.js";
import { box, bringIntoView, byId, write } from "../../games/dom/elements.js";
import { load, save } from "../../games/dom/settings.js";
import { captionAt } from "../../games/match/caption.js";
import { viewNamed } from "../../games/match/links.js";
import { clock, positionWords } from "../../games/match/words.js";
import { gettext, pgettext } from "../../games/words/gettext.js";
import { roundWords } from "./scrubber.js";

/** Shows the player's state on the buttons. @param {Player} player */
function showState(player) {
  const { playing, speed, smart, following, log } = player;
  const running = playing || following;
  const toggle = byId("toggle");
  toggle.classList.toggle("is-playing", running);
  write(byId("toggle-word"), running ? gettext("Pause") : pgettext("playback", "Play"));
  write(byId("speed"), `${speed}×`);
  byId("smart").setAttribute("aria-pressed", String(smart));
  const follow = byId("follow");
  follow.hidden = log.finished || log.endHidden;
  follow.setAttribute("aria-pressed", String(following));
  showBehind(player);
}

/** @param {Player} player */
function showBehind(player) {
  const live = !byId("follow").hidden && !player.following && player.behind > 0;
  write(byId("live-behind"), live ? gettext("{time} behind", { time: clock(player.behind) }) : "");
  write(byId("follow-words"), player.following ? gettext("Following") : gettext("Back to live"));
}

/** @param {Player} player */
function showTime(player) {
  const { round, log } = player;
  write(byId("round-now"), roundWords(player));
  write(byId("time-now"), clock(player.time));
  write(byId("time-all"), log.endHidden ? "" : `/ ${clock(round?.duration ?? 0)}`);
  byId("to-end").hidden = log.endHidden;
  showBehind(player);
}

/** @param {Page} page */
export function bindControls(page) {
  const { player } = page;
  player.onState(() => showState(player));
  player.onChange(() => showTime(player));
  player.log.onGrow(() => showTime(player));
  showState(player);
}

/** @param {import("../../games/dom/settings.js").Settings} settings */
export function bindSwitches(settings) {
  for (const chip of document.querySelectorAll("[data-switch]")) {
    const name = /** @type {"sound" | "motion"} */ (
      /** @type {HTMLElement} */ (chip).dataset.switch
    );
    chip.setAttribute("aria-pressed", String(settings[name]));
    chip.addEventListener("click", () => {
      settings[name] = !settings[name];
      chip.setAttribute("aria-pressed", String(settings[name]));
      save({ ...load(), [name]: settings[name] });
    });
  }
}

/** The perspective menu. @param {Page} page */
export function bindViews(page) {
  const { names, state } = page;
  const select = /** @type {HTMLSelectElement} */ (byId("view"));
  select.value = String(state.view);
  const chosen = () => page.set({ view: viewNamed(select.value, names.length) ?? "all" });
  select.addEventListener("change", chosen);
  page.onChange(["view"], ({ view }) => {
    select.value = String(view);
  });
  const choice = byId("view-choice");
  page.offer("offerViews", (shown) => {
    choice.hidden = !shown;
  });
  page.offer("underViews", (row) => choice.after(row));
  page.command("view", () => {
    if (select.closest("[hidden]")) return; // there is nothing to choose
    select.selectedIndex = (select.selectedIndex + 1) % select.length;
    chosen();
  });
}

/** @param {Element} tab */
const nameOf = (tab) => tab.id.replace("tab-", "");

/** What mattered, unless a place was asked for or that is not known, as live. @param {Pick<Element, "querySelector">} list @param {boolean} placed @param {number} [opening] @returns {Tab} */
export function firstTab(list, placed, opening) {
  const tabs = ["[aria-selected=true]", "[role=tab]"].map((which) => list.querySelector(which));
  const [first, leading] = tabs.map((tab) => /** @type {Tab} */ (tab ? nameOf(tab) : "events"));
  const known = !placed && (leading !== "analysis" || opening);
  return first === "events" && known ? leading : first;
}

/** The tab of that name, if it is here. @param {string | null} name @returns {any} */
export function tabNamed(name) {
  const tab = document.getElementById(`tab-${name}`);
  return tab?.matches("[role=tab]:not([hidden])") ? name : null;
}

/** The first tab below the table. @returns {Below} */
export function firstBelow() {
  const first = document.querySelector("#below-tabs [role=tab]:not([hidden])");
  return first ? /** @type {Below} */ (nameOf(first)) : "charts";
}

/**
 * Tabs: one panel shown, arrows move between them.
 * @param {Page} page @param {HTMLElement} list @param {"tab" | "below"} key what they choose
 */
export function bindTabs(page, list, key) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);
  const show = () => {
    for (const tab of tabs) {
      const on = nameOf(tab) === page.state[key];
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      byId(tab.getAttribute("aria-controls") ?? "").hidden = !on;
    }
  };
  /** @param {Element} tab */
  const choose = (tab) =>
    page.choose({ [key]: nameOf(tab), ...(key === "below" && { chart: "" }) });
  list.addEventListener("click", (event) => {
    const tab = event.target instanceof Element ? event.target.closest("[role=tab]") : null;
    if (tab) choose(tab);
  });
  list.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const open = tabs.filter((tab) => !tab.hidden);
    const at = open.indexOf(/** @type {HTMLElement} */ (event.target));
    const next = open[(at + by + open.length) % open.length];
    choose(next);
    next.focus();
  });
  page.onChange([key], show);
  show();
}

/**
 * Lets other parts fill the tabs below the table. Scrolling there is a use of the page.
 * @param {Page} page @param {Element} below
 */
export function offerBelow(page, below) {
  const look = (/** @type {IntersectionObserverEntry[]} */ seen) =>
    seen.some(({ isIntersecting }) => isIntersecting) && page.use();
  new IntersectionObserver(look).observe(below);
  page.offer("showTab", (name, shown) => {
    byId(`tab-${name}`).hidden = !shown;
  });
  page.offer("fillTab", (name, nodes) => byId(`panel-${name}`).replaceChildren(...nodes));
  page.offer("openTab", (name) => {
    page.choose({ below: name, chart: "" });
    const panel = byId(`panel-${name}`);
    panel.closest("details")?.setAttribute("open", ""); // a lesson folds them away
    bringIntoView(panel);
  });
}

/** So much of the table is enough to follow it. */
const IN_SIGHT = 0.6;

/**
 * A small table at the window's edge, for readers below the table. It appears once something there
 * has led to a moment, while the table is out of sight, until it is closed.
 */
export class TableBeside {
  /** @param {Page} page @param {Element} below the part of the page that leads to moments */
  constructor(page, below) {
    this.page = page;
    this.player = page.player;
    /** @param {string} kind */
    const part = (kind) => /** @type {HTMLElement} */ (below.querySelector(kind));
    this.element = part(".beside");
    this.caption = part(".beside-caption");
    // The large one has the full description.
    this.place = part(".beside-table");
    part(".beside button").addEventListener("click", () => this.#show(false));
    /** Whether something was pressed that may lead to a moment, and whether it is wanted since. */
    this.pressed = this.wanted = this.away = false;
    /** @type {Board | null} */
    this.board = null;
    const press = (/** @type {Event} */ { target }) => {
      this.pressed = target instanceof Element && !target.closest("[role=tab], .beside");
    };
    for (const kind of ["pointerdown", "click"]) // clicks don't pass through a chart
      below.addEventListener(kind, press, { capture: true });
    const look = (/** @type {IntersectionObserverEntry[]} */ seen) => {
      this.away = (seen.at(-1)?.intersectionRatio ?? 1) < IN_SIGHT;
      this.#show(this.wanted);
    };
    const sight = new IntersectionObserver(look, { threshold: IN_SIGHT });
    sight.observe(page.board.root);
    this.player.onChange(() => {
      if (this.pressed) this.#show(true);
      else if (!this.element.hidden) this.#draw();
      this.pressed = false;
    });
  }

  /** @param {boolean} wanted */
  #show(wanted) {
    this.wanted = wanted;
    this.element.hidden = !wanted || !this.away;
    if (!this.element.hidden) this.#draw();
  }

  #draw() {
    const { round, cursor, log } = this.player;
    const { names, state } = this.page;
    this.board ??= new Board(this.place, log.match.seats, { goal: log.match.rules });
    if (!this.board.showPlace(this.player, state.view) || !round) return;
    const said = captionAt(round, cursor, 0, names, state.view);
    const time = box("b", "whole", positionWords(round.number, this.player.time));
    const mark = said.seat === null ? [] : [markOf(said.seat)];
    this.caption.replaceChildren(time, ...mark, box("span", "", said.text));
  }
}
