/**
 * The page of a review: the replay page, moved by the leader. Connects the parts.
 * @import { Asked } from "./revealed.js"
 * @import { Moment } from "./session.js"
 * @import { Page } from "../replay/page.js"
 */

import { request } from "../../games/dom/asking.js";
import { CLOCK } from "../../games/dom/clock.js";
import { onSubmit } from "../../games/dom/controls.js";
import { box, byId, single, write } from "../../games/dom/elements.js";
import { Chat, takeName } from "../../games/live/chat.js";
import { viewNamed } from "../../games/match/links.js";
import { clock } from "../../games/match/words.js";
import { gettext, ngettext } from "../../games/words/gettext.js";
import { marksAt } from "../notes/drafts.js";
import { followMoment } from "../notes/links.js";
import { Answers, Asking, revealedWords, tally } from "./answers.js";
import { Bar, listMoments, listPeople } from "./bar.js";
import { Drawings } from "./drawings.js";
import { playOn, REVEALED } from "./revealed.js";
import { ReviewSession, refusalWords } from "./session.js";
import { Steering } from "./steering.js";

const AWAY = /** @type {Record<string, string>} */ ({
  connecting: gettext("Connecting…"),
  away: gettext("Connection lost. Reconnecting…"),
});
const CLOSED = /** @type {Record<string, string>} */ ({
  "not-allowed": gettext(
    "You can’t join in: you are playing in this match, or your log-in has changed.",
  ),
  "no-such-match": gettext("This review is gone."),
  version: gettext("This page is out of date. Reload it."),
  "bad-frames": gettext("This page is out of date. Reload it."),
});

/** Where the bar has two rows at most. */
const NARROW = matchMedia("(width < 40rem) or (height <= 30rem)");

/** Where the link goes after moments were kept as this. @type {Record<string, string>} */
const LEADS_TO = {
  notes: gettext("Open my notes"),
  study: gettext("Open the study"),
  chapters: gettext("Open the study"),
};

/** Who has changed what is shown, when the leader has. */
const LEADER = "leader";

class Review {
  /** @param {HTMLElement} panel @param {Page} page */
  constructor(panel, page) {
    this.panel = panel;
    this.page = page;
    this.player = page.player;
    this.named = Boolean(panel.dataset.name);
    this.away = gettext("Connecting…");
    this.welcomed = false;
    this.unread = 0;
    /** The chapter that this page shows. 0 in a review of a match. */
    this.chapter = Number(panel.dataset.chapter);
    this.home = panel.dataset.home ?? "";
    this.prefix = `${Math.floor(Math.random() * 36 ** 5).toString(36)}-`;
    this.suggestions = 0;
    this.session = new ReviewSession(`/ws/reviews/${panel.dataset.key}/`, {
      changed: (parts) => this.#changed(parts),
      status: (status, why) => this.#status(status, why),
      note: (note, match) => String(match) === panel.dataset.match && page.call("takeNote", note),
      chat: (frame) => this.chat.hear(frame),
      refused: (frame) =>
        (this.chat.said.text && this.chat.refused(frame)) || this.bar.say(refusalWords(frame.code)),
    });
    this.session.ended = panel.dataset.ended === "true";
    this.drawings = new Drawings(page.board, this.session, {
      here: () => this.#here(),
      changed: () => this.show(),
    });
    /** @type {Chat} */
    this.chat = new Chat(panel.dataset.name ?? "", (frame) => this.session.socket.send(frame));
    this.chat.unread = () => this.#unread();
    this.bar = new Bar(this.session, this.#way());
    this.steering = new Steering(
      this.player,
      this.session,
      {
        view: () => page.state.view,
        look: (name) => {
          const view = viewNamed(name, page.names.length);
          if (view !== null) page.set({ view }, LEADER); // if there is such a one here
        },
        line: () => page.state.line,
        openLine: async (line, event) => page.call("openLine", line, event),
        changed: () => this.show(),
        chapter: this.chapter,
        leave: () => this.#leave(),
      },
      CLOCK,
      this.prefix,
    );
    this.steering.attached = !panel.dataset.detached;
    const answers = document.getElementById("review-answers");
    const asking = document.getElementById("review-asking");
    /** What only coaches of its class can do. */
    this.asking =
      asking &&
      new Asking(
        asking,
        document.getElementById("review-question"),
        this.chapter,
        this.#askingWay(),
      );
    /** How many have answered, while everyone is asked. */
    this.answered = { answered: 0, count: 0 };
    /** Of the question, if this viewer may see them. */
    this.answers =
      answers &&
      new Answers(answers, (news) => {
        this.answered = tally(news.answers);
        if (!this.asking) return;
        this.bar.tell(revealedWords(news));
        this.asking.heard(news);
      });
    /** What has just been revealed to this viewer's class. @type {Asked | null} */
    this.revealed = location.hash === REVEALED ? JSON.parse(panel.dataset.asked || "null") : null;
    this.steering.held = this.revealed !== null;
  }

  start() {
    const { page, session, steering } = this;
    page.command("review", () => steering.back());
    page.offer("noteSaved", (key) => session.you !== null && session.say("noted", { key }));
    page.onChange(["forSome", "lineFor"], () => this.show());
    page.onChange(["view"], (_, origin) => origin === LEADER || steering.looked());
    page.onChange(["tab"], ({ tab }) => tab === "review" && this.#unread(0));
    this.player.onChange(() => this.drawings.show());
    const aim = () => this.player.playing || this.asking?.aim();
    this.player.onChange(aim);
    this.player.onState(aim);
    page.onChange(["view", "line"], aim);
    for (const kind of ["pointerdown", "keydown", "input", "change"])
      addEventListener(kind, (event) => event.isTrusted && steering.input(), { capture: true });
    byId("review-join").addEventListener("click", () => {
      page.set({ tab: "review" });
      byId("review-my-name").focus();
    });
    onSubmit(byId("review-name"), async (form) => {
      const { status, data } = await takeName(form);
      if (!status) this.bar.say(gettext("There is no connection. Try again."));
      else if (data.detail) this.bar.say(data.detail, true);
      if (!data.name) return;
      this.named = true;
      this.chat.name = data.name;
      session.socket.again();
      this.show();
    });
    for (const as of Object.keys(LEADS_TO)) {
      const pressed = single(() => this.#keep(as));
      document.getElementById(`review-keep-${as}`)?.addEventListener("click", pressed);
    }
    const words = document.getElementById("chapter-words");
    words?.addEventListener("click", (event) => followMoment(event, this.player));
    document.querySelector(".review-chapters")?.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (link && session.leading && this.#lead(Number(link.dataset.chapter)))
        event.preventDefault();
    });
    addEventListener("online", () => session.start());
    document.addEventListener("visibilitychange", () => document.hidden || session.start());
    session.start();
    this.show();
    aim();
    if (this.revealed) this.#showRevealed(this.revealed);
  }

  /** Shows what happened, then follows. @param {Asked} asked */
  #showRevealed(asked) {
    history.replaceState(history.state, "", location.pathname + location.search);
    if (!document.getElementById("review-verdict")) this.bar.say(gettext("Here is what happened."));
    playOn(this.player, asked, () => {
      this.steering.held = false;
      this.steering.heard();
    });
  }

  #here() {
    const { round, event } = this.player.cursor;
    return { round, event, line: this.page.state.line ?? "", chapter: this.chapter };
  }

  /** Takes everyone to a chapter. False if it is closed to the leader. @param {number} number */
  #lead(number) {
    const text = document.getElementById("review-chapters")?.textContent ?? "[]";
    /** @type {{number: number, place: import("./steering.js").Beginning | null, withheld: boolean}[]} */
    const choices = JSON.parse(text);
    const chosen = choices.find((chapter) => chapter.number === number);
    if (!chosen?.place) return false;
    this.player.pause();
    this.steering.leadTo(chosen.place);
    return true;
  }

  /** Goes to the chapter that the review is in. */
  #leave() {
    if (this.session.leading) location.assign(this.home);
    else location.replace(this.home);
  }

  /** Lost without a connection. @type {import("./session.js").Say} */
  #say = (type, fields = {}) => {
    const said = this.session.say(type, fields);
    if (!said) this.bar.say(gettext("There is no connection. Try again."));
    return said;
  };

  /** @returns {import("./answers.js").Way} */
  #askingWay() {
    const { page, player } = this;
    return {
      cursor: () => player.cursor,
      seat: () => {
        const { view } = page.state;
        return typeof view === "number" ? view : null;
      },
      line: () => page.state.line,
      name: (seat) => page.names[seat] ?? "",
      narrow: () => NARROW.matches,
      round: () => player.log.rounds[player.cursor.round - 1],
      pause: () => player.pause(),
      asked: (number) => {
        this.answers?.of(number);
        // The review hears of answers to a question that it did not have before.
        this.session.socket.again();
      },
      revealed: (asked) => playOn(player, asked, () => {}),
      say: (words) => this.bar.say(words, true),
      changed: () => this.show(new Set()),
      lead: (place) => {
        player.pause();
        this.steering.leadTo(place);
      },
    };
  }

  /** @returns {import("./bar.js").Way} */
  #way() {
    return {
      back: () => this.steering.back(),
      draw: () => {
        const on = !this.drawings.on;
        if (on) this.player.pause();
        this.drawings.switchTo(on);
        if (on) this.bar.say(gettext("Press on the table to mark, drag for an arrow."));
        this.show();
      },
      clear: () => this.drawings.clear(),
      suggest: (text) => this.#suggest(text),
      showLine: async () => {
        await this.page.call("showLine", this.#class);
        this.steering.looked(); // followers look again
        if (!this.#showable) this.bar.say(gettext("The class can see this what-if now."));
      },
      say: this.#say,
    };
  }

  /** The class that the review is for, as an audience. Empty: for anyone with the link. */
  get #class() {
    return this.panel.dataset.class ?? "";
  }

  /** Whether the own what-if that is shown is still to be shown to the class. */
  get #showable() {
    const { lineFor } = this.page.state;
    return Boolean(this.#class && lineFor) && lineFor !== this.#class && lineFor !== "everyone";
  }

  /** @param {string} text */
  #suggest(text) {
    this.suggestions += 1;
    const { line, chapter, ...position } = this.#here();
    const { marks, arrows } = this.drawings.editable;
    const about = marksAt({ text, marks, arrows }, this.page.state.view);
    const id = `${this.prefix}s${this.suggestions}`;
    const more = {
      ...(line && { line }),
      ...(chapter && { chapter }),
      ...(text && { text }),
      marks: about,
      arrows,
    };
    const said = this.#say("suggest", { id, ...position, ...more });
    if (said) this.bar.say(gettext("Suggested."));
    return said;
  }

  /** @param {Moment} moment */
  async #open(moment) {
    if (moment.chapter !== this.chapter) {
      location.assign(`${this.home}?chapter=${moment.chapter}#moment=${moment.n}`);
      return;
    }
    if (!this.session.leading) this.steering.detach();
    this.player.pause();
    await this.page.call("openLine", moment.line || null, moment.event);
    if (!moment.line) await this.player.goTo({ round: moment.round, event: moment.event });
  }

  /** @param {Moment} moment */
  #timeOf({ round, event, line, chapter }) {
    if (chapter !== this.chapter) {
      const link = document.querySelector(`.review-chapters li [data-chapter="${chapter}"]`);
      return link?.textContent ?? gettext("Chapter {chapter}", { chapter });
    }
    const t = line ? null : this.player.log.rounds[round - 1]?.events[event - 1]?.t;
    const time = t === undefined || t === null ? `#${event}` : clock(t);
    return gettext("R{round} · {time}", { round, time });
  }

  /** Opens the moment that the address names: the visitor has come here for it. */
  #openNamed() {
    const named = /^#moment=(\d+)$/.exec(location.hash);
    const moment = named && this.session.moments.get(Number(named[1]));
    if (!moment || moment.chapter !== this.chapter) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    this.#open(moment);
  }

  // --- From the server ------------------------------------------------------------------------

  /** @param {Set<string>} parts */
  #changed(parts) {
    const { leading, ended } = this.session;
    if (this.panel.dataset.withheld && (leading || ended)) return location.reload();
    if (parts.has("you")) {
      this.welcomed = true;
      this.named ||= this.session.you !== null;
    }
    // Who comes is waited for, who goes is not.
    if (["you", "answered", "people"].some((part) => parts.has(part))) this.answers?.load();
    if (parts.has("place") && this.session.place?.withheld && !leading) return this.#leave();
    if (parts.has("place") || parts.has("leader")) this.steering.heard();
    if (this.welcomed && parts.has("place")) {
      this.welcomed = false;
      this.steering.again();
      if (leading) this.drawings.again();
    }
    if (parts.has("moments") || parts.has("leader")) this.drawings.heard();
    if (parts.has("moments")) this.#openNamed();
    this.show(parts);
  }

  /** @param {string} status @param {string} why */
  #status(status, why) {
    this.away =
      status === "live"
        ? ""
        : (AWAY[status] ?? CLOSED[why] ?? gettext("The connection was closed."));
    if (status === "closed" && why === "done") this.away = "";
    if (status === "live") this.chat.again();
    this.show();
  }

  /** @param {Set<string>} [parts] the parts to draw again, everything by default */
  show(parts) {
    const { session, drawings } = this;
    const has = (/** @type {string} */ name) => !parts || parts.has(name);
    const { marks, arrows } = drawings.editable;
    this.bar.show({
      attached: this.steering?.attached ?? true,
      unseen: this.steering?.unseen ?? false,
      drawing: drawings.on,
      drawn: marks.length + arrows.length > 0,
      away: this.away,
      answers: this.asking?.asking ? this.answered : null,
      named: this.named,
      forSome: this.page.state.forSome,
      showable: this.#showable,
    });
    const way = {
      timeOf: (/** @type {Moment} */ moment) => this.#timeOf(moment),
      open: (/** @type {Moment} */ moment) => this.#open(moment),
      say: this.#say,
    };
    if (has("people") || has("leader") || has("you")) listPeople(session, this.#say);
    if (has("moments") || has("leader") || has("ended")) listMoments(session, way);
    this.chat.form.hidden = !session.you || session.ended || session.silenced;
    byId("review-keep").hidden = !(this.named && session.moments.size);
    this.page.board.root.classList.toggle("is-reviewed", !session.ended);
  }

  /** @param {number} [count] */
  #unread(count = this.unread + 1) {
    this.unread = count;
    write(byId("review-news"), count ? String(count) : "");
  }

  // --- Forms ----------------------------------------------------------------------------------

  /** @param {string} as a key of `LEADS_TO` */
  async #keep(as) {
    const words = byId("review-kept");
    const { ok, data: body } = await request(
      "POST /api/v1/reviews/{key}/keep",
      this.panel.dataset.keep ?? "",
      { as },
    );
    if (!ok) {
      write(words, gettext("Not saved. {detail}", { detail: body.detail }));
      return;
    }
    const { notes, left_out: lost } = body;
    const said = [
      ngettext(
        "{count} saved as a note that only you see.",
        "{count} saved as notes that only you see.",
        notes,
      ),
    ];
    if (lost)
      said.push(ngettext("{count} could not be saved.", "{count} could not be saved.", lost));
    write(words, `${said.join(" ")} `);
    words.append(box("a", { href: body.address }, LEADS_TO[as]));
  }
}

/** @param {HTMLElement} panel @param {Page} page */
export function mount(panel, page) {
  new Review(panel, page).start();
}
