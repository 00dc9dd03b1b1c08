"""What is told of a match while it is being played: what spectators may know, and that exactly."""

from __future__ import annotations

import json
from copy import copy
from dataclasses import replace
from typing import Any

import pytest

from games.engine.events import Deal, Event, Play
from games.engine.message import seat
from games.engine.perspective import SPECTATOR, see, see_deal
from games.records.log import Header, Line
from replays.analysis import Findings
from replays.analysis.player_table import PUBLIC
from replays.analysis.sentences import fact, say
from replays.analysis.so_far import SoFar, favourite
from replays.analysis.winning.chance import chance
from replays.analysis.winning.series import Series, curve, series
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from tests.analysis.telling import by_kind


def seen(line: Line) -> Line:
    """A line as a spectator of the live match gets it."""
    if isinstance(line, Deal):
        return see_deal(line, SPECTATOR)
    return see(line, SPECTATOR) if isinstance(line, Event) else line


def test_a_favourite_who_does_not_lead_is_named_with_what_makes_the_difference() -> None:
    header, *log = lines(plan("roster", 3, 0))
    assert isinstance(header, Header)
    known, kinds = Series(header), set()
    for seq, line in enumerate(log, 1):
        known.add(line, seq)
        position = copy(known.position)
        if seq % 80 == 0:
            position.strengths = []  # as of people
        if seq % 40 or (named := favourite(position)) is None:
            continue
        (said,) = named["text"]["say"]
        p = chance(position)
        assert p[named["seat"]] == max(p)
        points = position.standing
        assert points[named["leader"]] == max(points) > points[named["seat"]]
        assert said.values["player"] == seat(named["seat"])
        kinds.add(said.kind)
    assert "favourite_stronger" in kinds
    assert kinds > {"favourite_stronger"}, "not for one reason alone"


def test_no_favourite_is_named_while_several_lead() -> None:
    header, *log = lines(plan("roster", 5, 0))
    assert isinstance(header, Header)
    known, level = Series(header), 0
    for seq, line in enumerate(log[:60], 1):
        known.add(line, seq)
        points = known.position.standing
        if points.count(max(points)) > 1:
            level += 1
            assert favourite(known.position) is None
    assert level


@pytest.mark.parametrize("seed", [3, 4])
def test_what_is_known_so_far_agrees_with_the_whole_log(seed: int) -> None:
    header, *log = lines(plan("roster", seed, 0))
    assert isinstance(header, Header)
    header = replace(header, tags=())
    told, cut = SoFar(header), len(log) * 2 // 3
    for line in log[:cut]:
        told.add(seen(line))
    report, known = told.report(), Timeline.of([header, *log[:cut]])
    json.dumps(report, allow_nan=False)
    assert report["seq"] == known.seq == cut
    assert told.curve == curve(series(known))
    for row, whole in zip(report["players"], Findings(known).players, strict=True):
        assert set(row) == {"seat", *PUBLIC}
        for name in PUBLIC:
            cell, mine = whole.cells[name], dict[str, Any](row)[name]
            assert mine["seqs"] == list(cell.seqs)
            assert mine["value"] == pytest.approx(cell.value, abs=1e-4)
    assert any(text["say"][0].kind.endswith("_yet") for text in report["facts"])
    assert report["moments"]
    assert {shown["kind"] for shown in report["moments"]} <= {"take", "play", "tie", "lead", "feed"}
    assert not any(
        {"biggest", "among_biggest"} & by_kind(m["text"]).keys() for m in report["moments"]
    )


def test_a_match_that_has_just_begun_has_a_report() -> None:
    header, deal, *rest = lines(plan("roster", 1, 0))
    assert isinstance(header, Header)
    told = SoFar(header)
    assert told.report()["facts"][0] == say(fact("no_takes_yet"))
    told.add(seen(deal))
    told.add(seen(next(line for line in rest if isinstance(line, Play))))
    assert told.report()["moments"] == [], "the first play changed next to nothing"
    assert len(told.report()["players"]) == len(header.seats)
