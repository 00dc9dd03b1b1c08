"""Unruly matches whose viewers keep receipts, from the frames alone, through every takeover."""

import json
from collections.abc import Sequence
from io import BytesIO
from random import Random
from typing import Any

from games.live.fanout import frames
from games.live.fanout.broadcast import Broadcast
from games.live.fanout.follower import Follower
from games.live.fanout.frames import SPECTATOR, View
from games.live.fanout.hub import Hub
from games.live.host.client_frames import Command, Hello
from games.live.host.requests import ActionRequest, Answer, PresenceReport, Step
from games.records.notation import write_line
from games.records.receipts import MOST_ACTIONS, Difference, Receipt, compare, parse_receipt
from tests.clocks import ManualClock
from tests.live.unruly import Desk, unruly_plan
from tests.live.witness import Chain

DO = {"Try": "play", "DrawOne": "draw", "DiscardOne": "discard", "Shout": "out"}


class Keeper:
    """A viewer that keeps a receipt of what it is sent."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.chain = Chain()
        self.lines: dict[int, dict[str, Any]] = {}
        self.asked: dict[str, dict[str, Any]] = {}
        self.last = (0, "")

    def hear(self, texts: Sequence[str]) -> bool:
        for text in texts:
            self._hear(json.loads(text))
        return True

    def _hear(self, frame: dict[str, Any]) -> None:
        self.chain.hear(frame)
        if frame["type"] == "lines":
            self.lines |= dict(enumerate(frame["lines"], frame["seq"]))
            self.last = (frame["last"], frame["digest"])
        elif frame["type"] in ("ack", "refused") and frame["id"] in self.asked:
            kept = {"seq": frame["seq"]} if frame["type"] == "ack" else _refusal(frame)
            self.asked[frame["id"]] |= kept

    def ask(self, request: ActionRequest) -> None:
        do = DO[type(request.action).__name__]
        names = {"card": "card", "stack": "stack", "as": "number"}
        told = {key: getattr(request.action, name, None) for key, name in names.items()}
        said = {key: value for key, value in told.items() if value is not None}
        if told["stack"] == 5:
            return  # no frame can say that
        self.asked.setdefault(
            request.id, {"id": request.id, "round": request.round, "do": do, **said}
        )
        if len(self.asked) > MOST_ACTIONS:  # pages forget the oldest too
            del self.asked[next(iter(self.asked))]

    def receipt(self) -> dict[str, Any]:
        """The receipt as docs/reference/fair-play.md says it."""
        first = min(self.chain.digests)
        digits = "".join(digest.hex()[:8] for _, digest in sorted(self.chain.digests.items()))
        actions = [self._timed(asked) for asked in self.asked.values()]
        return {
            "receipt": 1,
            "match": "unruly",
            "seat": None if self.view < 0 else self.view,
            "seq": self.last[0],
            "digest": self.last[1],
            "digests": [[first, digits]],
            "actions": actions,
        }

    def _timed(self, asked: dict[str, Any]) -> dict[str, Any]:
        line = self.lines.get(asked.get("seq", 0))
        if line is None:
            return asked
        if line["do"] == "tie":
            return {**asked, "t": line["t"] + line["after"][line["cards"].index(asked["card"])]}
        return {**asked, "t": line["t"], **({"card": line["card"]} if "card" in line else {})}


def _refusal(frame: dict[str, Any]) -> dict[str, Any]:
    return {"refused": frame["rule"], **({} if frame["t"] is None else {"t": frame["t"]})}


async def _never(message: dict[str, Any]) -> None:
    raise AssertionError(message)


class ReceiptedDesk(Desk):
    """A desk with a spectator and a player, who come back after each takeover."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        super().__init__(unruly_plan(random), random)
        self.clock = ManualClock(self.now)
        self.keepers = [Keeper(SPECTATOR), *(Keeper(seat) for seat in self.plan.humans)]
        self.followers: list[Follower] = []
        self._open()

    def _open(self) -> None:
        self.hub = Hub("here", self.clock, self)
        broadcast = self.hub.open(self.tail())
        self.followers = [
            self.hub.follow(broadcast, keeper.view, _hello(keeper), _never, keeper.hear)
            for keeper in self.keepers
        ]

    # What the hub wants of its hosts

    def request(self, match: str, request: ActionRequest) -> None:
        raise AssertionError(request)

    def command(self, match: str, seat: int, command: Command) -> None:
        raise AssertionError(command)

    def report_presence(self, match: str, report: PresenceReport) -> None:
        pass

    # What a desk does

    def commit(self, seq: int, step: Step) -> None:
        self.clock.advance(max(0, self.now - self.clock.now()))
        if seq == 1 and step.entries:
            self.hub.begin("unruly", self.header)
        self.hub.publish("unruly", seq, step.entries, ())
        if self.random.random() < 0.3:
            self._batch()
        super().commit(seq, step)
        for follower in self.followers:
            self.hub.got(follower, follower.cursor)

    @property
    def _broadcast(self) -> Broadcast:
        broadcast = self.hub.broadcast("unruly")
        assert broadcast is not None
        return broadcast

    def _batch(self) -> None:
        self._broadcast.close_batch()
        self.followers[0].pump(self.clock.now())

    def answered(self, answer: Answer | None) -> None:
        super().answered(answer)
        for connection in answer.connections if answer else ():
            keeper = next(keeper for keeper in self.keepers if keeper.view == connection.number)
            assert answer is not None
            covers = self._broadcast.covers(self._broadcast.end)
            keeper.hear([frames.answer(answer.id, answer.result, covers)])

    def _ask(self, request: ActionRequest) -> None:
        keeper = next(keeper for keeper in self.keepers if keeper.view == request.seat)
        keeper.ask(request)
        super()._ask(request)

    def take_over(self) -> None:
        super().take_over()
        self._open()

    # Afterwards

    def receipts(self) -> list[Receipt]:
        """What everybody has kept who has seen a line, read back from its file."""
        self._batch()
        kept = [keeper.receipt() for keeper in self.keepers if keeper.lines]
        return [parse_receipt(f"{json.dumps(receipt)}\n".encode()) for receipt in kept]

    @property
    def record(self) -> bytes:
        return "".join(f"{write_line(line)}\n" for line in self.lines).encode()


def _hello(keeper: Keeper) -> Hello:
    if not keeper.lines:
        return Hello(1)
    return Hello(1, epoch=1, seq=max(keeper.lines) + 1)


def played(seed: int, rounds: int = 3) -> ReceiptedDesk:
    """A match of some rounds, with its receipts."""
    desk = ReceiptedDesk(seed)
    desk.run(rounds)
    return desk


def all_differences(desk: ReceiptedDesk) -> list[Difference]:
    """Where the record differs from any of its receipts."""
    record = desk.record
    return [difference for kept in desk.receipts() for difference in compare(kept, BytesIO(record))]
