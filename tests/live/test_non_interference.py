"""Two deals that differ only in what is hidden from a viewer give that viewer the same bytes.

Hidden are the cards that the viewer has not seen, and the seed. (The commitment would differ
with the seed, so here it is the same one, of neither.)
"""

from random import Random
from typing import Any

import pytest

from games.engine.actions import Action, DiscardOne, DrawOne, Try
from games.engine.cards import Card
from games.engine.dealing import shuffled
from games.engine.editions import EDITIONS
from games.engine.events import Deal, Discard, Draw, Event, Fair, Play
from games.engine.perspective import see
from games.live.fanout import pieces
from games.live.fanout.follower import Follower
from games.live.fanout.frames import SPECTATOR, View
from games.live.fanout.hub import Hub
from games.live.host.client_frames import Command, Hello
from games.live.host.leases import LogTail
from games.live.host.match import LiveMatch
from games.live.host.requests import ActionRequest, ConnectionId, LogEntry, PresenceReport, Step
from games.people.person import guest
from games.tables.plan import new_plan
from tests.clocks import ManualClock
from tests.engine.legal import legal_actions
from tests.live.states import HOST_STATE, match_state

SEATS = 3
EVERYBODY = PresenceReport("all", dict.fromkeys(range(SEATS), 20), 0)
Script = list[tuple[int, Action]]


class Stage:
    """A match with a given deal, followed by one viewer whose traffic is kept."""

    def __init__(self, edition: str, view: View) -> None:
        plan = new_plan("stage", edition, SEATS, {"tie_window_ms": 20})
        for seat in range(SEATS):
            plan = plan.sit(guest(str(seat)), f"P{seat}")
        self.clock = ManualClock()
        self.game = LiveMatch(plan, Random(1), self.clock.now())
        self.hub = Hub("here", self.clock, self)
        self.traffic: list[str] = []
        totals, state = (0,) * SEATS, match_state("seating")
        tail = LogTail("stage", 1, plan, 1, [], totals, [], HOST_STATE, state, over=False)
        tail = tail._replace(before=bytes(32))
        broadcast = self.hub.open(tail)
        broadcast.clock = lambda: self.game.clock(self.clock.now())
        self.follower: Follower = self.hub.follow(broadcast, view, Hello(1), self._send)
        self.asked = 0

    async def _send(self, message: dict[str, Any]) -> None:
        self.traffic.append(str(message))

    # The desk

    def request(self, match: str, request: ActionRequest) -> None:
        answer = self.game.arrive(request, self.clock.now())
        if answer:
            self.hub.answer(match, [answer])

    def command(self, match: str, seat: int, command: Command) -> None:
        self.game.command(seat, command)

    def report_presence(self, match: str, report: PresenceReport) -> None:
        self.game.report_presence(report, self.clock.now())

    # What happens

    async def deal(self, deal: Deal) -> None:
        step = Step((LogEntry(deal),))
        answers = self.game.committed(step, self.clock.now())
        self.hub.publish("stage", 1, step.entries, answers)
        await self.turn(0)

    async def turn(self, ms: int) -> None:
        """Let time pass, and do what host and hub do then."""
        self.clock.advance(ms)
        self.game.report_presence(EVERYBODY, self.clock.now())
        while step := self.game.step(self.clock.now()):
            seq = self.game.seq
            answers = self.game.committed(step, self.clock.now())
            self.hub.publish("stage", seq, step.entries, answers)
        if self.game.dirty:
            self.game.dirty = False
            self.hub.publish_state("stage", self.game.state(self.clock.now()))
        await self.hub.batch()
        if self.follower.view == SPECTATOR:
            self.traffic += self._by_pieces()

    def _by_pieces(self) -> list[str]:
        """What a stranger gets over HTTP."""
        broadcast, now = self.follower.broadcast, self.clock.now()
        cuts = range(1, broadcast.end, pieces.PIECE)
        whole = [str(pieces.piece(broadcast, seq)) for seq in cuts]
        return [pieces.latest(broadcast, now, sample=1, room=0), *whole]

    def act(self, seat: int, action: Action) -> None:
        self.asked += 1
        connection = (
            self.follower.connection if seat == self.follower.view else ConnectionId("else", seat)
        )
        self.request("stage", ActionRequest(connection, f"a{self.asked}", 1, action))

    async def perform(self, deal: Deal, script: Script) -> list[str]:
        await self.deal(deal)
        for place, (seat, action) in enumerate(script):
            self.act(seat, action)
            await self.turn(60 if place % 7 else 2_500)
            self.hub.got(self.follower, self.game.seq)
        return self.traffic


def improvise(deal: Deal, edition: str, random: Random, count: int) -> tuple[Script, list[Event]]:
    """Some movements of a round with this deal, and what came of them."""
    stage = Stage(edition, SPECTATOR)
    script: Script = []
    events: list[Event] = []
    stage.game.committed(Step((LogEntry(deal),)), stage.clock.now())
    for _ in range(count):
        assert stage.game.round is not None
        stage.game.report_presence(EVERYBODY, stage.clock.now())
        table = stage.game.round.table
        seat = random.randrange(SEATS)
        legal = [a for a in legal_actions(table, seat) if not isinstance(a, Try) or a.seen is None]
        moves = [a for a in legal if isinstance(a, Try | DrawOne | DiscardOne)]
        if not moves:
            continue
        action = random.choice(moves)
        stage.act(seat, action)
        stage.clock.advance(60 if len(script) % 7 else 2_500)
        stage.game.report_presence(EVERYBODY, stage.clock.now())
        script.append((seat, action))
        while step := stage.game.step(stage.clock.now()):
            stage.game.committed(step, stage.clock.now())
            events += [entry.line for entry in step.entries if isinstance(entry.line, Event)]
    return script, events


def exchanged(deal: Deal, events: list[Event], view: View, random: Random) -> dict[Card, Card]:
    """For each card, another one: a shuffle of those that this viewer never saw."""
    viewer = None if view < 0 else view
    seen: set[Card] = set()
    if viewer is not None:
        seen |= set(deal.decks[viewer][:3])
    for event in events:
        shown = see(event, viewer)
        if isinstance(shown, Play | Draw | Discard):
            seen.add(shown.card)
    twins: dict[Card, Card] = {}
    for deck in deal.decks:
        hidden = [card for card in deck if card not in seen]
        others = random.sample(hidden, len(hidden))
        twins |= {card: card for card in deck if card in seen} | dict(
            zip(hidden, others, strict=True)
        )
    return twins


def fair(seed: int) -> Fair:
    """How a deal came about: another seed, and all that is shown the same."""
    return Fair("c0" * 32, f"{seed:064x}", ("9f02", "", "aa"))


def twin_of(action: Action, twins: dict[Card, Card]) -> Action:
    if isinstance(action, Try | DiscardOne):
        return action._replace(card=twins[action.card])
    return action


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("view", [SPECTATOR, 0, 2])
async def test_hidden_cards_change_no_byte(edition: str, view: View) -> None:
    different = 0
    for seed in range(8):
        random = Random(seed)
        deal = shuffled(EDITIONS[edition], SEATS, 1, random)._replace(fair=fair(1))
        script, events = improvise(deal, edition, random, 60)
        twins = exchanged(deal, events, view, random)
        decks = tuple(tuple(twins[card] for card in deck) for deck in deal.decks)
        other = Deal(1, decks, fair(2))
        answer = [(seat, twin_of(action, twins)) for seat, action in script]
        heard = await Stage(edition, view).perform(deal, script)
        twin = await Stage(edition, view).perform(other, answer)
        assert heard == twin
        assert len(heard) > 20
        assert "c0c0" in str(heard)
        assert str(heard).count('"digest"') > 20
        different += deal != other
    assert different == 8
