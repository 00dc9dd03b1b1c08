"""Who left a match, and what is no longer said of them."""

from functools import cache
from random import Random

import pytest

from games.bots.base import Bot, Decision
from games.bots.roster import TEMPERS
from games.bots.runner import Runner
from games.bots.skill import skill_of
from games.bots.view import PublicEvents, View
from games.engine.editions import EDITIONS
from games.engine.table import Table
from games.records.log import Header, Seat
from replays.analysis import Findings
from replays.analysis.leaving import GONE_MS, STAYED, left_at
from replays.analysis.moments import moments
from replays.analysis.moments.judgements import MISSED_TAKE
from replays.analysis.players.counts import seat_counts
from replays.analysis.sentences import render_text
from replays.analysis.winning.series import series
from replays.timeline import Timeline
from replays.training.bots import Seater
from replays.training.matches import PlannedMatch, lines, plan
from tests.analysis.telling import by_kind

EDITION = "hasbro-2010"
LEAVER, GONE_AT = 1, 20_000
LAGS = (40.0, 50.0, 60.0)


class Leaver(Runner):
    """Never moves again after some time in the first round."""

    LAST = 1

    def begin(self, now: int) -> int:
        self.rounds = getattr(self, "rounds", 0) + 1
        return super().begin(now)

    def think(self, now: int) -> Decision:
        if (self.rounds, now) > (self.LAST, GONE_AT):
            return None, now + GONE_MS
        return super().think(now)


class LaterLeaver(Leaver):
    """The same in the second round."""

    LAST = 2


def seater(bot: type[Bot]) -> Seater:
    def seat(table: Table, public: PublicEvents, place: int, own: Random) -> Bot:
        skill = skill_of(3)
        return bot(View(table, public, place, skill.lag), skill, own)

    return seat


@cache
def findings(leaver: type[Bot] = Leaver) -> Findings:
    """Three bots, one of which leaves."""
    seats = tuple(Seat(name, "bot") for name in ("Ana", "Bo", "Cy"))
    header = Header("leaver", EDITION, EDITIONS[EDITION], seats)
    bots = (TEMPERS["taker"], leaver, TEMPERS["builder"])
    asked = PlannedMatch(header, tuple(map(seater, bots)), Random(11))
    return Findings(Timeline.of(lines(asked)))


def test_who_left_is_told_and_when() -> None:
    (ana, gone, cy) = left_at(findings().timeline)
    assert ana == cy == STAYED
    assert gone[0] == 1
    assert GONE_AT - 3_000 < gone[1] < GONE_AT + 3_000
    said = [render_text(text, findings().names) for text in findings().facts]
    assert said[0].startswith(f"Bo stopped playing in round 1 at 0:{gone[1] // 1_000:.0f}.")


def test_who_left_is_blamed_for_no_take() -> None:
    left = [missed for missed in findings().missed if missed.chance.window.seat == LEAVER]
    assert any(missed.round > 1 and missed.chance.free_ms > 1_000 for missed in left)
    blamed = [
        judgement for judgement in findings().judgements if judgement["verdict"] == MISSED_TAKE
    ]
    assert blamed
    assert {judgement["round"] for judgement in blamed if judgement["seat"] == LEAVER} <= {1}
    could = [by_kind(moment.text).get("could_take") for moment in findings().moments]
    assert all(values is None or values["player"] != ("seat", LEAVER) for values in could)


def test_who_moves_to_the_end_has_not_left() -> None:
    whole = findings().timeline
    until = whole.rounds[0].events[-1].t
    early = Timeline.of([whole.header, whole.rounds[0].deal, *whole.rounds[0].events[:40]])
    assert until > GONE_MS
    assert left_at(early) == [STAYED] * 3


def test_a_favourite_who_leaves_is_a_moment_with_the_chance_it_cost() -> None:
    left = 0
    for index in range(12):
        match = Timeline.of(lines(plan("leaver", 260_611, index)))
        shown = Findings(match).moments
        left += sum(moment.kind == "left" for moment in shown)
        for moment in shown:
            if moment.kind == "left":
                (seat,) = moment.seats
                assert left_at(match)[seat] == (moment.round, moment.t)
                assert moment.delta <= -0.03
                kinds = [kind for kind, _ in moment.text["say"]]
                assert kinds == ["stopped", "chance"]
        if any(gone != STAYED for gone in left_at(match)):
            assert not any(moment.kind == "comeback" for moment in shown)
    assert left >= 3


@pytest.mark.parametrize(
    ("before", "after", "moment"), [(0.5, 0.44, True), (0.5, 0.48, False), (0.3, 0.24, False)]
)
def test_anyone_but_a_favourite_must_have_lost_more(
    before: float, after: float, moment: bool
) -> None:
    match = findings().timeline
    gone = left_at(match)[LEAVER]

    def shared(mine: float) -> tuple[float, ...]:
        rest = 1 - mine
        return 0.6 * rest, mine, 0.4 * rest

    points = [
        point._replace(p=shared(before if (point.round, point.t) <= gone else after))
        for point in series(match, detailed=True)
    ]
    kinds = [each.kind for each in moments(match, points, [])]
    assert ("left" in kinds) == moment


def test_a_match_counts_for_no_ones_parts_from_the_round_in_which_a_player_left() -> None:
    first, later = (findings(bot).timeline for bot in (Leaver, LaterLeaver))
    for seat in seat_counts(first):
        assert seat.costs == {}
        assert seat.counts.by_choice == seat.counts.by_speed == seat.counts.by_cards == 0
        assert seat.counts.by_table == seat.points
    alone = Timeline(later.header)
    alone.rounds = later.rounds[:1]
    assert len(later.rounds) > LaterLeaver.LAST
    for whole, shared in zip(seat_counts(later, LAGS), seat_counts(alone, LAGS), strict=True):
        assert whole.costs == shared.costs
        assert whole.costs["speed"].points != 0
        own, before = whole.counts, shared.counts
        assert own.by_choice == before.by_choice
        assert whole.points - own.by_table == pytest.approx(shared.points - before.by_table)
