"""Questions: who is asked, what is right, in which time, and what the coach sees of it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Embargo, Match
from replays.models import Attempt, Chapter, Reading
from replays.pages.studies import results
from replays.studies.attempts import APART
from tests.narrowing import present
from tests.notes.browsers import account, guest, post, put
from tests.studies.making import chapter, data, moment, place, question, study
from tests.web.records import store

pytestmark = pytest.mark.django_db


def asked(match: Match, **fields: Any) -> tuple[Client, Chapter, Client]:
    """The coach, a question in a public study, and a learner who has opened it."""
    coach, learner = guest("Coach"), guest("Learner")
    made = question(coach, study(coach, visibility="everyone"), match, **fields)
    assert learner.post(f"{place(made)}start").status_code == 302
    return coach, made, learner


def answers(learner: Client, made: Chapter, answer: Any, ms: int = 700) -> Any:
    return post(learner, f"{data(made)}answer", answer=answer, ms=ms)


def test_a_right_answer_is_right_and_opens_the_match() -> None:
    match = store()
    _, made, learner = asked(match)
    _, play, _ = moment(match)
    assert learner.get(f"/api/v1/matches/{match.pk}/log").status_code == 404
    right = {"do": "play", "card": play.card, "stack": play.stack}
    told = answers(learner, made, right).json()
    assert (told["verdict"], told["ms"], told["html"]) == ("right", 700, "<p>Yes.</p>\n")
    assert learner.get(f"/api/v1/matches/{match.pk}/log").status_code == 200
    shown = learner.get(f"{place(made)}?seq=4").content.decode()
    assert "Right!" in shown
    assert answers(learner, made, right).status_code == 409, "once"


@pytest.mark.parametrize(
    ("answer", "fields", "verdict"),
    [
        ({"do": "draw"}, {}, "wrong"),
        ({"do": "wait"}, {}, "wrong"),
        (None, {}, "given up"),
        ({"do": "draw"}, {"answers": [{"do": "wait"}, {"do": "draw"}]}, "right"),
        ({"do": "wait"}, {"answers": [{"do": "wait"}], "timed": True}, "right"),
        ({"do": "draw"}, {"answers": [{"do": "draw"}], "timed": True}, "late"),
        (None, {"timed": True}, "late"),
        (None, {"answers": [{"do": "wait"}], "timed": True}, "right"),
    ],
)
def test_the_verdict_depends_on_the_answer_and_its_time(
    answer: Any, fields: dict[str, Any], verdict: str
) -> None:
    _, made, learner = asked(store(), **fields)
    assert answers(learner, made, answer, 3_000_000).json()["verdict"] == verdict


def test_a_discard_is_an_answer_and_its_card_must_be_in_the_hand() -> None:
    match = store()
    event, play, _ = moment(match)
    discard = {"do": "discard", "card": play.card}
    coach, made, learner = asked(match, answers=[discard])
    verdict = answers(learner, made, {"do": "play", "card": play.card, "stack": play.stack})
    assert verdict.json()["verdict"] == "wrong"
    shown = learner.get(f"{place(made)}?seq=4").content.decode()
    assert "The answer: discard the " in shown
    assert re.search(r"Not quite.</b> .{20}You answered “the \w+ on stack \d”\.", shown)
    learner.post(f"{place(made)}start")
    other_copy = {**discard, "card": f"{play.card[:2]}{'b' if play.card[2] == 'a' else 'a'}"}
    wrong = learner.get(f"{place(made)}?seq=4").content.decode()
    assert "The answer:" not in wrong, "the next attempt has begun"
    assert answers(learner, made, other_copy).json()["verdict"] == "right"
    elsewhere = {"do": "discard", "card": f"{'B' if play.seat == 0 else 'A'}1a"}
    refused = post(
        coach,
        f"/api/v1/studies/{made.study.key}/chapters",
        match=match.pk,
        round=1,
        event=event,
        title="x",
        question={"seat": play.seat, "answers": [elsewhere]},
    )
    assert refused.status_code == 422
    assert (
        refused.json()["detail"] == f"answers: {elsewhere['card']} is not in that seat's hand there"
    )


def test_the_time_limit_is_the_players_time_at_the_attempts_speed() -> None:
    match = store()
    draw = {"answers": [{"do": "draw"}], "timed": True}
    coach, made, learner = asked(match, **draw)
    _, _, ms = moment(match)
    assert answers(learner, made, {"do": "draw"}, ms).json()["verdict"] == "right"
    for speed, time, verdict in ((50, 2 * ms, "right"), (200, ms // 2 + 1, "late")):
        made.refresh_from_db()
        put(coach, data(made)[:-1], revision=made.revision, speed=speed)
        learner.post(f"{place(made)}start")
        assert answers(learner, made, {"do": "draw"}, time).json()["verdict"] == verdict


def test_a_browser_cannot_claim_to_have_been_faster_than_it_was() -> None:
    _, made, learner = asked(store())
    post(learner, f"{data(made)}answer", asked=True)
    began = Attempt.objects.get()
    began.asked = present(began.asked) - timedelta(seconds=60)
    began.save()
    post(learner, f"{data(made)}answer", asked=True)  # asking again starts no new time
    assert answers(learner, made, {"do": "draw"}, 5).json()["ms"] > 55_000


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"answer": {"do": "play", "card": "A1a"}, "ms": 1}, "stack"),
        ({"answer": {"do": "play", "card": "Z9z", "stack": 0}, "ms": 1}, "card"),
        ({"answer": {"do": "draw"}}, "ms"),
        ({"answer": {"do": "draw"}, "ms": -1}, "ms"),
        ({"answer": {"do": "draw"}, "ms": 1, "x": 1}, "x: unknown key"),
    ],
)
def test_an_invalid_answer_says_why(body: dict[str, Any], words: str) -> None:
    _, made, learner = asked(store())
    refused = post(learner, f"{data(made)}answer", **body)
    assert (refused.status_code, Embargo.objects.count()) == (422, 1)
    assert words in refused.json()["detail"]


def test_only_the_writers_see_right_answers() -> None:
    match = store()
    coach, made, learner = asked(match, hint="Think.", wrong="A secret.")
    path = f"/api/v1/studies/{made.study.key}"
    home = f"/studies/{made.study.key}/"
    assert coach.get(f"{path}/chapters/1").json()["question"]["wrong"] == "A secret."
    for page in (f"{path}/chapters/1", path, home, f"{place(made)}?seq=4"):
        shown = learner.get(page)
        assert shown.status_code == 200, page
        assert "A secret." not in shown.content.decode(), page
        assert "answers&quot;" not in shown.content.decode()
    assert "Think." in learner.get(f"{place(made)}?seq=4").content.decode()
    assert coach.get(f"/api/v1/matches/{match.pk}/log").status_code == 200, (
        "authors are under no embargo"
    )
    assert learner.get(f"{place(made)}results/").status_code == 403


def test_the_coach_sees_who_opened_it_the_answers_and_the_times() -> None:
    match = store()
    coach, made, learner = asked(match)
    answers(learner, made, {"do": "draw"}, 1_200)
    learner.post(f"{place(made)}start")
    answers(learner, made, {"do": "wait"}, 3_400)
    late = guest("Watcher")
    late.post(f"{place(made)}start")
    coach.post(f"{place(made)}start")
    answers(coach, made, {"do": "wait"}, 100)  # who knows the answer is not in the figures
    shown = coach.get(f"{place(made)}results/")
    assert len(shown.context["learners"]) == 2
    rows = {row.name: (row, *words) for row, *words in shown.context["learners"]}
    resigned = guest("Resigned")
    resigned.post(f"{place(made)}start")
    answers(resigned, made, None, 500)
    revealed = guest("Revealed")  # in a review, before they answered
    revealed.post(f"{place(made)}start")
    ended = {"answered": timezone.now(), "verdict": Attempt.Verdict.GIVEN_UP}
    Attempt.objects.filter(name="Revealed").update(**ended)
    told = coach.get(f"{place(made)}results/")
    assert "Opened the question: 4. Answered: 1. Gave up: 1." in told.text
    german = coach.get(f"{place(made)}results/", headers={"accept-language": "de"}).text
    for verdict in ("keine Antwort", "aufgegeben"):
        assert f'<td data-head=""><span>{verdict}</span></td>' in german
    assert german.count(">offen</span>") == 1, "a question without an answer is open"
    rows_of_study = coach.get(f"/studies/{made.study.key}/results/").context["rows"]
    cells = [cell[1:] for _, cells in rows_of_study for cell in cells]
    assert ("given up", "no answer") in cells
    learned, *words = rows["Learner"]
    assert (learned.verdicts, words) == (["wrong"] * 2, ["draw a card", "1.2", "wrong, 2 attempts"])
    assert rows["Watcher"][0].verdicts == []
    assert shown.context["median"] == "1.2", "the first answer's"
    _, _, ms = moment(match)
    assert f"the play came after {ms / 1_000:.1f}&nbsp;s" in shown.text


def test_the_coach_sees_who_opened_a_chapter_without_a_question() -> None:
    match, coach = store(), guest("Coach")
    plain = chapter(coach, study(coach, visibility="everyone"), match)
    learner = guest("Learner")

    def opens(browser: Client) -> Any:
        return post(browser, f"{data(plain)}opened").json()["opened"]

    assert learner.get(place(plain), follow=True).status_code == 200
    assert (opens(coach), opens(Client())) == (False, True)
    assert not Reading.objects.exists(), (
        "a page that is got, its writers and strangers leave nothing"
    )
    assert opens(learner)
    early = Reading.objects.get().first - 2 * APART
    Reading.objects.update(first=early, last=early)
    assert opens(learner)
    assert opens(learner)
    opened = Reading.objects.get()
    assert (opened.name, opened.first) == ("Learner", early)
    assert opened.last > early
    assert coach.get(f"{place(plain)}results/").context["readings"] == [("Learner", opened)]
    assert learner.get(f"{place(plain)}results/").status_code == 403
    ((_, ((_, state, words),)),) = coach.get(f"/studies/{plain.study.key}/results/").context["rows"]
    assert (state, ", last " in words) == ("opened", True)


def test_the_class_is_seen_at_all_questions_of_a_study(monkeypatch: pytest.MonkeyPatch) -> None:
    match = store()
    coach, made, learner = asked(match)
    question(coach, made.study, match)
    answers(learner, made, {"do": "draw"}, 1_200)
    learner.post(f"{place(made)}start")
    _, play, _ = moment(match)
    answers(learner, made, {"do": "play", "card": play.card, "stack": play.stack}, 900)
    watcher = guest("Watcher")
    watcher.post(f"{place(made)}start")
    path = f"/studies/{made.study.key}/results/"
    shown = coach.get(path)
    rows = {row.name: (row.solved, cells) for row, cells in shown.context["rows"]}
    first, second = (row.shown_title for row in made.study.chapters.order_by("number"))
    none = (second, "none", "")
    assert rows == {
        "Learner": (1, [(first, "wrong", "wrong, 1.2\u00a0s, then right, 2 attempts"), none]),
        "Watcher": (0, [(first, "open", "open"), none]),
    }
    assert f'data-head="{first}"' in shown.text, "on a phone each cell names its chapter"
    assert [words for _, words in shown.context["first_right"]] == ["0 of 1", "–"]
    assert f'href="{path}"' in coach.get(f"/studies/{made.study.key}/").content.decode()
    monkeypatch.setattr(results, "MOST_SHOWN", 1)
    last = coach.get(path)
    assert [row.name for row, _ in last.context["rows"]] == ["Watcher"]
    assert "Of 2 learners, only the latest 1 are listed." in last.content.decode()
    assert [words for _, words in last.context["first_right"]] == ["0 of 1", "–"]
    assert guest("Other").get(path).status_code == 403


def test_the_class_has_named_readers_who_have_not_come() -> None:
    coach, match = account("Coach"), store()
    came, missing = account("Came"), account("Missing")
    lesson = study(coach, visibility="people", readers=["Came", "Missing"])
    plain = chapter(coach, lesson, match)
    assert post(came, f"{data(plain)}opened").json() == {"opened": True}
    rows = coach.get(f"/studies/{lesson.key}/results/").context["rows"]
    assert [(row.name, cells[0][1]) for row, cells in rows] == [
        ("Came", "opened"),
        ("Missing", "none"),
    ]
    assert post(missing, f"{data(plain)}opened").json() == {"opened": True}
    rows = coach.get(f"/studies/{lesson.key}/results/").context["rows"]
    assert [cells[0][1] for _, cells in rows] == ["opened", "opened"]


@pytest.mark.parametrize(("limit", "before"), [(3_000, "you have 3&nbsp;s"), (None, "as long")])
def test_how_long_a_learner_has_is_said_before_and_after(limit: int | None, before: str) -> None:
    match = store()
    coach = guest("Coach")
    asks: dict[str, Any] = {"timed": True, "answers": [{"do": "draw"}], "limit": limit}
    made = question(coach, study(coach, visibility="everyone"), match, **asks)
    learner = guest("Learner")
    assert before in learner.get(place(made)).content.decode()
    learner.post(f"{place(made)}start")
    opened = learner.get(f"{place(made)}?round=1&t=0")
    asked_json = opened.context["lesson"]["question"]
    assert (asked_json["limit_ms"], asked_json["passed_ms"]) == (limit, None)
    post(learner, f"{data(made)}answer", asked=True)
    began = Attempt.objects.get()
    began.asked = present(began.asked) - timedelta(seconds=61)
    began.save()
    again = learner.get(f"{place(made)}?round=1&t=0").context["lesson"]["question"]
    assert again["passed_ms"] >= 61_000, "the clock goes on after a reload"
    answers(learner, made, {"do": "draw"}, 61_000)
    _, _, ms = moment(match)
    told = learner.get(f"{place(made)}?seq=4").content.decode()
    had = "3" if limit else f"{ms / 1_000:.1f}".removesuffix(".0")
    assert f"and you had {had}&nbsp;s." in told


def test_a_chapter_that_gives_a_later_question_away_warns_its_writers() -> None:
    match, coach = store(), guest("Coach")
    lesson = study(coach, visibility="everyone")
    event, _, _ = moment(match)
    before = chapter(coach, lesson, match, event=event - 2, until=event)
    beyond = chapter(coach, lesson, match, event=event - 2, until=event + 1)
    question(coach, lesson, match, title="What now?")
    later = chapter(coach, lesson, match, event=event + 1)

    def warned(client: Client, made: Chapter) -> bool:
        page = client.get(f"{place(made)}?seq=3").content.decode()
        return "Shows the answer to" in page and "What now?" in page

    assert [warned(coach, part) for part in (before, beyond, later)] == [False, True, False]
    assert not warned(guest("Learner"), beyond)


def test_a_second_question_on_the_match_waits_for_the_first() -> None:
    match = store()
    coach, made, learner = asked(match)
    other = question(coach, made.study, match)
    assert learner.post(f"{place(other)}start")["Location"] == place(made)
    assert learner.get(place(other))["Location"] == place(made)
    assert learner.get(f"{data(other)}log").status_code == 404
    assert learner.get(f"/matches/{match.pk}/")["Location"] == place(made)


def test_nobody_stays_locked_out_by_a_question_that_is_gone() -> None:
    match = store()
    for how in ("no question", "deleted", "another place", "unshared"):
        coach, made, learner = asked(match)
        path = f"/api/v1/studies/{made.study.key}"
        assert learner.get(f"/api/v1/matches/{match.pk}/log").status_code == 404
        if how == "no question":
            put(coach, f"{path}/chapters/1", revision=1, question=None)
        elif how == "deleted":
            coach.delete(f"{path}/chapters/1", {"revision": 1}, content_type="application/json")
        elif how == "another place":
            put(coach, f"{path}/chapters/1", revision=1, event=2, question=None)
        else:
            put(coach, path, revision=2, visibility="self")
            assert learner.get(place(made))["Location"] == f"/matches/{match.pk}/release"
            learner.post(f"/matches/{match.pk}/release")
        assert learner.get(f"/api/v1/matches/{match.pk}/log").status_code == 200, how
