"""Copies of studies: what is copied, whose it is, and what others see meanwhile."""

import re
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from games.models import Match
from games.people import embargoes, person
from replays.models import Note, Study
from replays.studies import copying
from tests.notes.browsers import guest, post
from tests.notes.making import fresh
from tests.studies.making import chapter, data, question, study
from tests.web.records import store

pytestmark = pytest.mark.django_db


def test_a_copy_has_everything_and_belongs_to_the_copier() -> None:
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    lesson = study(owner, visibility="everyone", text="**Read** this.")
    made = chapter(owner, lesson, match, until=9, group="G", text="Look at @0:01.0.")
    said = {"round": 1, "event": 5, "text": "Here."}
    first = post(owner, f"{data(made)}notes", key=fresh(), **said).json()
    post(owner, f"{data(made)}notes", key=fresh(), **{**said, "text": "Yes"}, reply=first["key"])
    post(reader, f"{data(made)}notes", key=fresh(), **{**said, "text": "No"}, reply=first["key"])
    pages = [one.get(f"/studies/{lesson.key}/").text for one in (owner, reader)]
    assert ['id="study-copy"' in page for page in pages] == [False, True], "of others' studies"
    copied = post(reader, f"/api/v1/studies/{lesson.key}/copy").json()
    assert (copied["title"], copied["mine"], copied["visibility"]) == (
        "Copy of Lesson",
        True,
        "self",
    )
    kept = ("title", "group", "text", "round", "event", "until", "html")
    (other,) = copied["chapters"]
    assert [other[name] for name in kept] == [getattr(made, name) for name in kept]
    notes = reader.get(f"/api/v1/studies/{copied['key']}/chapters/1/notes").json()["notes"]
    assert [(row["text"], "reply" in row) for row in notes] == [("Here.", False), ("Yes", True)]
    assert Note.objects.filter(study=lesson).count() == 3, "a reader's reply stays where it is"
    assert owner.get(f"/studies/{copied['key']}/").status_code == 404
    assert chapter(reader, Study.objects.get(key=copied["key"]), match).number == 2


def test_a_copy_has_only_what_its_reader_may_see_of_it() -> None:
    owner, reader = guest("Ada"), guest("Bo")
    shown, private, closed, asked = (store(seed=seed) for seed in range(1, 5))
    lesson = study(owner, visibility="everyone")
    for title, match in (("Shown", shown), ("Private", private), ("Closed", closed)):
        chapter(owner, lesson, match, title=title)
    question(owner, lesson, asked, title="Asked")
    Match.objects.filter(pk=private.pk).update(visibility="link", token="k" * 22)
    embargoes.begin(closed, [person.guest(reader.session["guest"])], 1)
    for copier, titles in ((reader, ["Shown"]), (owner, ["Shown", "Closed", "Asked"])):
        copied = post(copier, f"/api/v1/studies/{lesson.key}/copy").json()
        assert [row["title"] for row in copied["chapters"]] == titles


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
            assert reader.get("/api/v1/studies").json()["studies"] == []
            assert "Look." not in reader.get("/notes/").content.decode()
            if fails and steps.count("notes ") > 1:
                raise RuntimeError("interrupted")
        return execute(sql, *how)

    with connection.execute_wrapper(watch):
        with pytest.raises(RuntimeError):
            post(reader, f"/api/v1/studies/{lesson.key}/copy")
        assert Study.objects.count() == 2
        fails = False
        Study.objects.update(edited=timezone.now() - copying.KEPT)
        steps.clear()
        copied = post(reader, f"/api/v1/studies/{lesson.key}/copy").json()
    assert re.search("((notes )+(free )+){3}", "".join(steps)), "others write after each batch"
    made = Study.objects.exclude(pk=lesson.pk).get()
    assert made.key == copied["key"], "what was interrupted is deleted by the next"
    assert {note.owner for note in made.notes.all()} == {made.owner}
    history: Any = Note.history  # the library has no types
    assert made.notes.count() == history.filter(study=made).count() == 3 * batch
    assert '"note-card"' in reader.get("/notes/").content.decode()
