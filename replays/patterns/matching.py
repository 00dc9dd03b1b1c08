"""Where a pattern occurs among the occurrences of a match."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from replays.patterns import language
from replays.patterns.language import Condition, Next, Pattern, Term
from replays.patterns.occurrences import KINDS, NOBODY, Occurrence


class Players(NamedTuple):
    """Who sat at a match: for each seat its player's name, whether it is a bot, whether it asks."""

    names: Sequence[str]
    bots: Sequence[bool]
    me: Sequence[bool]


class Hit(NamedTuple):
    """One place where the pattern occurs: its first moment, and where its last ends."""

    first: Occurrence
    last: Occurrence


Test = Callable[[Occurrence], bool]
_SIGNS: Final[dict[str, Callable[[float, float], bool]]] = {
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
    "<=": operator.le,
    ">=": operator.ge,
}
_FIELDS: Final = {"card": "face", "taker": "takes"}


def hits(pattern: Pattern, found: Sequence[Occurrence], players: Players) -> Iterator[Hit]:
    """Each place in a match; each first moment counts once. `found`: as from `occurrences`."""
    tests = [_term(term, players) for term in (pattern.first, *(one.term for one in pattern.then))]
    for begin, end in _rounds(found):
        here = found[begin:end]
        followers = [_BySeat(filter(test, here)) for test in tests[1:]]
        for first in filter(tests[0], here):
            last = _followed(first, pattern.then, followers)
            if last is not None:
                yield Hit(first, last)


def _rounds(found: Sequence[Occurrence]) -> Iterator[tuple[int, int]]:
    begin = 0
    while begin < len(found):
        end = bisect_right(found, found[begin].round, begin, key=lambda one: one.round)
        yield begin, end
        begin = end


class _BySeat:
    """Occurrences of a round by seat: the next one is found without looking at those between."""

    def __init__(self, found: Iterable[Occurrence]) -> None:
        self._seats: dict[int, list[Occurrence]] = {}
        for one in found:
            self._seats.setdefault(one.seat, []).append(one)

    def after(self, t: int, who: str, seat: int) -> Occurrence | None:
        """The first that begins after t, of that seat, of any other, or of anyone."""
        soonest: Occurrence | None = None
        for its, some in self._seats.items():
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
        found = some.after(last.to, one.who, first.seat)
        if found is None or found.t > last.to + one.within_ms:
            return None
        last = found
    return last


# --- Conditions as tests ------------------------------------------------------------------


def _term(term: Term, players: Players) -> Test:
    tests = [_verb(term.verb), *(_test(one, players) for one in term.conditions)]
    return lambda one: all(test(one) for test in tests)


def _verb(verb: str) -> Test:
    if verb == language.MISSED:
        return lambda one: one.missed == 1
    kind = KINDS.index(verb)
    return lambda one: one.kind == kind


def _test(condition: Condition, players: Players) -> Test:
    if condition.about in ("by", "against"):
        seats = _seats(str(condition.value), players)
        field = "seat" if condition.about == "by" else "other"
        return lambda one: getattr(one, field) in seats
    holds, value = _SIGNS[condition.sign], float(condition.value)
    read = operator.attrgetter(_FIELDS.get(condition.about, condition.about))
    return lambda one: holds(read(one), value)


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
