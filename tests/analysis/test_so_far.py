"""What is told of a match while it is being played: what spectators may know, and that exactly."""

import json
from collections.abc import Iterator
from copy import copy
from dataclasses import replace

import pytest

from games.engine.events import Deal, Event, Play
from games.engine.message import seat
from games.engine.perspective import SPECTATOR, see, see_deal
from games.records.log import Header, Line
from replays.analysis import Findings
from replays.analysis.sentences import fact, say
from replays.analysis.so_far import SoFar, headline
from replays.analysis.winning.chance import chance
from replays.analysis.winning.parts import CLEAR, quickness
from replays.analysis.winning.position import Position, strengths_of
from replays.analysis.winning.series import Series, curve, series
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from tests.analysis.reading import Facts
from tests.analysis.telling import by_kind


def seen(line: Line) -> Line:
    """A line as a spectator of the live match gets it."""
    if isinstance(line, Deal):
        return see_deal(line, SPECTATOR)
    return see(line, SPECTATOR) if isinstance(line, Event) else line


def headlines(seed: int, *, people: bool) -> Iterator[tuple[Position, Facts]]:
    """Positions of a match, and what is said there."""
    header, *log = lines(plan("roster", seed, 0))
    assert isinstance(header, Header)
    known = Series(header)
    for seq, line in enumerate(log, 1):
        known.add(line, seq)
        position = copy(known.position)
        if people:
            position.strengths = []
        if seq % 40 == 0:
            yield position, by_kind(headline(position, 60_000))


@pytest.mark.parametrize("people", [True, False])
def test_a_headline_has_the_leader_the_favourite_and_why_from_one_position(people: bool) -> None:
    kinds = set()
    for seed in (3, 4):
        for position, said in headlines(seed, people=people):
            points, p = position.standing, chance(position)
            others = [each for each in said.items() if each[0].startswith("favours_")]
            first, values = next(iter(said.items()))
            if first == "leads_now":
                assert points[values["player"][1]] == max(points)
            elif first == "lead_now":
                assert [points[at] for at in values["players"][1:]] == [max(points)] * 2
            assert bool(others) == (max(p) >= 1 / position.seats + 0.05)
            for kind, favourite in others:
                best = favourite["player"][1]
                assert p[best] == max(p)
                if first == kind:
                    assert points[best] == max(points), "who is the favourite leads"
                assert "share" not in favourite, "the bar beside it may be a step ahead"
                if kind == "favours_pace":
                    assert quickness(position, best) >= CLEAR
                    assert favourite["own"][1] < favourite["others"][1]
                if kind == "favours_fives":
                    assert favourite["own"] == position.takers[best]
                kinds.add(kind)
    assert ("favours_strength" in kinds) is not people
    assert "favours_cards" in kinds


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
        assert row.items() <= whole.items()
        assert not {"missed_takes", "points"} & row.keys()
    assert report["moments"]
    assert {shown["kind"] for shown in report["moments"]} <= {"take", "play", "tie", "lead", "feed"}
    assert not any(
        {"biggest", "among_biggest"} & by_kind(m["text"]).keys() for m in report["moments"]
    )


def test_known_strength_is_said_where_all_are_known() -> None:
    header, deal, *_ = lines(plan("roster", 3, 0))
    assert isinstance(header, Header)
    strengths = strengths_of(header)
    told = SoFar(header)
    strongest = seat(strengths.index(max(strengths)))
    assert told.report()["facts"][-1] == say(fact("known_strength", player=strongest))
    people = SoFar(replace(header, seats=tuple(one._replace(kind="human") for one in header.seats)))
    people.add(seen(deal))
    assert all(text["say"][0].kind != "known_strength" for text in people.report()["facts"])


def test_a_match_that_has_just_begun_has_a_report() -> None:
    header, deal, *rest = lines(plan("roster", 1, 0))
    assert isinstance(header, Header)
    told = SoFar(header)
    assert {text["say"][0].kind for text in told.report()["facts"]} <= {"known_strength"}
    told.add(seen(deal))
    told.add(seen(next(line for line in rest if isinstance(line, Play))))
    assert told.report()["moments"] == [], "the first play changed next to nothing"
    assert len(told.report()["players"]) == len(header.seats)
