"""What was ever told of a player keeps its course: what it costs now, and since when it is gone.

After each match the latest ten are compared with all matches before the weakness was first told. A
change is clear beyond `LEAST` points and `SURE` standard errors: with two, a third of the
weaknesses that never changed would be called gone sooner or later. What counts is the raw cost
against the others at the table. Since that is a gap, at least half of its change must be the
player's own: no one is worse because the others became better.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from replays.analysis.players import intervals
from replays.analysis.players.priorities import (
    FEWEST,
    LEAST,
    Career,
    Priced,
    Priority,
    is_costly,
)
from replays.analysis.players.spans import Gain, Mean, Spans, between_equals, price_error

LATEST: Final = 10
PRESENT: Final = 20
"""How many of the latest matches show whether it still costs."""
SURE: Final = 3
"""Standard errors beyond which a change is clear."""
_FEWEST_SINCE: Final = 3
OWN: Final = 0.5
"""The least share of a change that is the player's own."""
NOW, STILL, BACK, LESS, GONE = "now", "still", "back", "less", "gone"
STATES: Final = (NOW, STILL, BACK, LESS, GONE)
"""Costs most now, still costs, is back, costs less, is gone: in this order."""

Span = tuple[int, int]
"""Matches from one to before another, counted from 0."""


class Course(NamedTuple):
    """A weakness since it was first told. Costs are negative points a match."""

    kind: str
    state: str
    told: int
    """After how many matches it was first told."""
    changed: int | None
    """Since which match it is as it is, counted from 0. None: it never changed."""
    before: Mean
    """Its cost before that, or in all matches."""
    latest: Mean
    """Its cost in the latest matches, at most `PRESENT`, and none before the change."""
    rolling: Spans
    """Its cost in any span."""
    own: float
    others: float
    """The figures of the player and the others, in those latest matches."""

    @property
    def since(self) -> Mean:
        """Its cost since the change."""
        return self.rolling.mean(self.changed or 0, len(self.rolling))

    @property
    def gained(self) -> Gain:
        """Points a match since the change. Negative if it is back."""
        return self.since.less(self.before).gain(price_error(self.kind))


class Step(NamedTuple):
    """What weaknesses cost together before a match, and since."""

    match: int
    before: Mean
    since: Mean

    @property
    def gained(self) -> Mean:
        """Points a match."""
        return self.since.less(self.before)

    @property
    def clear(self) -> bool:
        return abs(self.gained.points) > max(LEAST, SURE * self.gained.error)


class Progress(NamedTuple):
    """The courses, current ones first, and what to do next."""

    courses: list[Course]
    priorities: list[Priority]
    together: Step | None
    """Since the first change. None: nothing changed, or there are too few matches."""
    practised: Step | None
    """The same for what is practised, since the first practice."""


def progress(
    played: Sequence[Priced],
    match: int | None = None,
    practised: Mapping[str, int] | None = None,
) -> Progress:
    """`played`: oldest first. `match`: to show examples from. `practised`: the first match of each
    kind since its practice began, counted from 0."""
    career, began = Career(played), practised or {}
    told = dict(_first_times(career))
    every = {kind: _Kind(kind, played) for kind in told}
    breaks = {kind: of.changes(told[kind], began.get(kind)) for kind, of in every.items()}
    since = {kind: places[-1] for kind, places in breaks.items() if places}
    listed = career.priorities(match, since)
    first = listed[0].kind if listed else None
    courses = [every[kind].course(told[kind], breaks[kind], first) for kind in every]
    courses.sort(key=lambda course: (STATES.index(course.state), course.latest.points))
    changed = [places[0] for places in breaks.values() if places]
    trained = {kind: began[kind] for kind in told if kind in began}
    return Progress(
        courses,
        listed,
        _step(played, list(told), changed),
        _step(played, list(trained), list(trained.values())),
    )


def _first_times(career: Career) -> Iterator[tuple[str, int]]:
    """The kinds that were ever told, and after how many matches."""
    found = set[str]()
    for end in range(FEWEST, len(career.played) + 1):
        for kind in career.clear(end):
            if kind not in found:
                found.add(kind)
                yield kind, end


def _step(played: Sequence[Priced], kinds: Sequence[str], places: Sequence[int]) -> Step | None:
    """At the first of these matches. None: there are too few matches before or since."""
    match = min(places, default=0)
    if min(match, len(played) - match) < intervals.FEWEST:
        return None
    rounds = [priced.rounds for priced in played]
    equal = map(sum, zip(*(between_equals(kind, rounds) for kind in kinds), strict=True))
    raw = [sum(priced.costs[kind].points for kind in kinds) for priced in played]
    spans = Spans(raw, list(equal))
    return Step(match, spans.mean(0, match), spans.mean(match, len(played)))


class _Kind:
    """A kind's raw cost over a career, with the figures behind it."""

    def __init__(self, kind: str, played: Sequence[Priced]) -> None:
        each = [priced.costs[kind] for priced in played]
        none, rounds = [0.0] * len(played), [priced.rounds for priced in played]
        self._kind = kind
        self._raw = Spans([cost.points for cost in each], between_equals(kind, rounds))
        self._own = Spans([cost.own for cost in each], none)
        self._others = Spans([cost.others for cost in each], none)

    def changes(self, told: int, practised: int | None) -> list[int]:
        found = changes(self._raw, told, moved=self._is_own_change)
        within = practised is not None and found and 0 < practised - found[0] < LATEST
        return [practised, *found[1:]] if practised is not None and within else found

    def _is_own_change(self, before: Span, after: Span) -> bool:
        """Whether at least half of a change is the player's own. Figures fall as they improve."""
        own, others = (
            of.mean(*after).points - of.mean(*before).points for of in (self._own, self._others)
        )
        better = self._raw.mean(*after).points > self._raw.mean(*before).points
        sign = -1 if better else 1
        return sign * own > max(0.0, OWN * sign * (own - others))

    def course(self, told: int, breaks: Sequence[int], first: str | None) -> Course:
        """`first`: the kind that costs most now."""
        end = len(self._raw)
        changed = breaks[-1] if breaks else None
        before = (breaks[-2] if len(breaks) > 1 else 0, end if changed is None else changed)
        span = max(changed or 0, end - PRESENT), end
        latest = self._raw.mean(*span)
        most = self._kind == first and is_costly(latest)
        state = NOW if most else (LESS if is_costly(latest) else GONE)
        if not most and len(breaks) % 2 == 0:
            state = BACK if breaks else STILL
        figures = (of.mean(*span).points for of in (self._own, self._others))
        return Course(
            self._kind, state, told, changed, self._raw.mean(*before), latest, self._raw, *figures
        )


def changes(
    of: Spans,
    told: int = 0,
    windows: Sequence[int] = (LATEST,),
    moved: Callable[[Span, Span], bool] | None = None,
) -> list[int]:
    """The matches since which it is clearly otherwise, each time tested after every match.

    The latest matches (as many as a window) are compared with those before `told`, and after a
    change with those since. With `told`, it first gets better, then worse, and so on. `moved`:
    whether a change between two spans counts.
    """
    found: list[int] = []
    for end in range(told + min(windows), len(of) + 1):
        for first in (end - latest for latest in windows):
            start, until = (found[-1], first) if found else (0, told or first)
            if first < until or until - start < intervals.FEWEST:
                continue
            step = of.mean(first, end).less(of.mean(start, until))
            turn = not told or (step.points > 0) == (len(found) % 2 == 0)
            clear = turn and abs(step.points) > max(LEAST, SURE * step.error)
            if clear and (moved is None or moved((start, until), (first, end))):
                earliest = max(told, start + intervals.FEWEST)
                found.append(_clearest(of, start, earliest, end))
                break
    return found


def _clearest(of: Spans, start: int, first: int, end: int) -> int:
    """The match, not before `first`, from which on the difference is clearest."""

    def clear(place: int) -> float:
        step = of.mean(place, end).less(of.mean(start, place))
        return abs(step.points) / step.error

    return max(range(first, end - _FEWEST_SINCE), key=clear)


# --- Form: whether matches have clearly become better or worse, and since when ------------


_WINDOWS: Final = (LATEST, 2 * LATEST, 3 * LATEST)
"""The latest matches, as many as each of these, are compared with all before."""
_SD: Final = 20.0
"""The spread of such values over matches between equals."""


class Form(NamedTuple):
    """Values of matches in the order of time, and the last clear change."""

    values: Spans
    changed: int | None
    """Since which match, counted from 0. None: nothing clearly changed."""
    gained: Gain | None
    """By how much they are higher since then."""


def form(values: Sequence[float]) -> Form | None:
    """None for fewer than twice `LATEST` matches."""
    if len(values) < 2 * LATEST:
        return None
    spans = Spans(values, [_SD * _SD] * len(values))
    found = changes(spans, windows=_WINDOWS)
    if not found:
        return Form(spans, None, None)
    *earlier, changed = [0, *found]
    since = spans.mean(changed, len(spans))
    return Form(spans, changed, since.less(spans.mean(earlier[-1], changed)).gain())
