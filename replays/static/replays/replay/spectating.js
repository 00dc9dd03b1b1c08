/**
 * What the page of a match in progress adds: its feed, its spectators and their chat, and the delayed
 * view with open hands.
 * @typedef {{id: string, key: string, open_delay_ms: number, chat?: boolean}} Live
 * @import { Page } from "./page.js"
 * @import { Said } from "frames"
 * @import { ChatNews } from "../../games/live/socket.js"
 * @import { Written } from "../../games/live/chat.js"
 * @typedef {{off: boolean, named: boolean, muted: string[]}} Choices
 */

import { onSubmit } from "../../games/dom/controls.js";
import { byId, write } from "../../games/dom/elements.js";
import { bind, load } from "../../games/dom/settings.js";
import { browserStorage, parsed, stored } from "../../games/dom/storage.js";
import { Chat, takeName, tool } from "../../games/live/chat.js";
import { Checked } from "../../games/live/checked.js";
import { isCurrent } from "../../games/live/connection.js";
import { Presence, showPhrases } from "../../games/live/seatwords.js";
import { LiveSource } from "../../games/live/source.js";
import { gettext, ngettext } from "../../games/words/gettext.js";
import { connectionOf } from "./connecting.js";

const OPEN = "hands";
const OVER = new Set(["finished", "abandoned"]);
const PHASES = /** @type {Record<string, string>} */ ({
  countdown: gettext("about to deal"),
  scoreboard: gettext("between rounds"),
  pause: gettext("paused until the players return"),
  finished: gettext("over"),
  abandoned: gettext("abandoned"),
});

/**
 * @param {import("frames").StateFrame} news @param {number} delay ms @param {boolean} open
 * @param {number} behind ms
 */
function showLive({ watching, phase }, delay, open, behind) {
  const chip = byId("live-chip");
  chip.classList.toggle("is-over", OVER.has(phase));
  const soon = behind
    ? gettext("live, {seconds} s behind", { seconds: behind / 1000 })
    : gettext("live");
  const live = open ? gettext("open hands, {seconds} s delay", { seconds: delay / 1000 }) : soon;
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
 * @param {Page} page @param {boolean} open
 * @param {number} delay ms
 */
function offer(page, open, delay) {
  const link = /** @type {HTMLAnchorElement} */ (byId("live-hands"));
  link.hidden = delay === 0;
  link.href = open ? location.pathname : `?${OPEN}=open`;
  write(
    link,
    open
      ? gettext("Live, hands hidden")
      : gettext("All hands open, {seconds} s delay", { seconds: delay / 1000 }),
  );
  page.call("offerViews", open); // else there is only the spectators' view
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
  const connection = connectionOf(() => feed.start());
  /** @type {LiveSource} */
  const feed = new LiveSource(
    log,
    { url, shares: true, key: live.key, open, more: () => chat?.hello ?? {} },
    {
      news: (news) => {
        last = news;
        connection.current();
        showLive(news, live.open_delay_ms, open, feed.behind);
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
      status: (status, why) => {
        connection.status(status, why);
        if (!isCurrent()) write(byId("live-chip"), gettext("no connection"));
        if (status === "live") chat?.show(why !== "pieces");
        else if (status === "closed") chat?.close();
      },
    },
  );
  if (chat) bind(chat.root, settings, say);
  page.onChange(["tab"], () => chat?.opened());
  offer(page, open, live.open_delay_ms);
  document.addEventListener("visibilitychange", () => document.hidden || feed.start());
  feed.start();
  return feed;
}

const KEY = "ratuki.chat";
const MOST_MUTED = 200;

/** @type {Choices} */
const USUAL = { off: false, named: false, muted: [] };

/** Guests and accounts with the same name are different people. @param {Written} line */
const whose = (line) => (line.account ? `@${line.by}` : line.by);

class SpectatorsChat extends Chat {
  /**
   * @param {{send: (frame: Said) => boolean, again: () => void}} way `again`: reconnect with a new
   *   hello
   */
  constructor(way) {
    const root = byId("panel-chat");
    super(root.dataset.name ?? "", (frame) => way.send(frame));
    this.root = root;
    this.way = way;
    /** @type {Choices} */
    this.choices = { ...USUAL, ...parsed(browserStorage().getItem(KEY)) };
    /** How many lines have come while the tab was closed. */
    this.news = 0;
    /** Whether too many watch for a chat. */
    this.full = false;
    this.unread = () => {
      this.news += 1;
    };
    onSubmit(byId("chat-name"), async (form) => {
      const { status, data } = await takeName(form);
      write(this.note, status ? (data.detail ?? "") : gettext("That was not saved. Try again."));
      if (!data.name) return;
      this.name = data.name;
      way.again();
      this.#showChoices();
      this.text.focus();
    });
    byId("chat-unmute").addEventListener("click", () => {
      this.choices.muted = [];
      this.#keep();
    });
    this.#bindChoice("chat-on", (on) => (this.choices.off = !on));
    this.#bindChoice("chat-named", (on) => (this.choices.named = on));
    this.#showChoices();
  }

  /** Further fields of the hello. */
  get hello() {
    return {
      ...(!this.choices.off && { chat: true }),
      ...(this.choices.named && this.name && { named: true }),
    };
  }

  // Incoming

  /** @override @param {ChatNews} frame */
  hear(frame) {
    if (this.choices.off && frame.type === "chats") return;
    super.hear(frame);
    this.#count();
  }

  /** @override @param {Written} line */
  tools(line) {
    return [
      tool(gettext("Mute"), gettext("Mute {by}", { by: line.by }), () => this.#mute(whose(line))),
    ];
  }

  /** @override @param {Written} line @param {HTMLElement} row */
  added(line, row) {
    row.hidden = this.choices.muted.includes(whose(line));
    super.added(line, row);
  }

  #count() {
    if (!this.root.hidden) this.news = 0;
    write(byId("chat-count"), this.news ? String(this.news) : "");
  }

  /** @param {number} watching @param {string[]} names */
  watchers(watching, names) {
    const others = watching - names.length;
    const all = { names: names.join(", "), others };
    const named =
      others > 0
        ? gettext("{count} watching: {names} and {others} more", { count: watching, ...all })
        : ngettext("{count} watching: {names}", "{count} watching: {names}", watching, all);
    const some = names.length ? named : ngettext("{count} watching", "{count} watching", watching);
    write(byId("watchers"), watching ? some : gettext("No one is watching."));
  }

  /** @param {boolean} room whether there is a socket for it */
  show(room) {
    this.full = !room;
    write(this.note, room ? "" : gettext("Chat is full. It opens when there is room."));
    this.#showChoices();
    if (room) this.again();
  }

  close() {
    write(this.note, gettext("The match is over and chat is closed."));
    this.form.hidden = true;
    byId("chat-name").hidden = true;
  }

  // The viewer's actions

  /** @param {string} id @param {(on: boolean) => void} take */
  #bindChoice(id, take) {
    const input = /** @type {HTMLInputElement} */ (byId(id));
    input.addEventListener("change", () => {
      take(input.checked);
      this.#keep();
      this.way.again();
    });
  }

  /** Its tab may have been opened. */
  opened() {
    if (this.root.hidden) return;
    this.toEnd();
    this.#count();
  }

  /** @param {string} who */
  #mute(who) {
    this.choices.muted = [...this.choices.muted.filter((name) => name !== who), who].slice(
      -MOST_MUTED,
    );
    this.#keep();
  }

  #keep() {
    stored(browserStorage(), KEY, JSON.stringify(this.choices));
    this.#showChoices();
  }

  #showChoices() {
    const { off, named, muted } = this.choices;
    /** @type {HTMLInputElement} */ (byId("chat-on")).checked = !off;
    /** @type {HTMLInputElement} */ (byId("chat-named")).checked = named;
    byId("chat-named-row").hidden = !this.name;
    this.form.hidden = off || !this.name || this.full;
    byId("chat-name").hidden = off || Boolean(this.name);
    this.log.hidden = off;
    this.empty.hidden = off || this.rows.size > 0;
    for (const { line, row } of this.rows.values()) row.hidden = muted.includes(whose(line));
    byId("chat-unmute").hidden = !muted.length;
    write(byId("chat-unmute"), ngettext("Unmute", "Unmute all {count}", muted.length));
    this.#count();
  }
}
