/**
 * What the page of a match in progress adds: its feed, its spectators, and the delayed view with
 * open hands.
 * @typedef {{id: string, key: string, open_delay_ms: number, chat?: boolean}} Live
 * @import { Page } from "./page.js"
 */

import { byId, write } from "../../games/dom/elements.js";
import { bind, load } from "../../games/dom/settings.js";
import { Checked } from "../../games/live/checked.js";
import { Presence, showPhrases } from "../../games/live/seatwords.js";
import { LiveSource } from "../../games/live/source.js";
import { gettext, ngettext } from "../../games/words/gettext.js";
import { SpectatorsChat } from "./spectatorschat.js";

const OPEN = "hands";
const OVER = new Set(["finished", "abandoned"]);
const PHASES = /** @type {Record<string, string>} */ ({
  countdown: gettext("about to deal"),
  scoreboard: gettext("between rounds"),
  pause: gettext("paused until the players return"),
  finished: gettext("over"),
  abandoned: gettext("abandoned"),
});

/** @param {import("frames").StateFrame} news @param {number} delay ms @param {boolean} open */
function showLive({ watching, phase }, delay, open) {
  const chip = byId("live-chip");
  chip.classList.toggle("is-over", OVER.has(phase));
  const live = open
    ? gettext("open hands, {seconds} s delay", { seconds: delay / 1000 })
    : gettext("live");
  const words = PHASES[phase] ?? live;
  write(
    chip,
    watching && !OVER.has(phase)
      ? `${words}, ${ngettext("{count} watching", "{count} watching", watching)}`
      : words,
  );
  // Once all cards may be seen, the log is reloaded.
  byId("live-over").hidden = byId("live-next").hidden = !OVER.has(phase);
}

/**
 * A choice between the spectators' view and all hands with a delay.
 * @param {boolean} open
 * @param {number} delay ms
 */
function offer(open, delay) {
  const link = /** @type {HTMLAnchorElement} */ (byId("live-hands"));
  link.hidden = delay === 0;
  link.href = open ? location.pathname : `?${OPEN}=open`;
  write(
    link,
    open
      ? gettext("Live, hands hidden")
      : gettext("All hands open, {seconds} s delay", { seconds: delay / 1000 }),
  );
  byId("view-choice").hidden = !open; // there is only the spectators' view
}

/** As it is played. @param {Live} live @param {Page} page */
export function spectate(live, page) {
  const { player, board } = page;
  const { log } = player;
  const asked = new URLSearchParams(location.search).get(OPEN) === "open";
  const open = asked && live.open_delay_ms > 0;
  const url = `/ws/${live.chat ? "matches" : "watch"}/${live.id}/`;
  const settings = load();
  /** @type {SpectatorsChat | null} */
  const chat = live.chat
    ? new SpectatorsChat({
        send: (frame) => feed.socket.send(frame),
        again: () => feed.socket.again(),
      })
    : null;
  /** @type {import("frames").StateFrame | null} */
  let last = null;
  const presence = new Presence();
  const checked = new Checked(byId("checked"), live.id, null);
  const say = () => last && showPhrases(board, last.seats, settings.phrases);
  /** @type {LiveSource} */
  const feed = new LiveSource(
    log,
    { url, key: live.key, open, more: () => chat?.hello ?? {} },
    {
      news: (news) => {
        last = news;
        showLive(news, live.open_delay_ms, open);
        chat?.watchers(news.watching, news.watchers);
        presence.show(board, news.seats);
        if (open && !log.rounds.length)
          write(
            byId("now"),
            gettext("Open hands are delayed by {seconds} s. The cards will appear shortly.", {
              seconds: live.open_delay_ms / 1000,
            }),
          );
        say();
      },
      restarted: () => player.follow(),
      chat: (frame) => chat?.hear(frame),
      error: (frame) => chat?.refused(frame),
      heard: (frame) => checked.hear(frame),
      status: (status) => {
        if (status === "live") chat?.again();
        else if (status === "closed") chat?.close();
      },
    },
  );
  if (chat) bind(chat.root, settings, say);
  page.onChange(["tab"], () => chat?.opened());
  offer(open, live.open_delay_ms);
  addEventListener("online", () => feed.start());
  document.addEventListener("visibilitychange", () => document.hidden || feed.start());
  feed.start();
  return feed;
}
