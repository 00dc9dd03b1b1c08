"""Bots that are dropped leave nothing behind, also where they are compiled."""

import gc
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import rounds
from games.bots.tempo import skill_at
from games.engine.table import Table
from tests.bots.positions import Start
from tests.bots.tables import setting

TIMES = 10


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


@pytest.mark.parametrize("temper", TEMPERS)
def test_a_round_leaves_nothing(temper):
    duel = setting(specs=[BotSpec(temper)] * 2)
    assert not kept(lambda: next(rounds(duel, 0)))


def test_playing_on_leaves_nothing():
    duel = setting(specs=[BotSpec("taker")] * 2)
    table = Table(duel.rules, 2)
    table.deal(next(rounds(duel, 0)).deal)
    start, skills = Start(table, ()), [skill_at(1)] * 2
    assert not kept(lambda: start.rollout(skills, Random(1), 2_000))
