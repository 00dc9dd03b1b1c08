"""Until a learner has answered, the server's answers do not depend on what came after the stop.

A match is stored twice, in worlds that differ only after a question's stop. Every address of the
site that names a match, and every list that has matches in it, is asked by the learner in both
worlds, and must say the same, byte for byte. An address of a match that is added is asked too.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, get_resolver
from django.utils import timezone

from games.archive.packing import pack
from games.archive.store import insert
from games.engine.events import Deal, Discard, Draw, End, Late, Miss, Play
from games.models import Embargo, Match
from games.people import embargoes, person
from games.people.guests import MOST_TOKENS
from games.people.visitor import Author
from games.records.log import Line, Note
from replays.models import Attempt, Chapter
from replays.notes.audience import Sharing
from replays.players.counting import count
from replays.reviews import storage as reviews
from replays.stored import reports
from replays.timeline import Timeline
from replays.variations.lines import MatchLines, Place
from replays.variations.what_if import WhatIf
from tests.notes.browsers import account, guest, post, put
from tests.notes.making import note
from tests.people import world
from tests.people.class_addresses import ClassWorld
from tests.people.test_matrix import browser as visitor
from tests.studies.making import chapter, data, place, study
from tests.web.records import record, store

pytestmark = pytest.mark.django_db
ASKED = {"seat": 0, "answers": [{"do": "draw"}], "timed": True}
WHO_PLAYS = ("guest who plays", "account who plays")
LISTS = (
    *("/matches/", "/matches/?order=longest", "/matches/?player=Ada", "/matches/mine/"),
    *(
        "/players/",
        "/players/Ada/",
        "/rivals/?player=Ada&rival=Bo",
        "/api/v1/players/Ada/figures",
        "/notes/",
        "/notes/?folder=shared",
    ),
    *("/notes/?folder=tags&match={pk}", "/", "/watch/", "/play/", "/studies/", "/studies/?q=ada"),
    *("/reviews/", "/playlists/", "/patterns/"),
)
Asking = Callable[[list[Line], int], dict[str, tuple[int, bytes]]]
NAMES: dict[str, object] = {"name": "scores", "number": 1, "key": "clip"}
"""What else the addresses of a match name."""
_RANDOM = re.compile(rb'(csrf\w*"?[^"]{0,9}"?(?: value=)?")[^"]*|(csrftoken|sessionid)=[^;]*')
_CLOCK = re.compile(rb"\d\d:\d\d:\d\d(\.\d+)?|nonce-[^']*|nonce=\"[^\"]*")
_KEYS = re.compile(r"(study|key)-of-a-test-\d+")


def worlds() -> tuple[list[list[Line]], int]:
    """Two records with the same header, deal and first events, and how many events those are."""
    first = record("Ada", "Bo", "Cy", id="one-match")
    at = next(at for at in range(30, len(first)) if isinstance(first[at], Play))
    branch = WhatIf(MatchLines(Timeline.of(first)), Place(1, at - 2, None))
    branch.play_on(600_000, 7, None)
    branch.finish()
    other = [*first[:at], *branch.events]
    end = next(line for line in first if isinstance(line, End))
    assert isinstance(other[-1], End)
    assert first[at] != other[at]
    assert end.totals != other[-1].totals
    told = Note(1, at, "Kim", "??", "The next card decides it.")
    return [[*first, told], other], at - 2


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def routes(patterns: Sequence[object], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(getattr(pattern, "pattern", ""))
        if isinstance(pattern, URLPattern):
            yield route
        else:
            yield from routes(pattern.url_patterns, route)  # type: ignore[attr-defined]


def paths_of_a_match() -> list[str]:
    """The addresses that name a match by its number, whatever they are for."""
    paths = [route for route in routes(get_resolver().url_patterns) if "<match:" in route]
    return ["/" + re.sub(r"<\w+:(\w+)>", r"{\1}", route) for route in paths]


def asked(lines: list[Line], events: int) -> dict[str, tuple[int, bytes]]:
    """What a learner who has opened the question gets, in the world of that record."""
    with undone():
        (match,) = insert([pack(lines)], Match.Origin.SIMULATED)
        coach = guest("Coach")
        account("Kim")
        lesson = study(coach, visibility="everyone")
        made = chapter(coach, lesson, match, event=events, question=ASKED)
        public = note(match, event=1, text="Read this.", tags=["late"])
        learner = account("Learner")
        learner.post(f"{place(made)}start")
        assert Attempt.objects.count() == 1
        own = [f"{data(made)}{rest}" for rest in ("log", "log?from=9", "notes")]
        own.append(f"{place(made)}?seq=3")
        own.append(f"/studies/{lesson.key}/")
        own += [f"/api/v1/studies/{lesson.key}", f"/api/v1/notes/{public.key}"]
        every = [*own, *paths_of_a_match(), *LISTS]
        return {
            f"{method} {_KEYS.sub('KEY', path)}": told(
                learner, method, path.format(pk=match.pk, **NAMES)
            )
            for path in every
            for method in ("get", "post")
        }


def asked_with_the_class(lines: list[Line], events: int) -> dict[str, tuple[int, bytes]]:
    """What a pupil gets whose class is asked in a review of the match, in that world."""
    with undone():
        (match,) = insert([pack(lines)], Match.Origin.SIMULATED)
        there = ClassWorld()
        key = there.school_class.key
        author = Author(person.encode(person.account(there.coach.pk)), "Cora", there.coach)
        review = reviews.start(match, author, key)
        coach, pupil = there.browser("coach"), there.browser("pupil")
        assert coach
        assert pupil
        at = {"round": 1, "event": events, "view": "0", "match": match.pk, "title": "What now?"}
        moment = {**at, "question": ASKED}
        assert post(coach, f"/api/v1/reviews/{review.key}/ask", moment=moment).status_code == 200
        made = Chapter.objects.get()
        own = [f"{data(made)}{rest}" for rest in ("log", "log?from=9", "notes")]
        own += [f"{place(made)}?seq=3", f"/studies/{made.study.key}/", f"/reviews/{review.key}/"]
        own += [f"/api/v1/studies/{made.study.key}", f"/classes/{key}/"]
        # Its own is as random, and not always as long.
        get_user_model().objects.filter(pk=there.child.pk).update(username="a-child")
        random = (key, there.homework.key, review.key, made.study.key)
        keys = dict(zip(random, ("CLASS", "HOMEWORK", "REVIEW", "STUDY"), strict=True))
        responses = {}
        for path in (*own, *paths_of_a_match(), *LISTS):
            for method in ("get", "post"):
                name = f"{method} {renamed(path, keys)}"
                status, body = told(pupil, method, path.format(pk=match.pk, **NAMES))
                responses[name] = status, renamed(body.decode(errors="replace"), keys).encode()
        return responses


def renamed(text: str, keys: dict[str, str]) -> str:
    """Without keys that are random in each world."""
    for key, name in keys.items():
        text = text.replace(key, name)
    return text


def told(browser: Client, method: str, path: str) -> tuple[int, bytes]:
    """An answer with its headers, without what is random in it."""
    answer = getattr(browser, method)(path)
    said = answer.content + repr(sorted(answer.headers.items())).encode()
    said = re.sub(rb"(study|key)-of-a-test-\d+", b"KEY", _RANDOM.sub(rb"\1", said))
    return answer.status_code, _CLOCK.sub(b"", said)


@pytest.mark.parametrize("ask", [asked, asked_with_the_class])
def test_no_answer_depends_on_what_came_after_the_stop(ask: Asking) -> None:
    records, events = worlds()
    first, second = (ask(lines, events) for lines in records)
    assert first.keys() == second.keys()
    for name, (status, body) in first.items():
        assert status == second[name][0], name
        if body != second[name][1]:
            at = next(
                n
                for n, pair in enumerate(zip(body, second[name][1], strict=False))
                if pair[0] != pair[1]
            )
            pytest.fail(
                f"{name}: {body[at - 60 : at + 60]!r} != {second[name][1][at - 60 : at + 60]!r}"
            )
    assert first["get /api/v1/matches/{pk}/log"][0] == 404
    assert b"/1/" in first["get /matches/{pk}/"][1], "one is led to the question"
    log = next(body for name, (_, body) in first.items() if name.endswith("/1/log"))
    assert log.count(b'"do":') == events


def test_the_page_and_api_of_a_finished_table_stay_closed() -> None:
    users = world.people()
    table, number = world.build("public", "over", users["Ada"])
    match = Match.objects.get(pk=number)
    owner = guest("Bo")
    asks = chapter(owner, study(owner), match, question=ASKED)
    for name in ("Kim", "Ada"):
        browser = Client()
        browser.force_login(users[name])
        assert browser.get(f"/api/v1/tables/{table}").status_code == 200
        with undone():
            embargoes.begin(match, [person.account(users[name].pk)], asks.pk)
            assert browser.get(f"/api/v1/tables/{table}").status_code == 404
            assert browser.get(f"/play/{table}/")["Location"] == f"/matches/{number}/"
            assert browser.get(f"/matches/{number}/")["Location"] == place(asks)


def test_the_worlds_differ_for_visitors_under_no_embargo() -> None:
    records, _ = worlds()
    seen = []
    for lines in records:
        with undone():
            (match,) = insert([pack(lines)], Match.Origin.SIMULATED)
            paths = [path.format(pk=match.pk, **NAMES) for path in (*paths_of_a_match(), *LISTS)]
            seen.append({path: told(Client(), "get", path) for path in paths})
    differ = {path for path in seen[0] if seen[0][path] != seen[1][path]}
    assert len(differ) >= 7, "or this test could not fail"


def test_an_unopened_question_is_no_embargo_and_its_page_shows_nothing_of_the_match() -> None:
    records, events = worlds()
    (match,) = insert([pack(records[0])], Match.Origin.SIMULATED)
    coach = guest("Coach")
    made = chapter(coach, study(coach, visibility="everyone"), match, event=events, question=ASKED)
    stranger = Client()
    shown = stranger.get(place(made)).content.decode()
    assert "Start the question" in shown
    assert "Ada" not in shown
    assert stranger.get(f"{data(made)}log").status_code == 404
    assert stranger.get(f"{data(made)}notes").status_code == 404
    assert stranger.get(f"/api/v1/matches/{match.pk}/log").status_code == 200
    stranger.post(f"{place(made)}start")
    assert stranger.get(f"/api/v1/matches/{match.pk}/log").status_code == 404, "now a guest"


def test_during_an_embargo_no_title_tells_what_happened() -> None:
    (match,) = insert([pack(worlds()[0][0])], Match.Origin.SIMULATED)
    coach, learner = guest("Coach"), account("Learner")
    lesson = study(coach, visibility="everyone")
    made = chapter(coach, lesson, match, title="What now?", event=40, question=ASKED)
    other = chapter(coach, lesson, match, title="Why Bo took it", text="Bo took it.")
    home, shown = f"/studies/{lesson.key}", "Why Bo took it"
    paths = (f"/api/v1{home}", f"{home}/", f"/api/v1{home}/chapters/{other.number}", place(made))

    def told(browser: Client) -> str:
        return "".join(browser.get(path, follow=True).text for path in paths)

    assert told(learner).count(shown) >= len(paths)
    learner.post(f"{place(made)}start")
    assert shown not in told(learner)
    assert "Bo took it" not in told(learner)
    assert "Chapter 2" in learner.get(f"{home}/").text
    assert shown in told(coach)


def test_no_play_tried_again_closes_its_players_own_match() -> None:
    """Asked by every kind of visitor: only others' questions close a match."""
    users = world.people()
    _table, number = world.build("public", "over", users["Ada"])
    match = Match.objects.get(pk=number)
    reports.make(match)
    count(match)
    coach = account("Coach")
    asks = chapter(coach, study(coach, visibility="everyone"), match, event=40, question=ASKED)
    names = {"pk": number, **NAMES}
    paths = [path.format(**names) for path in paths_of_a_match()]
    paths += [f"/matches/mine/next/?match={match.record_id}", "/matches/", "/matches/mine/"]
    browsers = {who: visitor(who, users) for who in ("stranger", *WHO_PLAYS)}

    def statuses(browser: Client) -> list[int]:
        return [browser.get(path).status_code for path in paths]

    before = {who: statuses(browser) for who, browser in browsers.items()}
    for who in WHO_PLAYS:
        browser = browsers[who]
        led = browser.post("/practise/", {"study": f"match-{number}"})["Location"]
        asked = browser.get(led, follow=True)
        assert asked.context["state"] == "question"
        own = Chapter.objects.get(
            study=asked.context["study"], number=asked.context["chapter"].number
        )
        log = browser.get(f"{data(own)}log").content
        assert log.count(b'"do":') == own.event, "the question has nothing after its stop"
        assert browser.get(led, follow=True).context["state"] == "question", "it waits"
        with undone():
            browser.post(f"{place(asks)}start")
            assert browser.get(f"/matches/{number}/")["Location"] == place(asks)
            again = browser.post("/practise/", {"study": f"match-{number}"})["Location"]
            assert again.startswith(place(asks)), "the coach’s question comes first"
            assert browser.get(place(own))["Location"] == place(asks)
    assert {who: statuses(browser) for who, browser in browsers.items()} == before
    assert not Embargo.objects.exists()
    stranger = browsers["stranger"]
    assert stranger.get(place(own)).status_code == 404


def test_a_play_tried_again_opens_under_an_embargo_of_its_own() -> None:
    """It may be left from when the player's class was asked, or from an older version."""
    users = world.people()
    _table, number = world.build("public", "over", users["Ada"])
    match = Match.objects.get(pk=number)
    reports.make(match)
    count(match)
    browser = visitor("account who plays", users)
    led = browser.post("/practise/", {"study": f"match-{number}"})["Location"]
    own = Attempt.objects.get(answered=None).chapter
    Attempt.objects.all().delete()
    embargoes.begin(match, [person.account(users["Ada"].pk)], own.pk)
    assert browser.get(led).context["state"] == "start"
    assert browser.post(f"{place(own)}start", follow=True).context["state"] == "question"
    assert post(browser, f"{data(own)}answer", answer=None, ms=1).status_code == 200
    assert not Embargo.objects.exists()


def test_however_many_notes_are_opened_by_link_a_study_stays_open() -> None:
    match, coach, learner = store("Ada", "Bo"), guest("Coach"), Client()
    lesson = study(coach, visibility="link")
    learner.get(f"/studies/{lesson.key}/?share={lesson.token}")
    session = learner.session
    session["shared"] = [f"token-of-a-test-{number}" for number in range(MOST_TOKENS)]
    session.save()
    shared = note(match, sharing=Sharing("link"))
    assert learner.get(f"/api/v1/notes/{shared.key}?share={shared.token}").status_code == 200
    assert len(learner.session["shared"]) == MOST_TOKENS
    assert learner.get(f"/studies/{lesson.key}/").status_code == 200


def test_what_is_not_there_and_what_is_not_for_you_are_told_alike() -> None:
    secret = store("Ada", "Bo")
    Match.objects.filter(pk=secret.pk).update(visibility=Match.Visibility.LINK)
    for path in ("analysis", "decisions", "notes", "what-if/try"):
        addresses = [f"/api/v1/matches/{pk}/{path}" for pk in (secret.pk, 999)]
        asked = {"round": 1, "event": 1, "seat": 0}
        said = [
            post(Client(), address, **asked) if "try" in path else Client().get(address)
            for address in addresses
        ]
        assert [answer.status_code for answer in said] == [404, 404]
        assert said[0].json() == said[1].json()


def test_a_lost_link_does_not_end_an_embargo() -> None:
    """Neither invented tokens nor another browser of the same account lead around a question."""
    (match,) = insert([pack(worlds()[0][0])], Match.Origin.SIMULATED)
    coach, learner = guest("Coach"), account("Learner")
    lesson = study(coach, visibility="link")
    made = chapter(coach, lesson, match, event=40, question=ASKED)
    other = chapter(coach, lesson, match)
    learner.get(f"{place(made)}?share={lesson.token}")
    learner.post(f"{place(made)}start")
    for number in range(3):
        learner.get(f"/studies/{lesson.key}/9/?share=invented-token-{number:06}")
    assert learner.session["shared_studies"] == [lesson.token]
    elsewhere = Client()
    elsewhere.force_login(get_user_model().objects.get(username="Learner"))
    for browser in (learner, elsewhere):
        assert browser.get(place(made), follow=True).status_code == 200, "it can be answered"
        assert browser.get(f"/api/v1/matches/{match.pk}/log").status_code == 404
    rest = ("/", f"/{other.number}/")
    paths = [f"/studies/{lesson.key}{path}" for path in rest]
    paths += [f"/api/v1/studies/{lesson.key}", data(other).rstrip("/")]
    codes = {elsewhere.get(path).status_code for path in paths}
    assert codes == {404}, "the rest of the study is closed"
    assert post(elsewhere, f"/api/v1/studies/{lesson.key}/copy").status_code == 404
    put(coach, f"/api/v1/studies/{lesson.key}", revision=2, visibility="self")
    release = f"/matches/{match.pk}/release"
    assert elsewhere.get(place(made))["Location"] == release
    assert "That question is gone" in elsewhere.get(release).text
    assert elsewhere.get(f"/api/v1/matches/{match.pk}/log").status_code == 404, (
        "looking lifts nothing"
    )
    assert elsewhere.post(release)["Location"] == f"/matches/{match.pk}/"
    assert elsewhere.get(f"/api/v1/matches/{match.pk}/log").status_code == 200, (
        "nobody stays locked out"
    )


def test_nobody_is_locked_out_by_a_question_that_is_gone() -> None:
    match, kim = store("Ada", "Bo"), guest("Kim")
    me = [person.guest(kim.session["guest"])]
    embargoes.begin(match, me, 999)
    there, release = f"/matches/{match.pk}/", f"/matches/{match.pk}/release"
    assert [kim.get(there)["Location"], kim.get(release).status_code] == [release, 404]
    kim.post(release)
    assert kim.get(there).status_code == 200
    assert kim.get(release)["Location"] == there, "there is nothing to release"
    embargoes.begin(match, me, 999)
    call_command("tidy")
    assert kim.get(there).status_code == 200


def test_an_open_question_is_not_released() -> None:
    match, owner, kim = store("Ada", "Bo"), guest("Ada"), guest("Kim")
    asks = chapter(owner, study(owner, visibility="everyone"), match, question=ASKED)
    kim.post(f"{place(asks)}start")
    kim.post(f"/matches/{match.pk}/release")
    assert kim.get(f"/matches/{match.pk}/")["Location"] == place(asks)


def test_an_answer_lifts_the_embargo_in_every_browser_of_the_account() -> None:
    match, owner = store("Ada", "Bo"), guest("Ada")
    asks = chapter(owner, study(owner, visibility="everyone"), match, question=ASKED)
    kim, elsewhere = guest("Kim as a guest"), account("Kim")
    kim.force_login(get_user_model().objects.get(username="Kim"))
    kim.post(f"{place(asks)}start")
    barred = Embargo.objects.count()
    assert barred == 2, "the account, and the guest of that browser"
    told = post(elsewhere, f"{data(asks)}answer", answer={"do": "draw"}, ms=900)
    assert told.status_code == 200, told.content
    assert not Embargo.objects.exists()
    assert "answered" in kim.get(place(asks), follow=True).context["state"]


def test_embargoes_of_people_who_are_gone_are_cleared() -> None:
    (match,) = insert([pack(worlds()[0][0])], Match.Origin.SIMULATED)
    here, account_here = guest("Here"), account("Kim")
    key = here.session["guest"]
    assert account_here.session
    kim = get_user_model().objects.get(username="Kim").pk
    everyone = [person.guest(key), person.guest("gone"), person.account(kim), person.account(999)]
    embargoes.begin(match, everyone, 1)
    assert embargoes.forget_gone() == 0, "a new one may belong to a session that is being stored"
    Embargo.objects.update(created=timezone.now() - timedelta(days=4_000))
    assert embargoes.forget_gone() == 2
    assert embargoes.holds(match.record_id, [everyone[0]])
    assert embargoes.holds(match.record_id, [everyone[2]])


def test_a_learner_gets_no_draw_piles() -> None:
    records, events = worlds()
    (match,) = insert([pack(records[0])], Match.Origin.SIMULATED)
    coach, learner = guest("Coach"), guest("Learner")
    made = chapter(coach, study(coach, visibility="everyone"), match, event=events, question=ASKED)
    learner.post(f"{place(made)}start")
    log = learner.get(f"{data(made)}log").content.decode()
    deal = next(line for line in records[0] if isinstance(line, Deal))
    later = [
        line.card
        for line in records[0][events + 2 :]
        if isinstance(line, Play | Draw | Discard | Late | Miss)
    ]
    shown = set(re.findall(r"[A-E][1-5R][a-z]", log))
    unseen = [card for deck in deal.decks for card in deck[3:] if card not in shown]
    assert set(unseen) & set(later), "cards drawn after the stop"
    assert log.count("?") == len(unseen)
