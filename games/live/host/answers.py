"""Requests and answers of this round and the previous one, so that a retry changes nothing.

The law: an action gets one answer, for ever, from whichever host. An answer is therefore stored
before it is sent: with the line that the action became, or by itself if it was refused. Another
host begins with the stored answers (`restore`), and an answer that was not stored was never sent.
So it does not matter how many copies of a request are on their way, nor which host gets them.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from games.live.host.requests import ActionKey, ActionRequest, Answer, ConnectionId, Refused, Ruling

REFUSALS: Final = 4_096
"""After so many refusals of a seat in a round, its actions get no answer until the next deal."""


class Answers:
    def __init__(self) -> None:
        self._pending: dict[ActionKey, list[ConnectionId]] = {}
        self._known: dict[ActionKey, Ruling] = {}
        self._older: dict[ActionKey, Ruling] = {}
        self._refusals: Counter[int] = Counter()
        self.refused: list[tuple[ActionKey, Refused]] = []
        """Refused on arrival, to be stored before the answer is sent."""

    def begin_round(self) -> None:
        """A new round is dealt: forget the round before the previous one."""
        self._older, self._known = self._known, {}
        self._refusals.clear()

    def restore(self, answered: Iterable[tuple[ActionKey, Ruling]]) -> None:
        """Restore what earlier hosts have stored."""
        for key, result in answered:
            self._keep(key, result)

    def _keep(self, key: ActionKey, result: Ruling) -> None:
        self._known[key] = result
        self._refusals[key.seat] += isinstance(result, Refused)

    def again(self, request: ActionRequest) -> Answer | None:
        """The answer given before, or None."""
        key = ActionKey(request.seat, request.id)
        result = self._known.get(key, self._older.get(key))
        return None if result is None else Answer((request.connection,), request.id, result)

    def waits(self, request: ActionRequest) -> bool:
        """Whether the action is already being decided. If so, this connection waits for it too."""
        connections = self._pending.get(ActionKey(request.seat, request.id))
        if connections is None:
            return False
        if request.connection not in connections:
            connections.append(request.connection)
        return True

    def open(self, request: ActionRequest) -> None:
        self._pending[ActionKey(request.seat, request.id)] = [request.connection]

    def refuse(self, request: ActionRequest, refused: Refused) -> None:
        self.refused.append((ActionKey(request.seat, request.id), refused))

    def take_refused(self) -> list[tuple[ActionKey, Refused]]:
        """The actions refused on arrival, to be stored now."""
        taken, self.refused = self.refused, []
        return taken

    def pending(self, seat: int) -> int:
        """How many of a seat's actions are being decided."""
        return sum(key.seat == seat for key in self._pending)

    def exhausted(self, seat: int) -> bool:
        """Whether no more refusals of a seat can be kept in this round."""
        return self._refusals[seat] + self.pending(seat) >= REFUSALS

    def close(self, key: ActionKey, result: Ruling) -> Answer:
        """The answer is stored: send it to those waiting.

        Until then a retry waits too, so no one learns of a line before it is committed.
        """
        self._keep(key, result)
        return Answer(tuple(self._pending.pop(key, ())), key.id, result)
