"""Two players against each other: who was ahead, by how much, since when, and what to watch."""

from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_safe

from games.archive.queries import rows_of, seats_by_match
from games.models import Player
from games.pages.words import day
from games.people.visit import Request
from replays.pages.players.choices import ORIGINS, against_of, fits, matches_without, met_there
from replays.pages.players.pages import player_called
from replays.pages.players.results import Opponent, opponent_of
from replays.pages.rendering import page
from replays.pages.rows import words_of
from replays.pages.strip import Strip, StripPoint, strip, thinned
from replays.patterns.occurrences import KINDS, Occurrence
from replays.patterns.query import LATE
from replays.patterns.storing import stored_in
from replays.players.queries import LATEST, Played

_FEWEST, _MOST_POINTS = 3, 60
"""Of the line."""
_RACED: Final = 100
"""The latest matches whose races are counted, as far as they are stored for searches."""
_NARROWER: Final = "edition", "seats", "against", "opponent"
_CHOSEN: Final = "as", *_NARROWER
"""The choices of a player's page, besides where the matches come from."""


class Meeting(NamedTuple):
    """A match of both players, as one of them played it. The other's seat, kind and total."""

    played: Played
    seat: int
    kind: str
    total: int

    @property
    def lead(self) -> int:
        return self.played.total - self.total

    @property
    def side(self) -> int:
        """1 if ahead, -1 if behind, 0 if level."""
        return (self.lead > 0) - (self.lead < 0)


@require_safe
def rivals(request: Request) -> HttpResponse:
    """`?player=&rival=`: two players who have pages. Without names, the players to choose from.

    A player's page adds its choices and the rival's `kind`, so both count the same matches.
    """
    if not request.GET.get("player") and not request.GET.get("rival"):
        return redirect("replays:players")
    player, rival = (player_called(request.GET.get(name, "")) for name in ("player", "rival"))
    if player == rival:
        raise Http404(_("choose two players"))
    given: dict[str, Any] = request.GET.dict()
    asked = given | {"player": player.name, "rival": rival.name}
    if asked != given:
        return redirect(f"{request.path}?{urlencode(asked)}")
    origin, met = "", list[Meeting]()
    if request.visit.shows_results:
        origin, met = _meetings(player, rival, asked, request.visit.embargoed)
    narrower = any(map(asked.get, _NARROWER))
    context = {"player": player, "rival": rival, "origin": origin, "narrower": narrower}
    if met:
        one, other = player.name, rival.name
        told = opponent_of(other, met[0].kind, [(each.played, each.total) for each in met])
        context |= {
            "told": told,
            "verdict": _verdict(one, other, told),
            "since": _since(one, other, met),
            "balance": _balance(one, met),
            "to_watch": _to_watch(one, other, met),
            "races": _races(met[-_RACED:]),
        }
    return page(request, "rivals", context)


def _meetings(
    player: Player, rival: Player, asked: Mapping[str, str], without: Collection[int]
) -> tuple[str, list[Meeting]]:
    """Their matches of one origin, oldest first: those played here, if any. At most six queries.

    A name may be a human here and a bot there: only matches of one kind each, humans first.
    """
    chosen = {name: asked.get(name, "") for name in _CHOSEN}
    played, kind = asked.get("played", ""), asked.get("kind", "human")
    for name, origin in ORIGINS.items():
        if played in ORIGINS and name != played:
            continue
        matches = matches_without(player, origin, without)[:LATEST]
        seats = seats_by_match(match.match for match in matches)
        met = [
            Meeting(match, seat.number, seat.kind, seat.total)
            for match in reversed(matches)
            if fits(match, against_of(match, seats[match.match]), chosen)
            and met_there(chosen["opponent"], seats[match.match])
            for seat in seats[match.match]
            if seat.name == rival.name and seat.total is not None
        ]
        if met:
            first = min(met, key=lambda each: (each.played.kind != "human", each.kind != kind))
            kinds = first.played.kind, first.kind
            return name, [each for each in met if (each.played.kind, each.kind) == kinds]
    return "", []


def _verdict(one: str, other: str, told: Opponent) -> str:
    if told.ahead == told.behind:
        said = ngettext(
            "{one} and {other} were ahead equally often: {count} time each.",
            "{one} and {other} were ahead equally often: {count} times each.",
            told.ahead,
        )
        return said.format(one=one, other=other, count=told.ahead)
    leader, trailer = (one, other) if told.ahead > told.behind else (other, one)
    said = ngettext(
        "{leader} was ahead in {most} of {count} match, {trailer} in {least}.",
        "{leader} was ahead in {most} of {count} matches, {trailer} in {least}.",
        told.met,
    )
    most, least = max(told.ahead, told.behind), min(told.ahead, told.behind)
    return said.format(leader=leader, trailer=trailer, most=most, least=least, count=told.met)


def _since(one: str, other: str, met: Sequence[Meeting]) -> str:
    """Since when the player who was ahead more often has been so, without a break."""
    *_earlier, balance = balances = list(accumulate(each.side for each in met))
    if not balance:
        return ""
    level = [at for at, then in enumerate(balances) if then * balance <= 0]
    first = met[level[-1] + 1 if level else 0]
    leader, since = one if balance > 0 else other, day(first.played.started_at)
    return _("{leader} has been ahead overall since {day}.").format(leader=leader, day=since)


def _balance(one: str, met: Sequence[Meeting]) -> Strip | None:
    """The count of matches after each of them, as a line."""
    balances = list(accumulate(each.side for each in met))
    if len(balances) < _FEWEST:
        return None
    points = [
        StripPoint(balances[at], None, None, day(met[at].played.started_at), "")
        for at in thinned(len(balances), _MOST_POINTS)
    ]
    says = _("Line: matches in which {one} was ahead, less those behind.").format(one=one)
    return strip(_("Match by match"), says, _("matches"), points, 0)


def _to_watch(one: str, other: str, met: Sequence[Meeting]) -> list[dict[str, Any]]:
    """Of several the closest, and the largest lead of each. Otherwise the latest."""
    best, worst = (find(met, key=lambda each: each.lead) for find in (max, min))
    lead = _("{name}’s largest lead")
    among = [
        (_("The closest"), min(met, key=lambda each: abs(each.lead))),
        *([(lead.format(name=one), best)] if best.lead > 0 else []),
        *([(lead.format(name=other), worst)] if worst.lead < 0 else []),
    ]
    chosen = [*(among if len(met) > 1 else []), (_("The latest"), met[-1])]
    why = {each.played.match: words for words, each in reversed(chosen)}
    rows = {row.id: words_of(row, spoilers=True) for row in rows_of(list(why)[-3:])}
    leads = {each.played.match: _lead(each.lead) for each in met}
    return [
        {"why": why[pk], **rows[pk]._replace(outcome=leads[pk])._asdict()}
        for pk in list(why)[::-1]
        if pk in rows
    ]


def _lead(lead: int) -> str:
    """Between the two, whoever won the match."""
    if not lead:
        return pgettext("points", "level")
    return ngettext("{count} point", "{count} points", abs(lead)).format(count=abs(lead))


class Races(NamedTuple):
    """The races that each won against the other, in so many matches."""

    one: int
    other: int
    matches: int


def _races(met: Sequence[Meeting]) -> Races | None:
    """By late tries. None without any. One query."""
    seats = {each.played.match: (each.played.number, each.seat) for each in met}
    won, matches = [0, 0], 0
    for match, rows in stored_in(seats, {KINDS.index(LATE)}):
        matches += 1
        for race in map(Occurrence._make, rows):
            if {race.seat, race.other} == {*seats[match]}:
                won[race.other == seats[match][1]] += 1
    return Races(won[0], won[1], matches) if any(won) else None
