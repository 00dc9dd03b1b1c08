"""Whole matches of bots in virtual time, as fast as the processor allows."""

from __future__ import annotations
import sys, time
from heapq import heapify, heapreplace
from random import Random
from games.bots.view import Feed, View
from games.bots.base import Plan
from games.bots.human import human
from games.bots.first_fit import FirstFit
from games.engine.referee import Referee, Settled
from games.engine.table import Table
from games.engine.editions import house_rules
from games.engine.events import End
from games.engine.dealing import shuffled


def play_round(table, feed, bots):
    """Let the bots play the round that has been dealt; its events are in the feed."""
    feed.clear()
    referee = Referee(table)
    intents: list[Plan | None] = [None] * len(bots)
    queue = [bot.begin(0) << 3 | seat for seat, bot in enumerate(bots)]
    heapify(queue)
    while not table.ended:
        now, seat = queue[0] >> 3, queue[0] & 7
        plan = intents[seat]
        if plan is None:
            if not referee.idle:
                _publish(feed, referee.settle(now))
            plan = bots[seat].think(now)
            if plan.action is None:
                _publish(feed, referee.settle(now))
                heapreplace(queue, plan.again << 3 | seat)
                continue
            if plan.at > now:
                intents[seat] = plan
                heapreplace(queue, plan.at << 3 | seat)
                continue
        intents[seat] = None
        _publish(feed, referee.offer(now, plan.action))
        heapreplace(queue, plan.again << 3 | seat)
    return feed.events


def _publish(feed, outcomes) -> None:
    for outcome in outcomes:
        if type(outcome) is Settled:
            feed.settled(outcome.event)


if __name__ == "__main__":
    rules = house_rules(sys.argv[1] if len(sys.argv) > 1 else "usaopoly-2009")
    n = 4
    rng = Random(1)
    table = Table(rules, n)
    feed = Feed(50)
    bots = [FirstFit(View(table, feed, s, 60 + human(3).lag), human(3), Random(s)) for s in range(n)]
    best = 9
    t0 = time.process_time()
    from collections import Counter
    tot = Counter()
    R=100
    dur = []
    for r in range(1, R + 1):
        deal = shuffled(rules, n, r, rng)
        table.deal(deal)
        t1 = time.process_time()
        events = play_round(table, feed, bots)
        if r % 10 == 0:
            best = min(best, (time.process_time() - tb) / 10)
        if r % 10 == 0 or r == 1: tb = time.process_time()
        tot.update(type(e).__name__ for e in events)
        tot[events[-1].reason] += 1
        dur.append(events[-1].t)
    dt = time.process_time() - t0
    print({k: v / R for k, v in tot.items()}, sum(dur) / R, min(dur), max(dur), R / dt, "rounds/s", sum(tot.values()) / dt)
    print('best', 1/best)
