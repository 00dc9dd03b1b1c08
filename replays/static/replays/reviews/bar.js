/**
 * The bar over the table of a review: the leader, whether the viewer follows, and the buttons. Below
 * it who is in the review, and its moments, as lists.
 * @typedef {{back: () => void, draw: () => void, clear: () => void,
 *   suggest: (text: string) => boolean, showLine: () => void,
 *   say: Say}} Way
 * @import { Moment, ReviewSession as Session, Say } from "./session.js"
 */

import { copied, onSubmit, twice } from "../../games/dom/controls.js";
import { announce, box, button, byId, placed, redraw, write } from "../../games/dom/elements.js";
import { composes } from "../../games/dom/keptkeys.js";
import { tool } from "../../games/live/chat.js";
import { gettext, ngettext } from "../../games/words/gettext.js";
import { address } from "../addresses/copying.js";

const SAID_MS = 6000;

/** @param {string} id @param {boolean} shown */
const show = (id, shown) => {
  byId(id).hidden = !shown;
};

export class Bar {
  /** @param {Session} session @param {Way} way */
  constructor(session, way) {
    this.session = session;
    this.way = way;
    this.root = byId("review-bar");
    this.voice = byId("review-voice");
    this.form = byId("review-suggestion");
    this.word = /** @type {HTMLInputElement} */ (byId("review-word"));
    this.timer = 0;
    const row = /** @type {HTMLElement} */ (this.root.querySelector(".review-actions"));
    this.room = new Overflow(row, byId("review-more"), byId("review-others"));
    this.#bind();
  }

  #bind() {
    const { way } = this;
    /** @param {string} id @param {() => void} run */
    const on = (id, run) => byId(id).addEventListener("click", run);
    on("review-return", way.back);
    on("review-lead", () => this.#lead());
    on("review-hand", () => this.#hand("review-hand", false));
    on("review-draw", way.draw);
    on("review-clear", way.clear);
    on("review-show", way.showLine);
    on("review-suggest", () => this.#open(this.form.hidden));
    on("review-copy", () => this.#copy());
    on(
      "review-end",
      twice(byId("review-end"), gettext("Press again to end it for everyone"), () =>
        way.say("finish"),
      ),
    );
    onSubmit(this.form, () => {
      if (!way.suggest(this.word.value.trim())) return;
      this.word.value = "";
      this.#open(false);
    });
    this.form.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !composes(event)) this.#open(false);
    });
  }

  #lead() {
    const { session, way } = this;
    if (session.you === session.owner) way.say("lead");
    else this.#hand("review-lead", true);
  }

  /** @param {string} id of a button @param {boolean} lead whether to lead is asked for */
  #hand(id, lead) {
    this.way.say("hand", { raised: byId(id).ariaPressed !== "true", lead });
  }

  /** @param {boolean} open */
  #open(open) {
    this.form.hidden = !open;
    byId("review-suggest").ariaExpanded = String(open);
    if (open) this.word.focus();
    else if (this.form.contains(document.activeElement)) byId("review-suggest").focus();
  }

  async #copy() {
    const link = byId("review-copy").dataset.link ?? address().href;
    if (await copied(link)) this.say(gettext("Link copied. Everyone with it can follow."));
    else this.say(gettext("The link: {link}", { link }), true);
  }

  /** @param {string} words @param {boolean} [stays] */
  say(words, stays = false) {
    window.clearTimeout(this.timer);
    announce(this.voice, words);
    if (!stays) this.timer = window.setTimeout(() => announce(this.voice, ""), SAID_MS);
  }

  /** What a question revealed, to its coaches. @param {string} words */
  tell(words) {
    const verdict = byId("review-verdict");
    write(verdict, words);
    verdict.hidden = !words;
  }

  /**
   * @param {{attached: boolean, unseen: boolean, drawing: boolean, drawn: boolean, away: string,
   *   answers: {answered: number, count: number} | null, named: boolean, forSome: boolean,
   *   showable: boolean}} now  `unseen`: the leader's what-if is hidden here. `away`: the
   *   connection's fault. `answers`: while everyone is asked. `showable`: the class can't see the
   *   own one.
   */
  show({ attached, unseen, drawing, drawn, away, answers, named, forSome, showable }) {
    const { session, root } = this;
    const { leader, leading, ended, you } = session;
    root.dataset.state = ended
      ? "ended"
      : away
        ? "away"
        : leading
          ? "leading"
          : attached
            ? "following"
            : "detached";
    // It is read from across a room.
    const asks = leading && !ended && !away && answers?.count ? answers : null;
    root.classList.toggle("is-asking", asks !== null);
    write(byId("review-leads"), asks ? `${asks.answered}/${asks.count}` : this.#leads());
    const how = asks ? gettext("answers") : this.#how(attached, unseen, away);
    const some = leading && forSome && !ended && !away && !asks;
    write(
      byId("review-how"),
      some ? gettext("{how}. Not everyone sees the note’s drawing here", { how }) : how,
    );
    // Until the leader is known, no one sees the followers' buttons.
    const member = you !== null && leader !== 0 && !ended && !away;
    const heard = member && !session.silenced;
    show("review-return", !leading && !attached && !ended);
    show("review-suggest", heard && !leading);
    show("review-hand", heard && !leading);
    show("review-lead", !leading && (you === session.owner ? member : heard));
    show("review-draw", !ended);
    show("review-next", ended);
    show("review-clear", drawn && !ended);
    show("review-show", leading && showable && !ended && !away);
    show("review-end", member && you === session.owner);
    show("review-name", !named && !ended);
    show("review-join", !named && !ended);
    show("review-silenced", session.silenced && !ended);
    show("review-copy", !ended && byId("review-copy").dataset.link !== "");
    if (ended) document.getElementById("review-asking")?.remove();
    byId("review-copy").classList.toggle("primary", leading && session.here < 2);
    if (leading || ended) this.#open(false);
    byId("review-draw").ariaPressed = String(drawing);
    this.#hands();
    this.room.fit();
  }

  #leads() {
    const { leader, leading, ended, leaderName: name } = this.session;
    if (!leader || ended) return gettext("Review");
    return leading ? gettext("You lead") : gettext("{name} leads", { name });
  }

  /** @param {boolean} attached @param {boolean} unseen @param {string} away */
  #how(attached, unseen, away) {
    const { leading, ended, here, leader, detached } = this.session;
    if (ended) return gettext("This review has ended.");
    if (away) return away;
    if (!leader) return gettext("Connecting…");
    if (!leading && attached && unseen) return gettext("in a what-if that you can’t see");
    if (!leading) return attached ? gettext("You follow") : gettext("You are looking around");
    const others = here - 1;
    if (others < 1) return gettext("Only you here");
    if (!detached) return ngettext("One other is here", "{count} others are here", others);
    if (detached === others)
      return ngettext(
        "One other is here, looking around",
        "{count} others are here, looking around",
        others,
      );
    return ngettext(
      "{others} others are here, {count} looking around",
      "{others} others are here, {count} looking around",
      detached,
      { others },
    );
  }

  #hands() {
    const { hands, you, owner, leading } = this.session;
    const own = hands.find(({ n }) => n === you);
    byId("review-hand").ariaPressed = String(Boolean(own && !own.lead));
    write(byId("review-hand"), own && !own.lead ? gettext("Lower hand") : gettext("Raise hand"));
    const lead = byId("review-lead");
    const asks = Boolean(own?.lead);
    lead.ariaPressed = you === owner ? null : String(asks);
    lead.classList.toggle("primary", you === owner);
    write(
      lead,
      you === owner
        ? gettext("Take the lead")
        : asks
          ? gettext("Asked to lead")
          : gettext("Ask to lead"),
    );
    this.#asks(leading ? hands : []);
  }

  /** What the leader is asked. @param {{n: number, name: string, lead: boolean}[]} hands */
  #asks(hands) {
    const list = byId("review-asks");
    const shown = JSON.stringify(hands);
    if (list.dataset.shown === shown) return;
    list.dataset.shown = shown;
    const { say } = this.way;
    const rows = hands.map((hand) => {
      const words = hand.lead ? gettext("{name} asks to lead") : gettext("{name} raises a hand");
      const said = box("span", "", ...placed(words, { name: [box("bdi", "name cut", hand.name)] }));
      const buttons = box("span", "line gap-1-half", handOver(hand, say), lowerHand(hand, say));
      return box("li", "line", said, buttons);
    });
    const focused = list.contains(document.activeElement);
    redraw(list, rows);
    list.hidden = rows.length === 0;
    if (list.hidden && focused) byId("review-draw").focus();
  }
}

/**
 * A row of buttons that always fits. Without room, buttons move to a list that "More" opens: the
 * last first, and the most important (`primary`) last.
 */
class Overflow {
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
    const next = known?.hidden ? shown[0] : known;
    if (next) (list.contains(next) && list.hidden ? more : next).focus();
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

/** @param {string} words @param {string} label for who does not see the row @param {() => void} run */
const labelled = (words, label, run) =>
  button({ class: "button small", "aria-label": label }, words, run);

/** @param {{n: number, name: string}} member @param {Say} say */
const lowerHand = ({ n, name }, say) =>
  labelled(gettext("Lower hand"), gettext("Lower {name}’s hand", { name }), () =>
    say("lower", { n }),
  );

/** @param {{n: number, name: string}} member @param {Say} say */
const handOver = ({ n, name }, say) =>
  labelled(gettext("Hand over the lead"), gettext("Hand over the lead to {name}", { name }), () =>
    say("pass", { to: n }),
  );

/** @param {Session} session @param {Say} say */
export function listPeople(session, say) {
  const { people, hands, leader, you, owner, leading, muted, ended } = session;
  const raised = new Map(hands.map((hand) => [hand.n, hand.lead]));
  const mayPass = (leading || you === owner) && !ended;
  const mayMute = you === owner && !ended;
  const order = [...people].sort(
    (a, b) =>
      Number(b.n === leader) - Number(a.n === leader) ||
      Number(raised.has(b.n)) - Number(raised.has(a.n)) ||
      a.n - b.n,
  );
  const rows = order.map(({ n, name, account, detached }) => {
    const badges = [
      ...(n === leader ? [gettext("leads")] : []),
      ...(n === you ? [gettext("you")] : []),
      ...(raised.has(n) ? [raised.get(n) ? gettext("asks to lead") : gettext("hand up")] : []),
      ...(muted.includes(n) ? [gettext("muted")] : []),
      ...(detached && n !== leader && !ended ? [gettext("looking around")] : []),
    ];
    const who = box("span", "review-person cut", box("bdi", "", name));
    who.dir = "auto"; // its beginning stays, whichever side that is
    if (!account) who.append(box("span", "soft light", ` ${gettext("guest")}`));
    const row = box(
      "li",
      `row ${n === leader ? "is-leader" : raised.has(n) ? "is-asking" : ""}`,
      who,
    );
    row.append(...badges.map((words) => box("span", "review-badge pill small", words)));
    if (mayPass && n !== you && raised.has(n)) row.append(lowerHand({ n, name }, say));
    if (mayPass && n !== you && n !== leader && !muted.includes(n))
      row.append(handOver({ n, name }, say));
    if (mayMute && n !== owner) {
      const off = muted.includes(n);
      const words = off ? gettext("Unmute") : gettext("Mute");
      const label = off ? gettext("Unmute {name}", { name }) : gettext("Mute {name}", { name });
      row.append(labelled(words, label, () => say("mute", { n, muted: !off })));
    }
    return row;
  });
  const unnamed = Number(you === null && session.here > people.length);
  if (unnamed) rows.push(box("li", "row", box("span", "review-badge pill small", gettext("you"))));
  const rest = session.here - people.length - unnamed;
  if (rest > 0)
    rows.push(
      box(
        "li",
        "soft small",
        ngettext("and {count} without a name", "and {count} without a name", rest),
      ),
    );
  redraw(byId("review-people"), rows);
  write(byId("review-count"), session.here ? String(session.here) : "");
}

/**
 * @param {Session} session
 * @param {{timeOf: (moment: Moment) => string, open: (moment: Moment) => void, say: Say}} way
 */
export function listMoments(session, way) {
  const { leading, you, leader } = session;
  const moments = [...session.moments.values()].sort(
    (a, b) => a.chapter - b.chapter || a.round - b.round || a.event - b.event || a.n - b.n,
  );
  const rows = moments.map((moment) => {
    const what = moment.text || (moment.drawn ? gettext("Marks") : gettext("Look here"));
    const time = way.timeOf(moment);
    const words = [
      box("span", "block breaks", what),
      box("span", "soft small", `${time} · `, box("bdi", "", moment.by)),
    ];
    const open = button("review-moment starts fill bare", words, () => way.open(moment));
    const row = box("li", "line", open);
    const may = leading || (you !== null && you === moment.member && you !== leader);
    if (may && !session.ended)
      row.append(
        tool(gettext("Remove"), gettext("Remove {what}, by {by}", { what, by: moment.by }), () =>
          way.say("dismiss", { n: moment.n }),
        ),
      );
    return row;
  });
  redraw(byId("review-moments"), rows);
  byId("review-suggestions").hidden = moments.length === 0;
}
