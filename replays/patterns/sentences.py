"""A hit in words."""

from collections.abc import Callable
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine.cards import WILD
from games.engine.message import lasting, spoken
from games.pages.words import HERE
from replays.patterns import query
from replays.patterns.matching import Hit
from replays.patterns.occurrences import KINDS, NOBODY, Occurrence


def sentence(hit: Hit, names: list[str], who: str) -> str:
    """The moment, as `Ada left a 5 on a 4 for 1.4 s.`. `who`: the players who did it."""
    first = _clause(hit.first, names, who)
    if hit.last == hit.first:
        return f"{first}."
    then = _clause(hit.last, names, names[hit.last.seat])
    return _("{first}; then {then}.").format(first=first, then=then)


def _clause(occurrence: Occurrence, names: list[str], who: str) -> str:
    other = "" if occurrence.other == NOBODY else names[occurrence.other]
    close = KINDS[occurrence.kind] in (query.LATE, query.TIED)
    values: dict[str, Any] = {
        "who": who,
        "other": other,
        "card": _card(occurrence),
        "place": _place(occurrence),
        "time": spoken(lasting(occurrence.ms, 1_000 if close else 100), language=HERE),
        "count": occurrence.cards,
        "players": occurrence.players,
    }
    return _CLAUSES[KINDS[occurrence.kind]](occurrence).format(**values)


def _missed_sentence(occurrence: Occurrence) -> str:
    if occurrence.missed:
        if occurrence.other == occurrence.seat:
            return _(
                "{who} missed a take with {card} {place} for {time} and played another card there"
            )
        if occurrence.other == NOBODY:
            return _("{who} missed a take with {card} {place} for {time}")
        return _("{who} missed a take with {card} {place} for {time} until {other} played there")
    if occurrence.other == occurrence.seat:
        return _("{who} left {card} {place} for {time} and played another card there")
    if occurrence.other == NOBODY:
        return _("{who} left {card} {place} for {time}")
    return _("{who} left {card} {place} for {time} until {other} played there")


def _took(occurrence: Occurrence) -> str:
    if occurrence.other in (NOBODY, occurrence.seat):
        return ngettext(
            "{who} took {count} card with {card}",
            "{who} took {count} cards with {card}",
            occurrence.cards,
        )
    return ngettext(
        "{who} took {count} card with {card}, fed by {other}",
        "{who} took {count} cards with {card}, fed by {other}",
        occurrence.cards,
    )


_CLAUSES: Final[dict[str, Callable[[Occurrence], str]]] = {
    query.LEFT: _missed_sentence,
    query.PLAYED: lambda _here: _("{who} played {card} {place} after {time}"),
    query.TOOK: _took,
    query.LATE: lambda _here: _("{who} was {time} later than {other} with {card} {place}"),
    query.TIED: lambda _here: _("{who} tied {place}, {players} players within {time}"),
    query.MISTAKE: lambda _here: _("{who} tried {card} {place}, where it did not fit"),
    query.DREW: lambda _here: _("{who} drew {card}"),
    query.DISCARDED: lambda _here: _("{who} discarded {card}"),
    query.OUT: lambda _here: _("{who} was OUT"),
}
_WITH: Final = (query.TOOK, query.LATE)


def _card(occurrence: Occurrence) -> str:
    """The card. Some languages have another form after `with`."""
    with_it = KINDS[occurrence.kind] in _WITH or occurrence.missed
    if occurrence.face == WILD:
        return pgettext("with", "a wild") if with_it else _("a wild")
    words = pgettext("with", "a {face}") if with_it else _("a {face}")
    return words.format(face=occurrence.face)


def _place(occurrence: Occurrence) -> str:
    if occurrence.top:
        return _("on a {top}").format(top=occurrence.top)
    return _("on empty slot {slot}").format(slot=occurrence.slot + 1)
