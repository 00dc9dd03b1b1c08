"""A player's own match: the headline, the plays to try again, and what to practise next."""

import gzip
import json
import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Match, Player, Seat
from games.people import embargoes
from games.people.person import account
from replays.analysis.sentences import render_text
from replays.models import Chapter, StoredReport
from replays.pages import you
from replays.pages.studies.daily import Today
from replays.players.counting import count_missing
from replays.stored import reports
from replays.stored.judging import ask
from tests.notes.making import ADA
from tests.web.records import store_hosted
from tests.web.test_priorities import slow_matches

pytestmark = pytest.mark.django_db


def address(match: Match) -> str:
    return f"/matches/mine/next/?match={match.record_id}"


def played(client: Client) -> Match:
    """A match that the visitor played, as Ada."""
    match = store_hosted("Ada", "Bo")
    list(count_missing())
    ada = User.objects.create_user("Ada")
    Seat.objects.filter(player__name="Ada").update(user=ada)
    client.force_login(ada)
    return match


def test_a_player_reads_why_and_which_plays_to_try_again(client: Client) -> None:
    match = played(client)
    early = client.get(address(match))
    assert f'data-coming="/api/v1/matches/{match.pk}/analysis?details=no"' in early.text
    assert "More plays to try again may come soon." in early.text
    report = json.loads(gzip.decompress(reports.make(match)))
    lost = [
        (stack["cards"], stack)
        for stack in report["account"]["stacks"]
        for own in stack["rivals"]
        if own["seat"] == 0 and own["free_ms"] >= 500
    ]
    assert lost
    page = client.get(address(match))
    shown = page.context["plays"]
    most = sorted((cards for cards, _stack in lost), reverse=True)
    assert [play["cards"] for play in shown] == most[:3]
    assert early.context["plays"] == shown, "they need no model"
    assert "may come soon" not in page.text
    assert {play["seq"] for play in shown} <= {stack["seq"] for _cards, stack in lost}
    assert page.text.count(">Try it</button>") == len(shown)
    assert f'data-coming="/api/v1/matches/{match.pk}/decisions"' in page.text, "judged in turn"
    assert "After eight matches you’ll see what costs you most. You’ve played 1." in page.text
    assert 'id="tab-you"' in client.get(f"/matches/{match.pk}/").text


MARKS = re.compile(r'href="#mark-(\d)"')
HEAD = re.compile(r'<h1 (id="verdict"[^>]*?) class.*?verdict-words[^>]*>([^<]*)<', re.DOTALL)


def test_the_headline_is_the_verdict_to_its_reader(client: Client) -> None:
    match = played(client)
    page = f"/matches/{match.pk}/"
    own, other = (seat.total or 0 for seat in match.seats.in_order())
    said = f"You came second, {other - own} points behind Bo."
    if own > other:
        said = f"You won with {own} points, {own - other} ahead."
    text = client.get(page).text
    (head,) = HEAD.findall(text)
    assert head == ('id="verdict" data-own="0"', said)
    assert MARKS.findall(text[: text.index("</h1>")]) == ["0"], "“You” has the reader's mark"
    assert said not in client.get(address(match)).text, "the tab does not repeat it"
    (head,) = HEAD.findall(Client().get(page).text)
    assert head[0] == 'id="verdict"'
    assert head[1].startswith(("Ada won with ", "Bo won with "))
    shared = client.post(f"{page}review/", {"name": "Ada"}, follow=True).text
    names = r"<h1 class=[^>]*>\s*<span class=\"verdict-words[^>]*><span class=\"replay-player"
    assert re.search(names, shared), "a review has the players' names for all while it goes on"


def test_home_is_about_the_seat_that_the_headline_is_about(client: Client) -> None:
    match = played(client)
    match.seats.update(user=User.objects.get())
    (head,) = HEAD.findall(client.get(f"/matches/{match.pk}/").text)
    assert f"<h1>{head[1]}</h1>" in client.get("/").text


def test_a_draw_is_told_to_its_players_as_to_anyone(client: Client) -> None:
    match = played(client)
    Match.objects.filter(pk=match.pk).update(winners=0b11)
    (head,) = HEAD.findall(client.get(f"/matches/{match.pk}/").text)
    assert head[0] == 'id="verdict"'
    assert head[1].startswith("Ada and Bo drew with ")
    assert f"<h1>{head[1]}</h1>" in client.get("/").text


@pytest.mark.parametrize("analysed", [False, True])
def test_a_press_asks_about_that_play(client: Client, *, analysed: bool) -> None:
    match = played(client)
    if analysed:
        reports.make(match)
    shown = client.get(address(match)).context["plays"]
    for place in reversed(range(len(shown))):
        body = {"study": f"match-{match.pk}", "play": str(place)}
        led = client.post("/practise/", body)["Location"].partition("?")
        assert led[2] == f"practice=match-{match.pk}", "the next one comes after the answer"
        _, _, key, number, _ = led[0].split("/")
        asked = Chapter.objects.get(study__key=key, number=number)
        assert asked.round == shown[place]["round"]
        stacks = reports.look_without_model(match)
        (stack,) = [one for one in stacks.stacks if one["seq"] == shown[place]["seq"]]
        assert asked.event in [own["event"] for own in stack["rivals"] if own["seat"] == 0]
        here = f"/api/v1/studies/{key}/chapters/{number}/answer"
        client.post(here, json.dumps({"asked": True}), content_type="application/json")
        answer = {"answer": {"do": "draw"}, "ms": 900}
        assert (
            client.post(here, json.dumps(answer), content_type="application/json").status_code
            == 200
        )
    for wrong in ("9", "x", "-1"):
        last = client.post("/practise/", {"study": f"match-{match.pk}", "play": wrong})
        assert last["Location"] == f"/matches/{match.pk}/", "all are answered"


def test_only_the_player_of_a_match_that_shows_its_result_reads_it(client: Client) -> None:
    match = played(client)
    reports.make(match)
    stranger = Client()
    assert "You " not in stranger.get(address(match)).text
    assert 'id="tab-you"' not in stranger.get(f"/matches/{match.pk}/").text
    client.post("/spoilers/", {"show": "off"})
    assert "plays" not in client.get(address(match)).context
    assert 'id="tab-you"' not in client.get(f"/matches/{match.pk}/").text
    assert client.get("/matches/mine/next/?match=%00").status_code == 200
    assert client.get("/matches/mine/next/")["Location"] == "/matches/mine/"


def test_home_says_how_the_last_match_ended_and_why_and_leads_back_to_it(client: Client) -> None:
    match = played(client)
    there = f'href="/matches/{match.pk}/#panel-you">Look back</a>'
    early = client.get("/").text
    head = re.search(r"<h1>(You [^<]+)</h1>\s*<p class=[^>]*> <a ", early)
    assert head, "home makes no reason"
    assert there in early
    assert ", with Bo</p>" in early
    reports.make(match)
    look = reports.first_look(match)
    assert look
    verdict = render_text(look.own_verdicts[0], ["Ada", "Bo"])
    told = re.search(r"<h1>(.*)</h1>\s*<p class=.*>(.*) <a ", client.get("/").text)
    assert told
    assert " ".join(map(unescape, told.groups())) == verdict
    assert told[1] == head[1]
    Player.objects.filter(name="Bo").update(name="Wolfeschlegelsteinhausenbergerdorff")
    assert "Wolfeschleg…" in client.get("/").text
    assert "Wolfeschlegels" not in client.get("/").text
    client.post("/spoilers/", {"show": "off"})
    hidden = client.get("/").text
    assert "<h1>Your last match</h1>" in hidden
    assert there in hidden
    assert not any(words in hidden for words in told.groups())


def test_home_is_silent_about_a_match_until_its_player_answers_a_question(client: Client) -> None:
    match = played(client)
    reports.make(match)
    there = f"/matches/{match.pk}/"
    assert there in client.get("/").text
    user = User.objects.get()
    embargoes.begin(match, [account(user.pk)], 1)
    assert client.get(there).status_code != 200
    home = client.get("/")
    assert there not in home.text
    assert home.context["today"].last is None


def test_one_weakness_is_practised_next_and_none_in_the_dialog(
    client: Client, django_assert_max_num_queries: Callable[..., AbstractContextManager[Any]]
) -> None:
    ada = User.objects.create_user("Ada")
    *_, last = slow_matches(8, ada)
    reports.make(last)
    client.force_login(ada)
    with django_assert_max_num_queries(18):
        page = client.get(address(last)).text
    assert "<b>Take sooner with a 5</b>: about" in page
    assert page.count(">Practise</button>") == 1
    short = client.get(f"{address(last)}&one=yes").text
    assert "Take sooner" not in short
    why = re.compile(r'class="why\b[^"]*">(You [^<]*)')
    assert not why.search(page), "the headline has the verdict"
    (reason,) = why.findall(short)
    assert not reason.startswith(("You won", "You came")), "the dialog has the result already"
    assert short.count("<button") == page.count("<button") - page.count(">Try it<")


def test_one_press_leads_on_where_nothing_is_to_be_repeated(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = played(client)
    reports.make(match)
    practise = r'<button class="button small" type="submit">Practise \d+ \(about \d+ minutes?\)'
    assert re.search(practise, client.get(address(match)).text), "a play is tried first"
    monkeypatch.setattr(you, "lost_stacks", lambda _stacks, _seat: [])

    def offered() -> str:
        (words,) = re.findall(r'small primary"[^>]*>([^<]*)<', client.get(address(match)).text)
        return str(words)

    assert re.fullmatch(r"Practise \d+ \(about \d+ minutes?\)", offered())
    shown = client.get(address(match))
    best = shown.context["best"]
    assert best[0]["cards"] == max(play["cards"] for play in best)
    assert "You missed no take that was open for half a second." in shown.text
    dialog = client.get(f"{address(match)}&one=yes").text
    assert f'href="/matches/{match.pk}/#panel-you">Your best takes</a>' in dialog
    assert best[0]["text"] in shown.text
    assert "you took the stack" in best[0]["text"] or "You laid the 4 and took" in best[0]["text"]
    monkeypatch.setattr(Today, "practice", None)
    assert offered() == "Play again"
    monkeypatch.setattr(Today, "puzzle", Chapter())
    monkeypatch.setattr(Today, "puzzle_done", False)
    assert offered() == "Try today’s puzzle"


def test_nobody_who_left_reads_that_they_missed_no_take(client: Client) -> None:
    match = played(client)
    report = json.loads(gzip.decompress(reports.make(match)))
    report["account"]["stacks"] = []
    report["own_verdicts"][0]["say"].insert(0, ["own_never_played", {}])
    StoredReport.objects.update(body=gzip.compress(json.dumps(report).encode()))
    assert "You never played." in client.get(f"{address(match)}&one=yes").text
    assert "missed no take" not in client.get(address(match)).text


def test_a_decision_that_playing_on_confirms_takes_the_last_place(client: Client) -> None:
    match = played(client)
    reports.make(match)
    before = client.get(address(match)).context["plays"]
    job = ask(match, None, ADA)
    seats = [{"before": 0.4, "difference": 0.1}] * 2
    who: dict[str, Any] = {"player": ["seat", 0]}
    took = {"player": ["seat", 1], "count": 5, "time": ["lasting", 900]}
    said = [["held_wilds", {**who, "count": 1}], ["then_took", took]]
    share = {"share": ["share", 0.62], "time": ["lasting", 487]}
    said.append(["without_take", {"player": ["seat", 1], **share}])
    figure = {"by": "+10", "low": "+8", "high": "+12", "before": "40%", "after": "50%"}
    figures = [{"say": [["difference", {**who, **figure, "count": 10}]]}]
    row = {"told": True, "seat": 0, "seats": seats, "text": {"say": said}, "round": 1}
    row |= {"seq": 9, "t": 0, "slot": 0, "cards": 5, "figures": figures}
    others = [{**row, "seat": 1, "text": "Bo drew."}, {**row, "told": False, "text": "Ada slept."}]
    same = {**row, "seq": before[0]["seq"], "slot": before[0]["slot"], "text": "Twice."}
    first = reports.first_look(match)
    assert first
    (stack,) = [one for one in first.stacks if one["seq"] == before[0]["seq"]]
    same |= {"round": stack["round"], "t": stack["t"] - 1}
    job.state, job.result = "finished", {"decisions": [row, same, *others], "lost": []}
    job.save()
    page = client.get(address(match))
    shown = page.context["plays"]
    assert shown[:-1] == before[:2]
    last = shown[-1]
    assert last["text"] == "You had a wild that could take them. Bo took 5 cards 0.9\u00a0s later."
    assert "percentage points" not in page.text, "the figures are among the decisions"
    assert "decisions" not in page.text, "nothing is left to be judged"


def test_former_addresses_lead_on(client: Client) -> None:
    for press in (client.get, client.post):
        assert press("/matches/mine/missed-takes/")["Location"] == "/practise/"
