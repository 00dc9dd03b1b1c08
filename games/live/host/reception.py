"""The reception of an action.

The law: an action that is being decided is not decided again, and one that was answered gets the
same answer. Any other is stamped and goes to the round, or is refused at once if nothing can be
decided for that seat now. That too is stored before it is sent (`games.live.host.answers`).
"""

from typing import Final

from games.live.host.answers import Answers
from games.live.host.presence import TablePresence
from games.live.host.requests import ActionRequest, Answer, Refused
from games.live.host.round import LiveRound

PAUSED: Final = Refused("paused", "the clock is stopped until the players are back", 500)
NOT_SEATED: Final = Refused("not-seated", "a bot plays this seat because its player left")
ROUND_OVER: Final = Refused("round-over", "that round is not being played")
QUEUE_FULL: Final = Refused(
    "queue-full", "too many actions of this seat are waiting; try again", 500
)
WAITING: Final = 16
"""The most undecided actions per seat."""


class Reception:
    """Takes the actions of one match. Every `now` is on the host's clock."""

    def __init__(self, presence: TablePresence) -> None:
        self.answers = Answers()
        self._presence = presence

    def take(
        self, request: ActionRequest, live: LiveRound | None, paused: bool, now: int
    ) -> Answer | None:
        """An action arrives in a round. Returns an answer only if it was given before."""
        if live is not None:
            live.heard(request)
        if self.answers.waits(request):
            return None
        known = self.answers.again(request)
        if known:
            return known
        if not self.answers.exhausted(request.seat):
            self._judge(request, live, paused, now)
        return None

    def _judge(
        self, request: ActionRequest, live: LiveRound | None, paused: bool, now: int
    ) -> None:
        refused = self._unwelcome(request, live, paused)
        self.answers.open(request)
        if refused:
            t = live.clock(paused, now) if live else 0
            self.answers.refuse(request, refused._replace(t=t))
        elif live is not None:
            live.arrive(request, now)

    def _unwelcome(
        self, request: ActionRequest, live: LiveRound | None, paused: bool
    ) -> Refused | None:
        if paused:
            return PAUSED
        if self._presence[request.seat].left:
            return NOT_SEATED
        if live is None or not live.playing(request.round):
            return ROUND_OVER
        return QUEUE_FULL if self.answers.pending(request.seat) >= WAITING else None
