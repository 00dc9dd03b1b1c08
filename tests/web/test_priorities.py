"""What costs a player most, on their page, for their coach, and after a match."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Match, Seat
from games.people.person import encode, guest
from replays.analysis.players.signs import KINDS, TAKES
from replays.analysis.players.worth import worth
from replays.models import Attempt, Chapter, SeatFigures, Study, Variation
from replays.pages.priorities import race_days
from replays.players.counting import count_missing
from tests.web.records import store_hosted

pytestmark = pytest.mark.django_db


def slow_matches(count: int, user: User | None = None) -> list[Match]:
    """Matches in which Ada's slow takes cost 30 points each, more or less."""
    matches = [store_hosted("Ada", "Bo", seed=seed % 3 + 1) for seed in range(count)]
    list(count_missing())
    for place, row in enumerate(SeatFigures.objects.filter(seat__player__name="Ada")):
        shown = row.costs
        for kind in KINDS:
            cost = -30.0 + place % 3 if kind == TAKES else (place % 3 - 1) * worth().spread[0]
            shown[kind] = [cost, *shown[kind][1:3], 1, 3, 4]
        SeatFigures.objects.filter(pk=row.pk).update(costs=shown)
    if user:
        Seat.objects.filter(player__name="Ada").update(user=user)
    return matches


def test_a_players_page_says_what_costs_most(client: Client) -> None:
    slow_matches(7)
    assert "This needs eight matches. So far there are 7." in client.get("/players/Ada/").text
    slow_matches(1)
    page = client.get("/players/Ada/").text
    assert "<h3>Take sooner with a 5</h3>" in page
    assert ("costs most now" in page, "practice began" in page) == (True, False)
    assert "/?round=1&amp;seq=4" in page
    assert ">Practise</button>" not in page, "only one's own"
    client.post("/spoilers/", {"show": "off"})
    assert "Take sooner" not in client.get("/players/Ada/").text


def test_only_public_matches_count_for_others(client: Client) -> None:
    matches = slow_matches(9)
    Match.objects.filter(pk__in=[match.pk for match in matches[:2]]).update(visibility="link")
    assert "Take sooner" not in client.get("/players/Ada/").text


def drilled(user: User, match: Match, when: datetime) -> None:
    """They answered a drill over missed takes."""
    own = {"owner": f"user:{user.pk}", "user": user}
    drill = Study.objects.create(**own, by=user.username, title="D", drill=True)
    asked = Chapter.objects.create(study=drill, number=1, place=1, match=match, round=1, event=3)
    person = {"person": own["owner"], "user": user, "name": user.username}
    Attempt.objects.create(chapter=asked, **person, answered=when)


def test_practice_is_told_to_those_who_practised_alone(client: Client) -> None:
    ada = User.objects.create_user("Ada")
    for place, match in enumerate(slow_matches(10, ada)):
        at = datetime(2026, 5, place + 1, tzinfo=UTC)
        Seat.objects.filter(match=match).update(started_at=at)
    drilled(ada, match, datetime(2026, 5, 5, 12, tzinfo=UTC))
    assert "Practised on" not in client.get("/players/Ada/").text
    client.force_login(ada)
    page = client.get("/players/Ada/").text
    assert "Practised on 1 day." in page
    assert "practice began" not in page, "no line before eleven matches"


def test_a_cured_weakness_keeps_its_line_and_says_since_when(client: Client) -> None:
    ada = User.objects.create_user("Ada")
    matches = slow_matches(32, ada)
    drilled(ada, matches[0], datetime(2026, 5, 20, tzinfo=UTC))
    for place, match in enumerate(matches):
        at = datetime(2026, 5, 1, tzinfo=UTC) + timedelta(days=place)
        Seat.objects.filter(match=match).update(started_at=at)
        row = SeatFigures.objects.get(seat__match=match, seat__player__name="Ada")
        cost, *_, round_, event, seq = row.costs[TAKES]
        cured = place >= 20
        row.costs[TAKES] = [cost + 30 * cured, 1800 - 800 * cured, 1000, round_, event, seq]
        row.save()
    page = client.get("/players/Ada/").text
    assert "gone since" in page
    assert "points a match gained (" in page
    assert "Together: " in page
    assert "costs most now" not in page
    assert "practice began" not in page
    rows = client.get("/api/v1/players/Ada/figures").json()["figures"]
    assert [row["of"] for row in rows if row["part"] == "what costs points"] == [
        "Take sooner with a 5"
    ]
    client.force_login(ada)
    assert "practice began" in client.get("/players/Ada/").text


def test_a_match_that_a_bot_finished_counts_alike_everywhere(client: Client) -> None:
    ada = User.objects.create_user("Ada")
    *_, last = slow_matches(9, ada)
    before = client.get("/players/Ada/").context["profile"]
    Seat.objects.filter(match=last, player__name="Ada").update(stand_in=True)
    page = client.get("/players/Ada/").context
    client.force_login(ada)
    after = client.get(f"/matches/mine/next/?match={last.record_id}").context
    assert (page["priorities"].matches, after["priorities"].matches) == (8, 8)
    assert page["profile"].overall.played == before.overall.played, "its result counts"
    assert page["profile"].uncounted == 0
    plays = {row.title: row.matches for row in page["profile"].figures}
    assert (plays["Matches won"], plays["Plays per minute"]) == (9, 8)


def test_practice_against_ghosts_begins_with_the_first_race_that_is_kept() -> None:
    match, person = store_hosted("Ada", "Bo"), guest("ada")
    about = {"owner": encode(person), "by": "Ada", "match": match, "round": 1, "event": 3}
    Variation.objects.create(**about, events="[]", length=3, depth=1, tags=["mine"])
    assert race_days([person]) == []
    raced = Variation.objects.create(**about, events="[]", length=3, depth=1, tags=["race"])
    assert [when.date() for when in race_days([person])] == [raced.created.date()]
    assert race_days([guest("bo")]) == []
