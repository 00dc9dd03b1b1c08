"""Valid records that are long or meant to hurt: what a site must bear from strangers."""

from dataclasses import replace
from itertools import islice

from games.bots.roster import mixed
from games.bots.simulate import PlayedRound, Setting, header, rounds
from games.engine import scoring
from games.engine.cards import deck_of
from games.engine.editions import EDITIONS, MAX_TARGET, Rules, house_rules
from games.engine.events import Deal, End, Late, Miss, Play
from games.engine.table import Table, apply
from games.records.log import Header, Line, Result, Seat

EDITION = "usaopoly-2009"
WIDE_NAME = "&" * 64
"""A name of the greatest length, each character of which is five as HTML."""


def late_flood(count: int, *, finished: bool = True, name: str = WIDE_NAME) -> list[Line]:
    """One round in which one card is played and another comes too late for it, again and again."""
    rules = replace(
        EDITIONS[EDITION], tie_window_ms=0, one_hand_ms=0, mistake_ms=0, stall_ms=600_000
    )
    decks = tuple(tuple(deck_of(seat, rules.deck)) for seat in range(2))
    head = Header(f"flood-{count}-{finished}", EDITION, rules, (Seat(name, "human"),) * 2)
    lates = (Late(2 + n // 200, 1, decks[1][0], 0, None, 0) for n in range(count))
    lines: list[Line] = [head, Deal(1, decks), Play(1, 0, decks[0][0], 0), *lates]
    if finished:
        lines += [End(2 + count // 200, "abandoned", (0, 0), (0, 0)), Result((), (0, 0))]
    return lines


def miss_flood(count: int) -> list[Line]:
    """One round in which one seat makes the same mistake again and again, all at its first ms."""
    head, deal, play, *_ = late_flood(0)
    assert isinstance(deal, Deal)
    assert isinstance(play, Play)
    card = deal.decks[1][0]
    misses = [Miss(0, 1, card, 0, None, 1) for _ in range(count)]
    end = End(0, "abandoned", (0, 0), (0, 0))
    return [head, deal, play._replace(t=0), *misses, end, Result((), (0, 0))]


def long_match(count: int, players: int = 4) -> list[Line]:
    """A match of so many rounds, which ends in the middle: rounds of bots, over and over.

    Each round stalls before anybody has ten points, so that no total comes to the target.
    """
    setting = Setting(EDITION, house_rules(EDITION, {"target": MAX_TARGET}), mixed(players), 1)
    pool = [_stalled(played, setting.rules, players) for played in islice(rounds(setting, 0), 20)]
    lines: list[Line] = [replace(header(setting, 0), id=f"long-{count}-{players}")]
    totals = (0,) * players
    for number in range(1, count + 1):
        stalled = pool[number % len(pool)]
        end = stalled.events[-1]
        assert isinstance(end, End)
        totals = tuple(map(sum, zip(totals, end.scores, strict=True)))
        deal = stalled.deal._replace(round=number)
        lines += [deal, *stalled.events[:-1], end._replace(totals=totals)]
    return lines


def _stalled(whole: PlayedRound, rules: Rules, players: int) -> PlayedRound:
    """The round up to its last play after which all have less than ten points, and its stall."""
    table, last = Table(rules, players), 0
    table.deal(whole.deal)
    for count, event in enumerate(whole.events, 1):
        apply(table, event)
        if isinstance(event, Play) and max(scoring.raw_scores(table)) < 10:
            last = count
    table.deal(whole.deal)
    for event in whole.events[:last]:
        apply(table, event)
    end = scoring.end(table, whole.events[last - 1].t + rules.stall_ms, "stalled")
    return PlayedRound(whole.deal, [*whole.events[:last], end])
