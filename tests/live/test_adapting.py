"""Bots that adapt: how strong follows from the totals, and from nothing else."""

from dataclasses import replace

import pytest

from games.bots.roster import BOTS, BotSpec
from games.live.host.bot_seats import adapted
from games.people.person import guest
from games.tables import opening
from games.tables.plan import Plan


def plan_of(adaptive: bool = True) -> Plan:
    plan = opening.planned("usaopoly-2009", 3).sit(guest("a"), "Ada")
    bots = [BotSpec("taker", 2), BotSpec("builder", 2)]
    return replace(opening.with_bots(plan, bots), adaptive=adaptive)


@pytest.mark.parametrize(
    ("totals", "level"),
    [
        ((0, 0, 0), 2),
        ((24, 0, -9), 2),
        ((25, 0, -9), 3),
        ((90, 10, 12), 4),
        ((-20, 4, 5), 1),
        ((0, 99, 5), 1),
    ],
)
def test_bots_follow_the_best_person(totals: tuple[int, ...], level: int) -> None:
    assert adapted(plan_of(), 2, totals) == level


def test_levels_stay_within_the_roster() -> None:
    assert adapted(plan_of(), 5, (99, 0, 0)) == 5
    assert adapted(plan_of(), 1, (-99, 0, 0)) == 1


def test_other_tables_keep_the_levels_that_were_chosen() -> None:
    assert adapted(plan_of(adaptive=False), 2, (99, 0, 0)) == 2


def test_a_record_names_the_bots_and_their_levels_unless_they_adapt() -> None:
    header = plan_of(adaptive=False).header("2026-11-26T10:00:00Z")
    assert dict(header.tags) == {BOTS: ",taker:2,builder:2"}
    assert plan_of().header("2026-11-26T10:00:00Z").tags == ()
