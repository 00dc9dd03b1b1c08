"""What is known of the players before a match, and what it does to their chances."""

from collections import defaultdict
from dataclasses import replace
from itertools import permutations
from statistics import fmean, pstdev

import pytest

from games.bots.roster import BOTS
from games.records.log import Header, Line, Seat
from replays.analysis.winning import inputs
from replays.analysis.winning.chance import chance
from replays.analysis.winning.network import model
from replays.analysis.winning.position import STRENGTHS, Position
from replays.analysis.winning.series import series
from replays.ratings.bots import ladders
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from tests.narrowing import narrow


def seated(bots: str, seats: int = 3, **rules: object) -> Position:
    """A match at its first deal between those bots."""
    header = plan("roster", 4, 0).header
    rules_ = replace(header.rules, **{"speedy": False, "target": 200, **rules})  # type: ignore[arg-type]
    players = tuple(Seat(f"bot {seat}", "bot") for seat in range(seats))
    return Position(replace(header, rules=rules_, seats=players, tags=((BOTS, bots),)))


@pytest.mark.parametrize("speedy", [False, True])
def test_better_bots_have_better_chances_from_the_deal_on(speedy: bool) -> None:
    first, second, third = chance(seated("taker:5,taker:3,taker:1", speedy=speedy))
    assert first > 0.6
    assert 0.4 > second > 3 * third > 0


def test_the_same_bots_have_the_same_chances() -> None:
    assert chance(seated("runner:2,runner:2,runner:2")) == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("bots", ["taker:5,builder:1,", "taker:4,runner:2,starver:3"])
def test_chances_belong_to_players_not_to_seats(bots: str) -> None:
    whole = chance(seated(bots))
    assert sum(whole) == pytest.approx(1)
    for order in permutations(range(3)):
        turned = ",".join(bots.split(",")[seat] for seat in order)
        assert chance(seated(turned)) == pytest.approx([whole[seat] for seat in order])


def told(record: list[Line]) -> list[tuple[float, ...]]:
    return [point.p for point in series(Timeline.of(record))]


def test_without_a_known_player_a_match_is_judged_by_its_play_alone() -> None:
    header, *record = lines(plan("roster", 4, 1))
    header = narrow(Header, header)
    people = replace(header, seats=tuple(seat._replace(kind="human") for seat in header.seats))
    unnamed = [replace(header, tags=()), *record]
    assert told([people, *record]) == told(unnamed) != told([header, *record])


def test_one_unknown_player_and_no_one_counts_as_known() -> None:
    unknown = inputs.spectator(seated("taker:5,taker:1,"))
    assert {len(row) for row in unknown} == {len(inputs.PLAYED)}
    assert model("spectator").probabilities(unknown) == pytest.approx([1 / 3] * 3)


def test_who_has_left_is_no_measure_for_those_who_stay() -> None:
    stayed = inputs.spectator(seated("taker:5,taker:4,taker:1").among([1, 2]))
    alone = inputs.spectator(seated("taker:4,taker:1", 2))
    assert [row[-3:] for row in stayed] == [row[-3:] for row in alone]


def test_strengths_are_the_ratings_of_the_ladder() -> None:
    """A new ladder asks for new strengths, and for a model fitted to them."""
    ratings = defaultdict[str, list[float]](list)
    for ladder in ladders().values():
        for rung in ladder.rungs:
            ratings[rung.bot].append(rung.standing.mu)
    means = {bot: fmean(each) for bot, each in ratings.items()}
    middle, spread = fmean(means.values()), pstdev(means.values())
    of_ladder = {bot: round((mean - middle) / spread, 2) for bot, mean in means.items()}
    assert of_ladder == {
        f"{temper}:{level}": strength
        for temper, strengths in STRENGTHS.items()
        for level, strength in enumerate(strengths, 1)
    }
