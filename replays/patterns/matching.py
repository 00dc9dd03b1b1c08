"""Where a pattern occurs among the occurrences of a match."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
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
        firsts = [one for one in here if tests[0](one)]
        followers = [[one for one in here if test(one)] for test in tests[1:]]
        times = [[one.t for one in some] for some in followers]
        for first in firsts:
            last = _followed(first, pattern.then, followers, times)
            if last is not None:
                yield Hit(first, last)


def _rounds(found: Sequence[Occurrence]) -> Iterator[tuple[int, int]]:
    begin = 0
    while begin < len(found):
        end = bisect_right(found, found[begin].round, begin, key=lambda one: one.round)
        yield begin, end
        begin = end


def _followed(
    first: Occurrence,
    then: Sequence[Next],
    followers: Sequence[Sequence[Occurrence]],
    times: Sequence[Sequence[int]],
) -> Occurrence | None:
    """The last of the moments that follow, each the soonest possible; None if one is missing."""
    last = first
    for one, some, starts in zip(then, followers, times, strict=True):
        at = bisect_right(starts, last.to)
        while at < len(some) and starts[at] <= last.to + one.within_ms:
            if _whose(one.who, first, some[at]):
                break
            at += 1
        else:
            return None
        last = some[at]
    return last


def _whose(who: str, first: Occurrence, one: Occurrence) -> bool:
    if who == "anyone":
        return True
    return (one.seat == first.seat) == (who == "same")


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
