"""The chat of reviews: who may write, and under which names members see each other."""

from collections.abc import Mapping

from games.chat import storage
from games.chat.values import PostedLine
from games.people.person import encode
from games.people.visitor import Visitor
from replays.classes.membership import names_in
from replays.models import Review
from replays.reviews.admission import admission
from replays.reviews.state_json import from_json


def news(known: Mapping[str, int]) -> list[PostedLine]:
    """As `games.chat.storage.news`, with the names that a class uses in its reviews."""
    lines = storage.news(known)
    if not lines:
        return []
    reviews = Review.objects.filter(key__in={line.room for line in lines}).exclude(school_class="")
    classes = dict(reviews.values_list("key", "school_class"))
    accounts = {line.account for line in lines if line.account}
    called = names_in({*classes.values()}, accounts)
    return [
        line._replace(by=called.get((classes.get(line.room, ""), line.account or 0), line.by))
        for line in lines
    ]


def add(key: str, writer: Visitor, text: str) -> str:
    """Store a line. Returns why it was refused, or an empty text."""
    open_one = Review.objects.filter(key=key, ended=False)
    review = open_one.select_related("match", "study").first()
    admitted = None if review is None else admission(review, writer)
    if review is None or admitted is None or not admitted.allowed:
        return "chat-off"
    chapter = from_json(review.version, review.state).place.position.chapter
    if chapter in admitted.withheld:
        return "closed"
    persons = [encode(person) for person in writer.persons]
    here = review.members.filter(person__in=persons).values_list("number", flat=True)
    if not {*review.state.get("muted", ())}.isdisjoint(here):
        return "muted"  # by the review's owner
    return storage.add_to(key, writer, text, chapter)
