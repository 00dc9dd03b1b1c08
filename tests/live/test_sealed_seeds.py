"""Seeds in the store: what another host finds of them, whenever the last one was killed."""

from random import SystemRandom

import pytest
from django.contrib import admin

from games.engine.events import Deal
from games.live.host.client_frames import Ready, Salt
from games.live.host.leases import Lease, LeaseLostError, LogTail
from games.live.host.match import LiveMatch
from games.live.host.requests import NextSeed, PresenceReport, Seed, Step, StoredSeed
from games.live.storage.commits import Commits
from games.live.storage.queries import tail
from games.models import LiveTable, SealedSeed
from games.people.person import guest
from games.tables import joining
from games.tables.plan import Plan, to_json
from games.tables.state import MatchState
from tests.live.bench import TIMING, people

pytestmark = pytest.mark.django_db


def table(plan: Plan) -> Lease:
    row = LiveTable.objects.create(record_id=plan.id, plan=to_json(plan))
    return Lease(row.pk, plan.id, 0)


def stored() -> LogTail:
    ending = tail("m")
    assert ending is not None
    return ending


class KilledHost:
    """A host on the real store. It can be killed at any moment: another one has the store alone."""

    def __init__(self, lease: Lease) -> None:
        self.lease, self.commits, self.now = lease, Commits(), 9_000
        ending = stored()
        self.game = LiveMatch(ending.plan, SystemRandom(), self.now)
        self.game.resume(ending, self.now)

    @property
    def state(self) -> MatchState:
        return self.game.state(self.now)

    def commit(self) -> Step:
        """Store the next step, and come no further."""
        step = self.game.step(self.now)
        seq = max(self.game.seq, 1)
        header = self.game.plan.header("2026-11-21T10:00:00Z") if step.entries else None
        self.commits.append(self.lease, self.game.plan, seq, step._replace(header=header))
        return step

    def settle(self) -> list[Step]:
        """Do all that is to be done now; what was done."""
        steps = []
        while step := self.commit():
            self.game.committed(step, self.now)
            steps.append(step)
        self.commits.save_state(self.lease, self.game.host_state(self.now), self.state, over=False)
        return steps

    def deal(self) -> Deal:
        """Let everybody be there and ready until there is a deal."""
        here = dict.fromkeys(self.game.plan.humans, 20)
        self.game.report_presence(PresenceReport("here", here, 0), self.now)
        for seat in here:
            self.game.command(seat, Ready(ready=True))
        self.settle()
        self.now += TIMING.countdown_ms
        steps = self.settle()
        (deal,) = (
            entry.line for step in steps for entry in step.entries if isinstance(entry.line, Deal)
        )
        return deal


def test_a_seed_is_stored_once_a_table_and_given_up_by_its_owner_alone() -> None:
    plan = people(3)
    lease, commits = table(plan), Commits()
    first, second = Seed(bytes(32)), Seed(bytes([7] * 32))
    for seed in (first, first, second):
        commits.append(lease, plan, 1, Step(sealed=NextSeed(1, seed)))
        assert stored().sealed == StoredSeed(1, seed, plan)
    with pytest.raises(LeaseLostError):
        commits.append(lease._replace(epoch=9), plan, 1, Step(sealed=NextSeed(1, None)))
    for _ in range(2):  # the second time because the first answer was lost
        commits.append(lease, plan, 1, Step(sealed=NextSeed(1, None)))
        assert stored().sealed == StoredSeed(1, None, plan, revealed=second)
    commits.append(lease, plan, 1, Step(sealed=NextSeed(1, first)))
    assert stored().sealed == StoredSeed(1, first, plan, revealed=second)


def test_a_seed_is_for_those_who_sat_there_when_it_was_drawn() -> None:
    lease = table(people(2))
    first = KilledHost(lease)
    first.settle()
    first.game.command(1, Salt("aa"))
    for seat in (0, 1):
        first.game.command(seat, Ready(ready=True))
    first.settle()
    drawn = stored().sealed
    assert drawn
    assert drawn.seed
    joining.stand_up("m", guest("1"))
    joining.sit("m", guest("new"), "New")
    second = KilledHost(lease)
    thrown, drawn_anew = second.settle()
    assert thrown.sealed == NextSeed(1, None)
    assert drawn_anew.sealed
    assert second.state["revealed"] == {"commit": drawn.seed.commit, "seed": drawn.seed.hex()}
    assert second.state["commit"] not in (None, drawn.seed.commit)
    assert not any(seat["salted"] for seat in second.state["seats"])
    assert [seat["ready"] for seat in second.state["seats"]] == [True, False]


def test_a_host_that_finds_the_same_people_goes_on_with_seed_and_salts() -> None:
    lease = table(people(2))
    first = KilledHost(lease)
    first.settle()
    first.game.command(1, Salt("aa"))
    first.settle()
    second = KilledHost(lease)
    assert second.state["commit"] == first.state["commit"]
    deal = second.deal()
    assert deal.fair
    assert (deal.fair.commit, deal.fair.salts) == (first.state["commit"], ("", "aa"))


def test_a_seed_of_a_later_round_is_kept_when_a_guest_becomes_an_account() -> None:
    """After the first deal nobody sits down: the seat only has another name."""
    plan = people(2)
    seed = Seed(bytes(32))
    lease = table(plan)
    KilledHost(lease).deal()
    Commits().append(lease, people(2).stand_up(0), 1, Step(sealed=NextSeed(2, seed)))
    second = KilledHost(lease)
    assert second.state["commit"] == seed.commit
    assert not any(step.sealed for step in second.settle())


def test_a_seed_given_up_is_shown_although_its_host_was_killed_before_it_could() -> None:
    lease = table(people(2))
    first = KilledHost(lease)
    first.settle()
    thrown = first.state["commit"]
    plan = joining.stand_up("m", guest("1"))
    first.game.reseat(plan, first.now)
    assert first.commit().sealed == NextSeed(1, None)
    second = KilledHost(lease)
    shown = second.state["revealed"]
    assert shown
    assert shown["commit"] == thrown == Seed.fromhex(shown["seed"]).commit
    assert second.state["commit"] is None
    joining.sit("m", guest("new"), "New")
    third = KilledHost(lease)
    deal = third.deal()
    assert deal.fair
    assert deal.fair.commit != thrown
    assert KilledHost(lease).state["revealed"] == shown, "for as long as the match lasts"


def test_nobody_reads_seeds_in_the_admin() -> None:
    assert not admin.site.is_registered(SealedSeed)
