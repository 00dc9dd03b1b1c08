"""Requests and answers of this round and the previous one, so that a retry changes nothing.

An action that became a line is remembered for as long as its round; it is stored with the
line, so a takeover does not lose it. Refusals leave no line: this host alone remembers the
last few, and after a takeover a retry is judged again, which is safe, since the refused
action had no effect.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from games.live.host.requests import ActionKey, ActionRequest, Answer, ConnectionId, Refused

REFUSALS: Final = 256
"""How many refusals are remembered for all seats together."""


class Answers:
    """The answers remembered for one match."""

    def __init__(self) -> None:
        self._pending: dict[ActionKey, list[ConnectionId]] = {}
        self._lines: dict[ActionKey, int] = {}
        self._older: dict[ActionKey, int] = {}
        self._refusals: OrderedDict[ActionKey, Refused] = OrderedDict()

    def begin_round(self) -> None:
        """A new round is dealt: forget the round before the previous one."""
        self._older, self._lines = self._lines, {}

    def restore(self, lines: Iterable[tuple[ActionKey, int]]) -> None:
        """Restore the answers in the log after a takeover."""
        self._lines.update(lines)

    def again(self, request: ActionRequest) -> Answer | None:
        """The answer given before, or None."""
        key = ActionKey(request.seat, request.id)
        result = self._lines.get(key, self._older.get(key)) or self._refusals.get(key)
        return None if result is None else Answer((request.connection,), request.id, result)

    def waits(self, request: ActionRequest) -> bool:
        """Whether the action is already being decided; if so, this connection waits for it too."""
        connections = self._pending.get(ActionKey(request.seat, request.id))
        if connections is None:
            return False
        if request.connection not in connections:
            connections.append(request.connection)
        return True

    def open(self, request: ActionRequest) -> None:
        """Record that it is being decided."""
        self._pending[ActionKey(request.seat, request.id)] = [request.connection]

    def pending(self, seat: int) -> int:
        """How many of a seat's actions are being decided."""
        return sum(key.seat == seat for key in self._pending)

    def close(self, key: ActionKey, result: int | Refused) -> Answer:
        """The action was refused or became the committed line with that seq: tell those waiting.

        Until then a retry waits too, so nobody learns of a line before it is committed.
        """
        connections = tuple(self._pending.pop(key, ()))
        if isinstance(result, int):
            self._lines[key] = result
        else:
            self._refusals[key] = result
            if len(self._refusals) > REFUSALS:
                self._refusals.popitem(last=False)
        return Answer(connections, key.id, result)
