"""Who profited most in the center, and who was left with least, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from games.records.plural import counted, joined
from replays.analysis.marks import escape
from replays.charts.course import Course


def profit(course: Course) -> str:
    """Who took most, how many of them were others', and whose cards went to others most.

    Empty while nobody has taken anything.
    """
    taken = [sum(row[seat] for row in course.fed) for seat in course.seats]
    given = [sum(course.fed[seat][:-1]) - course.fed[seat][seat] for seat in course.seats]
    if not any(taken):
        return ""
    others = [cards - course.fed[seat][seat] for seat, cards in enumerate(taken)]
    best, giver = _most(taken), _most(given)
    each = " each" if len(best) > 1 else f", {others[best[0]]} of them others’"
    said = f"{_who(course, best)} took most: {counted(max(taken), 'card')}{each}."
    if not any(given):
        return said
    each = " each" if len(giver) > 1 else ""
    return f"{said} {_who(course, giver)} fed the others most: {counted(max(given), 'card')}{each}."


def _most(counts: Sequence[int]) -> list[int]:
    return [seat for seat, count in enumerate(counts) if count == max(counts)]


def _who(course: Course, seats: Sequence[int]) -> str:
    return joined(escape(course.names[seat]) for seat in seats)
