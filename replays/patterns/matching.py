"""Where a kind of moment occurs among the occurrences of a match."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from games.people.names import skeleton
from replays.patterns.occurrences import KINDS, NOBODY, WHEN, Occurrence
from replays.patterns.query import EMPTY, FACES, LEFT, MISSED, OPEN, PLAYED, TAKER, PatternQuery


class Players(NamedTuple):
    """The players of a match, by seat: the name, whether it is a bot, whether it asks."""

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
_AT: Final = {field: place for place, field in enumerate(Occurrence._fields)}
"""Where each field of an occurrence is."""


def hits(query: PatternQuery, rows: Iterable[Row], players: Players) -> Iterator[Hit]:
    """Each place in a match. Each first moment counts once. `rows`: `occurrences`, in any order."""
    tests = [_all_of([_verb(query.what), *_conditions(query, players)])]
    if query.then:
        tests.append(_verb(query.then))
    occurrences = sorted((Occurrence(*row) for row in _passing(rows, tests)), key=WHEN)
    for begin, end in _rounds(occurrences):
        here = occurrences[begin:end]
        followers = _BySeat(filter(tests[1], here)) if query.then else None
        for first in filter(tests[0], here):
            last = first if followers is None else _following(first, query, followers)
            if last is not None:
                yield Hit(first, last)


def together_in(hits: Iterable[Hit]) -> list[list[Hit]]:
    """The hits that are one moment: the same but for the player and the card. What one line
    ended for a player is one, with whichever of their cards it was: the longest."""
    longest: dict[tuple[int, int, int, int], Hit] = {}
    for hit in hits:
        at = hit.first.kind, hit.first.seat, hit.first.seq, hit.last.seq
        if at not in longest or longest[at].first.ms < hit.first.ms:
            longest[at] = hit
    groups: dict[tuple[Occurrence, bool, int], list[Hit]] = {}
    for hit in longest.values():
        first = hit.first
        anybodys = first._replace(seat=NOBODY, face=0 if first.players else first.face, held=0)
        key = anybodys, first.other == first.seat, hit.last.seq
        groups.setdefault(key, []).append(hit)
    return list(groups.values())


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
        """The first that begins after t, of that seat, of any other, or of anyone. On that slot, or
        anywhere."""
        soonest: Occurrence | None = None
        for (its, where), some in self._places.items():
            if slot not in (None, where):
                continue
            if who == "anyone" or (its == seat) == (who == "same"):
                at = bisect_right(some, t, key=lambda occurrence: occurrence.t)
                if at < len(some) and (soonest is None or some[at].t < soonest.t):
                    soonest = some[at]
        return soonest


def _following(first: Occurrence, query: PatternQuery, some: _BySeat) -> Occurrence | None:
    """The soonest of the moments that may follow."""
    slot = first.slot if query.then_slot else None
    following = some.after(first.to, query.then_by, first.seat, slot)
    in_time = following is not None and following.t <= first.to + 1_000 * query.within_s
    return following if in_time else None


# --- Conditions as tests ------------------------------------------------------------------


def kinds_of(query: PatternQuery) -> frozenset[int]:
    """The kinds of occurrences that a search looks at, as in `KINDS`."""
    verbs = (query.what, query.then) if query.then else (query.what,)
    return frozenset(KINDS.index(kind) for verb in verbs for kind in _WINDOWS.get(verb, (verb,)))


_WINDOWS: Final = {MISSED: (LEFT,), OPEN: (LEFT, PLAYED)}
"""The kinds of occurrences of verbs that are no kind themselves."""


def _all_of(tests: Sequence[Test]) -> Test:
    def passes(row: Row) -> bool:
        for test in tests:  # noqa: SIM110 - twice as quick as all()
            if not test(row):
                return False
        return True

    return passes


def _verb(verb: str) -> Test:
    if verb == MISSED:
        return _equals("missed", 1)
    if verb == OPEN:
        return _all_of([_equals("takes", 1), _one_of("kind", kinds_of(PatternQuery(what=OPEN)))])
    return _equals("kind", KINDS.index(verb))


def _conditions(query: PatternQuery, players: Players) -> Iterator[Test]:
    if query.card:
        yield _equals("takes", 1) if query.card == TAKER else _equals("face", FACES[query.card])
    if query.top:
        yield _equals("top", 0 if query.top == EMPTY else int(query.top))
    if query.slot:
        yield _equals("slot", query.slot - 1)
    if query.round:
        yield _equals("round", query.round)
    if query.hand:
        at, bit = _AT["held"], 1 << FACES[query.hand]
        yield lambda row: bool(row[at] & bit)
    yield from _between("ms", query.min_s, query.max_s, 1_000)
    yield from _between("cards", query.min_cards, query.max_cards)
    yield from _between("players", query.min_players, None)
    for about, who, name in (
        ("seat", query.by, query.player),
        ("other", query.against, query.opponent),
    ):
        if who or name:
            yield _one_of(about, _seats(who, name, players))


def _equals(about: str, value: int) -> Test:
    at = _AT[about]
    return lambda row: row[at] == value


def _one_of(about: str, values: frozenset[int]) -> Test:
    at = _AT[about]
    return lambda row: row[at] in values


def _between(
    about: str, least: float | None, most: float | None, factor: int = 1
) -> Iterator[Test]:
    at = _AT[about]
    if least is not None:
        yield lambda row: row[at] >= factor * least
    if most is not None:
        yield lambda row: row[at] <= factor * most


def _seats(who: str, name: str, players: Players) -> frozenset[int]:
    """The seats of those players. `NOBODY` is none of them."""
    seats = range(len(players.names))
    if who == "me":
        return frozenset(seat for seat in seats if players.me[seat])
    if who:
        return frozenset(seat for seat in seats if players.bots[seat] == (who == "bots"))
    looks = skeleton(name)
    return frozenset(seat for seat in seats if skeleton(players.names[seat]) == looks)
