"""Who is at the table now: present, ready, gone, and what they want.

A seat belongs to a person or a bot for the whole match. A person who leaves, or is away for
too long, is played on by a bot until they come back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.live.host.messages import Leave, Ready, Roll, Vote, Wish
from games.live.host.rate_limits import Pace
from games.tables.plan import BOT, HUMAN, Place, Plan

STAND_IN: Final = ("first-fit", 3)
"""The temper and level of the bot that plays on for somebody."""
SAYINGS: Final = ((1, 2_000), (10, 60_000))
"""How many phrases a seat may say within how many ms."""
SAID_MS: Final = 5_000
"""How long a phrase is shown."""
MOST_NAMES: Final = 20
"""The most names of spectators that are told."""
ROLL_MS: Final = 10_000
"""A process that has not called its roll for so long is gone, with everybody on it."""


class Sitter:
    """One seat's present state."""

    def __init__(self, place: Place, now: int) -> None:
        self.place = place
        self.here = False
        self.away_since = now
        self.ready = False
        self.left = False
        self.votes: set[str] = set()
        self.lag: int | None = None
        self.says: str | None = None
        self.hush = 0
        """When what it says is over."""
        self._pace = Pace(*SAYINGS)

    def say(self, phrase: str, now: int) -> bool:
        """Say something; False if that comes too soon after the last time."""
        if not self._pace.take(now):
            return False
        self.says, self.hush = phrase, now + SAID_MS
        return True

    @property
    def human(self) -> bool:
        """Whether the seat belongs to a person."""
        return self.place.kind == HUMAN

    def away(self, now: int, limit: int) -> bool:
        """Whether a person has left, or has been away for longer than `limit` ms."""
        gone = not self.here and now - self.away_since >= limit
        return self.human and (self.left or gone)

    @property
    def bot(self) -> tuple[str, int]:
        """Which bot plays here when a bot does."""
        return (self.place.temper, self.place.level) if self.place.kind == BOT else STAND_IN

    def wish(self, wish: Wish) -> None:
        """Take down what the player wants."""
        if isinstance(wish, Ready):
            self.ready = wish.ready
        elif isinstance(wish, Leave):
            self.left, self.ready, self.votes = True, False, set()
        elif isinstance(wish, Vote):
            change = self.votes.add if wish.yes else self.votes.discard
            change(wish.subject)

    def appear(self, here: bool, lag: int | None, now: int) -> bool:
        """Note that the player is here or not; whether that is news."""
        self.lag = lag
        if here == self.here:
            return False
        self.here = here
        if here:
            self.left = False
        else:
            self.away_since, self.ready = now, False
        return True


class Sitters:
    """Everybody at the table; `limit`: after how many ms away a bot plays on."""

    def __init__(self, plan: Plan, limit: int, now: int) -> None:
        self._limit = limit
        self.all = [Sitter(place, now) for place in plan.places]
        self._rolls: dict[str, tuple[int, Roll]] = {}
        self.empty_since = now

    def __getitem__(self, seat: int) -> Sitter:
        return self.all[seat]

    def reseat(self, plan: Plan, now: int) -> None:
        """Follow the plan while seats are still being taken."""
        for seat, place in enumerate(plan.places):
            if self.all[seat].place != place:
                self.all[seat] = Sitter(place, now)
        self._look(now)

    def call(self, roll: Roll, now: int) -> bool:
        """Note who is connected to one process; whether anybody has come or gone."""
        last = self._rolls.get(roll.process)
        if last is None or last[1].number <= roll.number:
            self._rolls[roll.process] = (now, roll)
        return self._look(now)

    def _look(self, now: int) -> bool:
        """Forget processes that are silent, and see who is here."""
        self._rolls = {
            name: (at, roll) for name, (at, roll) in self._rolls.items() if now - at < ROLL_MS
        }
        news = False
        for seat, sitter in enumerate(self.all):
            lags = [roll.lags[seat] for _, roll in self._rolls.values() if seat in roll.lags]
            known = [lag for lag in lags if lag is not None]
            news |= sitter.human and sitter.appear(bool(lags), min(known, default=None), now)
        if self.watching or any(sitter.here for sitter in self.all):
            self.empty_since = now
        return news

    @property
    def watching(self) -> int:
        """How many spectators there are, in all processes."""
        return sum(roll.watching for _, roll in self._rolls.values())

    @property
    def names(self) -> list[str]:
        """Of spectators who let theirs be shown, in order."""
        names = {name for _, roll in self._rolls.values() for name in roll.names}
        return sorted(names, key=str.casefold)[:MOST_NAMES]

    def hush(self, now: int) -> bool:
        """Let what was said long enough ago be over; whether there was any."""
        over = [sitter for sitter in self.all if sitter.says and now >= sitter.hush]
        for sitter in over:
            sitter.says = None
        return bool(over)

    @property
    def next_hush(self) -> int | None:
        """When the next phrase is over."""
        return min((sitter.hush for sitter in self.all if sitter.says), default=None)

    def robots(self, now: int) -> dict[int, tuple[str, int]]:
        """The seats that a bot plays at this moment, each with the bot's temper and level."""
        return {
            seat: sitter.bot
            for seat, sitter in enumerate(self.all)
            if sitter.place.kind == BOT or sitter.away(now, self._limit)
        }

    def playing(self, now: int) -> list[Sitter]:
        """The people who have neither left nor been away for too long."""
        return [s for s in self.all if s.human and not s.away(now, self._limit)]

    def all_ready(self, now: int) -> bool:
        """Whether everybody who plays is here and ready; true where only bots are, but not where
        people are who are all away."""
        playing = self.playing(now)
        people = playing or [sitter for sitter in self.all if sitter.human and not sitter.left]
        return all(sitter.here and sitter.ready for sitter in people)

    def all_here(self, now: int) -> bool:
        """Whether everybody who plays is here."""
        return all(sitter.here for sitter in self.playing(now))

    def agreed(self, subject: str, now: int) -> bool:
        """Whether all who play, and at least one, want that."""
        playing = self.playing(now)
        return bool(playing) and all(subject in sitter.votes for sitter in playing)

    def next_away(self, now: int) -> int | None:
        """When the next person will have been away for too long."""
        ends = (
            sitter.away_since + self._limit
            for sitter in self.all
            if sitter.human and not sitter.here and not sitter.left
        )
        return min((end for end in ends if end > now), default=None)

    def unready(self) -> None:
        """A round begins: the next one will be asked about anew."""
        for sitter in self.all:
            sitter.ready = False

    def shown(self, now: int) -> list[dict[str, Any]]:
        """For each seat, what everybody may know of it."""
        robots = self.robots(now)
        return [_shown(sitter, seat in robots) for seat, sitter in enumerate(self.all)]

    def keep(self) -> list[dict[str, Any]]:
        """What outlives the host, for each seat."""
        return [{"ready": s.ready, "left": s.left, "votes": sorted(s.votes)} for s in self.all]

    def recall(self, kept: Sequence[dict[str, Any]]) -> None:
        """Know again what another host kept."""
        for sitter, state in zip(self.all, kept, strict=True):
            sitter.ready, sitter.left = state["ready"], state["left"]
            sitter.votes = set(state["votes"])


def _shown(sitter: Sitter, robot: bool) -> dict[str, Any]:
    return {
        "name": sitter.place.name or None,
        "kind": sitter.place.kind or None,
        "here": sitter.here or sitter.place.kind == BOT,
        "ready": sitter.ready or sitter.place.kind == BOT,
        "bot": robot,
        "votes": sorted(sitter.votes),
        "lag_ms": sitter.lag,
        "says": sitter.says,
    }
