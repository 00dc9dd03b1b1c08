"""Patterns: read as documented, and found as measured."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.cards import FACE
from games.engine.events import Discard, Draw, Out, Play
from replays.analysis.measures import measures
from replays.pages.patterns.pages import EXAMPLES
from replays.patterns.language import ABOUT, VERBS, Condition, Next, Pattern, Term, parse
from replays.patterns.matching import Players, hits
from replays.patterns.occurrences import KINDS, Occurrence, occurrences
from replays.patterns.words import IGNORED, PatternFault
from replays.timeline import Timeline
from tests.replays.matches import timeline_of
from tests.services import ROOT
from tests.web.records import played

# --- The language ------------------------------------------------------------------------

SIGNS = st.sampled_from(("<", "<=", "=", ">=", ">"))
NAMES = st.text(st.characters(codec="utf-8", exclude_characters='"\n\r'), min_size=1, max_size=8)
WHO = st.one_of(st.sampled_from(("me", "people", "bots")), NAMES.map(lambda name: f"={name}"))
VALUES = {
    "ms": st.builds(Condition, st.just("ms"), SIGNS, st.integers(0, 90_000).map(float)),
    "cards": st.builds(Condition, st.just("cards"), SIGNS, st.integers(0, 60).map(float)),
    "players": st.builds(Condition, st.just("players"), SIGNS, st.integers(2, 5).map(float)),
    "card": st.builds(Condition, st.just("card"), st.just("="), st.integers(1, 6)),
    "taker": st.just(Condition("taker", "=", 1)),
    "top": st.builds(Condition, st.just("top"), st.just("="), st.integers(0, 4)),
    "slot": st.builds(Condition, st.just("slot"), st.just("="), st.integers(0, 4)),
    "round": st.builds(Condition, st.just("round"), st.just("="), st.integers(1, 9)),
    "same": st.just(Condition("same", "=", 1)),
    "held": st.builds(Condition, st.just("held"), st.just("="), st.integers(1, 6)),
    "by": st.builds(Condition, st.just("by"), st.just("="), WHO),
    "against": st.builds(Condition, st.just("against"), st.just("="), WHO),
}


def terms(*without: str) -> st.SearchStrategy[Term]:
    def of(verb: str) -> st.SearchStrategy[Term]:
        able = [VALUES[about] for about in sorted(VERBS[verb]) if about not in without]
        conditions = st.lists(st.one_of(*able), max_size=3).map(tuple)
        return st.builds(Term, st.just(verb), conditions)

    return st.sampled_from(sorted(VERBS)).flatmap(of)


NEXTS = st.builds(
    Next,
    st.integers(0, 9_999).map(float),
    st.sampled_from(("same", "another", "anyone")),
    terms(),
)
PATTERNS = st.builds(Pattern, terms("same"), st.lists(NEXTS, max_size=2).map(tuple))


# A shared machine may stop for a while in any example.
SLOW: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}


@settings(max_examples=50, **SLOW)
@given(PATTERNS)
def test_a_pattern_in_words_is_the_same_pattern(pattern: Pattern) -> None:
    assert set(VALUES) == set(ABOUT)
    if len(str(pattern)) <= 300:
        assert parse(str(pattern)) == pattern


@settings(max_examples=20, **SLOW)
@given(PATTERNS, st.lists(st.sampled_from(sorted(IGNORED)), max_size=4))
def test_small_words_mean_nothing(pattern: Pattern, small: list[str]) -> None:
    text = f"{' '.join(small)} {pattern} {' '.join(small)}"
    if len(text) <= 300:
        assert parse(text) == pattern


WORDS = st.sampled_from(("left", "took", "5", "on", "over", "1", "s", "then", "by"))


@settings(**SLOW)
@given(st.text(max_size=40) | st.lists(WORDS).map(" ".join))
def test_any_text_is_a_pattern_or_a_fault_inside_it(text: str) -> None:
    fault = None
    try:
        parse(text)
    except PatternFault as wrong:
        fault = wrong
    assert fault is None or 0 <= fault.at <= len(text)
    assert fault is None or "expected" in fault.message


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        (
            "",
            0,
            "took, missed, late, tied, mistake, drew, discarded or out, found the end",
        ),
        ("left a 5 ovr 1 s", 9, "found “ovr”"),
        ("left a 5 over 1", 15, "s, second, seconds or ms, found the end"),
        ("left a 5 over 1 s while 9 lay open", 24, "expected a top card, 1 to 4, found 9"),
        ("left a 5 while a 4 lies", 19, "expected lay open, found “lies”"),
        ("mistake over 1 s", 8, "“mistake” cannot have a time; expected a number of cards"),
        ("took on the same slot", 5, "“took” cannot have “same slot”; expected a time"),
        ("drew on slot 1", 5, "“drew” cannot have a slot; expected a card"),
        ("took by Ada", 8, "a name in quotes, me, people or bots, found “Ada”"),
        ("took by Ada", 8, 'if that is a player’s name, write "Ada"'),
        ("took by first-fit", 8, "a name in quotes, me, people or bots, found “first-fit”"),
        ("left a 5 against Bo2, late", 17, 'write "Bo2"'),
        ("took by @lex", 8, 'found “@lex”; if that is a player’s name, write "@lex"'),
        ("took by", 7, "me, people or bots, found the end"),
        ('took by "Ada" -', 14, "expected a word, a number or a name in quotes: '-'"),
        ("took; late", 4, "expected a word, a number or a name in quotes: ';'"),
        ("took then took then took then took then took", 35, "expected at most 4 terms"),
    ],
)
def test_a_fault_says_where_and_what_was_expected(text: str, at: int, words: str) -> None:
    with pytest.raises(PatternFault) as caught:
        parse(text)
    assert caught.value.at == at
    assert words in caught.value.message


# --- What is found ------------------------------------------------------------------------


@cache
def match() -> tuple[Timeline, list[Occurrence]]:
    timeline = Timeline.of(played(4, "usaopoly-2009", 3, target=100))
    return timeline, occurrences(timeline)


def count(text: str) -> int:
    timeline, known = match()
    seats = len(timeline.names)
    players = Players(list(timeline.names), [True] * seats, [seat == 0 for seat in range(seats)])
    return sum(1 for _ in hits(parse(text), known, players))


def expected(text: str) -> int:
    """How often it happens, by the measures of docs/measures.md."""
    rounds = measures(match()[0])["rounds"]
    windows = [window for told in rounds for window in told["windows"]]
    races = [race for told in rounds for race in told["races"]]
    stacks = [stack for told in rounds for stack in told["stacks"] if stack["taker"] is not None]
    lasted = [(window, window["to"] - window["from"]) for window in windows]
    first = rounds[0]["windows"]
    return {
        EXAMPLES[0]: sum(
            FACE[window["card"]] == 5 and window["end"] != "played" and ms > 1_000
            for window, ms in lasted
        ),
        EXAMPLES[1]: sum(take["cards"] >= 6 for told in rounds for take in told["missed_takes"]),
        EXAMPLES[2]: sum(
            len(stack["cards"]) > 8 and FACE[stack["cards"][-1]] == 6 for stack in stacks
        ),
        EXAMPLES[4]: sum(race["kind"] == "late" and race["margin_ms"] < 100 for race in races),
        EXAMPLES[5]: sum(len(race["seats"]) for race in races if len(race.get("seats", ())) >= 3),
        EXAMPLES[7]: sum(
            window["takes"] and window["end"] != "played" and window["to"] - window["from"] > 3_000
            for window in first
        ),
        EXAMPLES[9]: sum(stack["taker"] == 0 and len(stack["cards"]) >= 5 for stack in stacks),
    }[text]


def test_the_page_has_the_documents_examples() -> None:
    text = (ROOT / "docs" / "patterns.md").read_text()
    section = text.split("\n## Examples\n")[1].split("\n## ")[0]
    examples = re.findall(r"^\| `(.*)` \|", section, re.MULTILINE)
    assert tuple(examples) == EXAMPLES
    assert len(EXAMPLES) == 10


@pytest.mark.parametrize("at", [0, 1, 2, 4, 5, 7, 9])
def test_the_examples_find_what_the_measures_count(at: int) -> None:
    assert count(EXAMPLES[at]) == expected(EXAMPLES[at])


def test_what_the_measures_do_not_count_is_in_the_events() -> None:
    _, known = match()
    for ms in (400, 4_000):
        quick = [play for play in known if (play.face, play.top) == (3, 2) and play.ms <= ms]
        text = EXAMPLES[3].replace("400", str(ms))
        assert count(text) == sum(play.kind == 1 for play in quick)
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
    assert count(EXAMPLES[8]) == len(pairs) > 0
    assert count("took then within 0 s anyone took") == 0
    anyone, same, another = (
        count(f"tied then within 9 s {who} took") for who in ("anyone", "", "another")
    )
    assert max(same, another) <= anyone <= same + another
    assert count("took then within 60 s took") < count("took then within 60 s anyone took")


def test_draws_discards_and_outs_are_those_of_the_log() -> None:
    timeline, known = match()
    events = [event for played in timeline.rounds for event in played.events]
    fives = [event for event in events if isinstance(event, Draw) and FACE[event.card] == 5]
    assert count("drew a 5") == len(fives) > 0
    assert count("discarded") == sum(isinstance(event, Discard) for event in events) > 0
    assert count("out") == sum(isinstance(event, Out) for event in events)
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
    assert count("played a 4 with a 5 in hand") == expected > 0
    drawn = count("drew a 5 with a 5 in hand")
    assert 0 < drawn < count("drew a 5")


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
    assert count("played a 4, then within 3 s another took on the same slot") == len(pairs) > 0
    assert len(pairs) < count("played a 4, then within 3 s another took")


@pytest.mark.parametrize("name", ["valid-hasbro-2010-5", "valid-gamerules-3", "valid-unfinished"])
def test_spans_lie_in_their_rounds_and_hold_their_moments(name: str) -> None:
    timeline = timeline_of(name)
    for span in occurrences(timeline):
        events = timeline.rounds[span.round - 1].events
        assert 0 <= span.event <= span.until <= len(events)
        assert span.t <= span.to
        assert span.seq in timeline.rounds[span.round - 1].seqs[span.event : span.until]
