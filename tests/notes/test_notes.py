"""Notes and variations beside the log: where they may stand, and that nothing is lost."""

from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from games.archive.packing import pack, text_of
from games.archive.store import header_of, insert, log_of, record_of
from games.models import Match
from games.records.adding import with_remarks
from games.records.check import check
from replays.models import Note, Variation
from replays.notes import notes
from replays.notes.audience import Sharing
from replays.notes.notes import Conflict
from replays.notes.positions import ValidationFault, extent_of, table_at
from replays.notes.record_lines import as_records
from tests.engine.digests import digest
from tests.notes.making import ADA, BO, EVERYONE, SELF, fresh, line_said, note, said
from tests.web.records import record, store

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return store("Ada", "Bo", "Cy")


def line_of(match: Match, number: int) -> Any:
    """Event `number`, counted from 1, of the first round, as JSON has it."""
    import json

    lines = list(record_of(match))
    events = [json.loads(line) for text in lines for line in text.splitlines() if '"t":' in line]
    return events[number - 1]


def branch(match: Match, event: int = 10, length: int = 5, **how: Any) -> Variation:
    """A variation that does what the record did, for a while."""
    events = [line_of(match, number) for number in range(event + 1, event + 1 + length)]
    fields = {"round": 1, "event": event, "events": events, "text": how.pop("text", "")}
    return notes.write_variation(
        ADA, match, line_said(**fields), how.pop("sharing", EVERYONE), key=fresh(), **how
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"round": 9}, "round: expected one of the 1 of this match, found 9"),
        ({"event": 99_999}, "event: expected at most the"),
        ({"event": 9, "until": 9}, "until: expected more than 9"),
        ({"event": 9, "until": 4}, "until: expected more than 9"),
        ({"marks": ["stack:3"]}, "marks: no such thing in this match: stack:3"),
        ({"marks": ["card:D1a"]}, "marks: no such thing in this match: card:D1a"),
        ({"marks": ["stack:0"] * 17}, "marks: expected"),
        ({"text": ""}, "a note that says nothing"),
    ],
)
def test_an_impossible_note_says_why(match: Match, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationFault, match=message.replace("(", r"\(")):
        note(match, **fields)


def test_a_reply_is_at_the_notes_position(match: Match) -> None:
    first = note(match, event=4)
    answer = note(match, BO, event=4, text="I see.", reply=first)
    assert answer.reply == first
    with pytest.raises(ValidationFault, match="speaks of another position"):
        note(match, BO, event=5, text="Where?", reply=first)
    with pytest.raises(ValidationFault, match="expected no marks"):
        note(match, BO, event=4, marks=["seat:0"], reply=first)


def test_a_note_sent_twice_is_one_note(match: Match) -> None:
    key = fresh()
    fields = {"round": 1, "event": 0, "text": "Once."}
    first = notes.write(ADA, match, said(**fields), SELF, key=key)
    assert notes.write(ADA, match, said(**fields), SELF, key=key).pk == first.pk
    with pytest.raises(ValidationFault, match="already in use"):
        notes.write(BO, match, said(**fields), SELF, key=key)


@pytest.mark.parametrize(
    ("fields", "sharing"),
    [
        ({"text": "Twice."}, SELF),
        ({"marks": ["stack:0"]}, SELF),
        ({"event": 1}, SELF),
        ({}, EVERYONE),
        ({}, Sharing("people")),
    ],
)
def test_what_is_sent_again_with_other_words_is_not_taken_for_saved(
    match: Match, fields: dict[str, Any], sharing: Sharing
) -> None:
    """As when an answer was lost and its author typed on, or in two tabs with one draft."""
    key, words = fresh(), {"text": "Once."}
    kim = get_user_model().objects.create_user("Kim")
    before = Sharing("people", (kim.pk,)) if sharing.visibility == "people" else SELF
    first = notes.write(ADA, match, said(**words), before, key=key)
    with pytest.raises(Conflict) as conflict:
        notes.write(ADA, match, said(**{**words, **fields}), sharing, key=key)
    assert conflict.value.args[0] == first
    assert Note.objects.get(key=key).text == "Once."


def test_a_variation_obeys_the_rules(match: Match) -> None:
    made = branch(match)
    assert (made.length, made.depth, made.ended) == (15, 1, False)
    stolen = {**line_of(match, 11), "seat": (line_of(match, 11)["seat"] + 1) % 3}
    fields = {"round": 1, "event": 10, "events": [stolen]}
    with pytest.raises(ValidationFault, match="variation, event 1: "):
        notes.write_variation(ADA, match, line_said(**fields), SELF, key=fresh())


def test_branches_of_branches(match: Match) -> None:
    first = branch(match)
    second = branch(match, 13, 4, line=first)
    assert (second.depth, second.length) == (2, 17)
    extent = extent_of(match, 1)
    along, main = table_at(extent, 17, second), table_at(extent, 17)
    assert digest(along) == digest(main)
    assert note(match, event=16, line=second).line == second
    with pytest.raises(ValidationFault, match="event: expected at most the 17"):
        note(match, event=18, line=second)


def test_branches_are_at_most_16_deep(match: Match) -> None:
    line = None
    for depth in range(16):
        line = branch(match, 10 + depth, 2, line=line)
    with pytest.raises(ValidationFault, match="at most 16 deep"):
        branch(match, 26, 2, line=line)


def test_what_was_written_is_a_valid_record(match: Match) -> None:
    first = branch(match, text="What if?")
    asked = note(match, event=12, line=first, text="Here.", tags=["x"])
    answer = note(match, BO, event=12, line=first, text="Why?", reply=asked)
    lines = [header_of(match), *log_of(match)]
    whole = list(with_remarks(lines, as_records([answer, asked, first])))
    assert check(BytesIO(text_of(whole).encode())).header.version == 2
    assert [line for line in whole if line not in lines][1:] == as_records([first, asked, answer])


def test_a_match_that_is_being_played_hides_its_cards() -> None:
    header, deal, *events = record("Ada", "Bo", source="live")
    match = insert([pack([header, deal, *events[:20]])])[0]
    Match.objects.filter(pk=match.pk).update(state=Match.State.OPEN)
    match.refresh_from_db()
    assert match.hidden
    table = table_at(extent_of(match, 1), 5)
    with pytest.raises(ValidationFault, match="is hidden while the match is being played"):
        note(match, event=5, marks=[f"card:{table.hands[0][0]}"])
    assert note(match, event=5, marks=["stack:0"]).marks == ["stack:0"]
    fields = {"round": 1, "event": 1, "events": [line_of(match, 2)]}
    with pytest.raises(ValidationFault, match="still being played"):
        notes.write_variation(ADA, match, line_said(**fields), SELF, key=fresh())


def test_a_variation_may_go_on_where_an_unfinished_record_stops() -> None:
    header, deal, *events = record("Ada", "Bo")
    whole, part = insert([pack([header, deal, *events[:20]]), pack(record("Ada", "Bo"))])
    following = {"round": 1, "event": 20, "events": [line_of(part, 21)]}
    made = notes.write_variation(ADA, whole, line_said(**following), EVERYONE, key=fresh())
    assert made.length == 21
    over = {**following, "event": len(events) - 1}
    with pytest.raises(ValidationFault, match="round 1 has ended"):
        notes.write_variation(ADA, part, line_said(**over), EVERYONE, key=fresh())


def test_a_variation_can_change_only_after_what_refers_to_it(match: Match) -> None:
    made = branch(match, event=10, length=5)
    longer = {"events": [line_of(match, number) for number in range(11, 19)], "text": "More"}
    made = notes.change_variation(made, 1, line_said(**longer), None)
    assert (made.length, made.text, made.revision) == (18, "More", 2)
    note(match, event=14, line=made)
    shorter = {"events": longer["events"][:4]}
    made = notes.change_variation(made, 2, line_said(**shorter), None)
    assert made.length == 14
    with pytest.raises(ValidationFault, match="refers to events that would change"):
        notes.change_variation(made, 3, line_said(events=longer["events"][:3]), None)
    with pytest.raises(ValidationFault, match="variation, event"):
        notes.change_variation(
            made, 3, line_said(events=[*longer["events"][:4], longer["events"][0]]), None
        )
    made.refresh_from_db()
    assert (made.length, made.revision) == (14, 3)


def test_settling_and_restoring_need_no_revision(match: Match) -> None:
    """Two tabs that settle a thread at the same moment both succeed."""
    stale = note(match, ADA)
    notes.change(Note.objects.get(), 1, said(text="Changed."), None)
    assert notes.settle(stale, settled=True).text == "Changed."
    notes.remove(Note.objects.get(), 3)
    restored = notes.restore(stale)
    assert (restored.deleted, restored.settled, restored.revision) == (None, True, 5)
