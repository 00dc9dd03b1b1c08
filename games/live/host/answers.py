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

from games.live.host.messages import Answer, Ask, Asked, Asker, Refused

REFUSALS: Final = 256
"""How many refusals are remembered, for all seats together."""


class Answers:
    """The memory of one match's answers."""

    def __init__(self) -> None:
        self._pending: dict[Asked, list[Asker]] = {}
        self._lines: dict[Asked, int] = {}
        self._older: dict[Asked, int] = {}
        self._refusals: OrderedDict[Asked, Refused] = OrderedDict()

    def turn_page(self) -> None:
        """A new round is dealt: forget the round before the last one."""
        self._older, self._lines = self._lines, {}

    def recall(self, lines: Iterable[tuple[Asked, int]]) -> None:
        """Know again what the log answered before a takeover."""
        self._lines.update(lines)

    def again(self, ask: Ask) -> Answer | None:
        """The answer that was given to it before; None if there is none yet."""
        asked = Asked(ask.seat, ask.id)
        result = self._lines.get(asked, self._older.get(asked)) or self._refusals.get(asked)
        return None if result is None else Answer((ask.asker,), ask.id, result)

    def waits(self, ask: Ask) -> bool:
        """Whether the same action is being decided already; then this asker waits with it."""
        askers = self._pending.get(Asked(ask.seat, ask.id))
        if askers is None:
            return False
        if ask.asker not in askers:
            askers.append(ask.asker)
        return True

    def open(self, ask: Ask) -> None:
        """It is being decided from now on."""
        self._pending[Asked(ask.seat, ask.id)] = [ask.asker]

    def pending(self, seat: int) -> int:
        """How many actions of a seat are being decided."""
        return sum(asked.seat == seat for asked in self._pending)

    def close(self, asked: Asked, result: int | Refused) -> Answer:
        """It became the line with that seq, which is committed, or was refused: who waits is told.

        Until then a retry waits too, so nobody hears of a line before it is committed.
        """
        askers = tuple(self._pending.pop(asked, ()))
        if isinstance(result, int):
            self._lines[asked] = result
        else:
            self._refusals[asked] = result
            if len(self._refusals) > REFUSALS:
                self._refusals.popitem(last=False)
        return Answer(askers, asked.id, result)
