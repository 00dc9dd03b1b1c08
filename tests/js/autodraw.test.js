import assert from "node:assert/strict";
import { test } from "node:test";

import { apply, deal, HAND } from "../../games/static/games/match/fold.js";
import { PendingActions } from "../../games/static/games/play/actionqueue.js";
import { AutoDraw } from "../../games/static/games/play/keyboard.js";
import { HandClock, settled } from "./handclock.js";
import { USES } from "./uses.js";

const GAP = 120;
const DECK = "A1a A2a A5a A3a A4a A2b";

/** Numbers from 0 to 1 that follow from a seed. @param {number} seed */
function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A seat that draws by itself, and a host a late and uneven line away. @param {number} seed */
function afar(seed) {
  const clock = new HandClock();
  const die = dice(seed);
  const round = () => deal({ round: 1, decks: [DECK, "B1a B3a B4a B5a"] });
  const [host, shown] = [round(), round()];
  let [asked, free, seq] = [0, 0, 1];
  /** When the last message has arrived, up and down: a line keeps its order. */
  const arrived = { up: 0, down: 0 };
  /** @param {"up" | "down"} way @param {() => void} run */
  const carry = (way, run) => {
    arrived[way] = Math.max(arrived[way], clock.now() + die() * 250);
    clock.later(arrived[way] - clock.now(), run);
  };
  /** @param {any} frame */
  const tell = (frame) => carry("down", () => moves.answered(frame, shown.events + 2) && show());
  /** @param {any} event */
  const publish = (event) =>
    carry("down", () => {
      apply(shown, event);
      moves.confirm(shown, shown.events + 2);
      show();
    });
  /** @param {string} id @param {any} movement */
  const judge = (id, movement) => {
    const wait_ms = Math.ceil(free - clock.now());
    if (wait_ms > 0)
      return tell({ type: "refused", id, rule: "one-hand", message: "", t: 0, wait_ms });
    free = clock.now() + GAP;
    const event = { t: Math.round(clock.now()), seat: 0, ...movement };
    if (event.do === "draw") event.card = host.drawPiles[0].at(-1);
    apply(host, event);
    seq += 1;
    const ack = { type: "ack", id, seq };
    const said = [() => tell(ack), () => publish(event)];
    for (const say of die() < 0.5 ? said : said.reverse()) say();
  };
  const moves = new PendingActions(
    { seat: 0, uses: USES, gap: GAP },
    (movement) => {
      asked += 1;
      const id = `a${asked}`;
      carry("up", () => judge(id, movement));
      return id;
    },
    () => {},
    clock,
  );
  const autodraw = new AutoDraw(moves, () => true, clock);
  const show = () => autodraw.check();
  moves.confirm(shown, 2);
  return { clock, die, own: moves.own, show, shown, host };
}

test("however late and uneven the line, a hand with room is filled and nothing stays on its way", async () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const { clock, die, own, show, shown, host } = afar(seed);
    for (let step = 0; step < 400; step += 1) {
      const thrown = step < 250 && die() < 0.2;
      if (thrown) own.discard(own.hand[Math.floor(die() * own.hand.length)]);
      if (thrown) show();
      await settled();
      clock.pass(20);
    }
    assert.equal(own.hand.length, HAND, `seed ${seed}`);
    assert.deepEqual(own.waiting, [], `seed ${seed}`);
    assert.deepEqual(shown.hands, host.hands, `seed ${seed}`);
  }
});
