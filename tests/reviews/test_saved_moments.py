"""What was done in a review is kept as own notes and as a study."""

import pytest

from games.models import Match
from games.pages.words import day
from games.people.visitor import Author, Reader
from replays.models import Note, Review, Study
from replays.notes import notes
from replays.reviews import storage
from replays.reviews.room import DrawMarks, ReviewPosition, Suggest, change, committed
from replays.reviews.saved_moments import MatchOf, add_to, keep, study_of
from replays.reviews.state_json import from_json
from replays.studies import writing
from tests.people import world

pytestmark = pytest.mark.django_db
EVE = Author("guest:eve", "Eve")
READER = Reader(["guest:eve"])


def seen(review: Review) -> MatchOf:
    """Whoever keeps them may write notes everywhere."""
    return lambda _position: review.match


@pytest.fixture
def review() -> Review:
    """A review in which Eve drew at one position, suggested another, and one that is not there."""
    _, match = world.build("public", "over", world.people()["Ada"])
    review = storage.start(Match.objects.get(pk=match), EVE)
    state = from_json(0, {})
    for wanted in (
        DrawMarks(ReviewPosition(1, 20), ("stack:0",), ("seat:0>stack:0",)),
        Suggest("a", ReviewPosition(1, 3), (), (), "*Look*"),
        Suggest("b", ReviewPosition(1, 999_999), (), (), "nowhere"),
        Suggest("c", ReviewPosition(1, 0, "no-such-line"), (), (), "nowhere"),
    ):
        state = committed(change(state, 1, wanted))
        assert storage.save(review.pk, state.version - 1, state)
    return Review.objects.get(pk=review.pk)


def test_moments_become_notes_of_the_member_who_keeps_them(review: Review) -> None:
    kept = keep(review, EVE, READER, seen(review))
    assert [(note.event, note.text, note.marks) for note in kept.notes] == [
        (3, "Eve: *Look*", []),
        (20, "Drawn in the review by Eve.", ["stack:0"]),
    ]
    assert kept.left_out == 2
    assert {note.visibility for note in kept.notes} == {Note.Visibility.SELF}
    chapters = study_of(review, kept, EVE, READER).chapters.order_by("place")
    assert [(chapter.title, chapter.round, chapter.event) for chapter in chapters] == [
        ("Eve: *Look*", 1, 3),
        ("Drawn in the review by Eve", 1, 20),
    ]


def test_moments_are_added_once_to_the_study_that_was_reviewed(review: Review) -> None:
    study = writing.create(EVE, "lesson", "A lesson", "")
    for _ in range(2):
        kept = keep(review, EVE, READER, seen(review))
        add_to(study, review, kept, EVE, READER)
        chapters = list(study.chapters.order_by("place"))
        assert [(chapter.title, chapter.event) for chapter in chapters] == [
            ("Eve: *Look*", 3),
            ("Drawn in the review by Eve", 20),
        ]
        assert {chapter.group for chapter in chapters} == {f"Review of {day(review.created)}"}


def test_keeping_twice_keeps_once(review: Review) -> None:
    first, again = (keep(review, EVE, READER, seen(review)) for _ in range(2))
    assert [note.pk for note in again.notes] == [note.pk for note in first.notes]
    assert study_of(review, first, EVE, READER) == study_of(review, again, EVE, READER)
    assert Study.objects.get().chapters.count() == 2
    other = keep(review, Author("guest:bo", "Bo"), Reader(["guest:bo"]), seen(review))
    assert not {note.pk for note in other.notes} & {note.pk for note in first.notes}


def test_what_was_kept_and_deleted_does_not_keep_one_from_keeping_again(review: Review) -> None:
    kept = keep(review, EVE, READER, seen(review))
    made = study_of(review, kept, EVE, READER)
    for chapter in made.chapters.all():
        writing.drop(chapter, 1)
    writing.remove(made, 1)
    again = study_of(review, kept, EVE, READER)
    assert again == made
    assert Study.objects.get().deleted is None
    assert [chapter.number for chapter in again.chapters.order_by("place")] == [3, 4]
    notes.remove(kept.notes[0], 1)
    assert keep(review, EVE, READER, seen(review)) == (kept.notes[1:], kept.left_out)


def test_a_state_is_saved_only_on_the_version_it_is_based_on(review: Review) -> None:
    state = from_json(review.version, review.state)
    later = committed(change(state, 1, Suggest("d", ReviewPosition(1, 1), (), (), "")))
    assert storage.save(review.pk, state.version, later)
    assert not storage.save(review.pk, state.version, later)
    (news,) = storage.news({review.pk: state.version})
    assert news.state == later
    assert news.members[1].name == "Eve"
    assert storage.news({review.pk: later.version}) == []
