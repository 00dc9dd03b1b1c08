"""What hosts write: lines, state, rematches (for `games.live.storage.store`).

Each is one job of the writer's thread, inside a transaction. Repeating it changes nothing.
"""

from collections.abc import Sequence
from statistics import median_low
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db.models import F

from games.archive import append
from games.engine.events import Deal
from games.live.host.leases import Lease, LeaseLostError
from games.live.host.requests import ActionKey, HostState, LogEntry, NextSeed, Refused, Step
from games.models import AnsweredAction, LiveTable, Match, SealedSeed, Seat
from games.people.person import Kind, account
from games.records.log import Header, Line
from games.records.notation import write_line
from games.tables import seats
from games.tables.plan import Plan, PlannedSeat, to_json
from games.tables.state import OVER, MatchState


class HostedLog(NamedTuple):
    """A match's row, and the end of its log after the last write."""

    match: int
    at: append.LogPosition


class Commits:
    """The writes of one process's hosts. For use from one thread."""

    def __init__(self) -> None:
        self._logs: dict[Lease, HostedLog] = {}

    def append(self, lease: Lease, plan: Plan, seq: int, step: Step) -> None:
        """Commit lines, the first at `seq`, the answers and the seed. Raises LeaseLostError."""
        if step.refusals or step.sealed:
            _hold(lease)  # before the log's row, in the order in which leases are taken
        if step.sealed:
            _seal(lease.table, plan, step.sealed)
        if step.entries:
            self._append(lease, plan, seq, step)
        if step.refusals:
            log = self._logs.get(lease) or self._log(lease)
            _remember_refusals(lease.table, log.at.round if log else 0, step.refusals)

    def _append(self, lease: Lease, plan: Plan, seq: int, step: Step) -> None:
        lines = [entry.line for entry in step.entries]
        log = self._logs.get(lease) or self._log(lease) or _begun(lease, plan, step.header)
        try:
            at = append.append(log.match, lease.epoch, seq, lines, log.at)
        except append.StaleWriterError:
            if not _is_there(log.match, lease.epoch, seq, lines):
                self._logs.pop(lease, None)
                raise LeaseLostError(lease.match) from None
            return
        if lease in self._logs:
            self._logs[lease] = HostedLog(log.match, at)
        _remember(lease.table, seq, at.round, step.entries)

    def _log(self, lease: Lease) -> HostedLog | None:
        """The log that this host continues. Remembered once it is certainly committed."""
        match = Match.objects.filter(record_id=lease.match).first()
        if match is None:
            return None
        log = self._logs[lease] = HostedLog(match.pk, append.LogPosition(append.round_of(match)))
        return log

    def save_state(
        self, lease: Lease, host_state: HostState, state: MatchState, over: bool
    ) -> None:
        """Save everything besides the lines. Raises LeaseLostError."""
        mine = LiveTable.objects.filter(pk=lease.table, epoch=lease.epoch)
        version = F("state_version") + 1
        if over:
            self._logs.pop(lease, None)
        shown = {"state": state, "state_version": version, "phase": state["phase"]}
        left = {"opener": ""} if over else {}
        if not mine.update(host_state=host_state, over=over, **left, **shown):
            raise LeaseLostError(lease.match)
        if state["phase"] in OVER:
            seats.clear(lease.table)
            _keep_lags(lease.match, host_state["lags"])
            absent = Seat.objects.filter(match__record_id=lease.match)
            absent.filter(number__in=host_state.get("stand_ins") or ()).update(stand_in=True)

    def rematch(self, lease: Lease, plan: Plan) -> None:
        """Open a table with this plan, once, for those still there. Raises LeaseLostError."""
        before = LiveTable.objects.filter(pk=lease.table, epoch=lease.epoch)
        opener = before.values_list("opener", flat=True).first()
        if opener is None:
            raise LeaseLostError(lease.match)
        if not LiveTable.objects.filter(record_id=plan.id).exists():
            seats.create(_as_they_are(lease.match, plan), limited=False, opener=opener)


def _as_they_are(match: str, plan: Plan) -> Plan:
    """The plan without deleted accounts, and with those that guests have opened meanwhile."""
    users = get_user_model().objects
    for seat, place in enumerate(plan.places):
        if place.person is None:
            continue
        kind, key = place.person
        if kind is Kind.ACCOUNT and not users.filter(pk=key).exists():
            plan = plan.stand_up(seat)
        elif kind is Kind.GUEST:
            owned = Seat.objects.filter(match__record_id=match, guest=key)
            user = owned.exclude(user=None).values_list("user", "user__username").first()
            if user and plan.seat_of(account(user[0])) is None:
                plan = plan.hand_over(place.person, account(user[0]), user[1])
    return plan


def _begun(lease: Lease, plan: Plan, header: Header | None) -> HostedLog:
    assert header is not None, "a log begins with its header"
    return HostedLog(_begin(lease, plan, header), append.LogPosition(0))


def _begin(lease: Lease, plan: Plan, header: Header) -> int:
    held = LiveTable.objects.filter(pk=lease.table, epoch=lease.epoch)
    # It is too late to sit down or stand up once the host has begun to deal.
    if not held.update(**seats.planned_fields(plan), plan_version=F("plan_version") + 1):
        raise LeaseLostError(lease.match)
    seats.note(lease.table, plan, limited=False)
    match = append.open_match(
        header,
        owner_epoch=lease.epoch,
        visibility=Match.Visibility.LINK if plan.private else Match.Visibility.PUBLIC,
        token=plan.key,
        school_class=plan.school_class,
        spectators={
            "watching": plan.watching,
            "open_delay_ms": plan.open_delay_ms,
            "chat": plan.chat,
        },
    )
    for number, place in enumerate(plan.places):
        Seat.objects.filter(match=match, number=number).update(**_owner(place))
    return match.pk


def _owner(place: PlannedSeat) -> dict[str, Any]:
    """Whose seat it is, as the archive stores it."""
    if place.person is None:
        return {"temper": place.temper, "level": place.level} if place.temper else {}
    kind, key = place.person
    if kind is Kind.ACCOUNT:
        there = get_user_model().objects.filter(pk=key).exists()  # unless the account is deleted
        return {"user_id": int(key) if there else None}
    return {"guest": key} if kind is Kind.GUEST else {}


def _is_there(match: int, epoch: int, seq: int, lines: Sequence[Line]) -> bool:
    """Whether this very commit was made before, although its answer was lost."""
    row = Match.objects.filter(pk=match, owner_epoch=epoch, lines=seq + len(lines)).first()
    if row is None:
        return False
    stored = append.lines_since(row, seq)
    return [write_line(line) for line in stored] == [write_line(line) for line in lines]


def _remember(table: int, seq: int, number: int, entries: Sequence[LogEntry]) -> None:
    deal = next((entry.line for entry in entries if isinstance(entry.line, Deal)), None)
    if deal:
        AnsweredAction.objects.filter(table=table, round__lt=deal.round - 1).delete()
    if any(entry.actions for entry in entries):
        AnsweredAction.objects.bulk_create(
            AnsweredAction(table_id=table, round=number, seq=at, seat=key.seat, action_id=key.id)
            for at, entry in enumerate(entries, seq)
            for key in entry.actions
        )


def _hold(lease: Lease) -> None:
    """Keep the lease from being taken until this transaction ends. Raises LeaseLostError.

    A host's answers are stored under its own epoch, so the next host, which reads after its claim,
    finds them.
    """
    table = LiveTable.objects.select_for_update(no_key=True)
    if not table.filter(pk=lease.table, epoch=lease.epoch).values_list("pk").first():
        raise LeaseLostError(lease.match)


def _seal(table: int, plan: Plan, sealed: NextSeed) -> None:
    """Store the seed of the next deal, or give it up so that no one deals from it any more."""
    if sealed.seed is None:
        drawn = SealedSeed.objects.filter(table=table, seed__isnull=False)
        drawn.update(revealed=F("seed"), seed=None)
    else:
        kept = {"round": sealed.round, "seed": bytes(sealed.seed), "plan": to_json(plan)}
        SealedSeed.objects.update_or_create(table_id=table, defaults=kept)


def _remember_refusals(
    table: int, number: int, refusals: Sequence[tuple[ActionKey, Refused]]
) -> None:
    AnsweredAction.objects.bulk_create(
        (
            AnsweredAction(
                table_id=table,
                round=number,
                seq=0,
                seat=key.seat,
                action_id=key.id,
                refused=refused._asdict(),
            )
            for key, refused in refusals
        ),
        ignore_conflicts=True,  # its first try may have been committed
    )


def _keep_lags(match: str, rounds: Sequence[Sequence[int | None]]) -> None:
    """Store each seat's median lag beside the record. `rounds` has one lag per seat."""
    for number, lags in enumerate(zip(*rounds, strict=True)):
        known = [lag for lag in lags if lag is not None]
        if known:
            seat = Seat.objects.filter(match__record_id=match, number=number)
            seat.update(lag_ms=median_low(known))
