"""The measures of rounds that nobody would play: unruly seats, odd rules."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from plotly.graph_objs._figure import Figure

from games.engine.cards import FACE, OWNER
from games.engine.events import Play, Tie
from games.engine.fitting import fits
from games.engine.table import Table
from games.records.log import Header, Seat
from replays.analysis.measures import round_measures
from replays.analysis.windows import windows
from replays.charts import CHARTS, figure
from replays.timeline import Round, Timeline
from tests.engine.unruly import play_unruly, random_setting

seeds = st.integers(0, 2**32)


def random_timeline(seed: int, steps: int = 250) -> Timeline:
    rng = Random(seed)
    setting = random_setting(rng)._replace(totals=())
    setting = setting._replace(totals=(0,) * setting.seats)
    seats = tuple(
        Seat(f"P{seat}", "bot", beginner=seat in setting.beginners) for seat in range(setting.seats)
    )
    timeline = Timeline(Header("random", "usaopoly-2009", setting.rules, seats))
    timeline.add(setting.deal)
    for event in play_unruly(rng, setting, steps).events:
        timeline.add(event)
    return timeline


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_every_card_played_is_counted_once(seed: int) -> None:
    (played,) = random_timeline(seed).rounds
    told = round_measures(played, windows(played))
    table = played.table(len(played.events))
    for seat, done in enumerate(told["actions"]):
        assert sum(told["fed"][seat]) + told["left"][seat] == done["play"]
        assert len(told["reaction_ms"][seat]) == done["play"]
        assert sum(row[seat] for row in told["fed"]) == len(table.score_piles[seat])
        middle = sum(OWNER[card] == seat for stack in table.stacks for card in stack)
        assert told["left"][seat] == middle
    ties = [event for event in played.events if isinstance(event, Tie)]
    assert sum(done["tied"] for done in told["actions"]) == sum(len(tie.cards) for tie in ties)


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_windows_are_what_a_patient_onlooker_finds(seed: int) -> None:
    (played,) = random_timeline(seed).rounds
    told = round_measures(played, windows(played))["windows"]
    keys = ("seat", "card", "slot", "from", "to", "end")
    assert sorted(tuple(w[key] for key in keys) for w in told) == sorted(onlooker(played))
    order = [(w["from"], w["to"], w["seat"], w["card"], w["slot"]) for w in told]
    assert order == sorted(order)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_any_round_can_be_drawn(seed: int) -> None:
    timeline = random_timeline(seed)
    for name in CHARTS:
        for number in (1, None):
            Figure(figure(name, timeline, number))


Key = tuple[int, str, int]


def onlooker(played: Round) -> list[tuple[int, str, int, int, int, str]]:
    """Windows found the slow way: after each event, ask of every card whether it fits."""
    closed = []
    open_ = dict.fromkeys(fitting(played.table()), 0)
    for event, table in played.tables():
        now = fitting(table)
        for key in list(open_):
            ending = how(event, key, now)
            if ending:
                closed.append((*key, open_.pop(key), event.t, ending))
        open_ |= dict.fromkeys(now - set(open_), event.t)
    closed += [(*key, since, played.duration_ms, "over") for key, since in open_.items()]
    return closed


def fitting(table: Table) -> set[Key]:
    return {
        (seat, card, slot)
        for seat, hand in enumerate(table.hands)
        for card in hand
        for slot, top in enumerate(table.tops)
        if fits(table.rules, top, FACE[card])
    }


def how(event: object, key: Key, now: set[Key]) -> str | None:
    if isinstance(event, Play) and event.stack == key[2]:
        return "played" if event.card == key[1] else "closed"
    return None if key in now else "elsewhere"
