/**
 * A match in a page of another site. It opens when it comes into sight. Only a live match moves by
 * itself, and only while it is in sight.
 * @typedef {{match: any, first: any, live: string | null, pieces: boolean, place: string,
 *   page: string}} Shown
 *   `live`: the table's id, while it is played. `pieces`: whether its log can be had by pieces.
 *   `page`: the match's or chapter's page.
 */

import { Board } from "../../games/board/board.js";
import { markOf } from "../../games/board/cards.js";
import { jsonAt } from "../../games/dom/asking.js";
import { box, byId, write } from "../../games/dom/elements.js";
import { pageAt } from "../../games/dom/pages.js";
import { lineAt } from "../../games/match/caption.js";
import { unpackRound } from "../../games/match/columns.js";
import { addressShown, openAt, placeOf, spanOf, viewOf } from "../../games/match/links.js";
import { Log } from "../../games/match/log.js";
import { Player } from "../../games/match/player.js";
import { clock, outcome, spokenNames } from "../../games/match/words.js";
import { gettext, pgettext } from "../../games/words/gettext.js";
import { Page, playSpan } from "../replay/page.js";
import { retryingJson } from "../replay/retry.js";
import { roundWords, Scrubber } from "../replay/scrubber.js";
import { bindCommands, listen } from "../replay/shortcuts.js";

const WAIT_MS = 10_000;
const OVER = new Set(["finished", "abandoned"]);

class Embed {
  /** @param {Shown} shown */
  constructor({ match, first, live, pieces, place, page }) {
    this.query = new URLSearchParams(place);
    this.live = live;
    this.pieces = pieces;
    this.log = new Log(match, { unpack: unpackRound, fetchJson: retryingJson });
    this.player = new Player(this.log, (step) => requestAnimationFrame(step));
    const names = match.seats.map((/** @type {{name: string}} */ { name }) => name);
    this.spoken = spokenNames(names);
    const { player } = this;
    this.page = new Page(
      {
        player,
        names,
        board: new Board(byId("table"), match.seats, { goal: match.rules }),
        scrubber: new Scrubber(byId("scrubber"), player),
        placed: true,
        along: null,
      },
      { view: viewOf(this.query, names.length) },
    );
    /** @type {import("../../games/live/source.js").LiveSource | null} */
    this.feed = null;
    /** @type {import("../../games/live/connection.js").ConnectionStatus | null} */
    this.connection = null;
    this.opened = false;
    /** What the line under the table says, and of which event: it is announced. */
    this.said = "";
    this.seen = false;
    this.page.onScene(["view", "decides"], () => this.#draw());
    player.onState(() => this.#showState());
    if (first) this.log.append(first);
    this.#bind(page);
  }

  /** @param {string} site the address of the same on the site */
  #bind(site) {
    const { page, player } = this;
    bindCommands(page);
    const span = spanOf(this.query);
    if (span) playSpan(page, span);
    listen(page); // keys reach a frame only while it has the focus
    const link = /** @type {HTMLAnchorElement} */ (byId("site"));
    for (const kind of ["pointerdown", "focus", "contextmenu"])
      link.addEventListener(kind, () => {
        const there = new URL(site, location.href);
        new URLSearchParams(addressShown(player, page.state.view, null)).forEach((value, name) =>
          there.searchParams.set(name, value),
        );
        link.href = there.href;
      });
  }

  /** @param {boolean} seen */
  async look(seen) {
    this.seen = seen;
    if (!seen) {
      this.player.pause();
      this.feed?.stop();
      this.feed = null;
      return;
    }
    if (!this.opened) {
      this.opened = true;
      const decides = await openAt(this.player, placeOf(this.query));
      this.page.set({ decides: new Set([decides]) });
      byId("toggle").removeAttribute("disabled");
      this.log.loadAll();
      this.#aim().catch(reportError);
      this.#tellWhy().catch(reportError);
    }
    if (this.live) await this.#watch(this.live);
  }

  /** Draws the way of the play that comes next, if that decides something. */
  async #aim() {
    const { aimWith } = await import("../replay/aim.js");
    aimWith(this.page);
  }

  /** Shows the chances, and the plays that decided. */
  async #tellWhy() {
    const { analysis } = this.log.match.urls ?? {};
    if (!analysis) return;
    const [{ Curve }, report] = await Promise.all([
      import("../analysis/curve.js"),
      jsonAt(`${analysis}?details=curve`),
    ]);
    const curve = new Curve(this.page);
    curve.show(report.curve);
    curve.mark(report.moments);
    const seqs = report.moments.map((/** @type {{seq: number}} */ { seq }) => seq);
    this.page.set({ decides: new Set([...this.page.state.decides, ...seqs]) });
  }

  /** @param {string} table its id */
  async #watch(table) {
    const { connectionOf, LiveSource } = await import("./live.js");
    if (this.feed || !this.seen) return;
    const connection = this.connection ?? connectionOf(() => this.feed?.start());
    this.connection = connection;
    this.feed = new LiveSource(
      this.log,
      {
        url: `/ws/watch/${table}/`,
        shares: true,
        ...(this.pieces && { pieces: `/live/${table}/` }),
      },
      {
        news: ({ phase }) => {
          connection.current();
          if (OVER.has(phase)) this.live = null;
          this.#showState();
        },
        restarted: () => this.player.follow(),
        status: (status, why) => connection.status(status, why),
      },
    );
    this.feed.start();
  }
  #showState() {
    const { playing, following, log } = this.player;
    const running = playing || following;
    byId("toggle").classList.toggle("is-playing", running);
    write(byId("toggle-word"), running ? gettext("Pause") : pgettext("playback", "Play"));
    const follow = byId("follow");
    follow.hidden = !this.live || log.finished;
    if (this.feed?.behind)
      follow.title = gettext("live, {seconds} s behind", { seconds: this.feed.behind / 1000 });
    follow.setAttribute("aria-pressed", String(following));
  }

  #draw() {
    const { page, player } = this;
    const { round, cursor } = player;
    const { view } = page.state;
    const shown = page.board.showPlace(player, view);
    if (!shown || !round) return;
    const { winners } = shown.standing;
    Object.assign(byId("table").dataset, { round: cursor.round, event: cursor.event });
    const { number, seat, text } = lineAt(player, this.spoken, view, page.aim !== null);
    const words = winners && !page.aim ? `${text} ${outcome(winners, this.spoken)}` : text;
    const said = `${cursor.round}.${number} ${words}`;
    if (this.said !== said)
      byId("now").replaceChildren(
        ...(seat === null ? [] : [markOf(seat)]),
        box("span", "now-words two-lines", words),
      );
    this.said = said;
    write(byId("clock"), `${roundWords(player)}, ${clock(player.time)}`);
  }
}

/** @param {Shown} shown */
function begin(shown) {
  const embed = new Embed(shown);
  let inSight = false;
  const look = () => embed.look(inSight && !document.hidden);
  new IntersectionObserver((entries) => {
    inSight = entries.at(-1)?.isIntersecting ?? false;
    look();
  }).observe(document.body);
  document.addEventListener("visibilitychange", look);
}

/** A table that waits for players is asked again. */
async function wait() {
  const page = document.hidden ? null : await pageAt(location.href);
  if (page?.getElementById("embed-data")) location.reload();
}

const data = document.getElementById("embed-data")?.textContent;
if (data) begin(JSON.parse(data));
else setInterval(wait, WAIT_MS);
