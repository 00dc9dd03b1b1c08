"""Race cards: the flip time is held against the referee itself."""

from collections.abc import Iterator
from itertools import takewhile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bots import simulate
from games.bots.roster import mixed
from games.bots.simulate import Setting
from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.engine.cards import OWNER
from games.engine.editions import EDITIONS, house_rules
from games.engine.events import Deal, Discard, Draw, Late, Miss, Out, Play, Tie
from games.engine.message import card, seat
from games.engine.referee import Referee, Settled
from replays.analysis.lag import lags
from replays.analysis.race_cards import LATE, TIE, RaceCard, race_cards
from replays.analysis.race_words import race_words
from replays.timeline import Round, Timeline
from replays.training.matches import lines, plan
from tests.analysis.telling import by_kind
from tests.narrowing import present

seeds = st.integers(0, 2**32)


def timeline(seed: int, population: str = "roster") -> Timeline:
    return Timeline.of(lines(plan(population, seed, 0)))


def asked(played: Round) -> Iterator[tuple[int, Action]]:
    """The actions that a round came from, with their times."""
    for event in played.events:
        if isinstance(event, Play | Late | Miss):
            number = event.number
            yield event.t, Try(event.seat, event.card, event.stack, number, event.seen)
        elif isinstance(event, Tie):
            for place, card in enumerate(event.cards):
                seen = event.seen[place] if event.seen else None
                yield event.t + event.after[place], Try(OWNER[card], card, event.stack, None, seen)
        elif isinstance(event, Draw):
            yield event.t, DrawOne(event.seat)
        elif isinstance(event, Discard):
            yield event.t, DiscardOne(event.seat, event.card)
        elif isinstance(event, Out) and played.header.rules.out == "shout":
            yield event.t, Shout(event.seat)


def outcome(played: Round, race: RaceCard, seat: int, earlier_ms: int) -> tuple[str, list[int]]:
    """What the referee makes of the race's first try if `seat` arrives so much earlier."""
    attempt = next(attempt for attempt in race.attempts if attempt.seat == seat)
    wanted = {(tried.t, tried.seat): tried for tried in race.attempts}
    moved = sorted(
        (
            (t - earlier_ms if (t, action.seat) == (attempt.t, seat) else t, place, action)
            for place, (t, action) in enumerate(asked(played))
        ),
        key=lambda arrival: arrival[:2],
    )
    referee = Referee(played.table())
    settled = referee.settle(0)
    for t, _, action in moved:
        settled += referee.offer(t, action)
        if t > attempt.t:
            settled += referee.settle(t)
    cards = {tried.card for tried in wanted.values()}
    since = (
        race.late_to or race.attempts[0]
    ).t - earlier_ms  # a tied card may come back: not what was before
    for ruling in settled:
        if isinstance(ruling, Settled) and ruling.event.t >= since:
            event = ruling.event
            if isinstance(event, Tie) and cards & set(event.cards):
                return "tie", sorted(OWNER[card] for card in event.cards)
            if isinstance(event, Play) and event.card in cards and event.stack == race.slot:
                return "play", [event.seat]
    return "none", []


def race_of(played: Round) -> list[RaceCard]:
    return race_cards(played, [None] * len(played.header.seats))


@settings(max_examples=6, deadline=None)
@given(seeds, st.sampled_from(["roster", "stranger"]))
def test_the_flip_time_is_the_referees(seed: int, population: str) -> None:
    for played in timeline(seed, population).rounds[:2]:
        for race in race_of(played)[:12]:
            if race.flip_ms is None:
                continue
            late = race.kind == LATE
            mover = race.attempts[1 if late else 0].seat
            assert outcome(played, race, mover, 0) == as_it_was(race)
            almost = outcome(played, race, mover, race.flip_ms - 1)
            flipped = outcome(played, race, mover, race.flip_ms)
            if late:
                assert almost == as_it_was(race)
                assert flipped != as_it_was(race)
            else:  # of three that were tied, one may have left the tie before
                assert almost[0] == "tie"
                assert flipped == ("play", [mover])


def as_it_was(race: RaceCard) -> tuple[str, list[int | None]]:
    if race.kind == LATE:
        return "play", [race.winner]
    return "tie", [*sorted(attempt.seat for attempt in race.attempts)]


@settings(max_examples=6, deadline=None)
@given(seeds)
def test_every_late_try_and_every_tie_is_a_race_card(seed: int) -> None:
    for played in timeline(seed).rounds:
        told = race_of(played)
        races = [e for e in played.events if isinstance(e, Late | Tie)]
        assert [(race.t, race.slot) for race in told] == [(e.t, e.stack) for e in races]
        for race, event in zip(told, races, strict=True):
            assert race.kind == (LATE if isinstance(event, Late) else TIE)
            assert played.events[played.seqs.index(race.seq)] == event
            assert race.attempts[0].margin_ms == 0


@settings(max_examples=6, deadline=None)
@given(seeds)
def test_lags_are_close_to_what_the_bots_have(seed: int) -> None:
    """A bot's `seen` is what it saw so many ms ago; the estimate finds that within 25 ms."""
    from random import Random

    from games.bots.roster import BotSpec
    from games.bots.simulate import Setting
    from games.bots.simulate import lines as simulated
    from games.bots.skill import skill_of

    level = Random(seed).randrange(1, 6)
    setting = Setting("hasbro-2010", EDITIONS["hasbro-2010"], (BotSpec("taker", level),) * 3, seed)
    for lag in lags(Timeline.of(simulated(setting, 0))):
        assert lag is not None
        assert lag > skill_of(level).lag - 25


def test_on_equal_lines_a_slower_line_is_forgiven() -> None:
    match = timeline(7)
    played = match.rounds[0]
    first = next(race for race in race_of(played) if race.kind == LATE)
    winner, loser = (attempt.seat for attempt in first.attempts)
    margin = first.attempts[1].margin_ms
    even: list[float | None] = [100.0] * len(match.names)
    same = next(race for race in race_cards(played, even) if race.seq == first.seq)
    assert same.equal_lines == winner
    even[loser] = 100.0 + margin + match.header.rules.tie_window_ms
    other = next(race for race in race_cards(played, even) if race.seq == first.seq)
    assert other.equal_lines == loser
    even[winner] = None
    unknown = next(race for race in race_cards(played, even) if race.seq == first.seq)
    assert unknown.equal_lines is None


def test_a_tie_has_no_winner() -> None:
    races = [race for seed in range(6) for r in timeline(seed).rounds for race in race_of(r)]
    ties = [race for race in races if race.kind == TIE]
    assert ties
    assert all(race.winner is None and race.takes is None for race in ties)
    assert all(len(race.attempts) >= 2 for race in races)


@pytest.mark.parametrize("seed", range(3))
def test_flip_times_are_within_reason(seed: int) -> None:
    for played in timeline(seed).rounds:
        for race in race_of(played):
            if race.flip_ms is not None:
                first = race.late_to or race.attempts[0]
                assert 0 < race.flip_ms <= max(race.attempts[-1].t - first.t + 1, 120)


def test_a_late_try_within_the_winners_window_was_too_late_already() -> None:
    """Otherwise it would have been a tie: the card says which play came before, and that counts."""
    rules = house_rules("usaopoly-2009", {"target": 650})
    played = simulate.lines(Setting("usaopoly-2009", rules, mixed(4), 11), 0)
    match = Timeline.of(
        takewhile(lambda line: not (isinstance(line, Deal) and line.round > 5), played)
    )
    window = match.header.rules.tie_window_ms
    late = [race for played in match.rounds for race in race_of(played) if race.kind == LATE]
    unlikely = [race for race in late if race.attempts[1].margin_ms < window]
    assert unlikely
    for race in unlikely:
        first = present(race.late_to)
        assert first.t < race.attempts[0].t
        assert race.attempts[1].t - first.t >= window
        said = race_words(race, None, [None] * len(match.names), ties=True)
        facts, second = by_kind(said["result"]), seat(race.attempts[1].seat)
        since = race.attempts[0].t - first.t
        reached = {"player": seat(race.attempts[0].seat), "other": second}
        assert reached.items() <= facts["reached"].items()
        came = {"other": seat(first.seat), "card": card(first.card), "ms": since}
        assert facts["late_already"] == {"player": second, **came}
        if race.flip_ms is not None:
            assert by_kind(said["flip"])["flip_tie_with"]["other"] == seat(first.seat)
