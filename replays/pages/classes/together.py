"""What a class does together: its tables, its latest matches, and the reviews that go on."""

from __future__ import annotations

from typing import Final, TypedDict

from games.models import Match
from games.people.visitor import Visitor
from games.tables.lobby import TableSummary
from replays.classes import club
from replays.models import Review
from replays.pages.notes.pages import names_of
from replays.reviews.admission import enterable, listed

LISTED: Final = 10


class Together(TypedDict):
    """For the page of a class; each match and review with its name."""

    tables: list[TableSummary]
    matches: list[tuple[Match, str]]
    reviews: list[tuple[Review, str]]


def together(key: str, visitor: Visitor) -> Together:
    """What the class of that key does; of reviews, those that this visitor may be in.

    Six queries.
    """
    matches = list(Match.objects.filter(school_class=key).order_by("-pk")[:LISTED])
    going = Review.objects.filter(enterable(visitor), school_class=key, ended=False)
    reviews = listed(visitor, going.order_by("-changed")[:LISTED])
    numbers = {match.pk for match in matches} | {
        review.match_id for review in reviews if review.match_id
    }
    names = names_of(numbers)
    return {
        "tables": club.tables_of(key),
        "matches": [(match, names.get(match.pk, "")) for match in matches if match.over],
        "reviews": [
            (review, review.study.title if review.study else names.get(review.match_id or 0, ""))
            for review in reviews
        ],
    }
