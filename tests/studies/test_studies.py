"""Studies and their chapters: who may read and write them, order, conflicts, copies."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Match
from games.people.guests import remember_key
from replays.models import Chapter, Note, Study
from replays.pages.studies.tables import EVENTS_BEFORE
from replays.studies.chapters import fields_of
from tests.notes.browsers import account, guest, post, put
from tests.notes.making import fresh, note
from tests.people import world
from tests.studies.making import chapter, data, place, question, study
from tests.web.records import store

pytestmark = pytest.mark.django_db


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200, path
    return len(asked)


def test_a_first_study_needs_no_account_and_no_reading() -> None:
    browser, match = Client(), store()
    assert "Add to a study" in browser.get(f"/matches/{match.pk}/").content.decode()
    lesson = study(browser)
    made = chapter(browser, lesson, match, title="Look here")
    opened = browser.get(place(made), follow=True)
    assert opened.status_code == 200
    assert "?round=1&event=" in opened.redirect_chain[-1][0]
    assert "Look here" in opened.content.decode()
    assert lesson.key in browser.get("/studies/").content.decode()


def test_the_list_shows_each_study_s_first_position_that_anybody_may_see() -> None:
    browser, public, private = Client(), store(), store()
    lesson, hidden = study(browser), study(browser)
    puzzle = study(browser, visibility="everyone")
    chapter(browser, lesson, public, event=7)
    question(browser, lesson, public)
    asked = question(browser, puzzle, public)
    chapter(browser, hidden, private)
    Match.objects.filter(pk=private.pk).update(visibility=Match.Visibility.LINK)
    page = browser.get("/studies/").text
    address = f"/matches/{public.pk}/picture.svg?round=1&amp;event="
    shown = re.findall(rf'src="{re.escape(address)}(\d+)[&"]', page)
    early = max(0, asked.event - EVENTS_BEFORE)
    assert {*map(int, shown)} == {early, 7}, "a question shows an earlier table"
    assert (page.count("no-picture"), f"/matches/{private.pk}/" in page) == (1, False)
    assert page.count(puzzle.key) == 1, "their own are not listed as public ones, too"
    before = Client().get(place(asked)).text
    assert f"{address}{early}&amp;pov=spectator" in before
    count = queries(browser, "/studies/")
    chapter(browser, study(browser), public)
    assert queries(browser, "/studies/") == count


def test_a_study_is_seen_by_those_it_is_shared_with() -> None:
    owner, named, other = guest("Ada"), account("Kim"), account("Bo")
    lesson = study(owner)
    path = f"/studies/{lesson.key}/"
    assert [browser.get(path).status_code for browser in (owner, named, other)] == [200, 404, 404]
    put(owner, f"/api/v1{path[:-1]}", revision=1, visibility="people", readers=["Kim"])
    assert [browser.get(path).status_code for browser in (named, other)] == [200, 404]
    assert lesson.key in named.get("/studies/").content.decode()
    put(owner, f"/api/v1{path[:-1]}", revision=2, visibility="link")
    token = Study.objects.get().token
    assert other.get(f"{path}?share={token}").status_code == 200
    assert other.get(path).status_code == 200, "the browser remembers the link"
    made = chapter(owner, lesson, store())
    for browser in (owner, other):
        shown = browser.get(f"{place(made)}?seq=4").context
        assert shown["lesson"]["token"] == token
        assert shown["audience"].link == "Anyone with this link can open it."
    review = other.post(f"{path}review/", follow=True)
    assert f"?share={token}" in review.content.decode(), "its followers can read the study"
    assert Client().get(path).status_code == 404
    assert lesson.key not in Client().get("/studies/").content.decode()
    put(owner, f"/api/v1{path[:-1]}", revision=3, visibility="everyone")
    assert lesson.key in Client().get("/studies/").content.decode()


def test_writers_write_and_readers_read() -> None:
    owner, writer, reader, match = guest("Ada"), account("Kim"), guest("Bo"), store()
    lesson = study(owner, visibility="everyone", writers=["Kim"])
    made = chapter(writer, lesson, match)
    path = f"/api/v1/studies/{lesson.key}"
    assert put(reader, path, revision=2, title="Mine").status_code == 403
    assert post(reader, f"{path}/chapters", **fields_of(made)).status_code == 403
    assert put(reader, f"{path}/chapters/{made.number}", revision=1).status_code == 403
    assert reader.delete(path, {"revision": 2}, content_type="application/json").status_code == 403
    assert put(writer, path, revision=2, title="Ours").status_code == 200
    assert put(writer, path, revision=3, visibility="self").status_code == 403, "the owner decides"
    assert put(writer, f"{path}/chapters/1", revision=1, title="New").json()["revision"] == 2


def test_a_later_writer_gets_the_current_version_and_nothing_is_overwritten() -> None:
    owner, match = guest("Ada"), store()
    lesson = study(owner)
    made = chapter(owner, lesson, match)
    path = f"/api/v1/studies/{lesson.key}/chapters/{made.number}"
    assert put(owner, path, revision=1, title="First").status_code == 200
    late = put(owner, path, revision=1, title="Second")
    assert (late.status_code, late.json()["now"]["title"]) == (409, "First")
    changed = late.json()["changed"]
    assert (changed["by"], changed["you"]) == ("Ada", True)
    writer = account("Kim")
    put(owner, f"/api/v1/studies/{lesson.key}", revision=1, writers=["Kim"])
    theirs = put(writer, path, revision=1, title="Third").json()["changed"]
    assert (theirs["by"], theirs["you"]) == ("Ada", False)
    assert abs(datetime.fromisoformat(theirs["at"]) - timezone.now()) < timedelta(minutes=1)
    assert put(writer, f"/api/v1/studies/{lesson.key}", revision=2, text="New.").status_code == 200
    worded = put(owner, f"/api/v1/studies/{lesson.key}", revision=2, text="Newer.").json()[
        "changed"
    ]
    shared = put(owner, f"/api/v1/studies/{lesson.key}", revision=2, visibility="link").json()[
        "changed"
    ]
    assert (worded["by"], shared["by"]) == ("Kim", "Ada"), "only the owner shares it"
    assert put(owner, f"/api/v1/studies/{lesson.key}", revision=7, title="x").status_code == 409
    assert put(owner, path, revision=2, title="Second").json()["title"] == "Second"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"match": 10**9}, "match: there is no such match"),
        ({"round": 9}, "round: expected one of"),
        ({"event": 10**6}, "event"),
        ({"until": 1}, "until"),
        ({"view": "4"}, "view: the match has 2 seats"),
        ({"speed": 33}, "speed: expected 10, 25, 50"),
        ({"title": " "}, "title"),
        ({"text": "x" * 4_001}, "text: expected at most 4000"),
        ({"line": "nowhere"}, "line: there is none"),
        ({"colour": 1}, "colour: unknown key"),
        ({"question": {"seat": 0, "answers": []}}, "answers: expected at least 1, found 0"),
        ({"question": {"seat": 2, "answers": [{"do": "draw"}]}}, "seat"),
        ({"question": {"seat": 0, "answers": [{"do": "play", "card": "B1a", "stack": 0}]}}, "hand"),
        (
            {"question": {"seat": 0, "answers": [{"do": "fly"}]}},
            "question.answers.0: expected one of",
        ),
    ],
)
def test_an_invalid_chapter_says_why(fields: dict[str, Any], words: str) -> None:
    owner, match = guest("Ada"), store()
    lesson = study(owner)
    said = {"title": "x", "match": match.pk, "round": 1, "event": 4, **fields}
    refused = post(owner, f"/api/v1/studies/{lesson.key}/chapters", **said)
    assert refused.status_code == 422
    assert words in refused.json()["detail"]
    assert not Chapter.objects.exists()


def test_chapters_have_an_order_groups_and_addresses_that_stay() -> None:
    owner, match = guest("Ada"), store()
    lesson = study(owner)
    for title, group in (("a", "One"), ("b", "Two"), ("c", "One")):
        chapter(owner, lesson, match, title=title, group=group)
    path = f"/api/v1/studies/{lesson.key}"

    def titles() -> list[tuple[int, str, str]]:
        chapters = owner.get(path).json()["chapters"]
        return [(row["number"], row["title"], row["group"]) for row in chapters]

    assert titles() == [(1, "a", "One"), (3, "c", "One"), (2, "b", "Two")], "beside its group"
    order = [{"number": 2, "group": "Two"}, {"number": 3}, {"number": 1, "group": "One"}]
    assert put(owner, f"{path}/chapters", chapters=order).status_code == 200
    assert titles() == [(2, "b", "Two"), (3, "c", ""), (1, "a", "One")]
    late = put(owner, f"{path}/chapters", chapters=order[::-1], was=order[::-1])
    assert (late.status_code, len(late.json()["now"]["chapters"])) == (409, 3)
    assert titles()[0] == (2, "b", "Two"), "nobody's order is overwritten unseen"
    assert put(owner, f"{path}/chapters", chapters=order, was=order).status_code == 200
    assert put(owner, f"{path}/chapters/3", revision=1, group="One").status_code == 409, "it moved"
    assert put(owner, f"{path}/chapters/2", revision=1, group="Two").status_code == 200
    refused = put(owner, f"{path}/chapters", chapters=order[:2])
    assert "added or deleted in the meantime" in refused.json()["detail"]
    gone = owner.delete(f"{path}/chapters/3", {"revision": 2}, content_type="application/json")
    assert gone.status_code == 200
    assert owner.get(f"/studies/{lesson.key}/3/").status_code == 404
    assert [row[0] for row in titles()] == [2, 1]


def test_notes_of_a_study_are_for_its_readers_and_not_on_the_match() -> None:
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    lesson = study(owner)
    made = chapter(owner, lesson, match)
    said = {"key": fresh(), "round": 1, "event": 5, "text": "Here.", "visibility": "everyone"}
    written = post(owner, f"{data(made)}notes", **said)
    assert written.status_code == 201
    note = Note.objects.get()
    assert (note.study, note.visibility) == (lesson, "self")
    put(owner, f"/api/v1/notes/{note.key}", revision=1, text="There.", visibility="everyone")
    note.refresh_from_db()
    assert (note.text, note.visibility) == ("There.", "self"), "the study decides who reads it"
    assert reader.get(f"/api/v1/notes/{note.key}").status_code == 404
    assert owner.get(f"/api/v1/matches/{match.pk}/notes").json()["notes"] == []
    put(owner, f"/api/v1/studies/{lesson.key}", revision=1, visibility="everyone")
    assert reader.get(f"/api/v1/notes/{note.key}").status_code == 200
    shown = reader.get(f"{data(made)}notes").json()
    assert ([row["text"] for row in shown["notes"]], shown["may_write"]) == (["There."], False)
    assert post(reader, f"{data(made)}notes", **said).status_code == 403
    assert (shown["may_reply"], shown["may_settle"]) == (True, False)
    page = owner.get("/notes/").content.decode()
    assert f'href="/studies/{lesson.key}/"' in page, "it is not on the match's own page"


def test_thirty_chapters_cost_as_many_queries_as_three() -> None:
    owner = guest("Ada")
    matches = [store("Ada", "Bo"), store("Cy", "Di")]
    lesson = study(owner, visibility="everyone")
    counts = []
    for size in (3, 30):
        while lesson.chapters.count() < size:
            chapter(owner, lesson, matches[lesson.chapters.count() % 2])
        pages = (f"/studies/{lesson.key}/", f"/studies/{lesson.key}/2/?seq=9", "/studies/")
        counts.append([queries(browser, page) for browser in (owner, Client()) for page in pages])
    assert counts[0] == counts[1]


def test_a_chapter_on_a_match_that_a_reader_may_not_see_shows_nothing_of_it() -> None:
    owner, match = guest("Ada"), store("Secretive", "Bo")
    lesson = study(owner, visibility="everyone")
    made = chapter(owner, lesson, match, title="Public title")
    match.visibility, match.token = "link", "a-key-nobody-has"
    match.save(update_fields=["visibility", "token"])
    shown = Client().get(place(made))
    assert shown.status_code == 404
    assert "Public title" in shown.content.decode()
    assert "Secretive" not in shown.content.decode()
    assert Client().get(f"{data(made)}notes").status_code == 404


def test_learners_what_ifs_are_their_own_and_writers_belong_to_the_study() -> None:
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    made = chapter(owner, study(owner, visibility="everyone"), match)
    (writers, readers) = (
        browser.get(f"{place(made)}?seq=4").context["variations_url"] for browser in (owner, reader)
    )
    assert writers == f"{data(made)}variations"
    assert readers == f"/api/v1/matches/{match.pk}/variations"


def test_a_reader_s_lesson_is_the_moment_and_leads_to_the_whole_match() -> None:
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    made = chapter(owner, study(owner, visibility="everyone"), match, event=7)
    writers, readers = (browser.get(f"{place(made)}?seq=4") for browser in (owner, reader))
    assert "analysis" in writers.context["match"]["urls"]
    assert "analysis" not in readers.context["match"]["urls"]
    shown = readers.content.decode()
    assert 'id="tab-analysis"' not in shown
    assert ('id="below-tabs"' in writers.text, 'id="below-tabs"' in shown) == (True, False)
    whole = f'href="/matches/{match.pk}/?round=1&amp;event=7"'
    assert whole in shown
    match.visibility, match.token = "link", "a-key"
    match.save(update_fields=["visibility", "token"])
    session = reader.session
    remember_key(session, "its table", match.token)
    session.save()
    assert whole in reader.get(f"{place(made)}?seq=4").text, "also where only a link opens it"


def test_a_moment_of_a_match_being_played_can_be_a_chapter_but_no_question() -> None:
    users = world.people()
    _, number = world.build("public", "open", users["Ada"])
    match, owner = Match.objects.get(pk=number), guest("Kim")
    lesson = study(owner)
    made = chapter(owner, lesson, match, event=2)
    assert owner.get(place(made), follow=True).status_code == 200
    watched = owner.get(f"/matches/{number}/").content.decode()
    reviewed = owner.post(f"/matches/{number}/review/", follow=True).content.decode()
    for page in (watched, reviewed):
        assert 'id="add-chapter"' in page, "out of a running match, and of a review of it"
    asked = {"seat": 0, "answers": [{"do": "draw"}]}
    refused = put(owner, f"/api/v1/studies/{lesson.key}/chapters/1", revision=1, question=asked)
    assert refused.json()["detail"] == "question: the match is still being played"
    ada = Client()
    ada.force_login(users["Ada"])
    said = {"title": "x", "match": number, "round": 1, "event": 2}
    own = study(ada)
    assert (
        "no such match" in post(ada, f"/api/v1/studies/{own.key}/chapters", **said).json()["detail"]
    )


def test_readers_reply_to_notes_and_writers_settle_and_delete_what_they_said() -> None:
    owner, reader, other = guest("Ada"), guest("Bo"), guest("Cy")
    match = store()
    lesson = study(owner, visibility="everyone")
    made = chapter(owner, lesson, match)
    said = {"round": 1, "event": 5}
    root = post(owner, f"{data(made)}notes", key=fresh(), text="Why?", **said).json()["key"]
    elsewhere = note(match, event=5, text="Elsewhere.").key
    replied = post(reader, f"{data(made)}notes", key=fresh(), text="So.", reply=root, **said)
    assert replied.status_code == 201
    reply = replied.json()["key"]
    refused = post(reader, f"{data(made)}notes", key=fresh(), text="x", reply=elsewhere, **said)
    assert refused.json()["detail"] == "reply: that note is not in the same study"
    shown = other.get(f"{data(made)}notes").json()["notes"]
    assert [row["text"] for row in shown] == ["Why?", "So."]
    assert (
        put(reader, f"/api/v1/notes/{reply}", revision=1, text="So there.", reply=root).status_code
        == 200
    )
    assert put(owner, f"/api/v1/notes/{reply}", revision=2, text="No.").status_code == 403
    assert post(reader, f"/api/v1/notes/{root}/settle", settled=True).status_code == 403
    assert post(owner, f"/api/v1/notes/{root}/settle", settled=True).json()["settled"] is True
    assert post(other, f"/api/v1/notes/{reply}/complaint", reason="rude").status_code == 200
    for browser, status in ((other, 403), (owner, 200)):
        gone = browser.delete(
            f"/api/v1/notes/{reply}", {"revision": 2}, content_type="application/json"
        )
        assert gone.status_code == status
    assert post(reader, f"/api/v1/notes/{reply}/restore").status_code == 200
    shown = other.get(f"{data(made)}notes").json()["notes"]
    assert [row["text"] for row in shown] == ["Why?"], "its author does not undo that"


def test_a_former_writer_changes_nothing_in_a_study() -> None:
    owner, writer, match = guest("Ada"), account("Kim"), store()
    lesson = study(owner, visibility="everyone", writers=["Kim"])
    made = chapter(owner, lesson, match)
    said = {"round": 1, "event": 5, "text": "Here."}
    key = post(writer, f"{data(made)}notes", key=fresh(), **said).json()["key"]
    assert put(writer, f"/api/v1/notes/{key}", revision=1, text="There.").status_code == 200
    put(owner, f"/api/v1/studies/{lesson.key}", revision=2, writers=[])
    assert put(writer, f"/api/v1/notes/{key}", revision=2, text="Elsewhere.").status_code == 403
    assert post(writer, f"/api/v1/notes/{key}/settle", settled=True).status_code == 403
    assert Note.objects.get().text == "There."
    gone = writer.delete(f"/api/v1/notes/{key}", {"revision": 2}, content_type="application/json")
    assert gone.status_code == 200, "one's own words may go"
    assert post(writer, f"/api/v1/notes/{key}/restore").status_code == 403


def test_players_of_a_running_match_get_no_notes_of_a_study() -> None:
    ada = world.people()["Ada"]
    _, pk = world.build("public", "open", ada)
    owner, player, elsewhere = guest("Coach"), Client(), Client()
    player.force_login(ada)
    lesson = study(owner, visibility="everyone")
    made = chapter(owner, lesson, Match.objects.get(pk=pk), event=3)
    post(owner, f"{data(made)}notes", key=fresh(), round=1, event=3, text="Play the five.")
    assert "Play the five." in elsewhere.get(f"{data(made)}notes").text
    assert "Play the five." not in player.get(f"{data(made)}notes").text


def test_a_question_that_moves_to_another_match_ends_its_embargoes() -> None:
    owner, learner = guest("Ada"), guest("Bo")
    first, other = store("Ada", "Bo"), store("Ada", "Bo")
    lesson = study(owner, visibility="everyone")
    made = question(owner, lesson, first)
    learner.post(f"{place(made)}start")
    assert learner.get(f"/api/v1/matches/{first.pk}/log").status_code == 404
    asked = {"seat": 0, "answers": [{"do": "draw"}]}
    said = {"match": other.pk, "event": made.event, "question": asked}
    moved = put(owner, f"/api/v1/studies/{lesson.key}/chapters/{made.number}", revision=1, **said)
    assert moved.status_code == 200, moved.content
    assert learner.get(f"/api/v1/matches/{first.pk}/log").status_code == 200


def test_a_study_that_is_shared_again_has_a_new_link() -> None:
    owner, match = guest("Ada"), store("Ada", "Bo")
    lesson = study(owner, visibility="link")
    path, where = f"/api/v1/studies/{lesson.key}", f"/studies/{lesson.key}/"

    def shared(revision: int, visibility: str) -> str:
        told = put(owner, path, revision=revision, visibility=visibility).json()
        return str(told["token"])

    chapter(owner, lesson, match)
    old = Study.objects.get(pk=lesson.pk).token
    for address in (where, f"{where}1/"):
        page = Client().get(f"{address}?share={old}", follow=True)
        assert (page.status_code, page["X-Robots-Tag"]) == (200, "noindex")
    revision = Study.objects.get(pk=lesson.pk).revision
    assert shared(revision, "link") == old, "it is shared as before"
    shared(revision + 1, "self")
    new = shared(revision + 2, "link")
    assert new != old
    assert Client().get(f"{where}?share={old}").status_code == 404
    assert Client().get(f"{where}?share={new}").status_code == 200
    put(owner, path, revision=revision + 3, visibility="everyone")
    assert "X-Robots-Tag" not in Client().get(where)


def test_a_chapter_moves_past_its_neighbour_and_into_the_next_group() -> None:
    owner, match = guest("Ada"), store()
    lesson = study(owner)
    for group in ("A", "A", "B"):
        chapter(owner, lesson, match, group=group)
    page = f"/studies/{lesson.key}/"

    def press(do: str, number: int) -> str:
        owner.post(page, {do: str(number)})
        return " ".join(f"{row.number}{row.group}" for row in lesson.chapters.order_by("place"))

    shut = re.findall(r'name="(\w+)" value="(\d)"[^>]* disabled', owner.get(page).text)
    assert shut == [("up", "1"), ("down", "3")]
    assert press("down", 1) == "2A 1A 3B"
    assert press("down", 1) == "2A 1B 3B"
    assert press("down", 1) == "2A 3B 1B"
    assert press("down", 1) == "2A 3B 1B", "it is the last one"
    assert press("up", 3) == "2A 3A 1B"
    assert press("up", 9) == "2A 3A 1B"
    assert owner.post(page, {"up": "1"})["Location"] == f"{page}#chapter-1"
    assert guest("Bo").post(page, {"up": "2"}).status_code in {403, 404}
