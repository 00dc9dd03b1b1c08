// @ts-check
/**
 * What the page of a match that is being played has besides: its feed, who watches, and
 * later on the view with open hands.
 *
 * @typedef {import("./livefeed.js").Live} Live
 * @typedef {import("./log.js").Log} Log
 * @typedef {import("./player.js").Player} Player
 */

import { write } from "../games/panels.js";
import { byId } from "./controls.js";
import { LiveFeed } from "./livefeed.js";

const OPEN = "hands";
const OVER = new Set(["finished", "abandoned"]);
const PHASES = /** @type {Record<string, string>} */ ({
  countdown: "the cards are dealt in a moment",
  scoreboard: "between two rounds",
  pause: "paused until the players are back",
  finished: "over",
  abandoned: "abandoned",
});

/** @param {import("./livefeed.js").News} news @param {number} delay ms @param {boolean} open */
function tell({ watching, phase }, delay, open) {
  const chip = byId("live-chip");
  chip.hidden = false;
  chip.classList.toggle("is-over", OVER.has(phase));
  const words = PHASES[phase] ?? (open ? `open hands, ${delay / 1000} s late` : "live");
  write(chip, watching ? `${words}, ${watching} watching` : words);
  // Now that all cards may be seen, they are read anew.
  byId("live-over").hidden = !OVER.has(phase);
}

/** A choice between what onlookers see, and all hands some time later. @param {boolean} open @param {number} delay ms */
function offer(open, delay) {
  const link = /** @type {HTMLAnchorElement} */ (byId("live-hands"));
  link.hidden = delay === 0;
  link.href = open ? location.pathname : `?${OPEN}=open`;
  write(link, open ? "Without delay, hands hidden" : `With open hands, ${delay / 1000} s late`);
}

/**
 * Lets the log of a match grow as it is played.
 * @param {Live} live @param {Log} log @param {Player} player
 */
export function follow(live, log, player) {
  const asked = new URLSearchParams(location.search).get(OPEN) === "open";
  const open = asked && live.open_delay_ms > 0;
  const url = `${location.protocol.replace("http", "ws")}//${location.host}/ws/watch/${live.id}/`;
  const feed = new LiveFeed(log, live, { url, open }, {
    news: (news) => tell(news, live.open_delay_ms, open),
    anew: () => player.follow(),
  });
  offer(open, live.open_delay_ms);
  addEventListener("online", () => feed.start());
  document.addEventListener("visibilitychange", () => document.hidden || feed.start());
  feed.start();
  return feed;
}
