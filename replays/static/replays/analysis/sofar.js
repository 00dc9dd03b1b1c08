/**
 * The tabs during a match: everything that spectators may know so far. The rest needs the hands, and
 * is shown when the match is over.
 * @typedef {{seq: number, facts: string[], stall: Stall | null, moments: Moment[],
 *   headline: string,
 *   players: import("./playertable.js").Row[]}} SoFar
 * @import { Moment, Report, Stall } from "./analysis.js"
 * @import { Page } from "../replay/page.js"
 * @import { Curve } from "./curve.js"
 */

import { ResultsHidden, workedOutAt } from "../../games/dom/asking.js";
import { box, redraw } from "../../games/dom/elements.js";
import { gettext } from "../../games/words/gettext.js";
import { early, factItems, show, tell } from "./analysis.js";
import { MomentList } from "./momentlist.js";
import { PlayerTable } from "./playertable.js";

/** How often a live match's chances and story are looked at, if there is news. */
const AGAIN_MS = 700;
/** A crowd asks for the points since the same one, so that a cache has them for all. */
const TOGETHER = 64;

class SoFarView {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** The last line that it knows. */
    this.seq = 0;
    this.headline = "";
    this.list = new MomentList(page, []);
    this.known = "";
    this.facts = box("ul", "analysis-facts soft");
    this.table = new PlayerTable(page.names);
    page.command("momentBack", () => this.list.step(-1));
    page.command("momentOn", () => this.list.step(1));
    this.elements = [this.list.element, this.facts];
    this.figures = [
      this.table.element,
      box(
        "p",
        "analysis-note soft small",
        gettext(
          "The chance to win is an estimate by a model. Missed takes, reactions, races and decisions need the hands: they are shown when the match is over.",
        ),
      ),
    ];
  }

  /** @param {SoFar} soFar */
  show({ seq, facts, stall, moments, players, headline }) {
    this.seq = seq;
    this.headline = headline;
    redraw(this.facts, factItems(this.page, facts, stall));
    this.table.show(players);
    const known = JSON.stringify(moments);
    if (known !== this.known) this.list.show(moments);
    this.known = known;
  }
}

/**
 * During a match the curve grows: only new points are requested, only after new events, with the
 * story so far. After the match, everything is shown.
 * @param {HTMLElement} panel @param {Page} page @param {Curve} curve @param {Report} begun
 */
export function follow(panel, page, curve, begun) {
  const { log } = page.player;
  const story = new SoFarView(page);
  curve.show(begun.curve);
  panel.replaceChildren(...story.elements);
  page.call("fillTab", "players", story.figures);
  let over = false;
  let asked = 0;
  const look = async () => {
    const news = asked < log.next || story.seq + 1 < log.next;
    if (document.hidden || !(news || log.finished)) return null;
    asked = log.next;
    const { story: shared } = log.match.urls ?? {};
    const { length } = curve.curve;
    const url = shared
      ? `${shared}${length - (length % TOGETHER)}`
      : `${panel.dataset.url}?after=${length}&so_far=yes`;
    const report = await workedOutAt(url).catch((error) => {
      over = error instanceof ResultsHidden;
      return null;
    });
    if (report?.live) curve.show([...curve.curve.slice(0, report.after), ...report.curve]);
    if (report?.so_far) {
      story.show(report.so_far);
      tell(story.headline, curve.names);
      curve.mark(story.list.moments);
    }
    return report && !report.live ? early(panel).catch(() => null) : null;
  };
  const again = async () => {
    const all = await look();
    if (all) return show(panel, page, curve, all);
    if (!over) setTimeout(again, AGAIN_MS);
  };
  again();
}
