"""House matches: one in each place, whoever looks after them, and the next when one is over."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from django.db import IntegrityError

from games.engine.editions import EDITIONS
from games.models import LiveTable
from games.records.check import check
from games.tables.opening import house_plan, open_house_matches
from games.tables.plan import Plan, from_json, to_json
from tests.services import DATABASE, Site

STATE = """
SELECT live.record_id, live.house, live.over, coalesce(stored.lines, 0)
FROM games_livetable AS live LEFT JOIN games_match AS stored USING (record_id) ORDER BY live.id
"""
OPEN = "from games.tables.opening import open_house_matches; open_house_matches(1)"
HURRY = """
from games.models import LiveTable
table = LiveTable.objects.get()
table.plan["overrides"] = {"speedy": True, "deck": [2, 1, 1, 1, 1, 1]}
table.save()
"""


def plans() -> list[Plan]:
    return [
        from_json(plan) for plan in LiveTable.objects.order_by("pk").values_list("plan", flat=True)
    ]


@pytest.mark.django_db
def test_each_place_has_one_match_at_a_time() -> None:
    assert open_house_matches(2) == 2
    assert open_house_matches(2) == 0
    LiveTable.objects.filter(house=1).update(over=True)
    assert open_house_matches(2) == 1
    houses = LiveTable.objects.filter(over=False).order_by("house").values_list("house", flat=True)
    assert list(houses) == [0, 1]
    assert open_house_matches(0) == 0


@pytest.mark.django_db
def test_a_place_takes_turns_though_old_matches_are_forgotten() -> None:
    for turn in range(5):
        open_house_matches(2)
        assert set(LiveTable.objects.filter(over=False).values_list("turn", flat=True)) == {turn}
        LiveTable.objects.filter(turn__lt=turn).delete()
        LiveTable.objects.update(over=True)
    assert LiveTable.objects.count() == 2


@pytest.mark.django_db
def test_the_database_refuses_a_second_match_in_a_place() -> None:
    open_house_matches(1)
    plan = house_plan(7)
    with pytest.raises(IntegrityError):
        LiveTable.objects.create(record_id=plan.id, plan=to_json(plan), house=0)


@pytest.mark.django_db
def test_an_ordinary_table_fills_no_place() -> None:
    plan = house_plan(0)
    LiveTable.objects.create(record_id=plan.id, plan=to_json(plan))
    assert open_house_matches(1) == 1


def test_house_matches_vary_and_everybody_may_watch() -> None:
    made = [house_plan(turn) for turn in range(6 * len(EDITIONS))]
    assert {plan.edition for plan in made} == set(EDITIONS)
    assert {len(plan.places) for plan in made} == {3, 4, 5}
    assert len({(plan.edition, len(plan.places)) for plan in made}) == 3 * len(EDITIONS)
    for plan in made:
        tempers = [place.temper for place in plan.places]
        assert len(set(tempers)) == len(tempers)
        assert {place.kind for place in plan.places} == {"bot"}
        assert plan.watching
        assert not plan.key
        assert plan.open_delay_ms == 30_000
        assert plan.rules.target == EDITIONS[plan.edition].target


def wait_for(site: Site, what: Callable[..., bool]) -> list[tuple[str, int, int, int]]:
    end = time.monotonic() + 180
    with closing(sqlite3.connect(site.var / DATABASE)) as database:
        while not what(rows := database.execute(STATE).fetchall()):
            assert time.monotonic() < end, (rows, site.log.read_text())
            time.sleep(0.2)
    return rows


@pytest.mark.slow
def test_two_processes_keep_one_match_going(tmp_path: Path) -> None:
    environment = {"LIVE_HOUSE_MATCHES": "1"}
    with Site(tmp_path, environment) as first, Site(tmp_path, environment) as second:
        first.migrate()
        first.manage("shell", "-c", OPEN)
        first.manage("shell", "-c", HURRY)
        first.start()
        second.start()
        rows = wait_for(first, lambda rows: len(rows) == 2 and rows[1][3] > 3)
        assert [row[1:3] for row in rows] == [(0, 1), (0, 0)]
        report = check(BytesIO(first.record(rows[0][0]).encode()))
    assert report.result is not None
