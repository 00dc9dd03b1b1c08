"""Ratings: what a match does, which matches count, and a ledger that follows from the logs."""

from io import StringIO
from random import Random

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from games.archive import moderation
from games.engine.editions import EDITIONS
from games.models import Match, Player
from games.people import embargoes, person
from replays.models import Rating, RatingChange
from replays.ratings.bots import FILE, ROSTER, as_json, climb, ladders, table
from replays.ratings.ledger import look_round, outdated, rebuild, settle_all
from replays.ratings.standing import NEW, SURE, places, rated
from replays.ratings.tables import history
from tests.notes.browsers import guest
from tests.web.records import store, store_hosted, store_played


def test_places_follow_totals_and_equals_share_one() -> None:
    assert places([10, 30, 30, -4]) == [3, 1, 1, 4]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_match_moves_ratings_by_places_alone(seats: int) -> None:
    totals = list(range(seats))
    after = rated([NEW] * seats, totals)
    assert [standing.mu for standing in after] == sorted(standing.mu for standing in after)
    assert after[-1].mu > NEW.mu > after[0].mu
    assert all(standing.sigma < NEW.sigma and standing.matches == 1 for standing in after)
    assert rated([NEW] * seats, [10 * total for total in totals]) == after


def test_equal_players_who_draw_stay_equal() -> None:
    own, other = rated([NEW, NEW], [50, 50])
    assert own == other
    assert own.rating == NEW.rating == 1_500


def test_a_rating_is_provisional_until_it_is_certain_enough() -> None:
    own, other, matches = NEW, NEW, 0
    while own.provisional:
        own, other = rated([own, other], [matches % 2, 1])
        matches += 1
    assert own.sigma <= SURE
    assert 10 < matches < 40


def lines() -> list[tuple[object, ...]]:
    """The ledger, without its rows' numbers."""
    rows = RatingChange.objects.order_by("edition", "ended_at", "match__record_id", "player__name")
    return list(
        rows.values_list(
            "match__record_id", "player__name", "place", "mu", "sigma", "matches", "ended_at"
        )
    )


def heads() -> list[tuple[object, ...]]:
    rows = Rating.objects.order_by("edition", "player__name")
    return list(rows.values_list("edition", "player__name", "mu", "sigma", "matches"))


@pytest.mark.django_db
def test_the_ledger_is_the_same_in_whatever_order_matches_came() -> None:
    matches = [
        store_played(*names, edition=edition, started_at=f"2026-05-0{day}T10:00:00Z")
        for day, names in enumerate((("Ada", "Bo", "Cy"), ("Bo", "Ada"), ("Cy", "Bo")), 1)
        for edition in ("usaopoly-2009", "gamerules")
    ]
    assert rebuild() == len(matches)
    expected = lines(), heads()
    assert len(expected[0]) == 14
    for seed in range(3):
        RatingChange.objects.all().delete()
        Rating.objects.all().delete()
        Match.objects.update(state=Match.State.UNFINISHED)
        for match in Random(seed).sample(matches, len(matches)):
            Match.objects.filter(pk=match.pk).update(state=Match.State.FINISHED)
            settle_all()
        assert (lines(), heads()) == expected


@pytest.mark.django_db
def test_programs_of_before_that_were_recorded_as_people_are_not_rated() -> None:
    match = store_played("Ada (bot)", "Bo", source="live")
    old = match.seats.get(number=0).player
    assert not settle_all()
    store_played("Ada", "Bo", source="live")
    assert settle_all() == 1
    assert {name for _, name, *_ in lines()} == {"Ada", "Bo"}
    now = RatingChange.objects.get(player__name="Ada")
    now.pk, now.player, now.match = None, old, match
    now.save(force_insert=True)
    settle_all()
    assert {name for _, name, *_ in lines()} == {"Ada", "Bo"}


@pytest.mark.django_db
def test_matches_that_end_at_once_are_ordered_by_their_ids() -> None:
    ends = {"started_at": "2026-05-01T10:00:00Z"}
    store_played("Ada", "Bo", id="b", **ends)
    settle_all()
    store_played("Ada", "Cy", id="a", **ends)
    settle_all()
    assert [(match, count) for match, name, *_, count, _ in lines() if name == "Ada"] == [
        ("a", 1),
        ("b", 2),
    ]


@pytest.mark.django_db
def test_only_public_matches_played_here_between_people_count() -> None:
    store("Ada", "Bo")
    store_played("Ada", "Bo", kinds=("human", "bot"))
    store_played("Ada", "Ada")
    for fields in (
        {"visibility": Match.Visibility.LINK},
        {"state": Match.State.ABANDONED},
        {"origin": Match.Origin.UPLOADED},
        {"state": Match.State.OPEN},
    ):
        Match.objects.filter(pk=store_played("Ada", "Bo").pk).update(**fields)
    assert settle_all() == 0
    store_played("Ada", "Bo")
    assert settle_all() == 1
    assert settle_all() == 0
    assert Rating.objects.count() == 2


@pytest.mark.django_db
def test_only_accounts_are_rated(django_user_model: type[User]) -> None:
    store_hosted("Script", "Puppet")
    own = store_played("Ada", "Bo")
    own.seats.filter(number=0).update(user=None, guest="a guest's key")
    assert settle_all() == 0
    own.seats.filter(number=0).update(user=django_user_model.objects.get(username="Ada"))
    assert settle_all() == 1, "she has opened an account"
    assert not outdated().exists()
    django_user_model.objects.get(username="Bo").delete()
    assert outdated().exists()
    look_round()
    assert not Rating.objects.exists(), "as if it had not been played"


@pytest.mark.django_db
def test_a_match_taken_off_the_lists_no_longer_counts(admin_user) -> None:
    first = store_played("Ada", "Bo", started_at="2026-05-01T10:00:00Z")
    store_played("Ada", "Cy", started_at="2026-05-02T10:00:00Z")
    settle_all()
    moderation.unlist(first, admin_user, "")
    ada = Player.objects.get(name="Ada")
    assert [step.match for step in history(ada, first.edition)] != [first.pk]
    look_round()
    assert [(name, count) for _, name, *_, count, _ in lines()] == [("Ada", 1), ("Cy", 1)]
    assert not Rating.objects.filter(player__name="Bo").exists()


def of_people(page: str) -> str:
    """The page of players from people's ratings to those of bots."""
    return page.partition('<h2 id="ratings">')[2].partition('<h2 id="bots">')[0]


@pytest.mark.django_db
def test_the_pages_show_ratings_apart_by_edition_and_mark_provisional_ones(client: Client) -> None:
    assert "No person has a rating yet" in client.get("/players/").text
    for _ in range(2):
        store_played("Ada", "Bo")
    store_played("Cy", "Dee", edition="gamerules")
    assert "3 matches rated" in run("recount")
    text = client.get("/players/").text
    assert of_people(text).count("<caption>") == 2
    assert 'aria-label="From too few matches to compare"' in text
    own = client.get("/players/Ada/").text
    assert "Rating over time" in own
    assert "In USAopoly 2009. The band shows how uncertain" in own
    prior, later = (step for step in history(Player.objects.get(name="Ada"), "usaopoly-2009"))
    moved = later.standing.rating - prior.standing.rating
    words = f"<bdi>Ada</bdi> {later.standing.rating} ({moved:+d})".replace("-", "−")
    assert words in client.get(f"/matches/{later.match}/").text
    first = f"{prior.standing.rating} ({prior.standing.rating - NEW.rating:+d})".replace("-", "−")
    assert first in client.get(f"/matches/{prior.match}/").text
    learner = guest("Kim")
    question = [person.guest(learner.session["guest"])]
    embargoes.begin(Match.objects.filter(edition="gamerules").get(), question, 1)
    held = learner.get("/players/").text
    assert of_people(held).count("<caption>") == 1, "a rating would tell how the match ended"
    assert "<bdi>Cy</bdi>, <bdi>Dee</bdi>." in held
    own = learner.get("/players/Cy/").text
    assert "1 match of <bdi>Cy</bdi>, and any rating that it changed, is left out until" in own
    client.post("/spoilers/", {"show": "off"})
    for address in ("/players/", "/players/Ada/"):
        assert "provisional" not in client.get(address).text
    assert "replay-ratings" not in client.get(f"/matches/{later.match}/").text
    assert "3 matches rated" in run("recount", "--all")


# --- Bots ---------------------------------------------------------------------------------


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_a_ladder_follows_from_its_seed_and_the_quick_lead_it() -> None:
    ladder = climb("usaopoly-2009", 40, 7)
    assert ladder == climb("usaopoly-2009", 40, 7)
    assert {rung.bot for rung in ladder.rungs} == {str(spec) for spec in ROSTER}
    means = [
        sum(rung.standing.mu for rung in ladder.rungs if rung.bot.endswith(f":{level}"))
        for level in (1, 3, 5)
    ]
    assert means == sorted(means)


def test_a_ladder_of_no_matches_is_refused() -> None:
    before = FILE.read_text()
    with pytest.raises(CommandError, match="at least 1"):
        run("bot_ladder", "--matches=0")
    assert FILE.read_text() == before


def test_tables_have_two_to_five_different_bots() -> None:
    tables = [table("gamerules", 1, index) for index in range(8)]
    assert [len(specs) for specs in tables] == [2, 3, 4, 5] * 2
    assert all(len(set(specs)) == len(specs) for specs in tables)


@pytest.mark.django_db
def test_the_ladders_of_the_release_are_shown_apart(client: Client) -> None:
    roster = {str(spec) for spec in ROSTER}
    assert {
        edition: {rung.bot for rung in of.rungs} for edition, of in ladders().items()
    } == dict.fromkeys(EDITIONS, roster), "a changed roster needs `manage.py bot_ladder`"
    assert as_json(ladders()) == FILE.read_text()
    text = client.get("/players/").text
    assert "A separate ladder" in text
    assert "<caption>GameRules</caption>" in text
    assert "1000 simulated matches" in text
