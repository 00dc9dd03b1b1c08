"""The chat of reviews in the database, with the limits and mutes of the spectators' chat.

Moderators' mutes for all tables hold here too, and those of the review's owner.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.db.models import F

from games.chat.storage import newest, posted, too_often
from games.chat.values import PostedLine
from games.models import ChatMute
from games.people.person import encode
from games.people.visitor import Visitor
from replays.classes.membership import names_in
from replays.models import Review, ReviewLine, ReviewLineComplaint
from replays.reviews.admission import admission
from replays.reviews.state_json import from_json

_MOST_COMPLAINTS: Final = 1_000


def news(known: Mapping[str, int]) -> list[PostedLine]:
    """What is new in these chats (`newest`)."""
    lines = newest(ReviewLine.objects.select_related("review"), "review__key", known)
    keys = {line.review.school_class for line in lines} - {""}
    called = names_in(keys, {line.user_id for line in lines if line.user_id})
    return [
        posted(
            line,
            line.review.key,
            called.get((line.review.school_class, line.user_id or 0), line.name),
            account=line.user_id is not None,
            about=line.chapter,
        )
        for line in lines
    ]


def add(key: str, writer: Visitor, text: str) -> str:
    """Store a line; returns why it was refused, or an empty text.

    A number is given out only once the previous line is committed, so reading by number misses
    none.
    """
    open_one = Review.objects.filter(key=key, ended=False)
    review = open_one.select_related("match", "study").first()
    admitted = None if review is None else admission(review, writer)
    if review is None or admitted is None or not admitted.allowed:
        return "chat-off"
    chapter = from_json(review.version, review.state).place.position.chapter
    if chapter in admitted.withheld:
        return "closed"
    person = encode(writer.person)
    if _muted(review, writer):
        return "muted"
    if too_often(ReviewLine.objects.filter(person=person), review.lines.all()):
        return "too-often"
    with transaction.atomic():
        Review.objects.filter(pk=review.pk).update(said=F("said") + 1)
        n = Review.objects.values_list("said", flat=True).get(pk=review.pk)
        who = {"person": person, "user_id": writer.account, "name": writer.name}
        review.lines.create(n=n, chapter=chapter, text=text, **who)
    return ""


def _muted(review: Review, writer: Visitor) -> bool:
    """Whether any person behind the browser is muted, here or by a moderator everywhere."""
    persons = [encode(person) for person in writer.persons]
    if ChatMute.objects.filter(table=None, person__in=persons).exists():
        return True
    here = review.members.filter(person__in=persons).values_list("number", flat=True)
    return not {*review.state.get("muted", ())}.isdisjoint(here)


def report(key: str, reporter: Visitor, n: int) -> None:
    """Report a line to the moderators; a person who repeats it counts once."""
    line = ReviewLine.objects.filter(review__key=key, n=n, complaints__lt=_MOST_COMPLAINTS).first()
    if line is None:
        return
    person = encode(reporter.person)
    who = {"user_id": reporter.account, "name": reporter.name}
    with transaction.atomic():
        _, new = ReviewLineComplaint.objects.get_or_create(line=line, person=person, defaults=who)
        if new:
            ReviewLine.objects.filter(pk=line.pk).update(complaints=F("complaints") + 1)
