"""Studies and their chapters: who may read and write them, order, conflicts, copies."""

from __future__ import annotations

import re
import zipfile
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Match, Moderation
from replays.models import Chapter, Note, Study, StudyReport
from replays.pages.studies import printing
from replays.pages.studies.printing import MOST_NOTES
from replays.studies import copying, unfinished
from replays.studies.versions import STANDS
from replays.studies.writing import MOST_NUMBER
from tests.annotations.browsers import account, guest, post, put
from tests.annotations.making import fresh, note
from tests.people import world
from tests.studies.making import chapter, place, question, study
from tests.web.records import store

pytestmark = pytest.mark.django_db


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).status_code == 200, path
    return len(asked)


def searched(client: Client, words: str) -> str:
    """What the database is asked for a search among studies."""
    with CaptureQueriesContext(connection) as asked:
        client.get("/studies/", {"q": words})
    return "".join(one["sql"] for one in asked)


def test_a_first_study_needs_no_account_and_no_reading() -> None:
    browser, match = Client(), store()
    assert "Add to a study" in browser.get(f"/matches/{match.pk}/").content.decode()
    lesson = study(browser)
    made = chapter(browser, lesson, match, title="Look here")
    opened = browser.get(place(made), follow=True)
    assert opened.status_code == 200
    assert "?seq=" in opened.redirect_chain[-1][0]
    assert "Look here" in opened.content.decode()
    assert lesson.key in browser.get("/studies/").content.decode()


def test_a_study_is_seen_by_those_it_is_shared_with() -> None:
    owner, named, other = guest("Ada"), account("Kim"), account("Bo")
    lesson = study(owner)
    path = f"/studies/{lesson.key}/"
    assert [one.get(path).status_code for one in (owner, named, other)] == [200, 404, 404]
    put(owner, path[:-1], revision=1, visibility="people", readers=["Kim"])
    assert [one.get(path).status_code for one in (named, other)] == [200, 404]
    assert lesson.key in named.get("/studies/").content.decode()
    put(owner, path[:-1], revision=2, visibility="link")
    token = Study.objects.get().token
    assert other.get(f"{path}?share={token}").status_code == 200
    assert other.get(path).status_code == 200, "the browser remembers the link"
    made = chapter(owner, lesson, store())
    for browser in (owner, other):
        shown = browser.get(f"{place(made)}?seq=4").context
        assert (shown["lesson"]["token"], shown["lesson"]["shared"]) == (token, True)
    review = other.post(f"{path}review/", follow=True)
    assert f"?share={token}" in review.content.decode(), "its followers can read the study"
    assert Client().get(path).status_code == 404
    assert lesson.key not in Client().get("/studies/").content.decode()
    put(owner, path[:-1], revision=3, visibility="everyone")
    assert lesson.key in Client().get("/studies/").content.decode()


def test_writers_write_and_readers_read() -> None:
    owner, writer, reader, match = guest("Ada"), account("Kim"), guest("Bo"), store()
    lesson = study(owner, visibility="everyone", writers=["Kim"])
    made = chapter(writer, lesson, match)
    path = f"/studies/{lesson.key}"
    assert put(reader, path, revision=2, title="Mine").status_code == 403
    assert post(reader, f"{path}/chapters", title="x").status_code == 403
    assert put(reader, f"{path}/chapters/{made.number}", revision=1).status_code == 403
    assert reader.delete(path, {"revision": 2}, content_type="application/json").status_code == 403
    assert put(writer, path, revision=2, title="Ours").status_code == 200
    assert put(writer, path, revision=3, visibility="self").status_code == 403, "the owner decides"
    assert put(writer, f"{path}/chapters/1", revision=1, title="New").json()["revision"] == 2


def test_a_later_writer_gets_the_current_version_and_nothing_is_overwritten() -> None:
    owner, match = guest("Ada"), store()
    lesson = study(owner)
    made = chapter(owner, lesson, match)
    path = f"/studies/{lesson.key}/chapters/{made.number}"
    assert put(owner, path, revision=1, title="First").status_code == 200
    late = put(owner, path, revision=1, title="Second")
    assert (late.status_code, late.json()["now"]["title"]) == (409, "First")
    changed = late.json()["changed"]
    assert (changed["by"], changed["you"]) == ("Ada", True)
    writer = account("Kim")
    put(owner, f"/studies/{lesson.key}", revision=1, writers=["Kim"])
    theirs = put(writer, path, revision=1, title="Third").json()["changed"]
    assert (theirs["by"], theirs["you"]) == ("Ada", False)
    assert abs(datetime.fromisoformat(theirs["at"]) - timezone.now()) < timedelta(minutes=1)
    assert put(writer, f"/studies/{lesson.key}", revision=2, text="New.").status_code == 200
    worded = put(owner, f"/studies/{lesson.key}", revision=2, text="Newer.").json()["changed"]
    shared = put(owner, f"/studies/{lesson.key}", revision=2, visibility="link").json()["changed"]
    assert (worded["by"], shared["by"]) == ("Kim", "Ada"), "only the owner shares it"
    assert put(owner, f"/studies/{lesson.key}", revision=7, title="x").status_code == 409
    assert put(owner, path, revision=2, title="Second").json()["title"] == "Second"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"match": 10**9}, "match: there is no such match"),
        ({"round": 9}, "round: expected one of"),
        ({"event": 10**6}, "event"),
        ({"until": 1}, "until"),
        ({"view": "4"}, "view: the match has 2 seats"),
        ({"speed": 33}, "speed: expected one of"),
        ({"title": " "}, "title"),
        ({"text": "x" * 4_001}, "text: expected at most 4000"),
        ({"line": "nowhere"}, "line: there is none"),
        ({"colour": 1}, 'unknown key "colour"'),
        ({"question": {"seat": 0, "answers": []}}, "answers: expected 1 to 8, found 0"),
        ({"question": {"seat": 2, "answers": [{"do": "draw"}]}}, "seat"),
        ({"question": {"seat": 0, "answers": [{"do": "play", "card": "B1a", "stack": 0}]}}, "hand"),
        ({"question": {"seat": 0, "answers": [{"do": "fly"}]}}, "do: expected one of"),
    ],
)
def test_an_invalid_chapter_says_why(fields: dict[str, Any], words: str) -> None:
    owner, match = guest("Ada"), store()
    lesson = study(owner)
    said = {"title": "x", "match": match.pk, "round": 1, "event": 4, **fields}
    refused = post(owner, f"/studies/{lesson.key}/chapters", **said)
    assert refused.status_code == 422
    assert words in refused.json()["error"]
    assert not Chapter.objects.exists()


def test_chapters_have_an_order_groups_and_addresses_that_stay() -> None:
    owner, match = guest("Ada"), store()
    lesson = study(owner)
    for title, group in (("a", "One"), ("b", "Two"), ("c", "One")):
        chapter(owner, lesson, match, title=title, group=group)
    path = f"/studies/{lesson.key}"

    def titles() -> list[tuple[int, str, str]]:
        found = owner.get(path).json()["chapters"]
        return [(one["number"], one["title"], one["group"]) for one in found]

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
    assert "added or deleted in the meantime" in refused.json()["error"]
    gone = owner.delete(f"{path}/chapters/3", {"revision": 2}, content_type="application/json")
    assert gone.status_code == 200
    assert owner.get(f"{path}/3/").status_code == 404
    assert [one[0] for one in titles()] == [2, 1]


def test_notes_of_a_study_are_for_its_readers_and_not_on_the_match() -> None:
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    lesson = study(owner)
    made = chapter(owner, lesson, match)
    said = {"key": fresh(), "round": 1, "event": 5, "text": "Here.", "visibility": "everyone"}
    written = post(owner, f"{place(made)}notes", **said)
    assert written.status_code == 201
    note = Note.objects.get()
    assert (note.study, note.visibility) == (lesson, "self")
    put(owner, f"/notes/{note.key}", revision=1, text="There.", visibility="everyone")
    note.refresh_from_db()
    assert (note.text, note.visibility) == ("There.", "self"), "the study decides who reads it"
    assert reader.get(f"/notes/{note.key}").status_code == 404
    assert owner.get(f"/matches/{match.pk}/notes").json()["notes"] == []
    put(owner, f"/studies/{lesson.key}", revision=1, visibility="everyone")
    assert reader.get(f"/notes/{note.key}").status_code == 200
    shown = reader.get(f"{place(made)}notes").json()
    assert ([one["text"] for one in shown["notes"]], shown["may_write"]) == (["There."], False)
    assert post(reader, f"{place(made)}notes", **said).status_code == 403
    assert (shown["may_reply"], shown["may_settle"]) == (True, False)
    found = owner.get("/notes/").content.decode()
    assert f'href="/studies/{lesson.key}/"' in found, "it is not on the match's own page"
    printed = reader.get(f"/studies/{lesson.key}/print/").content.decode()
    assert "There." in printed
    assert re.search(r"Ada · Bo, round 1, 0:\d\d\.\d<", printed)
    assert f"/matches/{match.pk}/picture.svg?round=1&amp;event=4" in printed


def test_a_printed_study_is_bounded_and_says_whose_replies_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    lesson = study(owner, visibility="everyone")
    chapters = [chapter(owner, lesson, match) for _ in range(2)]
    said = {"round": 1, "event": 5}
    notes = f"{place(chapters[0])}notes"
    root = post(owner, notes, key=fresh(), text="Why?", **said).json()["key"]
    post(reader, notes, key=fresh(), text="So.", reply=root, **said)

    def printed() -> str:
        return reader.get(f"/studies/{lesson.key}/print/").content.decode()

    assert re.findall(r"<bdi>Bo</bdi>, 0:\d\d\.\d", printed())
    stored = {"study": lesson, "match": match, "owner": "guest:cy", "by": "Cy", "text": "Spam"}
    Note.objects.bulk_create(Note(key=fresh(), **said, **stored) for _ in range(MOST_NOTES))
    assert printed().count('class="printed-note"') == MOST_NOTES
    assert f"Only the first {MOST_NOTES} notes are printed." in printed()
    monkeypatch.setattr(printing, "MOST_EVENTS", 9)
    assert "Ada · Bo, round 1<" in printed(), "so long a round is not read for its times"


def test_a_copy_has_everything_and_belongs_to_the_copier() -> None:
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    lesson = study(owner, visibility="everyone", text="**Read** this.")
    made = chapter(owner, lesson, match, until=9, group="G", text="Look at @0:01.0.")
    said = {"round": 1, "event": 5, "text": "Here."}
    first = post(owner, f"{place(made)}notes", key=fresh(), **said).json()
    post(owner, f"{place(made)}notes", key=fresh(), **{**said, "text": "Yes"}, reply=first["key"])
    post(reader, f"{place(made)}notes", key=fresh(), **{**said, "text": "No"}, reply=first["key"])
    copied = post(reader, f"/studies/{lesson.key}/copy").json()
    assert (copied["title"], copied["mine"], copied["visibility"]) == (
        "Copy of Lesson",
        True,
        "self",
    )
    kept = ("title", "group", "text", "round", "event", "until", "html")
    (other,) = copied["chapters"]
    assert [other[name] for name in kept] == [getattr(made, name) for name in kept]
    notes = reader.get(f"/studies/{copied['key']}/1/notes").json()["notes"]
    assert [(one["text"], "reply" in one) for one in notes] == [("Here.", False), ("Yes", True)]
    assert Note.objects.filter(study=lesson).count() == 3, "a reader's reply stays where it is"
    with zipfile.ZipFile(BytesIO(owner.get(f"/studies/{lesson.key}.zip").content)) as packed:
        index = packed.read("index.json").decode()
    assert ['"Yes"' in index, '"No"' in index] == [True, False]
    assert owner.get(f"/studies/{copied['key']}/").status_code == 404
    assert chapter(reader, Study.objects.get(key=copied["key"]), match).number == 2


def test_a_copy_lets_others_write_in_between_and_shows_nothing_until_it_is_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batch = 10
    monkeypatch.setattr(copying, "BATCH", batch)
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    lesson = study(owner, visibility="everyone")
    chapter(owner, lesson, match)
    said = {"study": lesson, "match": match, "round": 1, "event": 5, "owner": "guest:x"}
    Note.objects.bulk_create(Note(key=fresh(), text="Look.", **said) for _ in range(3 * batch))
    steps: list[str] = []
    fails = True

    def watch(execute: Any, sql: str, *how: Any) -> Any:
        """Look whenever notes are stored; the first copy fails later on."""
        if sql.startswith("RELEASE SAVEPOINT"):
            steps.append("free ")
        if sql.startswith('INSERT INTO "replays_note"'):
            steps.append("notes ")
            assert reader.get("/studies").json()["studies"] == []
            assert "Look." not in reader.get("/notes/").content.decode()
            if fails and steps.count("notes ") > 1:
                raise RuntimeError("interrupted")
        return execute(sql, *how)

    with connection.execute_wrapper(watch):
        with pytest.raises(RuntimeError):
            post(reader, f"/studies/{lesson.key}/copy")
        assert Study.objects.count() == 2
        fails = False
        Study.objects.update(edited=timezone.now() - unfinished.KEPT)
        steps.clear()
        copied = post(reader, f"/studies/{lesson.key}/copy").json()
    assert re.search("((notes )+(free )+){3}", "".join(steps)), "others write after each batch"
    made = Study.objects.exclude(pk=lesson.pk).get()
    assert made.key == copied["key"], "what was interrupted is deleted by the next"
    assert {note.owner for note in made.notes.all()} == {made.owner}
    history: Any = Note.history  # the library has no types
    assert made.notes.count() == history.filter(study=made).count() == 3 * batch
    assert '"note-card"' in reader.get("/notes/").content.decode()


def test_thirty_chapters_cost_as_many_queries_as_three() -> None:
    owner = guest("Ada")
    matches = [store("Ada", "Bo"), store("Cy", "Di")]
    lesson = study(owner, visibility="everyone")
    counts = []
    for size in (3, 30):
        while lesson.chapters.count() < size:
            chapter(owner, lesson, matches[lesson.chapters.count() % 2])
        pages = (f"/studies/{lesson.key}/", f"/studies/{lesson.key}/2/?seq=9", "/studies/")
        counts.append([queries(one, page) for one in (owner, Client()) for page in pages])
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
    assert Client().get(f"{place(made)}notes").status_code == 404


def test_learners_what_ifs_are_their_own_and_writers_belong_to_the_study() -> None:
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    made = chapter(owner, study(owner, visibility="everyone"), match)
    (writers, readers) = (
        one.get(f"{place(made)}?seq=4").context["variations_url"] for one in (owner, reader)
    )
    assert writers == f"{place(made)}variations"
    assert readers == f"/matches/{match.pk}/variations"


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
    refused = put(owner, f"/studies/{lesson.key}/chapters/1", revision=1, question=asked)
    assert refused.json()["error"] == "question: the match is still being played"
    ada = Client()
    ada.force_login(users["Ada"])
    said = {"title": "x", "match": number, "round": 1, "event": 2}
    own = study(ada)
    assert "no such match" in post(ada, f"/studies/{own.key}/chapters", **said).json()["error"]


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
        found = [one.get(f"/studies/{lesson.key}/").status_code for one in (Client(), kim, owner)]
        assert found == [status, status, 200]


def test_a_deleted_study_is_gone_for_everybody_until_its_owner_restores_it() -> None:
    owner, other = guest("Ada"), guest("Bo")
    lesson = study(owner, visibility="everyone")
    body = {"revision": 2}
    assert owner.delete(f"/studies/{lesson.key}", body, content_type="application/json").json()
    assert owner.get(f"/studies/{lesson.key}/").status_code == 404
    assert f"/studies/{lesson.key}/restore/" in owner.get("/studies/").content.decode()
    assert lesson.key not in other.get("/studies/").content.decode()
    assert other.post(f"/studies/{lesson.key}/restore/").status_code == 404
    assert owner.post(f"/studies/{lesson.key}/restore/").status_code == 302
    assert other.get(f"/studies/{lesson.key}/").status_code == 200
    assert owner.post(f"/studies/{lesson.key}/restore/").status_code == 404, "it is not deleted"


def test_a_deleted_chapter_comes_back_with_its_address() -> None:
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    lesson = study(owner, visibility="everyone")
    gone = chapter(owner, lesson, match, title="One")
    chapter(owner, lesson, match, title="Two")
    path = f"/studies/{lesson.key}/chapters/{gone.number}"
    assert owner.delete(path, {"revision": 1}, content_type="application/json").status_code == 200
    assert reader.get(place(gone)).status_code == 404
    assert chapter(owner, lesson, match, title="Three").number == 3, "addresses are not used again"
    really = chapter(owner, lesson, match, title="Four")
    Chapter.every.get(pk=really.pk).delete()  # as the oldest of many deleted ones are
    assert (chapter(owner, lesson, match, title="Five").number, really.number) == (5, 4)
    Study.objects.update(numbered=MOST_NUMBER)
    full = {"title": "x", "match": match.pk, "round": 1, "event": 4}
    refused = post(owner, f"/studies/{lesson.key}/chapters", **full)
    assert (
        refused.json()["error"] == "a study can have 32,767 chapters in its life; go on in a copy"
    )
    assert "1 chapter," not in owner.get("/studies/").content.decode()
    assert [row.title for row in lesson.chapters.order_by("place")] == ["Two", "Three", "Five"]
    shown = [one.get(f"/studies/{lesson.key}/").content.decode() for one in (owner, reader)]
    assert ["Restore: One" in page for page in shown] == [True, False]
    assert post(reader, f"{path}/restore").status_code == 403
    assert post(owner, f"{path}/restore").json()["title"] == "One"
    assert reader.get(place(gone), follow=True).status_code == 200
    assert "there is no such deleted chapter" in post(owner, f"{path}/restore").json()["error"]


def test_a_chapter_goes_back_to_an_earlier_version() -> None:
    owner, writer, match = guest("Ada"), account("Kim"), store()
    lesson = study(owner, writers=["Kim"])
    made = chapter(owner, lesson, match, title="First", text="One.")
    path = f"/studies/{lesson.key}/chapters/{made.number}"
    assert put(owner, path, revision=1, text="One. Two.").status_code == 200
    assert owner.get(f"{path}/history").json() == {"history": []}, "that was typing"
    assert put(writer, path, revision=2, title="Mine").status_code == 200
    Chapter.objects.update(edited=timezone.now() - STANDS)
    assert put(writer, path, revision=3, text="Three.").status_code == 200
    found = writer.get(f"{path}/history").json()["history"]
    versions = [(one["revision"], one["by"], one["title"], one["text"]) for one in found]
    assert versions == [(3, "Kim", "Mine", "One. Two."), (2, "Ada", "First", "One. Two.")]
    assert guest("Bo").get(f"{path}/history").status_code == 404
    back = put(owner, path, revision=4, as_of=2).json()
    assert (back["title"], back["text"], back["revision"]) == ("First", "One. Two.", 5)
    again = put(owner, path, revision=5, as_of=3).json()
    assert (again["title"], again["revision"]) == ("Mine", 6)
    kept = owner.get(f"{path}/history").json()["history"]
    assert [one["revision"] for one in kept] == [5, 4, 3, 2], "what was left can come back at once"
    assert (
        put(owner, path, revision=6, as_of=1).json()["error"] == "as_of: that version is not kept"
    )


def test_an_introduction_that_was_overwritten_comes_back() -> None:
    owner, writer = guest("Ada"), account("Kim")
    lesson = study(owner, writers=["Kim"])
    path = f"/studies/{lesson.key}"
    assert put(owner, path, revision=2, text="Long words.").status_code == 200
    assert put(owner, path, revision=3, visibility="everyone").status_code == 200
    assert owner.get(f"{path}/history").json() == {"history": []}, "that was typing, then sharing"
    assert put(writer, path, revision=4, text="").status_code == 200
    (kept,) = writer.get(f"{path}/history").json()["history"]
    assert (kept["revision"], kept["by"], kept["text"]) == (4, "Ada", "Long words.")
    assert guest("Bo").get(f"{path}/history").status_code == 403
    assert put(owner, path, revision=4, as_of=4).status_code == 409
    back = put(owner, path, revision=5, as_of=4).json()
    assert (back["title"], back["text"], back["visibility"]) == (
        lesson.title,
        "Long words.",
        "everyone",
    )
    assert "Long words." in owner.get(f"{path}/").content.decode()


def test_readers_reply_to_notes_and_writers_settle_and_delete_what_they_said() -> None:
    owner, reader, other = guest("Ada"), guest("Bo"), guest("Cy")
    match = store()
    lesson = study(owner, visibility="everyone")
    made = chapter(owner, lesson, match)
    said = {"round": 1, "event": 5}
    root = post(owner, f"{place(made)}notes", key=fresh(), text="Why?", **said).json()["key"]
    elsewhere = note(match, event=5, text="Elsewhere.").key
    replied = post(reader, f"{place(made)}notes", key=fresh(), text="So.", reply=root, **said)
    assert replied.status_code == 201
    reply = replied.json()["key"]
    refused = post(reader, f"{place(made)}notes", key=fresh(), text="x", reply=elsewhere, **said)
    assert refused.json()["error"] == "reply: that note is not in the same study"
    shown = other.get(f"{place(made)}notes").json()["notes"]
    assert [one["text"] for one in shown] == ["Why?", "So."]
    assert (
        put(reader, f"/notes/{reply}", revision=1, text="So there.", reply=root).status_code == 200
    )
    assert put(owner, f"/notes/{reply}", revision=2, text="No.").status_code == 403
    assert post(reader, f"/notes/{root}/settle", settled=True).status_code == 403
    assert post(owner, f"/notes/{root}/settle", settled=True).json()["settled"] is True
    assert post(other, f"/notes/{reply}/report", reason="rude").status_code == 200
    for browser, status in ((other, 403), (owner, 200)):
        gone = browser.delete(f"/notes/{reply}", {"revision": 2}, content_type="application/json")
        assert gone.status_code == status
    assert post(reader, f"/notes/{reply}/restore").status_code == 200
    shown = other.get(f"{place(made)}notes").json()["notes"]
    assert [one["text"] for one in shown] == ["Why?"], "its author does not undo that"


def test_studies_are_found_by_their_words_and_reported() -> None:
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    lesson = study(owner, "Openings for two", visibility="everyone")
    chapter(owner, lesson, match, title="The five", text="secret")
    study(owner, "Private openings")

    def found(browser: Client, words: str) -> list[bool]:
        page = browser.get("/studies/", {"q": words}).content.decode()
        return ["Openings for two" in page, "Private openings" in page]

    assert found(reader, "openings ada five") == [True, False]
    assert found(reader, "secret") == [False, False], "what a chapter says may be an answer"
    assert found(owner, "openings") == [True, True]
    joins = [searched(reader, words).count("JOIN") for words in ("five", "five " * 20)]
    assert joins[0] == joins[1], "or a hundred chapters would make 100^20 rows"
    sent = reader.post(f"/studies/{lesson.key}/report/", {"reason": "a copy"}, follow=True)
    assert "A moderator will look at it" in sent.content.decode()
    users = world.people()
    moderator = Client()
    moderator.force_login(users["Mo"])
    path = "/admin/replays/studyreport/"
    assert "a copy" in moderator.get(path).content.decode()
    report = StudyReport.objects.get()
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
    changed = put(owner, f"/studies/{lesson.key}/chapters/{number}", revision=1, text="My own.")
    assert changed.status_code == 200, changed.content
    assert "You have changed it since" in owner.get(page).content.decode()
    assert "Its author has changed it since" in moderator.get(page).content.decode()
    moderator.post(path, {"action": "show", "_selected_action": [report.pk], "reason": "Better."})
    assert reader.get(page).status_code == 200
    assert not StudyReport.objects.filter(settled=False).exists()
    rows = Moderation.objects.filter(subject=lesson.key).values_list("action", "reason")
    assert sorted(rows) == [("hide", "It is a copy."), ("show", "Better.")]


def test_a_former_writer_changes_nothing_in_a_study() -> None:
    owner, writer, match = guest("Ada"), account("Kim"), store()
    lesson = study(owner, visibility="everyone", writers=["Kim"])
    made = chapter(owner, lesson, match)
    said = {"round": 1, "event": 5, "text": "Here."}
    key = post(writer, f"{place(made)}notes", key=fresh(), **said).json()["key"]
    assert put(writer, f"/notes/{key}", revision=1, text="There.").status_code == 200
    put(owner, f"/studies/{lesson.key}", revision=2, writers=[])
    assert put(writer, f"/notes/{key}", revision=2, text="Elsewhere.").status_code == 403
    assert post(writer, f"/notes/{key}/settle", settled=True).status_code == 403
    assert Note.objects.get().text == "There."
    gone = writer.delete(f"/notes/{key}", {"revision": 2}, content_type="application/json")
    assert gone.status_code == 200, "one's own words may go"
    assert post(writer, f"/notes/{key}/restore").status_code == 403


def test_players_of_a_running_match_get_no_notes_of_a_study_in_print() -> None:
    ada = world.people()["Ada"]
    _, pk = world.build("public", "open", ada)
    owner, player, elsewhere = guest("Coach"), Client(), Client()
    player.force_login(ada)
    lesson = study(owner, visibility="everyone")
    made = chapter(owner, lesson, Match.objects.get(pk=pk), event=3)
    post(owner, f"{place(made)}notes", key=fresh(), round=1, event=3, text="Play the five.")
    path = f"/studies/{lesson.key}/print/"
    assert "Play the five." in elsewhere.get(path).content.decode()
    assert "Play the five." not in player.get(path).content.decode()


def test_a_question_that_moves_to_another_match_ends_its_embargoes() -> None:
    owner, learner = guest("Ada"), guest("Bo")
    first, other = store("Ada", "Bo"), store("Ada", "Bo")
    lesson = study(owner, visibility="everyone")
    made = question(owner, lesson, first)
    learner.post(f"{place(made)}start")
    assert learner.get(f"/matches/{first.pk}/log").status_code == 404
    asked = {"seat": 0, "answers": [{"do": "draw"}]}
    said = {"match": other.pk, "event": made.event, "question": asked}
    moved = put(owner, f"/studies/{lesson.key}/chapters/{made.number}", revision=1, **said)
    assert moved.status_code == 200, moved.content
    assert learner.get(f"/matches/{first.pk}/log").status_code == 200
