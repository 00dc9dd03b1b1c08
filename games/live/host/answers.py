"""What was asked and answered in this round and the one before, so that a retry changes nothing.

An action that became a line is remembered as long as its round is; it stands beside the line
in the store too, so it is remembered after a takeover. Refusals leave no line: the last few
of each seat are remembered by this host alone, and a retry after a takeover is judged anew,
which it may be, since nothing has come of it yet.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from games.live.host.requests import ActionKey, ActionRequest, Answer, ConnectionId, Refused

REFUSALS: Final = 256
"""How many refusals are remembered, for all seats together."""


class Answers:
    """The memory of one match's answers."""

    def __init__(self) -> None:
        self._pending: dict[ActionKey, list[ConnectionId]] = {}
        self._lines: dict[ActionKey, int] = {}
        self._older: dict[ActionKey, int] = {}
        self._refusals: OrderedDict[ActionKey, Refused] = OrderedDict()

    def begin_round(self) -> None:
        """A new round is dealt: forget the round before the last one."""
        self._older, self._lines = self._lines, {}

    def restore(self, lines: Iterable[tuple[ActionKey, int]]) -> None:
        """Know again what the log answered before a takeover."""
        self._lines.update(lines)

    def again(self, request: ActionRequest) -> Answer | None:
        """The answer that was given to it before; None if there is none yet."""
        key = ActionKey(request.seat, request.id)
        result = self._lines.get(key, self._older.get(key)) or self._refusals.get(key)
        return None if result is None else Answer((request.connection,), request.id, result)

    def waits(self, request: ActionRequest) -> bool:
        """Whether the same action is being decided already; then this connection waits with it."""
        connections = self._pending.get(ActionKey(request.seat, request.id))
        if connections is None:
            return False
        if request.connection not in connections:
            connections.append(request.connection)
        return True

    def open(self, request: ActionRequest) -> None:
        """It is being decided from now on."""
        self._pending[ActionKey(request.seat, request.id)] = [request.connection]

    def pending(self, seat: int) -> int:
        """How many actions of a seat are being decided."""
        return sum(key.seat == seat for key in self._pending)

    def close(self, key: ActionKey, result: int | Refused) -> Answer:
        """It became the line with that seq, which is committed, or was refused: who waits is told.

        Until then a retry waits too, so nobody hears of a line before it is committed.
        """
        connections = tuple(self._pending.pop(key, ()))
        if isinstance(result, int):
            self._lines[key] = result
        else:
            self._refusals[key] = result
            if len(self._refusals) > REFUSALS:
                self._refusals.popitem(last=False)
        return Answer(connections, key.id, result)
