"""Whole matches between bots in virtual time, as fast as the processor allows.

A match is determined by its `Setting` and its index: the same two give the same record,
byte for byte, wherever and in whatever order matches are played. A generator seeded with
both shuffles the decks and seeds one generator per bot.

Virtual time is a queue with one entry per seat: when its bot thinks next. Nothing else needs
waking, because a referee settles what was due whenever it is called again.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from heapq import heapify, heapreplace
from itertools import chain
from random import Random
from typing import Final, NamedTuple

from games.bots.base import Bot
from games.bots.roster import BOTS, BotSpec, bots_tag, names, seat_bot
from games.bots.view import PublicEvents
from games.engine.actions import Abandon, Refusal
from games.engine.dealing import shuffled
from games.engine.editions import EDITIONS, Rules
from games.engine.events import FULL_ROUND, MAX_ROUNDS, Deal, End, Event
from games.engine.referee import Judge
from games.engine.scoring import decided, winners
from games.engine.table import Table
from games.records.log import Header, Line, Result, Seat

MAX_ROUND_MS: Final = 4 * 3_600_000
"""A round that lasts this long is abandoned. Only house rules without a stall get here."""


class Setting(NamedTuple):
    """What all matches of a simulation share: `rules` are the edition's, with overrides applied."""

    edition: str
    rules: Rules
    specs: tuple[BotSpec, ...]
    seed: int


class PlayedRound(NamedTuple):
    """A finished round: its deal, and its events including the end."""

    deal: Deal
    events: list[Event]


def header(setting: Setting, index: int) -> Header:
    """The first line of the match with that index, counted from 0."""
    bots = bots_tag(setting.specs)
    overrides = setting.rules.differences(EDITIONS[setting.edition])
    whole = f"{setting.edition} {overrides} {bots} {setting.seed} {index}"
    return Header(
        id=sha256(whole.encode()).hexdigest()[:20],
        edition=setting.edition,
        rules=setting.rules,
        seats=tuple(
            Seat(name, "bot", spec.beginner)
            for name, spec in zip(names(setting.specs), setting.specs, strict=True)
        ),
        source="simulated",
        tags=((BOTS, bots), ("seed", f"{setting.seed}/{index}")),
    )


def lines(setting: Setting, index: int) -> list[Line]:
    return [header(setting, index), *chain.from_iterable(parts(setting, index))]


def parts(setting: Setting, index: int) -> Iterator[list[Line]]:
    """The record of a match after its header, round by round. The result comes with the last."""
    for played in rounds(setting, index):
        part: list[Line] = [played.deal, *played.events]
        last = part[-1]
        if isinstance(last, End) and decided(setting.rules, played.deal.round, last):
            part.append(Result(winners(last), last.totals))
        yield part


def rounds(setting: Setting, index: int) -> Iterator[PlayedRound]:
    rules, seats = setting.rules, len(setting.specs)
    randomness = Random(f"ratuki {setting.seed}/{index}")
    beginners = [seat for seat, spec in enumerate(setting.specs) if spec.beginner]
    table, public = Table(rules, seats, beginners), PublicEvents(rules, seats)
    bots = [
        seat_bot(spec, table, public, seat, Random(randomness.getrandbits(64)))
        for seat, spec in enumerate(setting.specs)
    ]
    for number in range(1, MAX_ROUNDS + 1):
        deal = shuffled(rules, seats, number, randomness)
        table.deal(deal)
        play(table, public, bots)
        yield PlayedRound(deal, public.events)
        last = public.events[-1]
        if isinstance(last, End) and decided(rules, number, last):
            return


def play(
    table: Table, public: PublicEvents, bots: Sequence[Bot], until: int = MAX_ROUND_MS
) -> None:
    """Play the dealt round with the bots. Abandon it at `until` ms or once full.

    `public`, which all the bots watch, has its events afterwards.
    """
    public.clear()
    judge = Judge(table, public.settled, _forget)
    judge.settle(0)
    queue = [bot.begin(0) << 3 | seat for seat, bot in enumerate(bots)]
    drive(judge, dict(enumerate(bots)), queue, until << 3 | len(bots))
    if not table.ended:
        now = min(until, queue[0] >> 3)
        judge.offer(now, Abandon())
        judge.settle(now + table.rules.tie_window_ms)


def drive(judge: Judge, bots: dict[int, Bot], queue: list[int], limit: int) -> None:
    """Let bots (by seat) think, each at its time, until `limit`, the round's end, or it is full.

    A queue entry is a time and, in its lowest three bits, a seat. There is one entry per bot, and
    at least one bot.
    """
    table = judge.table
    heapify(queue)
    while queue[0] < limit and not table.ended and table.events < FULL_ROUND:
        entry = queue[0]
        now = entry >> 3
        if now >= judge.next:
            judge.settle(now)
        action, again = bots[entry & 7].think(now)
        if action is not None:
            judge.offer(now, action)
        heapreplace(queue, again << 3 | entry & 7)


def _forget(refusal: Refusal) -> None:
    """Ignore it: a bot sees the outcome of its action."""
