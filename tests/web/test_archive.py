"""The archive: what it lists, in which order, by which filters, and at what cost."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from itertools import product
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from games.archive.filters import CLOSENESS, LENGTHS, closeness_class, length_class
from games.archive.packing import pack
from games.archive.players import players_like
from games.archive.queries import ORDERS, PAGE, Filter, Mark, _marks, page_of
from games.archive.store import insert
from games.models import Match, Seat
from replays.pages.forms import MatchFilters, write_mark
from replays.pages.rows import recent_day
from replays.stored.logs import timeline_of
from tests.narrowing import present
from tests.people import world
from tests.web.listing import link, listed
from tests.web.records import record, store, store_hosted, with_note

pytestmark = pytest.mark.django_db


def test_matches_by_link_are_not_listed(client: Client) -> None:
    match = store()
    Match.objects.filter(pk=match.pk).update(filter_bits=match.filter_bits & ~1, visibility="link")
    assert listed(client) == []
    assert listed(client, "?player=Ada") == []


FILTERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "edition=hasbro-2010": ({"edition": "hasbro-2010"}, {}),
    "seats=3": ({"names": ("Ada", "Bo", "Cy")}, {}),
    "who=humans": ({}, {"kinds": ("human", "bot")}),
    "who=bots": ({"kinds": "bot"}, {}),
    "who=mixed": ({"kinds": ("human", "bot")}, {"kinds": "bot"}),
    "since=2026-02-01": (
        {"started_at": "2026-02-01T00:00:00Z"},
        {"started_at": "2026-01-31T23:59:59Z"},
    ),
    "until=2026-01-31": (
        {"started_at": "2026-01-31T23:59:59Z"},
        {"started_at": "2026-02-01T00:00:00Z"},
    ),
    "player=Kim": ({"names": ("Kim", "Bo")}, {}),
    "player=ki": ({"names": ("Kim", "Bo")}, {}),
    "player=im": ({"names": ("Kim", "Bo")}, {}),
}


@pytest.mark.parametrize("query", list(FILTERS))
def test_filters_find_the_one_and_not_the_other(client: Client, query: str) -> None:
    wanted, other = (dict(how) for how in FILTERS[query])
    match = store(*wanted.pop("names", ("Ada", "Bo")), **wanted)
    store(*other.pop("names", ("Ada", "Bo")), **other)
    for order in ORDERS:
        assert listed(client, f"?{query}&sort={order}") == [match.pk], order


def test_filters_stay_open_and_filled_in(client: Client) -> None:
    plain = client.get("/matches/?player=Ada").text
    assert "<details>" in plain
    assert 'name="player" type="search" maxlength="320" value="Ada"' in plain
    more = client.get("/matches/?ties=yes").text
    assert "<details open>" in more
    assert '<option value="yes" selected>with' in more


def test_a_match_that_is_being_played_is_listed_with_its_round(client: Client) -> None:
    _, pk = world.build("public", "open", world.people()["Ada"])
    reached = len(timeline_of(Match.objects.get(pk=pk)).rounds)
    assert f"<span>round\u00a0{reached}</span>" in client.get("/matches/").text


def test_ties_notes_and_outcomes_are_filters(client: Client) -> None:
    noted = insert([pack(with_note(record()))])[0]
    plain = store(seed=4)
    open_ended = insert([pack(record()[:30])])[0]
    for with_notes in ("?notes=1", "?notes=yes"):
        assert listed(client, with_notes) == [noted.pk]
    assert listed(client, "?outcome=open") == [open_ended.pk]
    assert listed(client, "?outcome=human") == [plain.pk, noted.pk]
    assert listed(client, "?outcome=bot") == []
    for match in (noted, plain):
        assert (match.pk in listed(client, "?ties=yes")) == (match.ties > 0)
        assert (match.pk in listed(client, "?ties=no")) == (match.ties == 0)


def test_lengths_part_at_5_and_15_minutes_and_closeness_at_5_and_20_points() -> None:
    lengths = [LENGTHS[length_class(ms) - 1] for ms in (299_999, 300_000, 899_999, 900_000)]
    assert lengths == ["short", "medium", "medium", "long"]
    margins = [CLOSENESS[closeness_class(margin) - 1] for margin in (0, 5, 6, 20, 21)]
    assert margins == ["close", "close", "clear", "clear", "runaway"]


def test_length_and_closeness_find_what_the_log_says(client: Client) -> None:
    for match in (store(seed=1), store(seed=2, target=150)):
        length = LENGTHS[length_class(match.duration_ms) - 1]
        close = CLOSENESS[closeness_class(present(match.margin)) - 1]
        assert match.pk in listed(client, f"?length={length}&close={close}")
        others = [name for name in LENGTHS if name != length]
        assert all(match.pk not in listed(client, f"?length={other}") for other in others)


def test_filters_combine_with_players_and_winners(client: Client) -> None:
    matches = [
        store("Kim", "Bo", seed=1),
        store("Bo", "Kim", seed=1),
        store("Kim", "Bo", seed=1, edition="gamerules"),
        store("Ada", "Bo", seed=1),
    ]
    won = {(seat.match_id, seat.name) for seat in Seat.objects.filter(won=True).in_order()}
    for winner, order in product(("Kim", "Bo"), ORDERS):
        query = f"?player=Kim&winner={winner}&edition=usaopoly-2009&seats=2&sort={order}"
        expected = {match.pk for match in matches[:2] if (match.pk, winner) in won}
        assert set(listed(client, query)) == expected


def test_matches_of_several_players_have_all_of_them(client: Client) -> None:
    both = store("Kim", "Bo", seed=1)
    three = store("Bo", "Ada", "Kimberley", seed=1)
    store("Kim", "Ada", seed=1)
    store("A, B", "Cy", seed=1)
    for order in ORDERS:
        sorted_by = f"&sort={order}"
        assert listed(client, f"?player=Kim, Bo{sorted_by}") == [both.pk]
        assert set(listed(client, f"?player=bo,kim{sorted_by}")) == {both.pk, three.pk}
        assert listed(client, f"?player=kimb,bo,Ada{sorted_by}") == [three.pk]
        assert listed(client, f"?player=Kim,Bo,Ada{sorted_by}") == []
        assert len(listed(client, f"?player=A, B{sorted_by}")) == 1, "a name with a comma"
    assert "No player by that name" in client.get("/matches/?player=Kim,Zoë").text


def test_days_are_asked_for_and_told_in_words(client: Client) -> None:
    now = datetime.now(UTC)
    ages = (0, 3, 20, 40)
    matches = [
        store(started_at=f"{now - timedelta(days=ago):%Y-%m-%dT%H:%M:%SZ}").pk for ago in ages
    ]
    for when, found in (("today", 1), ("week", 2), ("month", 3), ("never", 4)):
        assert listed(client, f"?when={when}") == matches[:found]
    since = (now - timedelta(days=1)).date()
    assert listed(client, f"?when=month&since={since}") == matches[:1]
    assert '<time data-day datetime="' in client.get("/matches/").text
    assert ">Today</time>" in client.get("/matches/").text


def test_a_recent_day_has_a_name() -> None:
    today = date(2026, 3, 4)
    told = [recent_day(today - timedelta(days=ago), today) for ago in (0, 1, 2, 6, 7, 70, -1)]
    expected = ["Today", "Yesterday", "Monday", "Thursday", "25 Feb", "24 Dec 2025", "5 Mar"]
    assert told == expected


def test_one_name_in_two_seats_is_listed_once(client: Client) -> None:
    match = store("Kim", "Kim")
    for order in ORDERS:
        assert listed(client, f"?player=Kim&sort={order}") == [match.pk]


def test_orders_go_by_what_they_say() -> None:
    for seed in range(1, 9):
        store(seed=seed)
    keys: dict[str, Callable[[Match], Any]] = {
        "longest": lambda match: -match.duration_ms,
        "shortest": lambda match: match.duration_ms,
        "closest": lambda match: match.margin,
        "ties": lambda match: -match.ties,
    }
    for order, key in keys.items():
        ids = [row.id for row in page_of(Filter(order=order)).rows]
        matches = sorted(Match.objects.all(), key=key)
        assert [key(Match.objects.get(pk=pk)) for pk in ids] == [key(match) for match in matches]


def paged(client: Client, order: str, player: str) -> tuple[list[int], int]:
    """What all pages of a list show, and how many pages there are."""
    seen: list[int] = []
    query: str | None = f"?sort={order}" + (f"&player={player}" if player else "")
    pages = 0
    while query is not None and pages < 9:
        seen += listed(client, query)
        query = link(client, query, "More matches")
        pages += 1
    return seen, pages


def test_pages_show_every_match_once(client: Client) -> None:
    # All of one second, of one length, of one margin: the worst for an order.
    insert([pack(record("Ada", "Al")) for _ in range(2 * PAGE + 3)])
    every = sorted(Match.objects.values_list("pk", flat=True))
    for order, player in product(ORDERS, ("", "Ada", "A")):
        seen, pages = paged(client, order, player)
        assert (sorted(seen), pages) == (every, 3), (order, player)


def test_pages_show_every_match_of_any_year_once(client: Client) -> None:
    years = [1, 1582, *range(1930, 1990), 9999]
    insert([pack(record("Ada", "Al", started_at=f"{year:04}-07-01T10:00:00Z")) for year in years])
    by_time = list(Match.objects.order_by("started_at").values_list("pk", flat=True))
    for (order, expected), player in product(
        (("newest", by_time[::-1]), ("oldest", by_time)), ("", "Ada")
    ):
        assert paged(client, order, player)[0] == expected
    assert listed(client) == by_time[: -PAGE - 1 : -1], (
        "newest first, where nobody asks for an order"
    )


@given(
    st.one_of(
        st.tuples(st.sampled_from(["newest", "oldest"]), st.datetimes(timezones=st.just(UTC))),
        st.tuples(st.sampled_from(["longest", "closest", "ties"]), st.integers(0, 2**31)),
    ),
    st.integers(1, 2**53 - 1),
)
def test_a_mark_is_read_as_it_was_written(key: tuple[str, datetime | int], pk: int) -> None:
    order, value = key
    if isinstance(value, datetime):
        value = value.replace(microsecond=0)
    mark = Mark(value, pk)
    assert MatchFilters({"sort": order, "after": write_mark(mark)}, spoilers=True).after == mark


def test_a_page_deep_in_the_list_leads_back_to_its_start(client: Client) -> None:
    match = store()
    query = f"?seats=2&after={int(match.started_at.timestamp()) + 9}.1"
    assert listed(client, query) == [match.pk]
    assert link(client, query, "Back to the first page") == "?seats=2"


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?player=Ada",
        "?player=Ada, Bo",
        "?player=A&winner=Bo&sort=closest&edition=usaopoly-2009&since=2020-01-01&ties=yes",
        "?sort=longest&length=short&close=close&outcome=human",
    ],
)
def test_a_page_makes_as_many_queries_for_three_matches_as_for_one(
    client: Client, query: str, django_assert_max_num_queries
) -> None:
    counts = []
    for stored in (1, 2):
        for _ in range(stored):
            store()
        with django_assert_max_num_queries(12 if "Ada, Bo" in query else 8) as asked:
            client.get(f"/matches/{query}")
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_the_plain_page_asks_four_times(client: Client, django_assert_num_queries) -> None:
    store()
    with django_assert_num_queries(4):
        client.get("/matches/")


def test_a_page_is_read_along_an_index() -> None:
    for wanted in (Filter(), Filter({"edition": 1, "seats": 3}), Filter(order="closest")):
        plan = _marks(wanted, None).explain()
        assert "USING COVERING INDEX" in plan
        assert "TEMP B-TREE" not in plan


@pytest.mark.parametrize(
    "query",
    [
        "?after=x",
        "?after=99999999999999999.1",
        "?after=9007199254740991.1",
        "?after=1.2.3",
        "?after=-1.-1",
        "?after=-99999999999999.1",
        "?after=-5.1&sort=longest",
        "?seats=9&edition=%00&sort=random()&since=yesterday&until=9999-12-31",
        "?since=0001-01-01&sort=longest",
        "?player=%00",
        "?player=" + "x" * 5_000,
        "?player=%25&winner=_",
        "?player=%F0%9F%98%80",
        "?seats=3&seats=2",
    ],
)
def test_addresses_that_mean_nothing_are_answered(client: Client, query: str) -> None:
    store()
    assert client.get(f"/matches/{query}").status_code == 200


def test_names_are_written_so_that_they_stay_text(client: Client) -> None:
    store('<script>alert("1")</script>', "Bo & Co")
    text = client.get("/matches/").text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
    assert "Bo &amp; Co" in text
    assert '/players/%3Cscript%3Ealert(%221%22)%3C/script%3E/"' in text


def test_a_search_names_the_players_that_it_found(client: Client) -> None:
    store("Kimberley", "Bo")
    text = client.get("/matches/?player=kim").text
    assert '<a class="chip" href="/players/Kimberley/"><bdi>Kimberley</bdi></a>' in text
    assert 'value="kim"' in text


def test_bots_among_players_are_marked() -> None:
    store_hosted("Ada", "Robby", kinds=("human", "bot"))
    for page in ("/players/", "/players/?name=robby"):
        assert '<bdi>Robby</bdi> <span class="soft">bot</span></a>' in Client().get(page).text
    assert "<bdi>Ada</bdi></a>" in Client().get("/players/").text


def test_names_are_found_exactly_first_then_by_beginning_then_by_part() -> None:
    store("Al", "Alan")
    store("Sal", "al")
    assert [name for _, name in players_like("Al")][:1] == ["Al"]
    assert [name for _, name in players_like("al")][:1] == ["al"]
    assert {name for _, name in players_like("AL")} == {"Al", "al", "Alan"}
    assert [name for _, name in players_like("LAN")] == ["Alan"]
    assert players_like("  ") == []


def test_nothing_found_and_nothing_stored_are_told_apart(client: Client) -> None:
    assert "No match has been stored yet" in client.get("/matches/").text
    store()
    assert "No matches found" in client.get("/matches/?seats=5").text
    assert "No player by that name" in client.get("/matches/?player=Zoë").text


def test_the_list_draws_the_course_and_puts_it_in_words(client: Client) -> None:
    store("Ada", "Bo", seed=2)
    text = client.get("/matches/").text
    assert re.search(r'<svg class="course" .*aria-label="Led: (Ada|Bo) \d+%', text)
    assert re.search(r'<path class="deck-0" d="M\d+ [\d.]+h\d+v', text)
