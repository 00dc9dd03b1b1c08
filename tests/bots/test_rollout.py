"""Bots that play on from any position, at the tempo that its seats have shown."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bots.rollout import Players, published
from games.bots.roster import TEMPERS, BotSpec
from games.bots.simulate import PlayedRound, Setting, rounds
from games.bots.skill import skill_of
from games.bots.temper import TemperMeter
from games.bots.tempo import PRIOR_MOVES, TempoMeter, movements, skill_at
from games.engine.editions import EDITIONS
from games.engine.events import Draw, End, Event, Play, Tie
from games.engine.facts import verify
from games.engine.table import Table, apply
from tests.bots.positions import Start
from tests.engine.unruly import play_unruly, random_setting, replay


def played(*levels: int, seed: int = 1, edition: str = "usaopoly-2009") -> PlayedRound:
    """A round of takers of these levels."""
    sitters = tuple(BotSpec("taker", level) for level in levels)
    return next(rounds(Setting(edition, EDITIONS[edition], sitters, seed), 0))


def position(whole: PlayedRound, event: int) -> Start:
    table = Table(EDITIONS["usaopoly-2009"], len(whole.deal.decks))
    table.deal(whole.deal)
    for fact in whole.events[:event]:
        apply(table, fact)
    return Start(table, whole.events[:event])


@given(st.integers(0, 2**32), st.integers(0, 150), st.sampled_from([0, 40, 3_000, 10**7]))
@settings(deadline=None, max_examples=60)
def test_what_follows_any_position_could_have_happened(seed: int, steps: int, more: int) -> None:
    rng = Random(seed)
    setting = random_setting(rng)
    events = play_unruly(rng, setting, steps).events
    events = events[: rng.randint(0, len(events))]
    start = Start(replay(setting, events), events)
    if start.table.ended:
        return
    before = str(start.table)
    until = start.table.t + more
    tempos = [rng.choice([0.3, 1.0, 3.9]) for _ in range(setting.seats)]
    later = start.rollout([skill_at(tempo) for tempo in tempos], rng, until)
    assert str(start.table) == before
    for event in later:
        verify(start.table, event)
        apply(start.table, event)
        assert isinstance(event, End) or event.t <= until


def test_a_seed_says_it_all_and_each_rollout_is_another() -> None:
    whole = played(3, 3, 3)
    start = position(whole, len(whole.events) // 2)
    skills = [skill_at(1)] * 3
    rollouts = list(start.rollouts(skills, 8, seed=5))
    assert rollouts == list(start.rollouts(skills, 8, seed=5))
    assert len({tuple(events) for events in rollouts}) == 8
    assert all(isinstance(events[-1], End) for events in rollouts)
    assert rollouts != list(start.rollouts(skills, 8, seed=6))


def test_nobody_interferes_with_a_tie_window_that_is_settled() -> None:
    """A seat that tried then would have had a part in what lies there."""
    rules = replace(EDITIONS["usaopoly-2009"], tie_window_ms=3_000, one_hand_ms=3_000)
    whole = next(rounds(Setting("usaopoly-2009", rules, (BotSpec("taker", 5),) * 4, 1), 0))
    plays = [n for n, event in enumerate(whole.events, 1) if isinstance(event, Play)][:30]
    for event in plays:
        table = Table(rules, 4)
        table.deal(whole.deal)
        for fact in whole.events[:event]:
            apply(table, fact)
        start = Start(table, whole.events[:event])
        for fact in start.rollout([skill_at(4)] * 4, Random(event), table.t + 9_000):
            verify(table, fact)
            apply(table, fact)


def test_the_fast_play_more_than_the_slow() -> None:
    start = position(played(3, 3, 3, 3), 0)
    skills = [skill_at(tempo) for tempo in (2, 1, 1, 0.5)]
    counts = [0] * 4
    for events in start.rollouts(skills, 10, until=20_000):
        for event in events:
            for seat, _ in movements(event):
                counts[seat] += 1
    assert counts[0] > 1.5 * max(counts[1:3])
    assert min(counts[1:3]) > 1.5 * counts[3]


def test_seats_that_have_just_moved_do_not_all_wait_as_long_again() -> None:
    """The first movements after a position come as often as any others."""
    whole = played(3, 3, 3, 3)
    start = position(whole, len(whole.events) // 2)
    since = start.table.t
    soon = late = 0
    for events in start.rollouts([skill_at(1)] * 4, 100, until=since + 4_000):
        times = [t - since for event in events for _, t in movements(event)]
        soon += sum(t < 1_000 for t in times)
        late += sum(3_000 <= t < 4_000 for t in times)
    assert soon == pytest.approx(late, rel=0.25)


# Tempo


def measured(*rounds_of: list[Event], seats: int) -> tuple[float, ...]:
    meter = TempoMeter(seats)
    for events in rounds_of:
        meter.read(events)
    return meter.tempos


def test_before_anything_is_known_everybody_has_the_usual_tempo() -> None:
    assert measured(seats=4) == (1.0,) * 4
    assert measured([Draw(0, 1, "B1a")], seats=4) == (1.0,) * 4


@pytest.mark.parametrize("tempos", [(1.0, 1.0), (2.0, 1.0, 0.5), (1.5, 0.7, 1.0, 1.0, 1.25)])
def test_the_tempo_of_bots_is_found_again(tempos: tuple[float, ...]) -> None:
    seats = len(tempos)
    start = position(played(*[3] * seats), 0)
    again = measured(*start.rollouts([skill_at(tempo) for tempo in tempos], 20), seats=seats)
    assert again == pytest.approx(tempos, rel=0.1)


def test_little_evidence_moves_a_tempo_little_and_waiting_is_not_slowness() -> None:
    quick: list[Event] = [Draw(450 * n, 0, "A1a") for n in range(11)]
    (tempo, other) = measured(quick, seats=2)
    assert other == 1
    assert tempo == pytest.approx((PRIOR_MOVES + 10) / (PRIOR_MOVES + 5))
    waited: list[Event] = [Draw(0, 0, "A1a"), Draw(600_000, 0, "A1b")]
    assert measured(waited, seats=2)[0] > 0.75


def test_a_tied_try_is_a_movement_at_its_own_time() -> None:
    assert movements(Tie(100, 0, ("B1a", "A1a"), (0, 30))) == [(1, 100), (0, 130)]
    assert movements(Play(100, 2, "C1a", 0)) == [(2, 100)]
    assert movements(End(0, "out", (), ())) == []


def test_a_tempo_beyond_all_is_taken_to_the_bounds() -> None:
    assert skill_at(100) is skill_at(4)
    assert skill_at(0.01) is skill_at(0.25)
    assert skill_at(2).pace[512] == pytest.approx(skill_at(1).pace[512] / 2, abs=1)


# Tempers


@pytest.mark.parametrize("edition", list(EDITIONS))
def test_the_tempers_of_bots_are_found_again(edition: str) -> None:
    found = asked = 0
    for index in range(6):
        specs = tuple(BotSpec(list(TEMPERS)[(index + seat) % 5], 3) for seat in range(4))
        whole = next(rounds(Setting(edition, EDITIONS[edition], specs, 71), index))
        meter, table = TemperMeter(4), Table(EDITIONS[edition], 4)
        table.deal(whole.deal)
        meter.read(table, whole.events)
        found += sum(meter.likeliest(seat).temper == spec.temper for seat, spec in enumerate(specs))
        asked += 4
    assert found > 0.8 * asked


def test_whoever_has_shown_nothing_may_have_any_temper() -> None:
    meter = TemperMeter(2)
    assert len({meter.draw(0, Random(seed)) for seed in range(60)}) == len(TEMPERS)


def test_players_play_on_as_they_have() -> None:
    whole = next(
        rounds(Setting("gamerules", EDITIONS["gamerules"], (BotSpec("runner", 5),) * 3, 9), 0)
    )
    table = Table(EDITIONS["gamerules"], 3)
    table.deal(whole.deal)
    players = Players([None] * 3)
    untouched = players.copy()
    players.read(whole.events, table.copy())
    assert min(players.tempos) > 1 == max(untouched.tempos)
    public = published(table, ())
    bots = [players.bot(table, public, 0, Random(seed)) for seed in range(20)]
    assert {bot.temper for bot in bots} == {"runner"}
    assert len({untouched.bot(table, public, 0, Random(s)).temper for s in range(60)}) > 2


def test_a_bot_that_the_record_names_plays_on_itself() -> None:
    table = Table(EDITIONS["gamerules"], 3)
    public = published(table, ())
    players = Players([BotSpec("runner", 5), None, BotSpec("starver", 1)])
    for seat, temper, level in ((0, "runner", 5), (2, "starver", 1)):
        bots = [players.bot(table, public, seat, Random(seed)) for seed in range(20)]
        assert {bot.temper for bot in bots} == {temper}
        assert {bot.skill for bot in bots} == {skill_of(level)}
    others = {players.bot(table, public, 1, Random(seed)).temper for seed in range(60)}
    assert len(others) == len(TEMPERS)
