"""Whole matches of bots in virtual time, as fast as the processor allows."""

from __future__ import annotations
import sys, time
from heapq import heapify, heapreplace
from random import Random
from games.bots.view import Feed, View, published
from games.bots.human import human
from games.bots.first_fit import FirstFit
from games.engine.referee import Referee, Settled
from games.engine.table import Table
from games.engine.editions import house_rules
from games.engine.events import End
from games.engine.dealing import shuffled


def play_round(table, feed, bots):
    window = table.rules.tie_window_ms
    feed.clear()
    referee = Referee(table)
    events = []
    shown = 0
    pending = [None] * len(bots)
    queue = [bot.begin(0) << 3 | seat for seat, bot in enumerate(bots)]
    heapify(queue)
    while True:
        entry = queue[0]
        now, seat = entry >> 3, entry & 7
        plan = pending[seat]
        if plan is None:
            outcomes = referee.settle(now)
            for outcome in outcomes:
                if type(outcome) is Settled:
                    event = outcome.event
                    shown = published(event, window, shown)
                    feed.publish(event, shown)
                    events.append(event)
            if table.ended:
                return events
            plan = bots[seat].think(now)
            if plan.action is None:
                heapreplace(queue, plan.again << 3 | seat)
                continue
            if plan.at > now:
                pending[seat] = plan
                heapreplace(queue, plan.at << 3 | seat)
                continue
        pending[seat] = None
        outcomes = referee.offer(now, plan.action)
        for outcome in outcomes:
            if type(outcome) is Settled:
                event = outcome.event
                shown = published(event, window, shown)
                feed.publish(event, shown)
                events.append(event)
        if table.ended:
            return events
        heapreplace(queue, plan.again << 3 | seat)

if __name__ == "__main__":
    rules = house_rules(sys.argv[1] if len(sys.argv) > 1 else "usaopoly-2009")
    n = 4
    rng = Random(1)
    table = Table(rules, n)
    feed = Feed()
    bots = [FirstFit(View(table, feed, s, 60 + human(3).lag), human(3), Random(s)) for s in range(n)]
    t0 = time.process_time()
    from collections import Counter
    tot = Counter()
    R = 200
    dur = []
    for r in range(1, R + 1):
        deal = shuffled(rules, n, r, rng)
        table.deal(deal)
        events = play_round(table, feed, bots)
        tot.update(type(e).__name__ for e in events)
        tot[events[-1].reason] += 1
        dur.append(events[-1].t)
    dt = time.process_time() - t0
    print({k: v / R for k, v in tot.items()}, sum(dur) / R, min(dur), max(dur), R / dt, "rounds/s", sum(tot.values()) / dt)
