"""Where a pattern occurs among the occurrences of a match."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from games.people.names import skeleton
from replays.patterns import language
from replays.patterns.language import Condition, Next, Pattern, Term
from replays.patterns.occurrences import KINDS, NOBODY, WHEN, Occurrence


class Players(NamedTuple):
    """Who sat at a match: for each seat its player's name, whether it is a bot, whether it asks."""

    names: list[str]
    bots: list[bool]
    me: list[bool]


class Hit(NamedTuple):
    """One place where the pattern occurs: its first moment, and where its last ends."""

    first: Occurrence
    last: Occurrence


Row = tuple[int, ...]
"""The numbers of an occurrence. Most pass no test, and never become one."""
Test = Callable[[Row], bool]
_SIGNS: Final[dict[str, Callable[[float, float], bool]]] = {
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "<=": operator.le,
    ">=": operator.ge,
}
_FIELDS: Final = {"card": "face", "taker": "takes"}
_AT: Final = {field: place for place, field in enumerate(Occurrence._fields)}
"""Where each field of an occurrence is."""


def hits(pattern: Pattern, rows: Iterable[Row], players: Players) -> Iterator[Hit]:
    """Each place in a match; each first moment counts once. `rows`: `occurrences`, in any order."""
    tests = [
        _term(term, players) for term in (pattern.first, *(step.term for step in pattern.then))
    ]
    occurrences = sorted((Occurrence(*row) for row in _passing(rows, tests)), key=WHEN)
    for begin, end in _rounds(occurrences):
        here = occurrences[begin:end]
        followers = [_BySeat(filter(test, here)) for test in tests[1:]]
        for first in filter(tests[0], here):
            last = _followed(first, pattern.then, followers)
            if last is not None:
                yield Hit(first, last)


def _passing(rows: Iterable[Row], tests: Sequence[Test]) -> Iterable[Row]:
    if len(tests) == 1:
        return filter(tests[0], rows)
    return (row for row in rows if any(test(row) for test in tests))


def _rounds(occurrences: Sequence[Occurrence]) -> Iterator[tuple[int, int]]:
    begin = 0
    while begin < len(occurrences):
        end = bisect_right(
            occurrences, occurrences[begin].round, begin, key=lambda occurrence: occurrence.round
        )
        yield begin, end
        begin = end


class _BySeat:
    """Occurrences of a round by seat and slot: the next is found without reading those between."""

    def __init__(self, occurrences: Iterable[Occurrence]) -> None:
        self._places: dict[tuple[int, int], list[Occurrence]] = {}
        for occurrence in occurrences:
            self._places.setdefault((occurrence.seat, occurrence.slot), []).append(occurrence)

    def after(self, t: int, who: str, seat: int, slot: int | None) -> Occurrence | None:
        """The first that begins after t, of that seat, of any other, or of anyone; on that slot,
        or anywhere."""
        soonest: Occurrence | None = None
        for (its, where), some in self._places.items():
            if slot not in (None, where):
                continue
            if who == "anyone" or (its == seat) == (who == "same"):
                at = bisect_right(some, t, key=lambda occurrence: occurrence.t)
                if at < len(some) and (soonest is None or some[at].t < soonest.t):
                    soonest = some[at]
        return soonest


def _followed(
    first: Occurrence, then: Sequence[Next], followers: Sequence[_BySeat]
) -> Occurrence | None:
    """The last of the moments that follow, each the soonest possible; None if one is missing."""
    last = first
    for step, some in zip(then, followers, strict=True):
        there = any(condition.about == "same" for condition in step.term.conditions)
        following = some.after(last.to, step.who, first.seat, first.slot if there else None)
        if following is None or following.t > last.to + step.within_ms:
            return None
        last = following
    return last


# --- Conditions as tests ------------------------------------------------------------------


def kinds_of(pattern: Pattern) -> frozenset[int]:
    """The kinds of occurrences that a pattern looks at, as in `KINDS`."""
    terms = (pattern.first, *(step.term for step in pattern.then))
    return frozenset(KINDS.index(_KIND.get(term.verb, term.verb)) for term in terms)


_KIND: Final = {language.MISSED: language.LEFT}


def _term(term: Term, players: Players) -> Test:
    """A test of the verb and all conditions."""
    asked = [condition for condition in term.conditions if condition.about != "same"]
    tests = [_verb(term.verb), *(_test(condition, players) for condition in asked)]

    def passes(row: Row) -> bool:
        for test in tests:  # noqa: SIM110 - twice as quick as all()
            if not test(row):
                return False
        return True

    return passes


def _verb(verb: str) -> Test:
    at, value = (_AT["missed"], 1) if verb == language.MISSED else (_AT["kind"], KINDS.index(verb))
    return lambda row: row[at] == value


def _test(condition: Condition, players: Players) -> Test:
    if condition.about in ("by", "against"):
        seats = _seats(str(condition.value), players)
        who = _AT["seat" if condition.about == "by" else "other"]
        return lambda row: row[who] in seats
    at = _AT[_FIELDS.get(condition.about, condition.about)]
    if condition.about == "held":
        bit = 1 << int(condition.value)
        return lambda row: bool(row[at] & bit)
    holds, value = _SIGNS[condition.sign], float(condition.value)
    return lambda row: holds(row[at], value)


def _seats(who: str, players: Players) -> frozenset[int]:
    """The seats of those players; `NOBODY` is none of them."""
    seats = range(len(players.names))
    if who == "me":
        theirs = [seat for seat in seats if players.me[seat]]
    elif who in ("people", "bots"):
        theirs = [seat for seat in seats if players.bots[seat] == (who == "bots")]
    else:
        looks = skeleton(who[1:])
        theirs = [seat for seat in seats if skeleton(players.names[seat]) == looks]
    return frozenset(theirs) - {NOBODY}
