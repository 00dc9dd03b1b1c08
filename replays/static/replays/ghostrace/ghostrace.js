/**
 * The page of a ghost race: a live table's seat, whose socket is the race's own.
 *
 * A race does not survive its socket: the server keeps its actions, and nothing reconnects.
 * @typedef {import("../../games/play/play.js").Page & {seat: number, socket: string, event: number, account: string,
 *   variation: string, keeps: boolean}} Page  `keeps`: whether the site keeps the race
 * @typedef {import("../../games/play/scoreboard.js").State & {race: Omit<Race, "outcome"> & {outcome: Outcome | null}}} State
 * @typedef {import("frames").Race} Race
 * @typedef {Race["taken"][number]} Taken
 * @typedef {NonNullable<Race["outcome"]>} Told
 * @typedef {Told["times"][number]} Times
 * @typedef {Omit<Told, "lines">
 *   & {lines: import("../variations/lines.js").RecordVariation[]}} Outcome
 * @typedef {import("../../games/board/board.js").Board} Board
 */

import { installSprite, markOf } from "../../games/board/cards.js";
import { sentence } from "../../games/dom/asking.js";
import { box, byId, write } from "../../games/dom/elements.js";
import { keepsKey } from "../../games/dom/keptkeys.js";
import { bind, load, showMotion } from "../../games/dom/settings.js";
import { ConnectionStatus, saidIn } from "../../games/live/connection.js";
import { LiveSocket } from "../../games/live/socket.js";
import { clock } from "../../games/match/words.js";
import { SeatController } from "../../games/play/controller.js";
import { gettext } from "../../games/words/gettext.js";
import { showOutcome } from "./outcome.js";

/** Why a ghost gave way, by the rule that the server names. @type {Record<string, string>} */
const REASONS = {
  "record-over": gettext("the record of this round has ended"),
  "other-card": gettext("another card came off the draw pile"),
  "not-meant": gettext("the stack is not the one that player saw"),
  "one-hand": gettext("the hand was still busy"),
  "not-in-hand": gettext("the card is no longer in that hand"),
  "hand-full": gettext("the hand is full"),
  "no-card-to-draw": gettext("no card is left to draw"),
  "refill-first": gettext("the hand had to be filled first"),
  "not-out": gettext("that player isn’t OUT yet"),
};
const OTHER = gettext("what that player did is no longer possible");

export class Ghosts {
  /**
   * @param {HTMLElement} root @param {{seat: number, seats: {name: string}[]}} page
   * @param {(words: string) => void} say
   */
  constructor(root, { seat, seats }, say) {
    this.seats = seats;
    this.say = say;
    this.announced = 0;
    this.states = seats.map(() => box("span", "ghost-state yields soft breaks", gettext("ghost")));
    const rows = seats.map(({ name }, at) =>
      box(
        "li",
        `ghost gap-half row baseline deck-${at}`,
        markOf(at),
        box("bdi", "yields strong breaks", name),
        this.states[at],
      ),
    );
    root.replaceChildren(...rows.filter((_, at) => at !== seat));
  }

  /** @param {Taken[]} taken @param {Board | null} board */
  show(taken, board) {
    for (const { seat, t, rule } of taken.slice(this.announced)) {
      const why = REASONS[rule] ?? OTHER;
      write(this.states[seat], gettext("bot since {time}: {why}", { time: clock(t), why }));
      this.states[seat].classList.add("is-bot");
      board?.seats[seat].showKind("bot");
      this.say(
        gettext("{name}: a bot took over because {why}.", { name: this.seats[seat].name, why }),
      );
    }
    this.announced = taken.length;
  }
}

/** The cards are on the table already before the clock runs. */
class Racer extends SeatController {
  get playing() {
    return super.playing && this.news?.phase === "round";
  }
}

/** @type {Page} */
const page = JSON.parse(byId("table").textContent ?? "null");
const settings = load();
const connection = new ConnectionStatus(saidIn(byId("net")));
const ready = /** @type {HTMLButtonElement} */ (byId("ghost-race-ready"));
const stop = /** @type {HTMLButtonElement} */ (document.querySelector("[data-do=stop]"));
const again = { label: gettext("Race again"), does: () => location.reload() };
let begun = false;
let over = false;

const socket = new LiveSocket(page.socket, {
  status: (status, why) => {
    play.status(status);
    if (over) return;
    if (status === "away") lost(why);
    else if (status === "closed" && why) ended(why);
  },
  welcome: (frame) => play.welcome(frame),
  restart: (seq) => play.restart(seq),
  lines: (frame) => play.lines(frame),
  answer: (frame) => play.answer(frame),
  state: (frame) => state(/** @type {State} */ (frame)),
  error: (frame) =>
    connection.changed(
      gettext("There is no such race. {detail}", { detail: sentence(frame.message) }),
      again,
    ),
});
const play = new Racer(page, socket, settings);
const ghosts = new Ghosts(byId("ghosts"), page, (words) =>
  play.announcements.notice.say(words, "warn"),
);

/** @param {State} news */
function state(news) {
  const { outcome } = news.race;
  begun ||= news.phase !== "seating";
  ready.disabled = begun;
  for (const part of [ready, byId("ghost-race-how")]) part.hidden = begun;
  stop.hidden = !begun || outcome !== null;
  document.body.classList.toggle("racing", begun && outcome === null);
  // What a live table shows at a match's end is not what a race ends with.
  play.state(outcome ? { ...news, phase: "round" } : news);
  ghosts.show(news.race.taken, play.board);
  if (!begun) ready.focus({ preventScroll: true });
  if (!outcome || over) return;
  over = true;
  showOutcome(byId("ghost-race-end"), outcome, page);
}

const restarted = () => [
  gettext("The site was restarted. The race is over."),
  page.keeps
    ? gettext("What you did is saved to your what-ifs.")
    : gettext("What you did is lost, since you have no name here."),
];

const cutOff = () => [
  gettext("Connection lost. The race is over."),
  page.keeps
    ? gettext("What you did is saved to your what-ifs, unless the server itself has failed.")
    : gettext("What you did is lost, since you have no name here."),
];

/** The connection is gone, and with it the race. @param {string} why */
function lost(why) {
  over = true;
  socket.stop();
  const words = begun
    ? (why === "restart" ? restarted() : cutOff()).join(" ")
    : why === "too-many"
      ? gettext("Too many races are going on here. Try again in a minute.")
      : gettext("There is no connection.");
  connection.changed(words, again);
}

/** @param {string} why */
function ended(why) {
  const words =
    why === "left"
      ? gettext("You started another race elsewhere. This one is over.")
      : gettext("The race is closed ({why}).", { why });
  connection.changed(words, again);
}

function choose() {
  const form = /** @type {HTMLFormElement} */ (byId("ghost-race-form"));
  form.addEventListener("change", () => form.requestSubmit());
  const speed = /** @type {HTMLSelectElement} */ (form.elements.namedItem("slow"));
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    const racing = begun && !over;
    if (
      racing ||
      key.toLowerCase() !== "s" ||
      ctrlKey ||
      altKey ||
      metaKey ||
      keepsKey(target, key)
    )
      return;
    speed.selectedIndex = (speed.selectedIndex + 1) % speed.length;
    form.requestSubmit();
  });
}

showMotion(settings);
installSprite();
choose();
bind(byId("options"), settings, () => play.show());
ready.addEventListener("click", () => socket.send({ type: "ready", ready: true }));
stop.addEventListener("click", () => socket.send({ type: "leave" }));
addEventListener("pageshow", (event) => event.persisted && location.reload());
socket.start();
