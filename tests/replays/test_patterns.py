"""Patterns: what can be asked for, and what is found, as measured."""

from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from pydantic import ValidationError

from games.engine.cards import FACE
from games.engine.events import Discard, Draw, Out, Play
from replays.analysis.chances import chances
from replays.analysis.lag import lags
from replays.analysis.measures import measures
from replays.analysis.missed_takes import could_take
from replays.pages.patterns.form import UnfitQuery, form_rows, parse_query
from replays.patterns.matching import Players, hits
from replays.patterns.occurrences import KINDS, Occurrence, occurrences
from replays.patterns.query import FACES, PatternQuery
from replays.patterns.query import PRESETS as IN_WORDS
from replays.timeline import Timeline
from tests.replays.matches import timeline_of
from tests.web.records import played

PRESETS = list(IN_WORDS)

# --- What can be asked for ----------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: str(preset.said))
def test_an_address_brings_back_the_same_query(preset: PatternQuery) -> None:
    given = dict(parse_qsl(urlencode(preset.fields)))
    assert parse_query(given) == preset
    filled = {field.name: field.value for row in form_rows(given) for field in row}
    assert parse_query({name: value for name, value in filled.items() if value}) == preset
    assert PatternQuery.model_validate_json(preset.model_dump_json()) == preset


def test_the_form_has_every_field() -> None:
    fields = {field.name for row in form_rows({}) for field in row}
    assert fields == set(PatternQuery.model_fields)


def test_words_name_all_that_is_asked() -> None:
    query = PatternQuery(
        what="tied", card="3", top="empty", slot=2, hand="wild", min_s=0.1, max_s=2, min_cards=1,
        max_cards=4, min_players=3, player="Ada", days=7, round=2, then="took", then_by="another",
        within_s=4, then_slot="same",
    )  # fmt: skip
    assert str(PRESETS[3].said) == "A 3 played on a 2 within 0.4 s"
    assert str(query.said) == (
        "ties by Ada · the last 7 days · with a 3 · on an empty slot · on slot 2 · a wild in hand"
        " · at least 0.1 s · at most 2 s · at least 1 card · at most 4 cards · at least 3 players"
        " · in round 2 · then within 4 s: takes · by another player · on the same slot"
    )
    assert str(PatternQuery(what="took").said) == "takes by anyone"
    assert str(PatternQuery(what="played", card="3").said) == "cards played by anyone · a 3"
    assert str(PRESETS[3].model_copy(update={"player": "Bo"}).said).endswith(" s · by Bo")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "“What happened”: field required"),
        ({"what": "mistake", "min_s": "1"}, "“mistakes” cannot be asked about a time"),
        ({"what": "drew", "slot": "2"}, "“cards drawn” cannot be asked about a slot"),
        ({"what": "out", "card": "5"}, "“shouts of OUT” cannot be asked about a card"),
        ({"what": "took", "min_players": "2"}, "“takes” cannot be asked about a number of players"),
        ({"what": "played", "opponent": "Bo"}, "“cards played” cannot be asked about an opponent"),
        ({"what": "took", "card": "taker"}, "only a card that was left or played"),
        ({"what": "took", "then": "out", "then_slot": "same"}, "what follows there has no slot"),
        ({"what": "took", "by": "me", "player": "Ada"}, "choose a kind of player or a name"),
        ({"what": "took", "min_cards": "many"}, "“Cards, at least”: input should be a valid int"),
        ({"what": "took", "max_s": "-1"}, "“Seconds, at most”: input should be greater than"),
        ({"what": "took", "slot": "9"}, "“Slot”: input should be less than or equal to 5"),
        ({"what": "took", "player": "x" * 65}, "“Player”: string should have at most 64"),
    ],
)
def test_a_fault_names_its_field_and_says_why(given: dict[str, str], words: str) -> None:
    with pytest.raises(UnfitQuery, match=f"^{words}"):
        parse_query(given)


@pytest.mark.parametrize("body", [{"what": "took", "slot": "1"}, {"what": "took", "about": 1}])
def test_programs_are_read_strictly(body: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        PatternQuery.model_validate(body)


# --- What is found ------------------------------------------------------------------------


@cache
def match() -> tuple[Timeline, list[Occurrence]]:
    timeline = Timeline.of(played(4, "usaopoly-2009", 3, target=100))
    return timeline, occurrences(timeline, lags(timeline))


def count(query: PatternQuery) -> int:
    timeline, known = match()
    seats = len(timeline.names)
    players = Players(list(timeline.names), [True] * seats, [seat == 0 for seat in range(seats)])
    return sum(1 for _ in hits(query, known, players))


def counted(preset: PatternQuery) -> int:
    """How often it happens, by the measures of docs/reference/measures.md."""
    rounds = measures(match()[0])["rounds"]
    windows = [window for told in rounds for window in told["windows"]]
    races = [race for told in rounds for race in told["races"]]
    stacks = [stack for told in rounds for stack in told["stacks"] if stack["taker"] is not None]
    lasted = [(window, window["to"] - window["from"]) for window in windows]
    first = rounds[0]["windows"]
    return {
        PRESETS[0]: sum(
            FACE[window["card"]] == 5 and window["end"] != "played" and ms >= 1_000
            for window, ms in lasted
        ),
        PRESETS[1]: sum(
            could_take(chance) and chance.window.counted >= 6
            for played in match()[0].rounds
            for chance in chances(played, lags(match()[0]))
        ),
        PRESETS[2]: sum(
            len(stack["cards"]) >= 9 and FACE[stack["cards"][-1]] == 6 for stack in stacks
        ),
        PRESETS[4]: sum(race["kind"] == "late" and race["margin_ms"] <= 100 for race in races),
        PRESETS[5]: sum(len(race["seats"]) for race in races if len(race.get("seats", ())) >= 3),
        PRESETS[7]: sum(
            window["takes"] and window["end"] != "played" and window["to"] - window["from"] >= 3_000
            for window in first
        ),
        PRESETS[9]: sum(len(stack["cards"]) >= 5 for stack in stacks),
    }[preset]


@pytest.mark.parametrize("at", [0, 1, 2, 4, 5, 7, 9])
def test_the_presets_find_what_the_measures_count(at: int) -> None:
    assert count(PRESETS[at]) == counted(PRESETS[at])


def test_what_the_measures_do_not_count_is_in_the_events() -> None:
    _, known = match()
    for ms in (400, 4_000):
        quick = [play for play in known if (play.face, play.top) == (3, 2) and play.ms <= ms]
        preset = PRESETS[3].model_copy(update={"max_s": ms / 1_000})
        assert count(preset) == sum(play.kind == 1 for play in quick)
    assert quick


def test_what_followed_is_found_in_order_and_in_time() -> None:
    _, known = match()
    takes = [take for take in known if take.kind == 2]
    pairs = {
        (tie.seq, tie.seat)
        for tie in known
        for take in takes
        if tie.kind == 4
        and (tie.round, tie.seat != take.seat) == (take.round, True)
        and tie.to < take.t <= tie.to + 2_000
    }
    assert count(PRESETS[8]) == len(pairs) > 0
    assert count(PatternQuery(what="took", then="took", then_by="anyone", within_s=0)) == 0
    anyone, same, another = (
        count(PatternQuery(what="tied", then="took", then_by=who, within_s=9))
        for who in ("anyone", "same", "another")
    )
    assert max(same, another) <= anyone <= same + another


def test_draws_discards_and_outs_are_those_of_the_log() -> None:
    timeline, known = match()
    events = [event for played in timeline.rounds for event in played.events]
    fives = [event for event in events if isinstance(event, Draw) and FACE[event.card] == 5]
    assert count(PatternQuery(what="drew", card="5")) == len(fives) > 0
    discards = sum(isinstance(event, Discard) for event in events)
    assert count(PatternQuery(what="discarded")) == discards > 0
    assert count(PatternQuery(what="out")) == sum(isinstance(event, Out) for event in events)
    assert {draw.slot for draw in known if draw.kind == KINDS.index("drew")} == {-1}


def test_what_else_was_in_hand_is_known() -> None:
    timeline, _ = match()
    expected = 0
    for played_round in timeline.rounds:
        for event in played_round.events:
            if isinstance(event, Play) and FACE[event.card] == 4:
                before = played_round.table(played_round.events.index(event))
                rest = [card for card in before.hands[event.seat] if card != event.card]
                expected += 5 in map(FACE.__getitem__, rest)
    assert count(PatternQuery(what="played", card="4", hand="5")) == expected > 0
    drawn = count(PatternQuery(what="drew", card="5", hand="5"))
    assert 0 < drawn < count(PatternQuery(what="drew", card="5"))


def test_what_followed_can_be_on_the_same_slot() -> None:
    _, known = match()
    plays = [play for play in known if play.kind == 1]
    takes = [take for take in known if take.kind == 2]
    pairs = {
        (play.seq, play.seat)
        for play in plays
        for take in takes
        if (play.round, play.slot) == (take.round, take.slot) and play.face == 4
        if play.seat != take.seat and play.to < take.t <= play.to + 3_000
    }
    anywhere = PatternQuery(what="played", card="4", then="took", then_by="another", within_s=3)
    assert count(anywhere.model_copy(update={"then_slot": "same"})) == len(pairs) > 0
    assert len(pairs) < count(anywhere)


def test_players_are_found_by_name_by_what_they_are_and_as_oneself() -> None:
    timeline, known = match()
    fed = [take for take in known if take.kind == 2 and take.other >= 0]
    name = timeline.names[1].upper()
    assert count(PatternQuery(what="took", opponent=name)) == sum(take.other == 1 for take in fed)
    assert count(PatternQuery(what="took", against="bots")) == len(fed) > 0
    assert count(PatternQuery(what="took", by="people")) == 0
    assert count(PatternQuery(what="took", player=timeline.names[0])) == count(
        PatternQuery(what="took", by="me")
    )


def test_faces_are_those_of_the_cards() -> None:
    assert set(FACES.values()) == set(FACE.values())


@pytest.mark.parametrize("name", ["valid-hasbro-2010-5", "valid-gamerules-3", "valid-unfinished"])
def test_spans_lie_in_their_rounds_and_hold_their_moments(name: str) -> None:
    timeline = timeline_of(name)
    for span in occurrences(timeline, lags(timeline)):
        events = timeline.rounds[span.round - 1].events
        assert 0 <= span.event <= span.until <= len(events)
        assert span.t <= span.to
        assert span.seq in timeline.rounds[span.round - 1].seqs[span.event : span.until]
