"""Deleting an account: the whole database is searched for its words, its names and its address."""

import gzip
import json
import zlib
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.contrib.sessions.backends.db import SessionStore
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from games.archive.packing import text_of
from games.chat import storage as chat
from games.models import ChatLine, LiveTable, Match
from games.people.bots import become_bot
from games.people.mail import settle
from games.people.person import account as account_of
from games.people.person import encode
from games.people.visitor import Author, Visitor
from games.tables import opening
from games.tables.plan import new_plan, to_json
from replays.classes import members
from replays.models import Homework, SchoolClass
from replays.reviews import chat as review_chat
from replays.reviews import storage
from tests.classes.lesson import Lesson, day
from tests.classes.making import joined, place, school_class, user_of
from tests.notes.browsers import account, guest, post, put
from tests.notes.making import fresh
from tests.studies.making import chapter, study
from tests.web.records import record, store

pytestmark = pytest.mark.django_db
PASSWORD = "four blue stacks"
NAMES = "zyxquil"
"""What all names and the address of the person begin with: long, so that no random key has it."""
WORDS = "quandry"
"""And every word that the person writes."""


def test_nothing_that_an_account_wrote_or_is_called_is_left() -> None:
    lesson, match = Lesson(), store("Zyxquilla", "Bo")
    person, bo = guest("Zyxquillguest"), account("Bo")
    there = school_class(bo, "5c")
    become_bot(user_of(account("Robot")))
    _write(person, match)
    # Under one name; later under another.
    form = {"username": "Zyxquillold", "email": "zyxquill@mail.example"}
    form |= {"password1": PASSWORD, "password2": PASSWORD}
    assert person.post("/account/new/", form).status_code == 302
    settle()
    mail.outbox.clear()
    assert person.post("/account/name/", {"username": "Zyxquilla"}).status_code == 302
    match.seats.filter(number=0).update(user=user_of(person))
    _write(person, match)
    me = user_of(person)
    seated = new_plan("t", "usaopoly-2009", 2, {}).sit(account_of(me.pk), "Zyxquilla")
    opening.open_table(seated)
    LiveTable.objects.create(record_id="w", plan=to_json(new_plan("w", "usaopoly-2009", 2, {})))
    visitor = Visitor((account_of(me.pk),), "Zyxquilla")
    assert not chat.add("w", visitor, WORDS)
    line = ChatLine.objects.create(room="w", n=9, person="guest:x", name="Eve", text="x")
    chat.report("w", visitor, line.n)
    _teach(person, bo, there, lesson)
    _meet_staff(person)
    wrong = {"username": "ZYXQUILLA", "password": "wrong"}
    Client().post("/account/log-in/", wrong)
    Client().post("/account/log-in/", {"username": "zyxquilla", "password": PASSWORD})
    assert _places(WORDS) > KEPT_WORDS
    deleted = person.post("/account/delete/", {"password": PASSWORD})
    assert deleted.status_code == 302, deleted.text
    assert _places(WORDS) == KEPT_WORDS
    assert _places(NAMES) <= KEPT_NAMES
    assert SchoolClass.objects.count() == 2, "the one without other members is gone"


KEPT_WORDS = {
    ("replays_homework", "title"),  # the class goes on with its other coach
    ("replays_homework", "words"),
    ("replays_chapter", "text"),  # of a study whose owner let the person write in it
    ("replays_chapter", "html"),
}
KEPT_NAMES = {
    ("games_match", "header"),  # records are kept as they are: they are the other players', too
    ("games_player", "name"),
    ("games_player", "skeleton"),
    ("games_livetable", "plan"),  # for 30 days after the match
    ("games_livetable", "state"),
    ("games_formername", "skeleton"),  # so that nobody takes the name for 90 days
    ("games_moderation", "detail"),  # what moderators did is kept
    ("games_moderation", "subject"),
}


def _write(person: Client, match: Match) -> None:
    """All that guests and accounts may write about a match."""
    said = {"round": 1, "event": 3, "text": f"{WORDS} @Bo", "tags": [WORDS]}
    notes = f"/api/v1/matches/{match.pk}/notes"
    made = _ok(post(person, notes, key=fresh(), visibility="everyone", **said))
    once = {"X-Request-Key": fresh()}
    reply = {**said, "key": fresh(), "reply": made["key"]}
    _ok(person.post(notes, reply, content_type="application/json", headers=once))
    changed = {**said, "text": f"{WORDS} twice", "revision": 1}
    _ok(put(person, f"/api/v1/notes/{made['key']}", **changed))
    text = person.get(f"/matches/{match.pk}.ratuki").content.decode()
    events = [json.loads(line) for line in text.splitlines() if '"t":' in line]
    kept = {"key": fresh(), "round": 1, "event": 3, "text": WORDS, "events": events[3:5]}
    _ok(post(person, f"/api/v1/matches/{match.pk}/variations", **kept))
    items = [{"match": match.pk, "round": 1, "event": 2, "until": 5, "label": WORDS}]
    _ok(post(person, "/api/v1/playlists", key=fresh(), title=WORDS, items=items))
    lesson = study(person, WORDS)
    chapter(person, lesson, match, title=WORDS, text=WORDS)
    _ok(put(person, f"/api/v1/studies/{lesson.key}", revision=1, title=f"{WORDS} 2", text=WORDS))
    body = text_of(record("Ada", "Bo")).encode()
    person.post("/matches/upload/", {"record": SimpleUploadedFile("a.ratuki", body)})
    person.post(f"/matches/{match.pk}/complaint/", {"text": WORDS})
    theirs = account(f"Bo{fresh()[-4:]}")
    there = {"round": 1, "event": 3, "text": "x", "visibility": "everyone"}
    note = _ok(post(theirs, notes, key=fresh(), **there))
    _ok(post(person, f"/api/v1/notes/{note['key']}/complaint", reason=WORDS))
    person.post(f"/matches/{match.pk}/review/")
    asked = {"name": WORDS, "scopes": ["read"], "days": 30, "password": PASSWORD}
    person.post("/account/programs/", asked)
    person.post("/play/challenge/", {"player": "Robot"})


def _ok(response: Any) -> dict[str, Any]:
    assert response.status_code in (200, 201, 202), response.content
    said: dict[str, Any] = response.json()
    return said


def _teach(person: Client, bo: Client, there: SchoolClass, lesson: Lesson) -> None:
    """A class of their own, one with another coach, and one in which they are a pupil."""
    school_class(person, WORDS)
    member = joined(person, there, "Zyxquill of 5c")
    members.promote(member)
    theirs = study(person, f"{WORDS} lesson")
    chapter(person, theirs, lesson.match, title="A moment")
    joined(person, lesson.there, "Zyxquill of 4b")
    lesson.give()
    lesson.opens(person)
    lesson.answers(person)
    pupil = account("Kim")
    joined(pupil, there)
    owned = study(bo, "Of Bo")
    made = chapter(bo, owned, lesson.match)
    _ok(put(bo, f"/api/v1/studies/{owned.key}", revision=1, title="Of Bo", writers=["Zyxquilla"]))
    said = {"title": "A moment", "match": lesson.match.pk, "round": 1, "event": 4, "text": WORDS}
    at = f"/api/v1/studies/{owned.key}/chapters/{made.number}"
    _ok(put(person, at, revision=1, **said))
    given = {"study": theirs.key, "due": day(7), "words": WORDS}
    assert person.post(place(there, "homework"), given).status_code == 302
    homework = Homework.objects.get(words=WORDS)
    remind = place(there, "homework", homework.key, "change")
    assert bo.post(remind, {"do": "remind"}).status_code == 302
    me = user_of(person)
    review = storage.start(lesson.match, Author(encode(account_of(me.pk)), "Zyxquilla", me))
    reviewer = Visitor((account_of(me.pk),), "Zyxquilla")
    assert not review_chat.add(review.key, reviewer, WORDS)


def _meet_staff(person: Client) -> None:
    """The administration changes the account, which leaves a line in its log."""
    staff = get_user_model().objects.create_superuser("Root")
    staff.user_permissions.add(Permission.objects.get(codename="add_chatmute"))
    root = Client()
    root.force_login(staff)
    me = user_of(person)
    path = f"/admin/auth/user/{me.pk}/change/"
    form = root.get(path).context["adminform"].form
    said = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    said |= {"date_joined_0": "2026-01-01", "date_joined_1": "00:00", "first_name": WORDS}
    assert root.post(path, said).status_code == 302


def _places(wanted: str) -> set[tuple[str, str]]:
    """The tables and columns of the database in which a text occurs, in whatever case."""
    found: defaultdict[tuple[str, str], int] = defaultdict(int)
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            columns = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for column, value in zip(columns, row, strict=True):
                    texts = _texts(table, column, value)
                    found[table, column] += any(wanted in text.casefold() for text in texts)
    return {where for where, count in found.items() if count}


def _texts(table: str, column: str, value: object) -> Iterator[str]:
    """What a value says, unpacked in every way in which something may be packed."""
    if isinstance(value, bytes | memoryview):
        packed = bytes(value)
        yield packed.decode(errors="replace")
        for unpack in (gzip.decompress, zlib.decompress, lambda data: zlib.decompress(data, -15)):
            with suppress(Exception):
                yield unpack(packed).decode(errors="replace")
    else:
        yield str(value)
    if (table, column) == ("django_session", "session_data"):
        yield repr(SessionStore().decode(str(value)))
