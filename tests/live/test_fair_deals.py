"""Live deals: a seed is stored, committed to, salted, dealt from; or thrown away, then shown."""

import json
from hashlib import sha256
from typing import Any

import pytest
from jsonschema import ValidationError

from games.engine.dealing import fair_deal
from games.engine.events import Deal
from games.live.cluster.relay import pack, unpack
from games.live.fanout import frames
from games.live.fanout.frames import SPECTATOR, line_text
from games.live.host.client_frames import BadFrameError, Ready, Salt, Vote, parse
from games.live.host.leases import LogTail
from games.live.host.requests import HostState, NextSeed, Seed, Step, StoredSeed
from games.people.person import guest
from games.records.notation import write_line
from games.tables.plan import Plan
from games.tables.state import MatchState
from tests.live.asyncapi import hold
from tests.live.bench import TIMING, Bench, people, tail_of

NAMED = "0a" * 32


class Vault(Bench):
    """A match whose store is watched: what was stored, forgotten and shown, in order."""

    def __init__(self, plan: Plan | None = None) -> None:
        super().__init__(plan or people(2))
        self.sealed: list[NextSeed] = []

    def commit(self, step: Step) -> None:
        if step.sealed:
            assert self.state["commit"] is None or step.sealed.seed is None
            self.sealed.append(step.sealed)
        super().commit(step)

    @property
    def state(self) -> MatchState:
        return self.game.state(self.now)

    @property
    def seed(self) -> Seed:
        seed = self.sealed[-1].seed
        assert seed is not None
        return seed

    @property
    def deals(self) -> list[Deal]:
        return [line for line in self.lines if isinstance(line, Deal)]


def sealed_tail_of(bench: Vault) -> LogTail:
    """What another host finds, with the last seed."""
    return tail_of(bench)._replace(sealed=StoredSeed(*bench.sealed[-1], bench.game.plan))


def finish_round(bench: Vault) -> None:
    """Let the round that is being played end, as nobody plays."""
    while bench.game.phase == "round":
        bench.turn(1_000)


def test_the_first_seed_is_stored_when_the_seats_are_full_and_shown_only_then() -> None:
    bench = Vault(people(2).stand_up(1))
    bench.turn(500)
    assert (bench.sealed, bench.state["commit"]) == ([], None)
    bench.here = {0, 1}
    bench.game.reseat(people(2), bench.now)
    step = bench.game.step(bench.now)
    assert step.written
    assert bench.state["commit"] is None, "it is not stored yet"
    bench.commit(step)
    assert bench.state["commit"] == sha256(bench.seed).hexdigest()
    assert bench.sealed == [NextSeed(1, bench.seed)]
    assert len(bench.seed) == 32


def test_the_decks_follow_from_the_seed_and_the_last_salts() -> None:
    bench = Vault(people(2, bots=1))
    bench.ready()
    bench.turn(50)
    bench.game.command(0, Ready(ready=True, salt="00"))
    bench.game.command(0, Salt("9f02"))
    bench.game.command(1, Ready(ready=True))
    assert [seat["salted"] for seat in bench.state["seats"]] == [True, False, False]
    bench.turn(TIMING.countdown_ms + 100)
    (deal,) = bench.deals
    rules = bench.game.plan.rules
    assert deal == fair_deal(rules, 1, bench.seed, [b"\x9f\x02", b"", b""])


def test_a_salt_counts_only_for_the_commitment_that_it_names() -> None:
    bench = Vault()
    bench.turn(100)
    first = bench.state["commit"]
    bench.game.command(0, Salt("aa", first))
    bench.game.command(1, Ready(ready=True, salt="bb", commit=first))
    assert [seat["salted"] for seat in bench.state["seats"]] == [True, True]
    bench.game.reseat(people(2).stand_up(1), bench.now)
    bench.turn(100)
    bench.game.reseat(people(2), bench.now)
    bench.turn(100)
    for late in (Salt("aa", first), Ready(ready=True, salt="bb", commit=first)):
        bench.game.command(0, late)
    assert not any(seat["salted"] for seat in bench.state["seats"]), "it was for a seed now shown"
    bench.game.command(0, Salt("cc", bench.seed.commit))
    bench.begin()
    assert bench.deals[0] == fair_deal(bench.game.plan.rules, 1, bench.seed, [b"\xcc", b""])


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"type": "salt", "salt": "9f"}, Salt("9f")),
        ({"type": "salt", "salt": "9f", "commit": NAMED}, Salt("9f", NAMED)),
        ({"type": "ready", "ready": True, "salt": "", "commit": NAMED}, Ready(True, "", NAMED)),
    ],
)
def test_a_salt_may_name_its_commitment(said: dict[str, Any], found: Ready | Salt) -> None:
    assert parse(json.dumps(hold(json.dumps(said), "say"))) == found
    assert unpack(pack((1, found))) == (1, found)


@pytest.mark.parametrize(
    "said",
    [
        {"type": "salt", "salt": "9f", "commit": NAMED[2:]},
        {"type": "salt", "salt": "9f", "commit": NAMED.upper()},
        {"type": "ready", "ready": True, "commit": NAMED},
    ],
)
def test_a_commitment_is_named_whole_and_with_a_salt(said: dict[str, Any]) -> None:
    with pytest.raises(BadFrameError, match="commit"):
        parse(json.dumps(said))
    with pytest.raises(ValidationError):
        hold(json.dumps(said), "say")


def test_each_round_has_its_own_seed_drawn_when_its_countdown_begins() -> None:
    bench = Vault(people(2, stall_ms=1_000))
    bench.begin()
    assert bench.state["commit"] is None
    finish_round(bench)
    bench.game.command(0, Ready(ready=True, salt="aa"))
    bench.turn(500)
    assert (bench.game.phase, bench.state["commit"]) == ("scoreboard", None)
    bench.turn(TIMING.scoreboard_ms)
    assert bench.game.phase == "countdown"
    assert bench.state["commit"] == bench.seed.commit
    bench.game.command(1, Salt("bb"))
    bench.turn(TIMING.countdown_ms)
    assert [deal.fair and deal.fair.salts for deal in bench.deals] == [("", ""), ("", "bb")], (
        "a salt from before the commitment does not count"
    )
    first, second = (deal.fair.seed for deal in bench.deals if deal.fair)
    assert first != second


def test_standing_up_throws_the_seed_away_and_only_then_shows_it() -> None:
    bench = Vault()
    bench.ready()
    bench.turn(100)
    assert bench.game.phase == "countdown"
    thrown = bench.seed
    bench.game.command(0, Salt("aa"))
    bench.game.reseat(people(2).stand_up(1), bench.now)
    step = bench.game.step(bench.now)
    assert step == Step(sealed=NextSeed(1, None))
    assert bench.state["revealed"] is None, "another host could still deal from it"
    bench.commit(step)
    assert bench.state["commit"] is None
    assert bench.state["revealed"] == {"commit": thrown.commit, "seed": thrown.hex()}
    bench.game.reseat(people(2), bench.now)
    bench.begin()
    (deal,) = bench.deals
    assert deal.fair == fair_deal(bench.game.plan.rules, 1, bench.seed, [b"", b""]).fair
    assert bench.seed != thrown


def test_standing_up_while_the_seed_is_being_stored_throws_it_away_too() -> None:
    bench = Vault()
    bench.turn(0)
    step = bench.game.step(bench.now)
    assert step.sealed
    bench.game.reseat(people(2).stand_up(1), bench.now)
    bench.commit(step)
    bench.settle()
    assert bench.sealed[-1] == NextSeed(1, None)
    assert bench.state["commit"] is None


def test_a_table_given_up_before_its_deal_shows_the_seed() -> None:
    bench = Vault()
    bench.turn(100)
    thrown = bench.seed
    for seat in (0, 1):
        bench.game.command(seat, Vote("abandon", yes=True))
    bench.turn(100)
    assert (bench.game.phase, bench.lines) == ("abandoned", [])
    assert bench.state["revealed"] == {"commit": thrown.commit, "seed": thrown.hex()}


@pytest.mark.parametrize("phase", ["scoreboard", "countdown"])
def test_a_match_given_up_between_rounds_ends_with_a_deal_that_can_be_checked(phase: str) -> None:
    bench = Vault(people(2, stall_ms=1_000))
    bench.begin()
    finish_round(bench)
    while bench.game.phase != phase:
        bench.turn(1_000)
    for seat in (0, 1):
        bench.game.command(seat, Vote("abandon", yes=True))
    bench.turn(100)
    assert bench.game.phase == "abandoned"
    assert bench.deals[1] == fair_deal(bench.game.plan.rules, 2, bench.seed, [b"", b""])


def test_another_host_goes_on_with_the_stored_seed_and_the_salts() -> None:
    bench = Vault()
    bench.ready()
    bench.turn(100)
    bench.game.command(1, Salt("cc"))
    other = Vault()
    other.game.resume(sealed_tail_of(bench), other.now)
    assert other.state["commit"] == bench.seed.commit
    other.begin()
    assert other.sealed == []
    assert other.deals[0] == fair_deal(other.game.plan.rules, 1, bench.seed, [b"", b"\xcc"])


def test_another_host_does_not_take_the_seed_of_a_dealt_round_or_salts_for_another_seed() -> None:
    bench = Vault()
    bench.begin()
    other = Vault()
    other.game.resume(sealed_tail_of(bench), other.now)
    assert other.state["commit"] is None
    state: HostState = {
        "players": other.game.host_state(other.now)["players"],
        "lags": [], "next": None, "salts": {"commit": "00", "salts": ["aa", "bb"]},
    }  # fmt: skip
    third = Vault()
    sealed = StoredSeed(1, Seed(bytes(32)), third.game.plan)
    tail = tail_of(third)._replace(host_state=state, sealed=sealed)
    third.game.resume(tail, third.now)
    assert not any(seat["salted"] for seat in third.state["seats"])


def test_a_match_that_an_earlier_release_began_goes_on_without() -> None:
    bench = Vault(people(2, stall_ms=1_000))
    bench.game.resume(tail_of(bench)._replace(fair=False), bench.now)
    bench.begin()
    assert bench.sealed == []
    assert bench.deals[0].fair is None


def test_bots_alone_are_dealt_to_in_the_same_way() -> None:
    bench = Vault(people(0, 3, stall_ms=5_000))
    bench.turn(10_000)
    assert bench.deals[0] == fair_deal(bench.game.plan.rules, 1, bench.seed, [b""] * 3)


def test_a_rematch_begins_with_a_seed_of_its_own() -> None:
    bench = Vault(people(2, stall_ms=1_000, speedy=True))
    bench.begin()
    finish_round(bench)
    again = Vault(bench.game.rematch())
    again.turn(100)
    assert again.sealed[0].round == 1
    assert again.seed.commit == again.state["commit"]


def test_nothing_that_leaves_the_host_holds_the_seed() -> None:
    bench = Vault(people(2))
    bench.begin()
    seed = bench.seed.hex()
    (deal,) = bench.deals
    assert seed in write_line(deal), "the log has it, and the database"
    assert seed not in repr(deal)
    shown = [line_text(deal, view) for view in (SPECTATOR, 0, 1, frames.OPEN)]
    state, kept = json.dumps(bench.state), json.dumps(bench.game.host_state(bench.now))
    for text in (*shown, state, kept, repr(bench.sealed), f"{bench.seed}", str(bench.seed)):
        assert seed not in text
        assert repr(bytes(bench.seed)) not in text


def test_a_guest_who_sits_down_anew_does_not_keep_the_salt_of_who_sat_there() -> None:
    bench = Vault()
    bench.turn(100)
    bench.game.command(1, Salt("aa"))
    bench.game.reseat(people(2).stand_up(1), bench.now)
    bench.turn(100)
    bench.game.reseat(people(2).stand_up(1).sit(guest("new"), "New"), bench.now)
    bench.turn(100)
    assert bench.state["commit"]
    assert not any(seat["salted"] for seat in bench.state["seats"])
