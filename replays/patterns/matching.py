"""Where a pattern occurs among the occurrences of a match."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

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
    tests = [_term(term, players) for term in (pattern.first, *(one.term for one in pattern.then))]
    found = sorted((Occurrence(*row) for row in _passing(rows, tests)), key=WHEN)
    for begin, end in _rounds(found):
        here = found[begin:end]
        followers = [_BySeat(filter(test, here)) for test in tests[1:]]
        for first in filter(tests[0], here):
            last = _followed(first, pattern.then, followers)
            if last is not None:
                yield Hit(first, last)


def _passing(rows: Iterable[Row], tests: Sequence[Test]) -> Iterable[Row]:
    if len(tests) == 1:
        return filter(tests[0], rows)
    return (row for row in rows if any(test(row) for test in tests))


def _rounds(found: Sequence[Occurrence]) -> Iterator[tuple[int, int]]:
    begin = 0
    while begin < len(found):
        end = bisect_right(found, found[begin].round, begin, key=lambda one: one.round)
        yield begin, end
        begin = end


class _BySeat:
    """Occurrences of a round by seat and slot: the next is found without reading those between."""

    def __init__(self, found: Iterable[Occurrence]) -> None:
        self._places: dict[tuple[int, int], list[Occurrence]] = {}
        for one in found:
            self._places.setdefault((one.seat, one.slot), []).append(one)

    def after(self, t: int, who: str, seat: int, slot: int | None) -> Occurrence | None:
        """The first that begins after t, of that seat, of any other, or of anyone; on that slot,
        or anywhere."""
        soonest: Occurrence | None = None
        for (its, where), some in self._places.items():
            if slot not in (None, where):
                continue
            if who == "anyone" or (its == seat) == (who == "same"):
                at = bisect_right(some, t, key=lambda one: one.t)
                if at < len(some) and (soonest is None or some[at].t < soonest.t):
                    soonest = some[at]
        return soonest


def _followed(
    first: Occurrence, then: Sequence[Next], followers: Sequence[_BySeat]
) -> Occurrence | None:
    """The last of the moments that follow, each the soonest possible; None if one is missing."""
    last = first
    for one, some in zip(then, followers, strict=True):
        there = any(condition.about == "same" for condition in one.term.conditions)
        found = some.after(last.to, one.who, first.seat, first.slot if there else None)
        if found is None or found.t > last.to + one.within_ms:
            return None
        last = found
    return last


# --- Conditions as tests ------------------------------------------------------------------


def kinds_of(pattern: Pattern) -> frozenset[int]:
    """The kinds of occurrences that a pattern looks at, as in `KINDS`."""
    terms = (pattern.first, *(one.term for one in pattern.then))
    return frozenset(KINDS.index(_KIND.get(term.verb, term.verb)) for term in terms)


_KIND: Final = {language.MISSED: language.LEFT}


def _term(term: Term, players: Players) -> Test:
    """A test of the verb and all conditions."""
    asked = [one for one in term.conditions if one.about != "same"]
    tests = [_verb(term.verb), *(_test(one, players) for one in asked)]

    def passes(one: Row) -> bool:
        for test in tests:  # noqa: SIM110 - twice as quick as all()
            if not test(one):
                return False
        return True

    return passes


def _verb(verb: str) -> Test:
    at, value = (_AT["missed"], 1) if verb == language.MISSED else (_AT["kind"], KINDS.index(verb))
    return lambda one: one[at] == value


def _test(condition: Condition, players: Players) -> Test:
    if condition.about in ("by", "against"):
        seats = _seats(str(condition.value), players)
        who = _AT["seat" if condition.about == "by" else "other"]
        return lambda one: one[who] in seats
    at = _AT[_FIELDS.get(condition.about, condition.about)]
    if condition.about == "held":
        bit = 1 << int(condition.value)
        return lambda one: bool(one[at] & bit)
    holds, value = _SIGNS[condition.sign], float(condition.value)
    return lambda one: holds(one[at], value)


def _seats(who: str, players: Players) -> frozenset[int]:
    """The seats of those players; `NOBODY` is none of them."""
    seats = range(len(players.names))
    if who == "me":
        found = [seat for seat in seats if players.me[seat]]
    elif who in ("people", "bots"):
        found = [seat for seat in seats if players.bots[seat] == (who == "bots")]
    else:
        name = who[1:].casefold()
        found = [seat for seat in seats if players.names[seat].casefold() == name]
    return frozenset(found) - {NOBODY}
