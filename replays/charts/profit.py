"""Who profited most in the center, and who was left with least, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from games.records.plural import counted, joined
from replays.analysis.marks import escape
from replays.charts.course import Course


def profit(course: Course) -> str:
    """Who took most, how many of them were others', whose cards went to others most, and the
    biggest take of a round; or that nothing has been taken."""
    taken = [sum(row[seat] for row in course.fed) for seat in course.seats]
    given = [sum(course.fed[seat][:-1]) - course.fed[seat][seat] for seat in course.seats]
    if not course.stacks:
        return "No card has been laid."
    if not any(taken):
        over = all(played.totals is not None for played in course.rounds)
        return "Nobody took a stack." if over else "Nobody has taken a stack yet."
    others = [cards - course.fed[seat][seat] for seat, cards in enumerate(taken)]
    best, giver = _most(taken), _most(given)
    each = " each" if len(best) > 1 else f", {others[best[0]]} of them others’"
    said = [f"{_who(course, best)} took most: {counted(max(taken), 'card')}{each}."]
    if any(given):
        each = " each" if len(giver) > 1 else ""
        fed = f"{_who(course, giver)} fed the others most"
        said.append(f"{fed}: {counted(max(given), 'card')}{each}.")
    if not course.whole:
        said.append(_biggest(course))
    return " ".join(said)


def _biggest(course: Course) -> str:
    """The round's biggest take, the first of several."""
    takes = [stack for stack in course.stacks if stack.taker is not None]
    take = max(takes, key=lambda stack: (len(stack.seats), -stack.times[-1]))
    minutes, seconds = divmod(take.times[-1] // 1_000, 60)
    name = escape(course.names[take.taker or 0])
    return f"Biggest take: {len(take.seats)}, by {name} at {minutes}:{seconds:02}."


def _most(counts: Sequence[int]) -> list[int]:
    return [seat for seat, count in enumerate(counts) if count == max(counts)]


def _who(course: Course, seats: Sequence[int]) -> str:
    return joined(escape(course.names[seat]) for seat in seats)
