"""Studies are found, reported to moderators, and hidden by them."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Moderation
from replays.models import StudyComplaint
from tests.notes.browsers import guest, put
from tests.people import world
from tests.studies.making import chapter, study
from tests.web.records import store

pytestmark = pytest.mark.django_db


def searched(client: Client, words: str) -> str:
    """What the database is asked for a search among studies."""
    with CaptureQueriesContext(connection) as asked:
        client.get("/studies/", {"q": words})
    return "".join(query["sql"] for query in asked)


def test_a_moderator_hides_a_study_from_everybody_but_its_owner() -> None:
    users = world.people()
    owner, moderator = guest("Ada"), Client()
    moderator.force_login(users["Mo"])
    lesson = study(owner, visibility="everyone", writers=["Kim"])
    study(owner, "Private")
    path = "/admin/replays/study/"
    listed = moderator.get(path).content.decode()
    assert ("Lesson" in listed, "Private" in listed) == (True, False)
    for action, status in (("hide", 404), ("show", 200)):
        chosen = {"action": action, "_selected_action": [lesson.pk], "reason": "Why."}
        assert moderator.post(path, chosen).status_code == 302
        kim = Client()
        kim.force_login(users["Kim"])
        codes = [
            browser.get(f"/studies/{lesson.key}/").status_code for browser in (Client(), kim, owner)
        ]
        assert codes == [status, status, 200]


def test_studies_are_found_by_their_words_and_reported() -> None:
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    lesson = study(owner, "Openings for two", visibility="everyone")
    chapter(owner, lesson, match, title="The five", text="secret")
    study(owner, "Private openings")

    def shown(browser: Client, words: str) -> list[bool]:
        page = browser.get("/studies/", {"q": words}).content.decode()
        return ["Openings for two" in page, "Private openings" in page]

    assert shown(reader, "openings ada five") == [True, False]
    assert shown(reader, "secret") == [False, False], "what a chapter says may be an answer"
    assert shown(owner, "openings") == [True, True]
    joins = [searched(reader, words).count("JOIN") for words in ("five", "five " * 20)]
    assert joins[0] == joins[1], "or a hundred chapters would make 100^20 rows"
    sent = reader.post(f"/studies/{lesson.key}/complaint/", {"reason": "a copy"}, follow=True)
    assert "A moderator will look at it" in sent.content.decode()
    users = world.people()
    moderator = Client()
    moderator.force_login(users["Mo"])
    path = "/admin/replays/studycomplaint/"
    assert "a copy" in moderator.get(path).content.decode()
    report = StudyComplaint.objects.get()
    chosen = {"action": "hide", "_selected_action": [report.pk]}
    assert 'name="reason"' in moderator.post(path, chosen).content.decode()
    report.refresh_from_db()
    assert not report.settled
    moderator.post(path, {**chosen, "reason": "It is a copy."})
    report.refresh_from_db()
    assert report.settled
    page = f"/studies/{lesson.key}/"
    assert reader.get(page).status_code == 404
    assert "“It is a copy.”" in owner.get(page).content.decode()
    assert "has changed it since" not in moderator.get(page).content.decode()
    number = lesson.chapters.get().number
    changed = put(
        owner, f"/api/v1/studies/{lesson.key}/chapters/{number}", revision=1, text="My own."
    )
    assert changed.status_code == 200, changed.content
    assert "You have changed it since" in owner.get(page).content.decode()
    assert "Its author has changed it since" in moderator.get(page).content.decode()
    moderator.post(path, {"action": "show", "_selected_action": [report.pk], "reason": "Better."})
    assert reader.get(page).status_code == 200
    assert not StudyComplaint.objects.filter(settled=False).exists()
    rows = Moderation.objects.filter(subject=lesson.key).values_list("action", "reason")
    assert sorted(rows) == [("hide", "It is a copy."), ("show", "Better.")]
