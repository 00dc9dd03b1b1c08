/**
 * The buttons and tabs of the page; a button for each keyboard command.
 * @typedef {import("../../games/match/player.js").Player} Player
 * @typedef {import("../../games/match/perspective.js").View} View
 */

import { byId, write } from "../../games/dom/elements.js";
import { load, save } from "../../games/dom/settings.js";
import { clock } from "../../games/match/words.js";
import { roundWords } from "./roundwords.js";

/** Shows the player's state on the buttons. @param {Player} player */
function showState(player) {
  const { playing, speed, smart, following, log } = player;
  const toggle = byId("toggle");
  toggle.classList.toggle("is-playing", playing);
  write(byId("toggle-word"), playing ? "Pause" : "Play");
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
  write(byId("live-behind"), live ? `, ${clock(player.behind)} behind` : "");
  write(byId("follow-words"), player.following ? "Following" : "Back to live");
}

/** @param {Player} player */
function showTime(player) {
  const { cursor, round, log } = player;
  write(byId("round-now"), roundWords(player));
  write(byId("time-now"), clock(cursor.t));
  write(byId("time-all"), log.endHidden ? "" : `/ ${clock(round?.duration ?? 0)}`);
  byId("no-end").hidden = !log.endHidden;
  byId("to-end").hidden = log.endHidden;
  showBehind(player);
}

/** @param {Player} player @param {Record<string, () => void>} commands */
export function bindControls(player, commands) {
  for (const button of document.querySelectorAll("button[data-command]")) {
    const command = /** @type {HTMLElement} */ (button).dataset.command ?? "";
    button.addEventListener("click", () => commands[command]());
  }
  player.onState(() => showState(player));
  player.onChange(() => showTime(player));
  player.log.onGrow(() => showTime(player));
  showState(player);
}

/**
 * Chips that switch sound and motion, stored for all tables.
 * @param {import("../../games/dom/settings.js").Settings} settings
 */
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

/**
 * Fills the perspective menu.
 * @param {string[]} names @param {View} view @param {(view: View) => void} look
 */
export function bindViews(names, view, look) {
  const select = /** @type {HTMLSelectElement} */ (byId("view"));
  const options = [
    ["all", "All cards"],
    ...names.map((name, seat) => [String(seat), name]),
    ["spectator", "Spectator"],
  ];
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
  select.value = String(view);
  const chosen = () =>
    /^\d$/.test(select.value) ? Number(select.value) : /** @type {View} */ (select.value);
  select.addEventListener("change", () => look(chosen()));
  return () => {
    if (select.closest("[hidden]")) return; // there is nothing to choose
    select.selectedIndex = (select.selectedIndex + 1) % select.length;
    look(chosen());
  };
}

/**
 * Tabs: one panel shown, arrows move between them. Where there is room for one tab only, pressing it
 * shows the others. A panel hears `shown`.
 * @param {HTMLElement} list
 * @param {string} [first] the tab shown at once in place of the events, if the page has it: chosen
 *   later, it would move away what somebody is about to press
 */
export function bindTabs(list, first) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);
  /** @param {HTMLElement} chosen */
  const choose = (chosen) => {
    for (const tab of tabs) {
      const on = tab === chosen;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      const panel = byId(tab.getAttribute("aria-controls") ?? "");
      panel.hidden = !on;
      if (on) panel.dispatchEvent(new Event("shown"));
    }
  };
  list.addEventListener("click", (event) => {
    const tab = event.target instanceof Element ? event.target.closest("[role=tab]") : null;
    if (!tab) return;
    const open = tab.ariaSelected === "true" && !list.classList.contains("is-open");
    choose(/** @type {HTMLElement} */ (tab));
    list.classList.toggle("is-open", open);
  });
  list.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const open = tabs.filter((tab) => !tab.hidden);
    const next =
      open[
        (open.indexOf(/** @type {HTMLElement} */ (event.target)) + by + open.length) % open.length
      ];
    choose(next);
    next.focus();
  });
  const leading = tabs.find((tab) => tab.id === first);
  if (leading && byId("tab-events").ariaSelected === "true") choose(leading);
}
