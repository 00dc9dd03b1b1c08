"""Patterns: read as documented, found as measured, and shown to those who may see the match."""

from __future__ import annotations

import csv
import re
from functools import cache
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.engine.cards import FACE
from games.models import Match
from games.people import embargoes, person
from replays.analysis.measures import measures
from replays.analysis.versions import MEASURES_VERSION
from replays.jobs.slices import SliceOutcome, slice_of_work
from replays.models import PatternSearch, Playlist, StoredOccurrences
from replays.pages.patterns.pages import EXAMPLES
from replays.patterns import searching
from replays.patterns.language import ABOUT, VERBS, Condition, Next, Pattern, Term, parse
from replays.patterns.matching import Players, hits
from replays.patterns.occurrences import Occurrence, occurrences
from replays.patterns.words import IGNORED, PatternFault
from replays.timeline import Timeline
from tests.guests import guest
from tests.narrowing import present
from tests.replays.matches import timeline_of
from tests.services import ROOT
from tests.web.records import played, store

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
    "by": st.builds(Condition, st.just("by"), st.just("="), WHO),
    "against": st.builds(Condition, st.just("against"), st.just("="), WHO),
}
TERMS = st.sampled_from(sorted(VERBS)).flatmap(
    lambda verb: st.builds(
        Term,
        st.just(verb),
        st.lists(st.one_of(*(VALUES[about] for about in sorted(VERBS[verb]))), max_size=3).map(
            tuple
        ),
    )
)
NEXTS = st.builds(
    Next,
    st.integers(0, 9_999).map(float),
    st.sampled_from(("same", "another", "anyone")),
    TERMS,
)
PATTERNS = st.builds(Pattern, TERMS, st.lists(NEXTS, max_size=2).map(tuple))


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
    except PatternFault as found:
        fault = found
    assert fault is None or 0 <= fault.at <= len(text)
    assert fault is None or "expected" in fault.message


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("", 0, "expected left, played, took, missed, late, tied or mistake, found the end"),
        ("left a 5 ovr 1 s", 9, "found “ovr”"),
        ("left a 5 over 1", 15, "s, second, seconds or ms, found the end"),
        ("left a 5 over 1 s while 9 lay open", 24, "expected a top card, 1 to 4, found 9"),
        ("left a 5 while a 4 lies", 19, "expected lay open, found “lies”"),
        ("mistake over 1 s", 8, "“mistake” cannot have a time; expected a number of cards"),
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
    timeline, found = match()
    seats = len(timeline.names)
    players = Players(timeline.names, [True] * seats, [seat == 0 for seat in range(seats)])
    return sum(1 for _ in hits(parse(text), found, players))


def expected(text: str) -> int:
    """How often it happens, by the measures of docs/measures.md."""
    rounds = measures(match()[0])["rounds"]
    windows = [one for told in rounds for one in told["windows"]]
    races = [one for told in rounds for one in told["races"]]
    stacks = [one for told in rounds for one in told["stacks"] if one["taker"] is not None]
    lasted = [(one, one["to"] - one["from"]) for one in windows]
    first = rounds[0]["windows"]
    return {
        EXAMPLES[0]: sum(
            FACE[one["card"]] == 5 and one["end"] != "played" and ms > 1_000 for one, ms in lasted
        ),
        EXAMPLES[1]: sum(one["cards"] >= 6 for told in rounds for one in told["missed_takes"]),
        EXAMPLES[2]: sum(len(one["cards"]) > 8 and FACE[one["cards"][-1]] == 6 for one in stacks),
        EXAMPLES[4]: sum(one["kind"] == "late" and one["margin_ms"] < 100 for one in races),
        EXAMPLES[5]: sum(len(one["seats"]) for one in races if len(one.get("seats", ())) >= 3),
        EXAMPLES[7]: sum(
            one["takes"] and one["end"] != "played" and one["to"] - one["from"] > 3_000
            for one in first
        ),
        EXAMPLES[9]: sum(one["taker"] == 0 and len(one["cards"]) >= 5 for one in stacks),
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
    _, found = match()
    for ms in (400, 4_000):
        quick = [one for one in found if (one.face, one.top) == (3, 2) and one.ms <= ms]
        text = EXAMPLES[3].replace("400", str(ms))
        assert count(text) == sum(one.kind == 1 for one in quick)
    assert quick


def test_what_followed_is_found_in_order_and_in_time() -> None:
    _, found = match()
    takes = [one for one in found if one.kind == 2]
    pairs = {
        (tie.seq, tie.seat)
        for tie in found
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


@pytest.mark.parametrize("name", ["valid-hasbro-2010-5", "valid-gamerules-3", "valid-unfinished"])
def test_spans_lie_in_their_rounds_and_hold_their_moments(name: str) -> None:
    timeline = timeline_of(name)
    for one in occurrences(timeline):
        events = timeline.rounds[one.round - 1].events
        assert 0 <= one.event <= one.until <= len(events)
        assert one.t <= one.to
        assert one.seq in timeline.rounds[one.round - 1].seqs[one.event : one.until]


# --- Searching -----------------------------------------------------------------------------


def searched(client: Client, text: str) -> str:
    """The address of a finished search."""
    address = client.post("/patterns/", {"q": text})["Location"]
    assert "in the queue" in client.get(address).text
    work()
    return address


def work() -> None:
    while slice_of_work("w") is SliceOutcome.WORK:
        pass


@pytest.mark.django_db
class TestSearching:
    def test_a_search_counts_by_player_and_lists_moments(self) -> None:
        found = [store("Ada", "Bo"), store("Ada", "Cy", seed=2)]
        ada = guest("ada")
        page = ada.get(searched(ada, "took")).text
        assert f"/matches/{found[0].pk}/?round=1&amp;seq=" in page
        assert "took" in page
        assert "in 2 matches" in page
        assert StoredOccurrences.objects.count() == 2
        total = sum(sum(row[1]) for row in present(PatternSearch.objects.get().found))
        assert f"{total} moments" in page

    def test_players_are_counted_in_all_their_matches_that_were_searched(self) -> None:
        store("Ada", "Bo", target=100)
        store("Ada", "Cy", seed=2)
        ada = guest("ada")
        only_once = ada.get(searched(ada, "took in round 2")).context
        players = {one.name: one for one, _ in only_once["players"]}
        assert "Cy" not in players, "that match had one round"
        assert (players["Ada"].matches, players["Bo"].matches) == (2, 1)
        assert players["Ada"].per_match == players["Ada"].moments / 2

    def test_only_players_with_a_page_are_linked(self) -> None:
        store("Ada", "Bo")
        ada = guest("ada")
        address = searched(ada, "took")
        assert 'href="/players/Ada/"' in ada.get(address).text
        Match.objects.update(origin=Match.Origin.UPLOADED)
        assert 'href="/players/Ada/"' not in ada.get(address).text
        assert "<bdi>Ada</bdi>" in ada.get(address).text

    def test_players_who_did_the_same_share_one_line(self) -> None:
        store("Ada", "Bo", target=100)
        ada = guest("ada")
        found = ada.get(searched(ada, "tied")).context
        lines = [words for _, hits in found["shown"] for _, _, words in hits]
        assert lines
        assert all(words.startswith(("Ada and Bo tied", "Bo and Ada tied")) for words in lines)
        assert found["total"] == 2 * len(lines)

    def test_what_is_stored_is_not_computed_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        store("Ada", "Bo")
        ada = guest("ada")
        first = searched(ada, "took")
        monkeypatch.delattr("replays.patterns.storing.occurrences")
        assert ada.get(searched(ada, "took")).text.count("<li>") == ada.get(first).text.count(
            "<li>"
        )

    def test_moments_of_unseen_matches_are_left_out(self) -> None:
        private, _ = store("Ada", "Zenobia"), store("Cy", "Dee")
        Match.objects.filter(pk=private.pk).update(visibility="link", filter_bits=0)
        private.seats.filter(number=0).update(guest="ada")
        ada, stranger = guest("ada"), Client()
        address = searched(ada, "took")
        assert "Zenobia" in ada.get(address).text
        shown = stranger.get(address).text
        assert "Cy" in shown
        assert "Zenobia" not in shown
        assert f"/matches/{private.pk}/" not in shown
        others = stranger.get(searched(stranger, "took")).text
        assert "Zenobia" not in others

    def test_programs_search_and_get_what_the_page_shows(self) -> None:
        store("Ada", "=Zoë", target=100)
        ada = guest("ada")
        refused = ada.post("/patterns", {"pattern": "took ovr"}, "application/json")
        assert (refused.status_code, refused.json()["error"][:25]) == (
            422,
            "pattern: at character 6: ",
        )
        for body in ({}, {"pattern": 5}, {"pattern": "took", "by": "me"}):
            assert ada.post("/patterns", body, "application/json").status_code == 422
        begun = ada.post("/patterns", {"pattern": "took  a 5"}, "application/json")
        address = f"/patterns/{begun.json()['key']}"
        assert (begun.status_code, begun.json()["job"]["state"]) == (202, "waiting")
        assert (ada.get(address).status_code, ada.get(f"{address}.csv").status_code) == (202, 409)
        work()
        found, page = Client().get(address).json(), ada.get(f"{address}/").context
        assert (found["plain"], found["total"]) == ("took 5", page["total"])
        assert [tuple(one.values()) for one in found["players"]] == [
            tuple(player) for player, _ in page["players"] + page["more_players"]
        ]
        assert [one["text"] for one in found["moments"]] == [
            words for _, hits in page["shown"] for _, _, words in hits
        ]
        assert ada.get("/patterns").json()["searches"][0]["url"] == f"{address}/"
        rows = list(csv.DictReader(StringIO(ada.get(f"{address}.csv").text)))
        assert [row["url"] for row in rows] == [one["url"] for one in found["moments"]]
        counts = ada.get(f"{address}.csv?by=player").text.splitlines()
        assert counts[0] == "player,kind,moments,matches"
        assert any(line.startswith("'=Zoë,") for line in counts)
        ada.cookies["spoilers"] = "off"
        assert [ada.get(f"{address}{rest}").status_code for rest in ("", ".csv")] == [403, 403]

    def test_a_question_on_a_match_keeps_its_moments_back(self) -> None:
        match = store("Ada", "Zenobia")
        ada = guest("ada")
        address = searched(ada, "took")
        embargoes.begin(match, [person.guest("ada")], "/question/")
        told = ada.get(address.rstrip("/")).json()
        assert (told["players"], told["moments"], told["unseen_matches"]) == ([], [], 0)
        assert told["versions"] == {"measures": MEASURES_VERSION}
        assert len(ada.get(f"{address.rstrip('/')}.csv").text.splitlines()) == 1
        assert "Zenobia" not in ada.get(address).text
        assert "Zenobia" not in ada.get(searched(ada, "took")).text
        assert "Zenobia" in guest("bo").get(address).text

    def test_a_pattern_by_a_player_searches_that_players_matches(self) -> None:
        store("Ada", "Bo")
        store("Cy", "Dee")
        page = guest("ada").get(searched(guest("ada"), 'took by "ada"')).text
        assert "in 1 match, searched on" in page
        assert "Dee" not in page

    def test_viewers_who_hide_results_learn_nothing(self) -> None:
        store("Ada", "Bo")
        client = guest("ada")
        address = searched(client, "took")
        client.cookies["spoilers"] = "off"
        assert "/matches/" not in client.get(address).text.split("<main")[1].split("</main")[0]

    def test_a_fault_is_shown_at_its_place(self) -> None:
        answer = Client().post("/patterns/", {"q": "took on <b>"})
        assert answer.status_code == 422
        assert "At character 9" in answer.text
        assert "<b>" not in answer.text
        assert not PatternSearch.objects.exists()

    def test_old_searches_make_room(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(searching, "MOST_KEPT", 2)
        ada = guest("ada")
        addresses = [searched(ada, text) for text in ("took", "late", "tied")]
        assert [ada.get(one).status_code for one in addresses] == [404, 200, 200]

    def test_what_is_found_can_be_kept_as_a_playlist(self) -> None:
        store("Ada", "Bo")
        ada = guest("ada")
        address = searched(ada, "took")
        count = len(ada.get(address).context["spans"]["took"])
        made = ada.post(address)["Location"]
        assert "took" in ada.get(made).text
        assert Playlist.objects.get().items.count() == count > 5
        stranger = Client()
        own = stranger.post(address)["Location"]
        assert own != made
        assert "took" in stranger.get(own).text, "a stranger becomes a guest"
