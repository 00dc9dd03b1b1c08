"""The matches of a player that a page covers: the options, and the choice."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.archive.queries import SeatRow
from games.engine.editions import EDITIONS
from games.models import Match, Player
from games.pages.words import Text
from replays.analysis.players.intervals import FEWEST
from replays.pages.forms import edition_name
from replays.pages.players.results import OPPONENTS
from replays.players.queries import Played, has_matches, matches_of

ORIGINS: Final[Mapping[str, Match.Origin]] = {
    "here": Match.Origin.HOSTED,
    "simulated": Match.Origin.SIMULATED,
    "imported": Match.Origin.IMPORTED,
}
"""Where matches come from, best first. They are never mixed."""
AGAINST: Final[Mapping[str, Text]] = {
    "humans": gettext_lazy("humans only"),
    "bots": gettext_lazy("bots only"),
    "both": gettext_lazy("humans and bots"),
}
_KINDS: Final[Mapping[str, Text]] = {
    "human": gettext_lazy("a human"),
    "bot": gettext_lazy("a bot"),
}


class Choice(NamedTuple):
    """What a select offers: values and labels."""

    name: str
    label: str
    options: list[tuple[str, str]]
    chosen: str


def matches_without(player: Player, origin: Match.Origin, without: Collection[int]) -> list[Played]:
    return [match for match in matches_of(player, origin) if match.match not in without]


class Found(NamedTuple):
    """`origin`: a key of `ORIGINS`."""

    origin: str
    matches: list[Played]
    choice: Choice


def found_for(player: Player, asked: str, without: Collection[int]) -> Found:
    """The matches of one origin, and the choice of origins.

    Matches played here come first, but a bot needs `FEWEST` of them: until then it has its
    simulated ones.
    """
    first, *others = ORIGINS.values()
    origin = ORIGINS.get(asked, first)
    matches = matches_without(player, origin, without)
    known = {origin: bool(matches)}
    if asked not in ORIGINS and _too_few(matches):
        for other in others:
            instead = matches_without(player, other, without)
            known[other] = bool(instead)
            if instead:
                origin, matches = other, instead
                break
    known[origin] = True
    every = [
        ("here", _("here")),
        ("simulated", _("simulated by bots")),
        ("imported", _("imported")),
    ]
    options = [
        (name, label)
        for name, label in every
        if known.get(each := ORIGINS[name]) or (each not in known and has_matches(player, each))
    ]
    value = next(name for name, candidate in ORIGINS.items() if candidate is origin)
    return Found(value, matches, Choice("played", _("Played"), options, value))


def _too_few(matches: Sequence[Played]) -> bool:
    """Whether a bot played too few of them for any interval. True of none."""
    return len(matches) < FEWEST and all(match.kind == "bot" for match in matches)


def choices_of(
    matches: Sequence[Played], against: Mapping[int, str], asked: Mapping[str, str]
) -> list[Choice]:
    """What else can be chosen among the matches found."""
    kinds = {match.kind for match in matches}
    human_first = [(kind, str(name)) for kind, name in _KINDS.items() if kind in kinds]
    editions = {match.edition for match in matches}
    seats = sorted({match.seats for match in matches})
    met = set(against.values())
    return [
        choice("as", _("Played as"), human_first, asked, whole=False),
        choice(
            "edition",
            _("Edition"),
            [(edition, edition_name(edition)) for edition in EDITIONS if edition in editions],
            asked,
        ),
        choice("seats", _("Players"), [(str(count), str(count)) for count in seats], asked),
        choice(
            "against",
            _("Against"),
            [(k, str(name)) for k, name in AGAINST.items() if k in met],
            asked,
        ),
    ]


def choice(
    name: str,
    label: str,
    options: list[tuple[str, str]],
    asked: Mapping[str, str],
    *,
    whole: bool = True,
) -> Choice:
    """A choice. `whole`: offer "Any", and choose it by default."""
    if whole:
        options = [("", _("Any")), *options] if len(options) > 1 else [("", _("Any"))]
    given = asked.get(name, "")
    known = [value for value, _label in options]
    return Choice(name, label, options, given if given in known else (known or [""])[0])


def opponent_choice(
    player: Player, seats: Mapping[int, Sequence[SeatRow]], asked: Mapping[str, str]
) -> Choice:
    """The opponents met most, and any other who is asked for."""
    names = Counter(seat.name for of in seats.values() for seat in of if seat.name != player.name)
    most = sorted(names, key=lambda name: (-names[name], name))[:OPPONENTS]
    other = asked.get("opponent", "")
    if other in names and other not in most:
        most.append(other)
    return choice("opponent", _("Opponent"), [(name, name) for name in most], asked)


def met_there(opponent: str, seats: Iterable[SeatRow]) -> bool:
    """Whether an opponent, if one is asked for, played there."""
    return not opponent or any(seat.name == opponent for seat in seats)


def fits(match: Played, against: str, chosen: Mapping[str, str]) -> bool:
    return (
        chosen["as"] in ("", match.kind)
        and chosen["edition"] in ("", match.edition)
        and chosen["seats"] in ("", str(match.seats))
        and chosen["against"] in ("", against)
    )


def against_of(match: Played, seats: Iterable[SeatRow]) -> str:
    """The opponents of a match, as a key of `AGAINST`."""
    kinds = {seat.kind for seat in seats if seat.number != match.number}
    if len(kinds) == 1:
        return "bots" if kinds == {"bot"} else "humans"
    return "both"
