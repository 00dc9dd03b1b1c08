"""A player's page: results, by edition, by opponent, recent form."""

import re
from html import escape, unescape
from urllib.parse import quote

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.archive.moderation import rename, show
from games.archive.packing import pack
from games.archive.store import insert
from games.bots.roster import APART, TEMPERS
from games.models import Match, Player, PlayerAlias
from games.pages.words import day
from games.people.names import skeleton
from replays.analysis.players.intervals import FEWEST
from replays.analysis.players.points import TITLES
from replays.analysis.versions import MEASURES_VERSION
from replays.pages.players.pages import MAX_TAKES
from replays.pages.players.profile import profile_of
from replays.patterns.storing import keep
from replays.players import queries
from replays.players.counting import count_missing
from tests.narrowing import present
from tests.web.listing import listed
from tests.web.records import record, store, store_hosted

pytestmark = pytest.mark.django_db
ARROW = "stroke-linecap"


def test_results_are_counted() -> None:
    matches = [
        *(store_hosted("Ada", "Bo", seed=seed) for seed in range(1, 5)),
        store_hosted("Bo", "Cy", "Ada", edition="gamerules"),
    ]
    won = sum(match.seats.get(player__name="Ada").won for match in matches)
    profile = profile_of(Player.objects.get(name="Ada"))
    overall = profile.overall
    assert (overall.played, overall.won + overall.drawn) == (5, won)
    assert overall.played == overall.won + overall.drawn + overall.lost
    groups = {title: [(row.name, row.played) for row in rows] for title, rows in profile.groups}
    assert groups == {
        "Edition": [("GameRules", 1), ("USAopoly 2009", 4)],
        "Players": [("2", 4), ("3", 1)],
        "Against": [("humans only", 5)],
    }
    assert [(row.name, row.met) for row in profile.opponents] == [("Bo", 5), ("Cy", 1)]
    assert [match.match for match in profile.recent] == [match.pk for match in matches]
    assert not profile.since


def test_ahead_and_behind_are_by_total() -> None:
    match = store("Ada", "Bo", "Cy")
    totals = {seat.name: present(seat.total) for seat in match.seats.in_order()}
    for name, total in totals.items():
        for row in profile_of(Player.objects.get(name=name)).opponents:
            assert row.ahead == (total > totals[row.name])
            assert row.behind == (total < totals[row.name])
            assert row.level == (total == totals[row.name])


def test_a_person_named_like_a_bot_shares_no_page_with_it(client: Client) -> None:
    apart = f"Pim{APART}"
    bot = Player.objects.create(name=apart, skeleton=skeleton(apart))
    for name in (apart, "first-fit"):
        PlayerAlias.objects.create(name=name, player=bot)
    store_hosted("Pim", "Ada")
    store_hosted("Pim", "Bo", kinds=("bot", "human"))
    met = {
        name: {row.name for row in profile_of(Player.objects.get(name=name)).opponents}
        for name in ("Pim", apart)
    }
    assert met == {"Pim": {"Ada"}, apart: {"Bo"}}
    assert client.get("/players/first-fit/", follow=True).context["player"] == bot
    ours = "plays the first card that fits"
    assert ours in client.get(f"/players/{apart}/").text
    assert ours not in client.get("/players/Pim/").text
    listed_bots = client.get("/players/").context["bots"]
    assert [person.name for _, person in listed_bots] == [apart]


def test_a_shared_first_place_is_a_draw() -> None:
    match = store("Ada", "Bo")
    Match.objects.filter(pk=match.pk).update(winners=3)
    match.seats.update(won=True)
    overall = profile_of(Player.objects.get(name="Ada")).overall
    assert (overall.won, overall.drawn, overall.lost, overall.percent) == (0, 1, 0, 0)


def test_only_the_latest_matches_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "LATEST", 2)
    for seed in range(1, 4):
        store(seed=seed)
    profile = profile_of(Player.objects.get(name="Ada"))
    assert profile.overall.played == 2
    assert profile.since == day(Match.objects.order_by("-pk")[1].started_at)


def test_matches_by_link_do_not_count_and_reveal_nobodys_name(client: Client) -> None:
    match = store("Ada", "Bo")
    show(match, Match.Visibility.LINK)
    shown = store("Ada", "Cy")
    text = client.get("/players/Ada/").text
    assert f"/matches/{shown.pk}/" in text
    assert f"/matches/{match.pk}/" not in text
    assert "/players/Bo/" not in text
    assert client.get("/players/Bo/").status_code == 404
    assert "No such player" in client.get("/players/?name=bo").text


@pytest.mark.parametrize(
    "name", ["a/b", "a b", "Ада", "50 %", "?x=1#y", "W" * 64, "<b>", "name/", "/name", "漢字 " * 8]
)
def test_any_name_has_a_page(client: Client, name: str) -> None:
    store(name, "Bo")
    text = client.get("/matches/").text
    address = re.search(r'<a [^>]*href="(/players/[^"]+)"', text)
    assert address
    response = client.get(address[1])
    assert response.status_code == 200
    assert client.get(f"/players/{quote(name)}/").status_code == 200


def test_a_name_is_found_in_upper_and_lower_case(client: Client) -> None:
    store("builder", "Kim")
    found = client.get("/players/Builder/?seats=2")
    assert found["Location"] == "/players/builder/?seats=2"
    assert client.get("/api/v1/players/BUILDER/figures", follow=True).json()["player"] == "builder"
    store("Builder", "Kim", seed=2)
    assert client.get("/players/Builder/").status_code == 200
    assert client.get("/players/builder/").status_code == 200


def test_a_bot_s_former_name_leads_to_it(client: Client) -> None:
    match = store("Ragna", "Corvin", kinds="bot")
    assert client.get("/players/taker/")["Location"] == "/players/Ragna/"
    assert client.get("/players/builder/").status_code == 404
    for name in ("taker", "Ragna"):
        assert f"/matches/{match.pk}/" in client.get(f"/matches/?player={name}").text
    rename(match.seats.get(number=1).player, "Kit", get_user_model().objects.create_user("Mo"))
    assert client.get("/players/Corvin/")["Location"] == "/players/Kit/"
    store("taker", "Bo", seed=2)
    assert client.get("/players/taker/").status_code == 200


def test_the_removed_page_of_habits_leads_to_its_player(client: Client) -> None:
    store("Ada", "Kim")
    assert client.get("/players/Kim/habits/")["Location"] == "/players/Kim/"
    store("Ada", "Kim/habits")
    assert "Kim/habits" in client.get("/players/Kim/habits/").text
    assert client.get("/players/Nobody/habits/").status_code == 404


def test_an_unknown_player_has_no_page(client: Client) -> None:
    store()
    for name in ("Zoë", "Ad", "%00", "x" * 3_000):
        assert client.get(f"/players/{name}/").status_code == 404


def test_a_page_makes_as_many_queries_for_three_matches_as_for_one(
    client: Client, django_assert_num_queries
) -> None:
    for stored in (1, 2):
        for _ in range(stored):
            store()
        with django_assert_num_queries(14):
            client.get("/players/Ada/")


def test_players_are_found_by_a_part_of_their_name(client: Client) -> None:
    store("Kimberley", "Bo")
    assert "/players/Kimberley/" in client.get("/players/?name=BERL").text
    assert "No such player" in client.get("/players/?name=zz").text
    assert client.get("/players/").status_code == 200


def chosen(text: str) -> str:
    """How many matches the page counts."""
    count = re.search(r"<dt>match(?:es)? played here</dt><dd>(\d+)</dd>", text)
    return count[1] if count else "none"


def test_simulated_matches_are_never_mixed_with_those_played_here(client: Client) -> None:
    store("Ada", "Bo")
    assert "<dt>simulated match</dt><dd>1</dd>" in client.get("/players/Ada/").text
    for _ in range(2):
        store_hosted("Ada", "Bo")
    pages = {asked: client.get(f"/players/Ada/{asked}").text for asked in ("", "?played=simulated")}
    assert [chosen(text) for text in pages.values()] == ["2", "none"]
    assert [text.count('href="?played=simulated"') for text in pages.values()] == [1, 0]
    assert [text.count('href="?played=here"') for text in pages.values()] == [0, 1]


def test_a_bot_has_its_simulated_matches_until_it_played_five_here(client: Client) -> None:
    store("Ragna", "Bo", kinds="bot")
    for played in range(FEWEST + 1):
        text = client.get("/players/Ragna/").text
        few = played < FEWEST
        assert ("<dt>simulated match</dt><dd>1</dd>" in text) == few
        assert chosen(text) == ("none" if few else f"{played}")
        assert ('href="?played=here"' in text) == (few and played > 0)
        ((_, bot),) = client.get("/players/").context["bots"]
        assert bot.said.split(" of ")[1:] == ([] if few else [f"the last {played}"])
        store_hosted("Ragna", "Bo", kinds="bot", seed=played + 1)


def test_choices_select_by_edition_players_opponents_and_kind(client: Client) -> None:
    store_hosted("Ada", "Bo")
    store_hosted("Ada", "Bo", "Cy", kinds=("human", "human", "bot"))
    store_hosted("Ada", "Bo", kinds=("human", "bot"), edition="gamerules")
    store_hosted("Ada", "Bo", kinds="bot")
    expected = {
        "": "3",
        "?edition=gamerules": "1",
        "?seats=2": "2",
        "?against=humans": "1",
        "?against=both": "1",
        "?against=bots&edition=gamerules": "1",
        "?against=bots&edition=usaopoly-2009": "none",
        "?as=bot": "1",
        "?opponent=Cy": "1",
        "?opponent=Bo": "3",
        "?opponent=Ada": "3",
        "?edition=nonsense&seats=9&as=9&against=9&played=9": "3",
    }
    shown = {asked: chosen(client.get(f"/players/Ada/{asked}").text) for asked in expected}
    assert shown == expected


def test_few_matches_and_uncounted_ones_are_named(client: Client) -> None:
    store_hosted("Ada", "Bo", started_at="2026-03-01T10:00:00Z")
    assert "Of 1 match only the result is counted so far" in client.get("/players/Ada/").text
    list(count_missing())
    text = client.get("/players/Ada/").text
    assert "From fewer than five matches little can be said" in text
    assert "only the result" not in text
    assert "Cards per take" in text


def test_bots_are_marked_and_counted_apart(client: Client) -> None:
    store_hosted("Ada", "Bo")
    store_hosted("Ada", "Bo", kinds=("human", "bot"))
    met = profile_of(Player.objects.get(name="Ada")).opponents
    assert [(opponent.name, opponent.kind, opponent.met) for opponent in met] == [
        ("Bo", "bot", 1),
        ("Bo", "human", 1),
    ]
    ada, bo = client.get("/players/Ada/").text, client.get("/players/Bo/?as=bot").text
    mark = '<span class="player-kind soft text-m light">bot</span>'
    assert (mark in ada, mark in client.get("/players/Bo/").text, mark in bo) == (
        False,
        False,
        True,
    )
    assert '<bdi>Bo</bdi></a> <span class="soft small">bot</span>' in ada


def test_players_are_listed_with_a_strip_of_their_results(client: Client) -> None:
    store("Ada", "Cy", seed=5)  # simulated, so not in the strip
    assert "/players/Cy/" in client.get("/players/").text
    matches = [store_hosted("Ada", "Bo", seed=seed) for seed in (1, 2)]
    assert "results-strip" not in client.get("/players/").text, "two matches say little"
    matches.append(store_hosted("Ada", "Bo", seed=3))
    won = sum(match.winners == 1 for match in matches)
    said = f">won {won} of the last 3<"
    for page in ("/players/", "/players/?name=ada"):
        assert said in client.get(page).text
    assert re.search(r"<path d=\"M65 16v-\d+h4V16z", client.get("/players/").text)
    assert "/players/Cy/" not in client.get("/players/").text, "without results: by name only"
    assert "/players/Cy/" in client.get("/players/?name=cy").text
    client.post("/spoilers/", {"show": "off"})
    assert "results-strip" not in client.get("/players/").text


def test_a_bot_has_a_name_a_face_and_a_way_to_play(client: Client) -> None:
    store("Ragna", "Bo", kinds=("bot", "human"))
    for page in ("/players/", "/players/Ragna/"):
        text = client.get(page).text
        assert TEMPERS["taker"].persona.face in text
        assert TEMPERS["taker"].persona.about in text
    assert "bot-face" not in client.get("/players/Bo/").text


def test_a_rival_leads_to_both_and_their_matches(client: Client) -> None:
    both = store("Ada", "Bo & Co")
    store("Ada", "Kim")
    Match.objects.filter(pk=store("Ada", "Bo & Co", seed=2).pk).update(state="abandoned")
    address = re.search(r'href="(/rivals/[^"]*Bo[^"]*)"', client.get("/players/Ada/").text)
    assert address
    page = client.get(unescape(address[1]))
    assert page.context["told"].met == 1
    every = re.search(r'href="/matches/(\?player=Ada[^"]*Bo[^"]*)"', page.text)
    assert every
    assert both.pk in listed(client, unescape(every[1]))
    back = client.get("/matches/" + unescape(every[1])).text
    assert '/rivals/?player=Ada&amp;rival=Bo%20%26%20Co"' in back


def test_an_imported_player_has_figures_form_and_rivals_and_is_marked(client: Client) -> None:
    for seed in range(1, FEWEST + 1):
        insert([pack(record("Ada", "Bo", seed=seed))])
    list(count_missing())
    page = client.get("/players/Ada/")
    profile = page.context["profile"]
    assert profile.overall.played == FEWEST == len(profile.recent)
    assert not profile.uncounted
    assert "from imported records" in page.text
    assert f"<dt>imported matches</dt><dd>{FEWEST}</dd>" in page.text
    (ada, bo) = client.get("/players/").context["people"]
    assert [who.said.split(" of ")[1] for who in (ada, bo)] == [f"{FEWEST} imported"] * 2
    client.force_login(get_user_model().objects.create_user("Kim"))
    assert "/players/Ada/follow/" in client.get("/players/Ada/").text
    store_hosted("Ada", "Bo")
    text = client.get("/players/Ada/").text
    assert ("from imported records" in text, chosen(text)) == (False, "1")
    assert 'href="?played=imported"' in text


def test_patterns_of_a_player_are_one_press_away(client: Client) -> None:
    name = 'Zoë & Co. +1 "B"'
    store_hosted(name, "Bo")
    page = client.get(f"/players/{quote(name)}/").text
    asked = re.findall(r'formaction="(/patterns/\?what=[^"]+)"', page)
    assert len(asked) == 4
    for address in asked:
        found = client.post(unescape(address), {"player": name}, follow=True)
        assert f"by {escape(name)}</h1>" in found.text


def test_figures_come_from_public_matches_alone() -> None:
    for seed in range(1, 4):
        store_hosted("Ada", "Bo", seed=seed)
    hidden = store_hosted("Ada", "Bo", seed=9)
    list(count_missing())
    everything = profile_of(Player.objects.get(name="Ada")).figures
    Match.objects.filter(pk=hidden.pk).update(visibility="link")
    public = profile_of(Player.objects.get(name="Ada")).figures
    hidden.seats.all().delete()
    assert public == profile_of(Player.objects.get(name="Ada")).figures
    assert public != everything


def test_programs_get_the_figures_of_the_same_choice(client: Client) -> None:
    for seed in range(1, 12):
        store_hosted("Ada", "Bo" if seed % 2 else "Cy", seed=seed)
    list(count_missing())
    link = re.search(r'href="(/api[^"]+/figures[^"]*)"', client.get("/players/Ada/?seats=2").text)
    assert link
    assert "seats=2" in link[1]
    told = client.get(link[1]).json()
    assert {row["part"] for row in told["figures"]} == {
        *("figures", "edition", "players", "against", "head to head"),
        "parts of the points per round",
    }
    for row in told["figures"]:
        if row["low"] is not None:
            assert row["low"] <= row["value"] <= row["high"]
    assert (told["player"], told["versions"]) == ("Ada", {"measures": MEASURES_VERSION})
    client.post("/spoilers/", {"show": "off"})
    assert client.get(link[1]).status_code == 403


def test_the_best_takes_are_pictures_of_the_full_stack_right_before(client: Client) -> None:
    match = store_hosted("Ada", "Bo")
    assert "Best takes" not in client.get("/players/Ada/").text  # not worked out yet
    keep(match)
    page = client.get("/players/Ada/").text
    pictures = [unescape(source) for source in re.findall(r'src="([^"]+picture\.svg[^"]*)"', page)]
    sizes = [int(size) for size in re.findall(r"<strong[^>]*><bdi>(\d+) cards? with a", page)]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) == len(pictures) == MAX_TAKES
    drawn = client.get(pictures[0])
    assert drawn.status_code == 200
    # The taker's own card still lies in the hand.
    assert f"{sizes[0] - 1} cards" in drawn.text
    assert ARROW in drawn.text


def test_the_parts_of_the_points_add_up(client: Client) -> None:
    for seed in range(FEWEST):
        store_hosted("Ada", "Bo", seed=seed)
    list(count_missing())
    told = client.get("/api/v1/players/Ada/figures").json()["figures"]
    parts = {row["figure"]: row["value"] for row in told if row["part"].startswith("parts")}
    assert list(parts) == list(map(str, TITLES.values()))
    points = next(row["value"] for row in told if row["figure"] == "Points per round")
    assert sum(parts.values()) == pytest.approx(points, abs=0.01)
    page = client.get("/players/Ada/").text
    assert 'scope="row">Takes and plays' in page
    assert 'scope="row">The rest' in page


def test_only_its_owner_learns_that_an_account_has_no_match_yet(client: Client) -> None:
    assert client.get("/players/Noa/").status_code == 404
    client.force_login(get_user_model().objects.create_user("Noa"))
    page = client.get("/players/Noa/", follow=True)
    assert "You have not played here yet" in page.text
    assert client.get("/players/Nob/").status_code == 404
    client.logout()
    assert client.get("/players/Noa/").status_code == 404
