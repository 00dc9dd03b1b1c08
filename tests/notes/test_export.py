"""Notes and variations leave in a record, for those who may see them, and come back in one."""

import json
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from games.archive.store import insert, read_record, record_of
from games.models import Match
from games.people.visitor import Reader
from games.records.check import check
from games.records.log import GLYPHS
from replays.models import Note, Variation
from replays.notes import notes
from replays.notes.visible import record_with_notes
from tests.notes import making
from tests.notes.making import ADA, BO, EVERYONE, SELF, fresh, line_said, note
from tests.web.records import store

pytestmark = pytest.mark.django_db
ADA_READS = Reader(["guest:ada"])


def events_of(match: Match) -> list[dict[str, Any]]:
    """The events of a match of one round, as JSON has them."""
    lines = "".join(record_of(match)).splitlines()
    return [json.loads(line) for line in lines if line.startswith('{"t":')]


def exported(match: Match, reader: Reader = ADA_READS) -> bytes:
    return "".join(record_with_notes(match, reader)).encode()


def test_an_export_holds_what_the_reader_may_see() -> None:
    match = store("Ada", "Bo")
    note(match, sharing=SELF, text="Mine.")
    note(match, BO, SELF, text="Bo's.")
    note(match, BO, EVERYONE, text="Everybody's.")
    notes.remove(note(match, text="Gone."), 1)
    text = exported(match).decode()
    assert "Mine." in text
    assert "Everybody's." in text
    assert "Bo's." not in text
    assert "Gone." not in text
    assert check(BytesIO(text.encode())).header.version == 2


def test_without_notes_the_record_is_what_was_stored() -> None:
    match = store("Ada", "Bo")
    assert exported(match) == "".join(record_of(match)).encode()


def test_notes_along_an_unseen_variation_are_left_out() -> None:
    match = store("Ada", "Bo")
    fields = {"round": 1, "event": 5, "events": events_of(match)[5:8]}
    branch = notes.write_variation(BO, match, line_said(**fields), SELF, key=fresh())
    note(match, event=6, line=branch, text="Along it.")
    asked = note(match, BO, SELF, text="Bo asks.")
    answered = note(match, reply=asked, text="Ada answers.")
    note(match, reply=answered, text="Ada goes on.")
    text = exported(match).decode()
    for hidden in ("Along it.", "Bo asks.", "Ada answers.", "Ada goes on.", branch.key):
        assert hidden not in text


def test_a_thread_moves_as_a_whole() -> None:
    match = store("Ada", "Bo")
    first = note(match, event=4, text="Asked.")
    reply = note(match, BO, event=4, text="Answered.", reply=first)
    note(match, event=4, text="Thanks.", reply=reply)
    notes.change(first, 1, making.said(event=9, text="Asked later."), None)
    assert set(Note.objects.values_list("event", flat=True)) == {9}
    assert check(BytesIO(exported(match))).header.version == 2
    back = notes.change(reply, 1, notes.as_of(reply, 1)._replace(text="Yes."), None)
    assert (back.event, back.text) == (9, "Yes.")
    notes.change(first, 2, notes.as_of(first, 1), None)
    assert set(Note.objects.values_list("event", flat=True)) == {4}


def test_a_reply_to_a_note_that_moves_meanwhile_follows_it() -> None:
    match = store("Ada", "Bo")
    first = note(match, event=4, text="Asked.")
    notes.change(Note.objects.get(), 1, making.said(event=9, text="Asked later."), None)
    assert note(match, BO, event=4, text="Answered.", reply=first).event == 9


def test_the_page_offers_both() -> None:
    match = store("Ada", "Bo")
    note(match, BO, EVERYONE, text="For all.")
    note(match, BO, SELF, text="For Bo.")
    plain = Client().get(f"/matches/{match.pk}.ratuki").content.decode()
    noted = Client().get(f"/matches/{match.pk}.ratuki?notes=1").content.decode()
    assert "For all." not in plain
    assert "For all." in noted
    assert "For Bo." not in noted


texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60
)
words = st.text("abcdefgh éß漢", min_size=1, max_size=20).filter(str.strip)
sayings = st.fixed_dictionaries(
    {"event": st.integers(0, 7), "text": texts},
    optional={
        "glyph": st.sampled_from(GLYPHS),
        "tags": st.lists(words, min_size=1, max_size=4, unique=True),
        "marks": st.lists(st.sampled_from(["stack:0", "seat:1", "card:A1a"]), min_size=1),
        "arrows": st.lists(st.just("seat:0>stack:1"), min_size=1, max_size=16),
        "span": st.integers(1, 9),
        "along": st.booleans(),
        "answer": st.just(value=True),
    },
)


@settings(max_examples=25, deadline=None)
@given(said=st.lists(sayings, min_size=1, max_size=6))
def test_any_notes_survive_export_and_import(said: list[dict[str, Any]]) -> None:
    match = store("Ada", "Bo")
    fields = {"round": 1, "event": 5, "events": events_of(match)[5:8], "text": "What if"}
    branch = notes.write_variation(ADA, match, line_said(**fields), SELF, key=fresh())
    for body in said:
        _written(match, branch, dict(body))
    lines = exported(match)
    Note.objects.all().delete()
    Variation.objects.all().delete()
    Match.objects.filter(pk=match.pk).update(record_id=f"moved-{match.pk}")
    _, packed = read_record(BytesIO(lines))
    (again,) = insert([packed])
    assert "".join(record_of(again)).encode() == lines


def _written(match: Match, branch: Variation, body: dict[str, Any]) -> None:
    along, answered, span = body.pop("along", False), body.pop("answer", False), body.pop("span", 0)
    marks = body.get("marks", [])[:16]
    fields = {**body, **({"marks": marks} if marks else {})}
    if span:
        fields["until"] = min(body["event"] + span, 8)
    line = branch if along else None
    first = note(match, sharing=SELF, line=line, **fields)
    if answered:
        note(match, BO, EVERYONE, event=body["event"], text="Why?", line=line, reply=first)
