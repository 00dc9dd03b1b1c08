"""What is read of a stored match: its digest, its timeline, its seats' lags, rounds to play on."""

from hashlib import sha256
from typing import Final

from games.archive.store import header_of, lines_of_rounds, log_of, shown_header
from games.engine.events import End
from games.engine.facts import Fault
from games.engine.table import Table
from games.models import Match
from games.records.log import Header
from replays.jobs.kinds import Asked, JobFault
from replays.timeline import Round, Timeline
from replays.variations.lines import MatchLines

TEMPO_ROUNDS: Final = 5
"""How many earlier rounds are used for the players' tempo."""


def match_of(asked: Asked) -> Match:
    """The match that a job is about. Raises JobFault."""
    match = Match.objects.filter(pk=asked["match"]).first()
    if match is None:
        raise JobFault("The match has been deleted.")
    return match


def digest_of(match: Match) -> str:
    """SHA-256 of the log's stored pieces, in hexadecimal."""
    digest = sha256(match.header.encode())
    for body in match.chunks.order_by("first_seq").values_list("body", flat=True).iterator():
        digest.update(bytes(body))
    return digest.hexdigest()


def timeline_of(match: Match) -> Timeline:
    """The whole log, from the archive."""
    return Timeline.of([shown_header(match), *log_of(match)])


def round_of(match: Match, number: int) -> Round:
    """A round that has been dealt, without the others: its `before` is zeros."""
    return Timeline.of([shown_header(match), *lines_of_rounds(match, number, number)]).rounds[0]


def table_before(match: Match, number: int) -> Table:
    """The table before the deal of a round, with the totals of the earlier ones."""
    header = header_of(match)
    beginners = [seat for seat, player in enumerate(header.seats) if player.beginner]
    table = Table(header.rules, len(header.seats), beginners)
    table.totals = _totals_after(match, number - 1) or table.totals
    return table


def lags_of(match: Match) -> list[float | None]:
    """Each seat's measured lag in ms, as a live host stored it."""
    return list(match.seats.in_order().values_list("lag_ms", flat=True))


def lines_to(match: Match, number: int, header: Header | None = None) -> MatchLines:
    """The lines of a round and a few before it, to play on in it. Raises Fault if there is none.

    `header`: the match's, if it is to have other names than pages show.
    """
    if not 1 <= number <= match.rounds:
        raise Fault(
            "round: expected one of the {last} played, found {found}",
            last=match.rounds,
            found=number,
        )
    first = max(1, number - TEMPO_ROUNDS)
    lines = [header or shown_header(match), *lines_of_rounds(match, first, number)]
    return MatchLines(Timeline.of(lines, before=_totals_after(match, first - 1)))


def _totals_after(match: Match, number: int) -> tuple[int, ...] | None:
    """The totals after a round that was followed by another. None before the first."""
    ends = (line for line in lines_of_rounds(match, number, number) if isinstance(line, End))
    return next((end.totals for end in ends), None)
