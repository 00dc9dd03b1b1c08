"""What processes read of matches: the end of a log, and news from matches hosted elsewhere.

Each function is one job in a thread of `games.live.storage.store`.
"""

from collections.abc import Mapping

from games.archive import append
from games.archive.store import header_of, lines_of_rounds
from games.engine.events import Deal, End
from games.live.host.leases import LogTail, LogUpdate
from games.live.host.requests import ActionKey, Refused, Seed, StoredSeed
from games.models import AnsweredAction, LiveTable, Match, SealedSeed
from games.people import door
from games.people.matches import access_of
from games.people.rights import public
from games.records.digests import first_digest
from games.records.log import FAIR_VERSION, Line
from games.tables.plan import Plan, from_json


def tail(match: str) -> LogTail | None:
    """The end of a match, beginning with the deal of its last round."""
    table = LiveTable.objects.filter(record_id=match).first()
    if table is None:
        return None
    plan = from_json(table.plan)
    stored = Match.objects.filter(record_id=match).first()
    seq, lines, totals = _last_round(stored, len(plan.places))
    rows = AnsweredAction.objects.filter(table=table)
    answered = [
        (ActionKey(row.seat, row.action_id), Refused(**row.refused) if row.refused else row.seq)
        for row in rows
    ]
    return LogTail(
        match,
        table.epoch,
        plan,
        seq,
        lines,
        totals,
        answered,
        table.host_state or None,
        table.state or None,
        table.over,
        append.digest_before(stored, seq) if stored else b"",
        _sealed(table.pk),
        fair=stored is None or header_of(stored).version == FAIR_VERSION,
    )


def _sealed(table: int) -> StoredSeed | None:
    """The seed that the next deal follows from, and one that was thrown away, if there are any."""
    row = SealedSeed.objects.filter(table=table).first()
    if row is None:
        return None
    seed, revealed = (
        None if stored is None else Seed(stored) for stored in (row.seed, row.revealed)
    )
    return StoredSeed(row.round, seed, None if row.plan is None else from_json(row.plan), revealed)


def _last_round(match: Match | None, seats: int) -> tuple[int, list[Line], tuple[int, ...]]:
    """The seq of the last deal, the lines since then, and the totals before it."""
    nothing = (0,) * seats
    if match is None:
        return 1, [], nothing
    last = match.chunks.order_by("first_seq").last()
    if last is None:
        return 1, [], nothing
    rounds = match.chunks.filter(round__gte=last.round - 1)
    first = rounds.order_by("first_seq").values_list("first_seq", flat=True).first() or 1
    lines = append.lines_since(match, first)
    deals = [place for place, line in enumerate(lines) if isinstance(line, Deal)]
    start = deals[-1]
    ends = [line.totals for line in lines[:start] if isinstance(line, End)]
    return first + start, lines[start:], ends[-1] if ends else nothing


def round_of(match: str, seq: int) -> LogTail | None:
    """The round of a line, as a log that ends with it, or the last round. None without one."""
    last = tail(match)
    if last is None or seq >= last.seq:
        return last
    stored = Match.objects.get(record_id=match)
    holding = stored.chunks.filter(first_seq__lte=seq).order_by("-first_seq")
    number = holding.values_list("round", flat=True).first()
    if number is None:
        return None
    of_round = stored.chunks.filter(round=number).order_by("first_seq")
    first = of_round.values_list("first_seq", flat=True)[0]
    lines = list(lines_of_rounds(stored, number, number))
    before = append.digest_before(stored, first)
    return last._replace(seq=first, lines=lines, before=before, over=True)


def shared(match: str) -> bool:
    """Whether caches may keep a match's log: everyone may watch it now, without delay."""
    table = LiveTable.objects.filter(record_id=match).only("plan").first()
    if table is None or door.site().members_only:
        return False
    plan = from_json(table.plan)
    if plan.open_delay_ms or not public(plan.access):
        return False
    stored = Match.objects.filter(record_id=match).first()
    return stored is None or (public(access_of(stored)) and not stored.embargoes.exists())


def news(known: Mapping[str, tuple[int, int]]) -> list[LogUpdate]:
    """The news of these matches, which are hosted elsewhere."""
    tables = LiveTable.objects.filter(record_id__in=known)
    ends = dict(Match.objects.filter(record_id__in=known).values_list("record_id", "lines"))
    updates = []
    for table in tables.only("record_id", "plan", "epoch", "state", "state_version", "over"):
        seq, version = known[table.record_id]
        if ends.get(table.record_id, 1) > seq or table.state_version != version:
            updates.append(_news(table, seq))
    return updates


def _news(table: LiveTable, seq: int) -> LogUpdate:
    match = Match.objects.filter(record_id=table.record_id).first()
    lines = [] if match is None else append.lines_since(match, seq)
    plan = from_json(table.plan) if seq <= 1 else None
    shown = (table.state or None, table.state_version, table.over)
    before = first_digest(header_of(match)) if match and seq <= 1 else b""
    return LogUpdate(table.record_id, table.epoch, seq, lines, *shown, plan, before)


def plans(known: Mapping[int, int]) -> dict[int, tuple[int, Plan]]:
    """The plans that have changed."""
    rows = LiveTable.objects.filter(pk__in=known).values_list("pk", "plan_version")
    changed = [pk for pk, version in rows if version != known[pk]]
    tables = LiveTable.objects.filter(pk__in=changed)
    return {table.pk: (table.plan_version, from_json(table.plan)) for table in tables}
