"""What was ever told of a player keeps its course: when it is gone, less, or back."""

import re
from random import Random

import pytest

from replays.analysis.players.priorities import FEWEST, Priced
from replays.analysis.players.priority_words import (
    STATES,
    before_and_since,
    form_of,
    headline,
    since_practice,
    together,
    worth_of,
)
from replays.analysis.players.progress import BACK, GONE, LESS, NOW, STILL, Course, form, progress
from replays.analysis.players.signs import KINDS, SPEED, TAKES
from replays.analysis.players.spans import Gain
from replays.analysis.players.worth import Cost, worth

_OWN, _OTHERS = 1_800.0, 1_100.0


def matches(*spans: tuple[int, float], kind: str = TAKES, seed: int = 1) -> list[Priced]:
    """Matches in spans, each with so many in which the kind costs so much, beside chance. The
    player's own figure follows the cost."""
    return [
        priced._replace(match=at)
        for at, priced in enumerate(_matches(spans, kind, Random(seed), others=False))
    ]


def others_changed(*spans: tuple[int, float]) -> list[Priced]:
    """The same, but the gap follows from the others' figure alone."""
    return _matches(spans, TAKES, Random(1), others=True)


def _matches(
    spans: tuple[tuple[int, float], ...], kind: str, randomness: Random, *, others: bool
) -> list[Priced]:
    played = []
    for count, points in spans:
        for _ in range(count):
            chance = {
                name: randomness.gauss(0, 1) * worth().spread[at] for at, name in enumerate(KINDS)
            }
            gap = 25 * -points
            figures = (_OTHERS, _OTHERS - gap) if others else (_OTHERS + gap, _OTHERS)
            costs = {name: Cost(points, *figures, 1, 4, 5) for name, points in chance.items()}
            costs[kind] = costs[kind]._replace(points=chance[kind] + points)
            played.append(Priced(0, 3, costs))
    return played


def course(played: list[Priced], kind: str = TAKES) -> Course:
    return next(each for each in progress(played).courses if each.kind == kind)


def test_a_weakness_that_is_told_costs_most_now() -> None:
    found = progress(matches((12, -30)))
    assert [each.state for each in found.courses] == [NOW]
    assert found.courses[0].told == FEWEST
    assert [priority.kind for priority in found.priorities] == [TAKES]
    assert found.together is None
    assert progress(matches((FEWEST - 1, -30))).courses == []


def test_a_cured_weakness_is_gone_after_ten_matches_and_keeps_its_line() -> None:
    gone = course(matches((20, -30), (10, 0)))
    assert gone.state == GONE
    assert gone.changed == pytest.approx(20, abs=4)
    assert gone.gained.low < 30 < gone.gained.high
    later = progress(matches((20, -30), (60, 0)))
    assert course(matches((20, -30), (60, 0))).state == GONE
    assert later.priorities == [], "what is next rests on the matches since"
    assert later.together is not None
    assert later.together.gained.points > 20


def test_a_weakness_that_does_not_change_is_not_called_gone() -> None:
    careers = [matches((50, -20), seed=seed) for seed in range(30)]
    ends = [
        course(career[:end]) for career in careers for end in (20, 30, 40, 50) if progress(career)
    ]
    assert all(each.state in (NOW, STILL) for each in ends)


def test_what_still_costs_is_less_not_gone() -> None:
    less = course(matches((20, -60), (20, -20)))
    assert less.changed == pytest.approx(20, abs=4)
    assert less.state in (LESS, NOW)
    assert less.gained.points == pytest.approx(40, abs=6)


def test_a_weakness_that_comes_back_is_said_to_be_back() -> None:
    back = matches((20, -30), (20, 0), (20, -30))
    found = course(back)
    assert found.state in (BACK, NOW)
    assert found.changed == pytest.approx(40, abs=4)
    assert found.gained.points < -20
    two = [priced._replace(costs={**priced.costs, SPEED: _slow(priced)}) for priced in back]
    assert {course(two).state, course(two, SPEED).state} == {BACK, NOW}


def _slow(priced: Priced) -> Cost:
    return priced.costs[SPEED]._replace(points=priced.costs[SPEED].points - 60)


def test_no_one_changes_because_the_others_do() -> None:
    better = course(matches((20, -30), (20, 0)))
    assert better.changed is not None
    assert course(others_changed((20, -30), (20, 0))).changed is None
    gone = others_changed((20, -30))[:20] + matches((20, 0)) + others_changed((20, -30))
    assert course(gone).state != BACK


def test_a_weakness_stays_once_told() -> None:
    played = matches((8, -30), (12, -8))
    assert [each.kind for each in progress(played).courses] == [TAKES]


def test_practice_within_those_ten_is_where_the_change_began() -> None:
    played = matches((22, -30), (10, 0))
    first = progress(played).courses[0].changed
    assert first is not None
    assert progress(played, practised={TAKES: first + 2}).courses[0].changed == first + 2
    assert progress(played, practised={TAKES: 3}).courses[0].changed == first


def test_words_say_what_it_costs_and_what_was_gained() -> None:
    now, gone = course(matches((12, -30))), course(matches((20, -30), (12, 0)))
    assert str(headline(now)).startswith("about ")
    assert "points a match gained (" in str(headline(gone))
    assert str(STATES[gone.state].filled({"day": "2 March"})) == "gone since 2 March"
    assert str(before_and_since(gone)).startswith("Points a match: −")
    both = progress(matches((20, -30), (12, 0))).together
    assert both is not None
    assert "until 2 March" in str(together(both, "2 March"))


def test_what_is_practised_is_compared_with_before_practice() -> None:
    played = matches((20, -30), (20, 0))
    step = progress(played, practised={TAKES: 20}).practised
    assert step is not None
    assert step.clear
    said = str(since_practice(step, "2 March"))
    less = r"Since practice \(2 March\): lost \d+ points fewer a match \(\d+ to \d+\)\."
    assert re.fullmatch(less, said)
    worse = progress(matches((20, -30), (20, -60)), practised={TAKES: 20}).practised
    assert worse is not None
    assert "points more a match (" in str(since_practice(worse, "2 March"))
    flat = progress(matches((40, -30)), practised={TAKES: 20}).practised
    assert flat is not None
    assert str(since_practice(flat, "2 March")) == "Since practice (2 March): no clear change."
    never: dict[str, int] = {}
    for began in (never, {SPEED: 20}, {TAKES: 1}, {TAKES: 39}):
        assert progress(played, practised=began).practised is None, (
            "nothing, or too little, to tell"
        )


def test_children_read_words_instead_of_intervals() -> None:
    played = matches((20, -30), (20, 0))
    found = progress(played, practised={TAKES: 20})
    assert found.practised is not None
    assert found.together is not None
    told = [
        since_practice(found.practised, "2 March", plain=True),
        together(found.together, "2 March", plain=True),
        headline(found.courses[0], plain=True),
        headline(course(matches((12, -30))), plain=True),
    ]
    assert [str(message) for message in told] == [
        "You lose fewer points than before.",
        "You lose fewer points than before.",
        "You are better at this now.",
        "many points a match",
    ]
    sizes = [worth_of(Gain(points, 0, 9), plain=True) for points in (1, 5)]
    assert [*map(str, sizes)] == ["a few points a match", "some points a match"]


def test_form_says_since_when_more_is_taken() -> None:
    randomness = Random(4)
    steady = [randomness.gauss(0, 20) for _ in range(50)]
    risen = [value + 30 * (at >= 20) for at, value in enumerate(steady)]
    found = form(risen)
    assert found is not None
    assert found.changed == pytest.approx(20, abs=5)
    assert str(form_of(found, "2 March")).startswith("Clearly more since 2 March: ")
    flat = form(steady)
    assert flat is not None
    assert str(form_of(flat, "")) == "No clear change."
    fallen = form([-value for value in risen])
    assert fallen is not None
    assert str(form_of(fallen, "2 March")).startswith("Clearly less since 2 March: −")
    assert form(steady[:19]) is None
