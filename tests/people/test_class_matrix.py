"""A class as an audience: what its match, its table and what is written for it are to whom.

A match of a class is to its coaches, pupils and children what a private match is to whoever has its
link, and to everybody else what a private match is to strangers. So the cells are those of the
matrix.
"""

from collections.abc import Sequence
from http import HTTPStatus

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.archive.store import lines_of_rounds
from games.engine.events import Event
from games.models import Match, Seated
from games.people.person import account, encode
from games.people.visitor import Author, Reader
from games.records.log import Note as RecordNote
from games.records.log import Variation as RecordVariation
from replays.classes import members
from replays.models import Shared
from replays.notes import notes, playlists
from replays.notes.audience import Sharing
from replays.reviews import storage as reviews
from replays.studies import writing
from tests.notes.making import fresh
from tests.people import test_matrix as matrix
from tests.people import world
from tests.people.class_addresses import ClassWorld

pytestmark = pytest.mark.django_db

INSIDE = ("coach", "pupil")
OUTSIDE = ("former", "coach elsewhere")
FOR_ACCOUNTS = ("replays:keep_match",)
"""What the holder of a link may do only with an account, as everybody in a class has."""
AS_LINK = slice(2, 4)
"""The cells of a private match that is open, and over."""


@pytest.fixture
def users() -> dict[str, User]:
    return world.people()


@pytest.fixture
def there() -> ClassWorld:
    return ClassWorld()


def inside(there: ClassWorld, visitor: str) -> Client:
    """The browser of somebody of the class's world."""
    client = there.browser(visitor)
    assert client is not None
    return client


def browsers(there: ClassWorld) -> dict[str, tuple[Client, str]]:
    """Each visitor's browser, and whose row of the matrix is theirs."""
    rows = dict.fromkeys(INSIDE, "holder of link") | dict.fromkeys(OUTSIDE, "account elsewhere")
    return {visitor: (inside(there, visitor), row) for visitor, row in rows.items()}


@pytest.mark.slow
def test_addresses_of_a_match_of_a_class(users: dict[str, User], there: ClassWorld) -> None:
    key = there.school_class.key
    played = [world.build("class", stage, users["Ada"], key)[1] for stage in world.STAGES[1:]]
    visitors, holder = browsers(there), matrix.browser("holder of link", users)
    for (name, method), cells in matrix.blocks(matrix.MATCHES).items():
        with matrix.undone():
            paths = [reverse(name, args=matrix.arguments(name, match)) for match in played]
            for visitor, (client, row) in visitors.items():
                inside = visitor in INSIDE and name in FOR_ACCOUNTS
                expected = cells["account who plays" if inside else row][AS_LINK]
                assert asked(client, method, paths, name) == expected, (name, method, visitor)
            told = asked(holder, method, paths, name)
            assert told == cells["stranger"][AS_LINK], (name, method, "no key opens it")


def asked(client: Client, method: str, paths: Sequence[str], name: str) -> list[str]:
    """What comes back from each of these addresses; what was changed is taken back."""
    with matrix.undone():
        return [matrix.answer(client, method, path, matrix.body_for(name)) for path in paths]


def test_addresses_of_a_table_of_a_class(users: dict[str, User], there: ClassWorld) -> None:
    key = there.school_class.key
    tables = [world.build("class", stage, users["Ada"], key)[0] for stage in world.STAGES]
    for (name, method), cells in matrix.blocks(matrix.TABLES).items():
        paths = [reverse(name, args=[table]) for table in tables]
        holder = matrix.browser("holder of link", users), "stranger"
        for visitor, (client, row) in {**browsers(there), "holder of a key": holder}.items():
            told = [asked(client, method, [path], name)[0] for path in paths]
            assert told == [cell.strip("!") for cell in cells[row][3:6]], (name, method, visitor)


def test_a_child_sits_at_the_tables_of_its_class_and_at_no_other(
    users: dict[str, User], there: ClassWorld
) -> None:
    child = inside(there, "child")
    own, _ = world.build("class", "seating", users["Ada"], there.school_class.key)
    other, _ = world.build("public", "seating", users["Ada"])
    assert child.post(reverse("games:sit", args=[other])).status_code == HTTPStatus.FORBIDDEN
    child.post(reverse("games:sit", args=[own]))
    assert Seated.objects.get(person=encode(account(there.child.pk))).table.record_id == own


def test_a_coach_opens_a_table_that_nobody_outside_the_class_finds(there: ClassWorld) -> None:
    coach, pupil, former = (inside(there, visitor) for visitor in ("coach", "pupil", "former"))
    form = {"edition": "usaopoly-2009", "seat_2": "open", "level_2": 3}
    form |= {f"seat_{seat}": "none" for seat in (3, 4, 5)} | dict.fromkeys(
        (f"level_{seat}" for seat in (3, 4, 5)), 3
    )
    form |= {"school_class": there.school_class.key, "watching": "on", "bot_after_s": 60}
    made = coach.post(reverse("games:new"), form)
    address = made["Location"]
    for page in (reverse("games:lobby"), reverse("games:watch")):
        assert address not in pupil.get(page).content.decode()
    assert address in pupil.get(f"/classes/{there.school_class.key}/").content.decode()
    assert pupil.get(address).status_code == HTTPStatus.OK
    assert former.get(address).status_code == HTTPStatus.NOT_FOUND
    refused = former.post(reverse("games:new"), form)
    assert "You are not in that class any more." in refused.content.decode()


# --- What is written for a class ------------------------------------------------------------------


@pytest.fixture
def written(users: dict[str, User], there: ClassWorld) -> dict[str, str]:
    """The addresses of what a coach wrote for the class, on a public match; by kind."""
    _, number = world.build("public", "over", users["Ada"])
    match = Match.objects.get(pk=number)
    by = Author(encode(account(there.coach.pk)), "Cora", there.coach)
    for_class = Sharing(Shared.Visibility.CLASS, school_class=there.school_class.key)
    said = RecordNote(1, 1, text="Only for 4b.", tags=("feeding",))
    note = notes.write(by, match, said, for_class, key="note-for-a-class")
    events = [line for line in lines_of_rounds(match, 1, 1) if isinstance(line, Event)]
    line = RecordVariation(1, 6, None, "For 4b.", tuple(events[6:9]))
    what_if = notes.write_variation(by, match, line, for_class, key="line-for-a-class")
    span = {"match": number, "round": 1, "event": 1, "until": 2, "label": ""}
    visit_reader = Reader([by.person], there.coach.pk)
    made = playlists.create(
        by, "list-for-a-class", "L", [span], reader=visit_reader, match_of=lambda _: match
    )
    more = {"reader": visit_reader, "match_of": lambda _: match}
    playlists.change(made, 1, "L", [span], for_class, **more)  # type: ignore[arg-type]
    study = writing.create(by, "study-for-a-class", "S")
    writing.change(study, 1, "S", "", sharing=for_class)
    review = reviews.start(match, by, there.school_class.key)
    return {
        "note": f"/api/v1/notes/{note.key}",
        "what-if": f"/api/v1/variations/{what_if.key}",
        "playlist": f"/playlists/{made.key}/",
        "study": f"/studies/{study.key}/",
        "review": f"/reviews/{review.key}/",
        "tags": f"/notes/?folder=tags&match={number}",
        "notes": f"/api/v1/matches/{number}/notes",
    }


def test_what_is_for_a_class_is_for_whoever_is_in_it_now(
    users: dict[str, User], there: ClassWorld, written: dict[str, str]
) -> None:
    said = {"tags": "feeding", "notes": "Only for 4b."}
    readers = {visitor: inside(there, visitor) for visitor in (*INSIDE, "child")}
    outside = {visitor: inside(there, visitor) for visitor in OUTSIDE}
    outside |= {visitor: matrix.browser(visitor, users) for visitor in world.VISITORS}
    for sees, visitors in ((True, readers), (False, outside)):
        for visitor, client in visitors.items():
            for kind, address in written.items():
                told = client.get(address)
                shown = told.status_code == HTTPStatus.OK
                if kind in said:
                    shown = said[kind] in told.content.decode()
                assert shown is sees, (visitor, kind)


def test_nobody_shares_with_a_class_that_they_are_not_in(
    users: dict[str, User], there: ClassWorld
) -> None:
    _, number = world.build("public", "over", users["Ada"])
    body = {"round": 1, "event": 1, "text": "x", "visibility": f"class:{there.school_class.key}"}
    for visitor, status in (("pupil", 201), ("former", 422), ("coach elsewhere", 422)):
        said = {**body, "key": fresh()}
        path = f"/api/v1/matches/{number}/notes"
        told = inside(there, visitor).post(path, said, "application/json")
        assert told.status_code == status, (visitor, told.content)


def test_a_reply_to_what_is_for_a_class_is_for_the_class(
    there: ClassWorld, written: dict[str, str]
) -> None:
    pupil, former = inside(there, "pupil"), inside(there, "former")
    body = {"key": fresh(), "round": 1, "event": 1, "text": "Why?", "reply": "note-for-a-class"}
    audience = f"class:{there.school_class.key}"
    told = pupil.post(written["notes"], {**body, "visibility": audience}, "application/json")
    assert told.json()["visibility"] == audience
    assert "Why?" not in former.get(written["notes"]).content.decode()
    members.leave(there.member(there.pupil))
    assert "Only for 4b." not in pupil.get(written["notes"]).content.decode()


def test_a_deleted_class_is_nobodys_audience(there: ClassWorld, written: dict[str, str]) -> None:
    pupil = inside(there, "pupil")
    members.delete(there.school_class)
    shown = [kind for kind, path in written.items() if pupil.get(path).status_code == HTTPStatus.OK]
    assert shown == ["tags", "notes"]
    assert "Only for 4b." not in pupil.get(written["notes"]).content.decode()
