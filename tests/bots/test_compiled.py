"""Bots wherever they are compiled: weakened, written elsewhere, handed over, dropped."""

import copy
import gc
import pickle
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from games.bots.base import Bot
from games.bots.roster import TEMPERS, BotSpec, mixed
from games.bots.simulate import lines, play, rounds
from games.bots.skill import skill_of
from games.bots.tempo import skill_at
from games.bots.view import PublicEvents, View
from games.engine.dealing import shuffled
from games.engine.editions import EDITIONS, Rules
from games.engine.events import End, Play
from games.engine.table import Table
from replays.training.weaknesses import Weakness, played
from tests.bots.positions import Start
from tests.bots.tables import setting


@pytest.mark.parametrize("temper", TEMPERS)
def test_a_weakened_temper_plays_a_match(temper):
    weak = Weakness(takes=0.2, choice=0.2, mistakes=0.1, wilds=5)
    match = played(f"weak {temper}", "usaopoly-2009", [(BotSpec(temper), weak)] * 2)
    assert match.rounds[-1].end
    assert max(match.totals) > 0


# A bot may be written anywhere, also where nothing is compiled: it only derives from `Bot`.


class Lowest(Bot):
    """Wants the lowest stacks; counts how often it was asked."""

    temper = "lowest"

    def __init__(self, *args):
        super().__init__(*args)
        self.asked = 0

    def worth(self, card, slot, number, takes):
        self.asked += 1
        return 10 - self.view.heights[slot]


def test_a_bot_of_another_room_plays():
    table, public = Table(Rules(), 3), PublicEvents(Rules(), 3)
    table.deal(shuffled(Rules(), 3, 1, Random(1)))
    views = [View(table, public, seat, 150) for seat in range(3)]
    bots = [Lowest(view, skill_of(3), Random(view.seat)) for view in views]
    play(table, public, bots)
    assert isinstance(public.events[-1], End)
    played = [event for event in public.events if isinstance(event, Play)]
    assert len(played) > 20
    assert sum(bot.asked for bot in bots) >= len(played)


# What processes hand each other arrives as it was, also where its class is compiled.


RECORD = lines(setting(speedy=True), 0)


@pytest.mark.parametrize(
    "value",
    [*EDITIONS.values(), setting(target=150), skill_of(3), RECORD],
    ids=lambda value: type(value).__name__,
)
def test_values_survive(value):
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.copy(value) == value
    assert copy.deepcopy(value) == value


# Bots that are dropped leave nothing behind, also where they are compiled.


TIMES = 5


def kept(work: Callable[[], object]) -> dict[str, int]:
    """By type, how many objects stay for good, if at least one does each time the work is done.

    Twice, as the caches of others may grow meanwhile.
    """
    work()  # fills the caches
    first, second = grown(work), grown(work)
    return {kind: count for kind, count in second.items() if kind in first}


def grown(work: Callable[[], object]) -> dict[str, int]:
    before = objects()
    for _ in range(TIMES):
        work()
    more = objects() - before
    return {kind: count for kind, count in more.items() if count >= TIMES}


def objects() -> Counter[str]:
    gc.collect()
    return Counter(type(tracked).__qualname__ for tracked in gc.get_objects())


@pytest.mark.slow
def test_a_round_leaves_nothing():
    every = setting(specs=mixed(5))
    assert not kept(lambda: next(rounds(every, 0)))


@pytest.mark.slow
def test_playing_on_leaves_nothing():
    duel = setting(specs=[BotSpec("taker")] * 2)
    table = Table(duel.rules, 2)
    table.deal(next(rounds(duel, 0)).deal)
    start, skills = Start(table, ()), [skill_at(1)] * 2
    assert not kept(lambda: start.rollout(skills, Random(1), 2_000))
