"""Today's puzzle and tonight's match: what is chosen, and what the pages show of it."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.utils import timezone
from django.utils.translation import override
from pytest_django import DjangoAssertNumQueries

from games.archive.store import insert
from games.engine.cards import FACE, WILD
from games.engine.fitting import fits, takes
from games.management.commands.demo_data import DemoMatch, play
from games.models import Match
from games.people.visit import Visit
from replays.analysis.missed_takes import taker
from replays.models import Attempt, Chapter, Homework, Job
from replays.notes.positions import extent_of, table_at
from replays.pages.studies.daily import Today
from replays.pages.studies.lessons import decided_words, in_seconds
from replays.stored import judging, reports
from replays.studies import daily, writing
from replays.studies.questions import limit_ms, question_of
from tests.narrowing import present
from tests.notes.browsers import guest, post, put
from tests.people.class_addresses import ClassWorld

pytestmark = pytest.mark.django_db


@pytest.fixture
def matches() -> list[Match]:
    """Two short matches of bots, in the archive."""
    daily._tried.clear()
    each = DemoMatch("usaopoly-2009", [0, 1, 2], [1, 1, 1], {"speedy": True})
    began = timezone.now()
    return insert([play(each, number, began) for number in (1, 2)], Match.Origin.SIMULATED)


def made(key: str) -> Chapter:
    """Today's chapter of one of the studies."""
    daily.run_due()
    newest = daily.newest(key)
    assert newest is not None
    return newest


def answer(browser: Client, chapter: Chapter, right: bool, ms: int = 900) -> str:
    """Answer a puzzle as its page does; the page afterwards."""
    place = f"/studies/{chapter.study.key}/{chapter.number}/"
    browser.post(f"{place}start")
    path = f"/api/v1/studies/{chapter.study.key}/chapters/{chapter.number}/answer"
    post(browser, path, asked=True)
    said = question_of(chapter)["answers"][0] if right else {"do": "draw"}
    assert post(browser, path, answer=said, ms=ms).status_code == 200
    return browser.get(place, follow=True).content.decode()


def taken_in(matches: list[Match]) -> list[daily.Puzzle]:
    """The missed takes there that another player took."""
    passed_up = [take for match in matches for take in daily._passed_up(match)]
    return [take for take in passed_up if taker(take.window) is not None]


def test_the_puzzle_is_a_take_that_can_be_made_where_it_is_asked_for(matches: list[Match]) -> None:
    puzzle = made(daily.PUZZLES)
    asked = question_of(puzzle)
    table = table_at(extent_of(puzzle.match, puzzle.round), puzzle.event)
    assert asked["answers"]
    for right in asked["answers"]:
        assert right["card"] in table.hands[asked["seat"]]
        assert FACE[right["card"]] in {5, WILD}
    right = asked["answers"][-1]
    wrong = daily.comment(puzzle, Attempt.Verdict.WRONG)
    assert f" {len(table.stacks[right['stack']])} cards of the stack" in wrong


def test_a_take_is_asked_for_only_if_it_is_the_biggest_and_there_is_a_worse_play(
    matches: list[Match],
) -> None:
    passed_up = [take for match in matches for take in daily._passed_up(match)]
    assert passed_up
    for puzzle in passed_up:
        seat, slot = puzzle.window.seat, puzzle.window.slot
        table = table_at(extent_of(puzzle.match, puzzle.round), puzzle.window.span[0])
        fitting = {
            (FACE[card], slot)
            for card in table.hands[seat]
            for slot, top in enumerate(table.tops)
            if fits(table.rules, top, FACE[card])
        }
        answers = {(FACE[card], slot) for card, slot in puzzle.answers}
        assert fitting > answers
        height = len(table.stacks[slot])
        for face, at in fitting:
            if takes(table.tops[at], face, None):
                assert ((face, at) in answers) == (len(table.stacks[at]) == height)
                assert len(table.stacks[at]) <= height


def test_the_puzzle_is_the_biggest_take_that_another_took_unless_one_was_judged(
    matches: list[Match],
) -> None:
    puzzle = daily.costliest(matches)
    assert puzzle is not None
    assert puzzle.cost == 0
    assert taker(puzzle.window) is not None
    assert puzzle.window.cards == max(take.window.cards for take in taken_in(matches))
    assert daily.costliest([]) is None


def test_the_puzzle_is_asked_where_something_is_at_stake(matches: list[Match]) -> None:
    for match in matches:
        reports.make(match)
    known = [take for match in matches for take in daily._passed_up(match)]
    assert all(take.chance is not None for take in known)
    first, second, third = (take._replace(cost=0, chance=None) for take in known[:3])
    decided, open_ = first._replace(chance=0.004), third._replace(chance=0.4)
    assert decided.rank < second.rank < open_.rank, "a match without a report is between"
    assert first._replace(chance=0.999, cost=0.3).rank < second.rank
    puzzle = daily.costliest(matches)
    assert puzzle is not None
    assert puzzle.chance is not None
    assert 0.05 <= puzzle.chance <= 0.95


def test_a_judged_take_is_the_puzzle_though_it_is_smaller_and_its_cost_is_told(
    matches: list[Match],
) -> None:
    biggest = daily.costliest(matches)
    assert biggest is not None
    smallest = min(taken_in(matches), key=lambda take: take.window.cards)
    assert smallest.window.cards < biggest.window.cards
    take = smallest.window
    row = {"round": smallest.round, "seat": take.seat, "slot": take.slot, "event": take.span[1]}
    job = judging.ask(smallest.match, None, daily.AUTHOR)
    for told, chosen in ((False, biggest), (True, smallest)):
        job.result = {"decisions": [{**row, "by": 30, "told": told}]}
        job.state = Job.State.FINISHED
        job.save()
        puzzle = daily.costliest(matches)
        assert puzzle is not None
        assert (puzzle.match, puzzle.window) == (chosen.match, chosen.window)
    wrong = daily.comment(made(daily.PUZZLES), Attempt.Verdict.WRONG)
    assert "Missing it cost 30 percentage points of win chance." in wrong


def test_an_answer_is_right_until_the_take_was_gone_in_the_match(matches: list[Match]) -> None:
    window = present(daily.costliest(list(Match.objects.order_by("-pk"))))
    puzzle = made(daily.PUZZLES)
    open_ms = question_of(puzzle)["open_ms"]
    assert open_ms == window.window.until - window.window.since >= 1_500
    assert limit_ms(puzzle, 50) == 2 * open_ms
    copied = daily.in_words(question_of(puzzle))
    assert (copied["limit"], "open_ms" in copied) == (open_ms, False)
    assert "<b>Right!</b>" in answer(Client(), puzzle, right=True, ms=open_ms)
    late = answer(Client(), puzzle, right=True, ms=open_ms + 640)
    assert "<b>Right, but 0.6&nbsp;s too late.</b>" in late
    assert "2 have tried it, 1 got it." in late
    assert "Too late!" in late
    assert "<b>Not quite.</b>" in answer(Client(), puzzle, right=False, ms=open_ms + 640)
    barely = answer(Client(), puzzle, right=True, ms=open_ms + 10)
    assert "<b>Right, but 0.1&nbsp;s too late.</b>" in barely
    asked = Client()
    begun = asked.get(f"/studies/puzzles/{puzzle.number}/").text
    assert f"It is gone after {in_seconds(open_ms)}&nbsp;s: take it before." in begun
    asked.post(f"/studies/puzzles/{puzzle.number}/start")
    page = asked.get(f"/studies/puzzles/{puzzle.number}/", follow=True).text
    assert "’s biggest take." in page
    assert f'"limit_ms": {open_ms}' in page, "the clock shows what is left"


def test_practise_has_the_puzzle_until_it_is_answered(matches: list[Match]) -> None:
    puzzle, kim = made(daily.PUZZLES), guest("Kim")
    start = f'action="/studies/{puzzle.study.key}/{puzzle.number}/start"'
    assert start in kim.get("/practise/").text
    answer(kim, puzzle, right=True)
    page = kim.get("/practise/").text
    assert (start in page, "You have answered it" in page) == (False, True)


def test_the_verdict_says_whose_play_ended_the_take_and_how(matches: list[Match]) -> None:
    names = {match.pk: [s.name for s in match.seats.order_by("number")] for match in matches}
    passed_up = [take for match in matches for take in daily._passed_up(match)]
    for taken in (True, False):
        ended = next(take for take in passed_up if (taker(take.window) is not None) == taken)
        daily._add(daily.PUZZLES, timezone.localdate(), daily._puzzle_chapter(ended))
        puzzle, play = present(daily.newest(daily.PUZZLES)), present(ended.window.play)
        page = answer(Client(), puzzle, right=False)
        face = FACE[play.card]
        how = "took the stack"
        if not taken:
            how = f"covered the stack with a {'wild' if face == WILD else face}"
        seconds = f"{(ended.window.until - ended.window.since) / 1_000:.1f}"
        said = f"In the match {names[ended.match.pk][play.seat]} {how} after {seconds}\u00a0s."
        assert said in page
        assert "someone else" not in page
        Chapter.every.all().delete()


def test_each_day_has_one_of_each_about_different_matches(matches: list[Match]) -> None:
    puzzle, tonight = made(daily.PUZZLES), made(daily.TONIGHT)
    assert puzzle.match_id != tonight.match_id
    assert tonight.until is not None
    assert tonight.event < tonight.until
    daily._tried.clear()
    daily.run_due()
    assert Chapter.objects.count() == 2
    day = timezone.localdate().isoformat()
    assert tonight.title == day, "no result: lists show it to everybody"
    tomorrow = timezone.localdate() + timedelta(days=1)
    assert not daily._of_day(daily.PUZZLES, tomorrow)


def test_the_puzzle_counts_as_the_record_does_and_its_title_hints_at_nothing(
    matches: list[Match],
) -> None:
    puzzle = daily.costliest(matches)
    assert puzzle is not None
    asked = made(daily.PUZZLES)
    right = daily.comment(asked, Attempt.Verdict.RIGHT)
    assert f"That takes {puzzle.window.cards} cards of the stack, and your own" in right
    assert asked.title == timezone.localdate().isoformat()
    home = Client().get("/").content.decode()
    assert "The match plays and stops. What do you play then?" in home


def test_matches_that_are_not_public_make_no_puzzle(matches: list[Match]) -> None:
    Match.objects.update(visibility=Match.Visibility.LINK)
    daily.run_due()
    assert daily.newest(daily.PUZZLES) is None
    home = Client().get("/").content.decode()
    assert "Today’s puzzle" not in home
    assert Client().get("/puzzle/").status_code == 404


def test_the_home_page_offers_both_and_no_result_to_who_hides_results(matches: list[Match]) -> None:
    puzzle, browser = made(daily.PUZZLES), Client()
    home = browser.get("/").content.decode()
    assert "Today’s puzzle" in home
    assert "Match of the day" in home
    assert "moment-data" in home
    assert browser.get("/puzzle/")["Location"] == f"/studies/puzzles/{puzzle.number}/"
    browser.post("/spoilers/", {"show": "off", "next": "/"})
    hidden = browser.get("/").content.decode()
    assert "Today’s puzzle" in hidden
    assert "Match of the day" not in hidden
    assert "moment-data" not in hidden
    browser.post("/spoilers/", {"show": "on", "next": "/"})
    Chapter.objects.filter(pk=puzzle.pk).delete()
    home = browser.get("/").content.decode()
    assert "Match of the day" in home
    assert 'aria-label="Today"' not in home, "an empty place has no name"


def test_a_drawn_match_was_decided_nowhere(matches: list[Match]) -> None:
    tonight = made(daily.TONIGHT)
    visit = Visit(SessionStore(), AnonymousUser)
    said = {
        0: "It ended in a draw. Here is the play that changed most.",
        1: "Decided by 1 point. Here is where.",
        2: "Decided by 2 points. Here is where.",
    }
    for margin, words in said.items():
        Match.objects.filter(pk=tonight.match_id).update(margin=margin)
        today = Today(visit)
        assert decided_words(present(today.tonight).match) == words
        names = [seat.player.name for seat in tonight.match.seats.order_by("number")]
        assert all(name in today.tonight_words for name in names)
        assert words not in today.tonight_words
        assert today.tonight_title == "Match of the day"


def test_a_match_that_became_private_is_no_longer_tonights(matches: list[Match]) -> None:
    made(daily.TONIGHT)
    assert "moment-data" in Client().get("/").text
    Match.objects.update(visibility=Match.Visibility.LINK)
    home = Client().get("/").text
    assert "moment-data" not in home
    assert "Match of the day" not in home


def test_what_is_from_another_day_says_so(matches: list[Match]) -> None:
    for key in (daily.PUZZLES, daily.TONIGHT):
        made(key)
    Chapter.objects.update(title="2026-01-02")
    Match.objects.update(started_at=datetime(2026, 1, 2, 12, tzinfo=UTC))
    home = Client().get("/").content.decode()
    assert "Puzzle of 2 January 2026" in home
    assert "Match of the day, 2 January 2026" in home
    assert "oday’s" not in home


def test_the_match_of_the_day_has_one_day_and_says_how_it_ended(matches: list[Match]) -> None:
    tonight = made(daily.TONIGHT)
    Chapter.objects.update(title="2026-01-02")
    Match.objects.update(started_at=datetime(2025, 12, 31, 12, tzinfo=UTC), margin=0)
    client = Client()
    page = client.get(f"/studies/{daily.TONIGHT}/{tonight.number}/", follow=True).text
    for place in ("<title>", 'og:title" content="', "<h1[^>]*><bdi>"):
        assert re.search(rf"{place}\s*Match of the day, 2 January 2026", page), place
    assert "It ended in a draw." in page
    assert 'id="chapter-race"' not in page
    client.post("/spoilers/", {"show": "off", "next": "/"})
    hidden = client.get(f"/studies/{daily.TONIGHT}/{tonight.number}/", follow=True).text
    assert "It ended in a draw." not in hidden
    client.post("/spoilers/", {"show": "on", "next": "/"})
    Match.objects.update(visibility=Match.Visibility.LINK)
    closed = client.get(f"/studies/{daily.TONIGHT}/{tonight.number}/")
    assert (closed.status_code, "It ended in a draw." in closed.text) == (404, False)


def test_a_study_of_an_earlier_release_has_the_words_of_this_one(matches: list[Match]) -> None:
    old = writing.create(daily.AUTHOR, daily.TONIGHT, "Closest matches", "As it was.")
    study = made(daily.TONIGHT).study
    assert study.pk == old.pk
    assert (study.title, "As it was" in study.text + study.html) == ("Matches of the day", False)


def test_a_child_is_not_counted_and_not_told_that_it_is(matches: list[Match]) -> None:
    puzzle, there = made(daily.PUZZLES), ClassWorld()
    child = there.browser("child")
    assert child is not None
    assert "No one else has tried it yet." in answer(child, puzzle, right=True)
    answer(Client(), puzzle, right=True)
    page = child.get("/puzzle/", follow=True).content.decode()
    assert "1 has tried it, 1 got it" in page


def test_after_the_answer_everybodys_times_are_shown_without_names(matches: list[Match]) -> None:
    puzzle, first, second = made(daily.PUZZLES), Client(), Client()
    page = answer(first, puzzle, right=True)
    assert "You are the first to try it." in page
    Attempt.objects.update(name="Somebody")
    page = answer(second, puzzle, right=False)
    assert "2 have tried it, 1 got it." in page
    assert "Somebody" not in page
    assert f"Ratuki puzzle, {puzzle.shown_title}. Missed it!" in page
    assert "see everyone’s times" in second.get("/").content.decode()
    # Who has seen the answer and tries again counts once, by the first answer.
    answer(second, puzzle, right=True)
    assert "2 have tried it, 1 got it" in first.get("/puzzle/", follow=True).content.decode()
    for ms in (900, 1_200, 12_000):
        page = answer(Client(), puzzle, right=True, ms=ms)
    bars = re.findall(r'class="is-right" y="-(\d+)".*?height="(\d+)".*?>(\S+?)</text>', page)
    assert bars[:2] == [("31", "31", "0&nbsp;s"), ("15", "15", "1")], "of 46 for the three answers"
    assert bars[-1] == ("0", "0", "10+"), "too late is not right"


def own(page: str) -> list[tuple[str, str]]:
    """Where the reader's own answer is marked among the bars."""
    return re.findall(r'translate\((\d+) 62\)">(?:(?!</g>).)*?y="(-\d+)" dy="-4">you<', page)


def test_the_readers_time_is_among_the_others_and_in_their_week(matches: list[Match]) -> None:
    puzzle, reader = made(daily.PUZZLES), Client()
    for _ in range(4):
        answer(Client(), puzzle, right=True)
    page = answer(reader, puzzle, right=True, ms=300)
    assert [place for place, _ in own(page)] == ["0"]
    assert "Your week" not in page, "there has been one"
    late = answer(Client(), puzzle, right=False, ms=3_400)
    assert own(late) == [("60", "-9")], "above the answers of that second"
    assert "after 0 s: 5 right, 0 not (you)" in page
    assert "after 3 s: 0 right, 1 not (you)" in late
    again = answer(reader, puzzle, right=True, ms=4_100)
    assert [place for place, _ in own(again)] == ["0"], "the bars count first answers"
    child = ClassWorld().browser("child")
    assert own(answer(present(child), puzzle, right=True)) == [], "a child is not counted"
    before = Chapter.objects.get(pk=puzzle.pk)
    before.pk, before.number, before.title = None, puzzle.number + 1, "2026-03-04"
    before.save()
    page = reader.get(f"/studies/puzzles/{puzzle.number}/", follow=True).content.decode()
    _, week = page.split('aria-label="Your week"')
    assert re.findall(r"</a> (?:<b[^>]*>)?([^<]+)(?:</b>)?</li>", week.split("</ol>")[0]) == [
        "0.3&nbsp;s",
        "–",
    ]


def test_a_puzzle_is_named_by_its_day_in_the_readers_language(matches: list[Match]) -> None:
    puzzle, browser = made(daily.PUZZLES), Client()
    Chapter.objects.filter(pk=puzzle.pk).update(title="2026-03-05")
    answer(browser, puzzle, right=False)
    said = {"en": ("5 March 2026", "Daily puzzles"), "de": ("5. März 2026", "Tägliche Rätsel")}
    place = f"/studies/puzzles/{puzzle.number}/"
    for language, (day, name) in said.items():
        for page in ("/studies/puzzles/", place):
            shown = browser.get(page, follow=True, headers={"accept-language": language}).text
            assert "2026-03-05" not in shown, page
            assert f"{day}</bdi>" in shown, page
            assert name in shown, page
    german = browser.get(place, follow=True, headers={"accept-language": "de"}).text
    assert re.search(r"nach 0,9\ss", german)
    given = Homework(title="2026-03-05", study=puzzle.study, chapter=made(daily.PUZZLES))
    gone = Homework(title="2026-03-05", study=puzzle.study)
    for language, title in (("en", "Daily puzzles: 5 March 2026"), ("de", "Tägliche Rätsel: 5. M")):
        with override(language):
            assert given.shown_title.startswith(title)
            assert gone.shown_title.startswith(title)
    with override("en"):
        assert Homework(title="Tägliche Rätsel", study=puzzle.study).shown_title == "Daily puzzles"


def test_a_copied_puzzle_is_a_question_that_its_writer_can_change(matches: list[Match]) -> None:
    puzzle, learner = made(daily.PUZZLES), guest("Kim")
    answer(learner, puzzle, right=True)
    copied = post(learner, "/api/v1/studies/puzzles/copy").json()
    (chapter,) = copied["chapters"]
    asked = chapter["question"]
    assert asked["right"].startswith("That takes ")
    place = f"/api/v1/studies/{copied['key']}/chapters/{chapter['number']}"
    said = {"revision": chapter["revision"], "question": {**asked, "wrong": "Look again."}}
    assert put(learner, place, **said).json()["question"]["wrong"] == "Look again."


def test_what_a_puzzle_is_worth_is_not_counted_again(
    matches: list[Match], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    puzzle = made(daily.PUZZLES)
    with django_assert_num_queries(0), override("en"):
        assert "and your own" in daily.comment(puzzle, Attempt.Verdict.RIGHT)
