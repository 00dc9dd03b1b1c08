"""Who may be in a review: those who may see its match and are not playing in it."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from games.models import ChatLine, Match
from games.people.visit import visit_of_session
from games.people.visitor import STRANGER, Author, Visitor
from games.records.log import Note as RecordNote
from replays.models import Note, Review
from replays.models.sharing import new_key
from replays.notes import notes
from replays.notes.audience import Sharing
from replays.reviews import chat, storage
from tests.narrowing import present
from tests.people import world

pytestmark = pytest.mark.django_db
ADMITTED = """
                    public          by link         no spectators
                    open    over    open    over    open    over
stranger            yes     yes     -       -       -       yes
guest elsewhere     yes     yes     -       -       -       yes
account elsewhere   yes     yes     -       -       -       yes
holder of link      yes     yes     yes     yes     -       yes
guest who plays     plays   yes     plays   yes     -       yes
account who plays   plays   yes     plays   yes     -       yes
seat's token        yes     yes     -       -       -       yes
moderator           yes     yes     -       -       -       yes
"""
WORDS = {True: "yes", False: "plays", None: "-"}


def allowed(key: str, visitor: Visitor) -> bool | None:
    (admission,) = storage.admissions(key, [visitor])
    return None if admission is None else admission.allowed


def test_admission_follows_the_rights() -> None:
    users = world.people()
    keys = [
        world.review_of(world.build(kind, stage, users["Ada"])[1])
        for kind in world.KINDS
        for stage in world.STAGES[1:]
    ]
    rows = ADMITTED.strip("\n").splitlines()[2:]
    assert [row[:20].strip() for row in rows] == list(world.VISITORS)
    for row in rows:
        visitor = visit_of_session(world.session_of(row[:20].strip(), users)).visitor
        told = [WORDS[allowed(key, visitor)] for key in keys]
        assert told == row[20:].split(), row
    assert allowed("no-such-review", STRANGER) is None


def test_a_person_is_one_member_and_a_number_is_never_used_again() -> None:
    users = world.people()
    _, match = world.build("public", "over", users["Ada"])
    key = world.review_of(match)
    visitors = ("guest elsewhere", "account elsewhere", "moderator", "account elsewhere")
    sessions = [visit_of_session(world.session_of(visitor, users)).visitor for visitor in visitors]
    numbers = [storage.enter(key, visitor)[1] for visitor in sessions]
    assert numbers == [1, 2, 3, 2]
    assert storage.enter(key, STRANGER)[1] == 0
    users["Mo"].delete()
    opened, number = storage.enter(
        key, visit_of_session(world.session_of("guest who plays", users)).visitor
    )
    assert number == 4
    assert opened.members[4].name == "Bo"


def test_players_of_a_running_match_do_not_chat_about_it() -> None:
    users = world.people()
    _, match = world.build("public", "open", users["Ada"])
    key = world.review_of(match)
    player = visit_of_session(world.session_of("guest who plays", users)).visitor
    watcher = visit_of_session(world.session_of("account elsewhere", users)).visitor
    assert chat.add(key, player, "hello") == "chat-off"
    assert chat.add(key, watcher, "hello") == ""
    (line,) = chat.news({key: 0})
    assert (line.n, line.by, line.text) == (1, "Kim", "hello")
    assert line.account == watcher.account
    for _ in range(4):
        assert chat.add(key, watcher, "hello") == ""
    assert chat.add(key, watcher, "hello") == "too-often"


def test_old_reviews_are_deleted_when_another_is_started() -> None:
    users = world.people()
    _, match = world.build("public", "over", users["Ada"])
    old, young = world.review_of(match), world.review_of(match)
    for key in (old, young):
        ChatLine.objects.create(room=key, n=1, person="guest:x", name="Eve", text="Hi")
    aged = Review.objects.filter(key=old)
    aged.update(changed=timezone.now() - timedelta(days=storage.KEEP_DAYS + 1))
    world.review_of(match)
    left = set(Match.objects.get(pk=match).reviews.values_list("key", flat=True))
    assert old not in left
    assert young in left
    assert ChatLine.objects.get().room == young
    Review.objects.all().delete()
    call_command("tidy", stdout=StringIO(), stderr=StringIO())
    assert not ChatLine.objects.exists(), "its review went with something else"


def test_a_note_goes_to_those_who_may_see_its_thread_and_position() -> None:
    ada = world.people()["Ada"]
    _, pk = world.build("public", "over", ada)
    match = Match.objects.get(pk=pk)
    author, other = Author("guest:eve", "Eve"), Author("guest:bo", "Bo")
    said = RecordNote(1, 3, text="Look.")
    everyone, named = Sharing("everyone"), Sharing("people", (ada.pk,))

    def written(who: Author, sharing: Sharing, **more: Any) -> Note:
        return notes.write(who, match, said, sharing, key=new_key(), **more)

    review = match.reviews.get(key=world.review_of(pk)).pk
    assert present(storage.note(review, written(author, everyone).key)).readers is None
    for first in (written(author, Sharing()), written(author, Sharing("link"))):
        assert storage.note(review, written(other, everyone, reply=first).key) is None
    coached = written(author, named)
    answer = present(storage.note(review, written(other, everyone, reply=coached).key))
    assert answer.readers == {ada.pk}
