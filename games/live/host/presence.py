"""The people at the table: present, ready, gone, and their requests.

A seat belongs to a person or a bot for the whole match. When a person leaves, or is away too long,
a bot takes over until they come back.

The same goes for an idle person: one who is here but does nothing in a round, while other people
play. Only time in rounds counts. Automatic actions of their page, such as drawing, do not count as
doing something. Any other action or command does. Another host goes on counting from the last saved
value.
"""

from collections.abc import Sequence
from typing import Final

from games.live.host.client_frames import Command, Leave, Ready, Salt, Vote
from games.live.host.rate_limits import SlidingWindow
from games.live.host.requests import PlayerState, PresenceReport
from games.people.person import encode
from games.tables.plan import BOT, HUMAN, Plan, PlannedSeat
from games.tables.state import SeatState

STAND_IN: Final = ("first-fit", 3)
"""The temper and level of the bot that plays on for an absent person."""
SAYINGS: Final = ((1, 2_000), (10, 60_000))
"""How many phrases a seat may say within how many ms."""
SAID_MS: Final = 5_000
"""How long a phrase is shown."""
MOST_NAMES: Final = 20
"""The most spectators' names in the state."""
REPORT_EXPIRES_MS: Final = 10_000
"""A process that has not reported for this long is gone, with everyone on it."""

LAG_NEWS_MS: Final = 10


class PlayerPresence:
    def __init__(self, place: PlannedSeat, now: int) -> None:
        self.place = place
        self.here = False
        self.away_since = now
        self.ready = False
        self.left = False
        self.votes: set[str] = set()
        self.lag: int | None = None
        self.idle = False
        """Whether a bot plays on because the player did nothing for too long."""
        self.quiet_since: int | None = None
        """Since when a player who is here has done nothing, had all of it been one round."""
        self._quiet_ms = 0
        """How long that was in earlier rounds."""
        self.says: str | None = None
        self.phrase_until = 0
        """When what it says is over."""
        self._pace = SlidingWindow(*SAYINGS)

    def say(self, phrase: str, now: int) -> bool:
        """Say a phrase. False if it is too soon after the last one."""
        if not self._pace.take(now):
            return False
        self.says, self.phrase_until = phrase, now + SAID_MS
        return True

    @property
    def person(self) -> str:
        """Whose seat it is, in the stored form."""
        return encode(self.place.person)

    @property
    def human(self) -> bool:
        return self.place.kind == HUMAN

    def bot_in(self, now: int, limit: int, idle_limit: int) -> int | None:
        """In how many ms a bot takes over for an absent or idle player. None for others."""
        if not self.human or self.away(now, limit):
            return None
        if not self.here:
            return self.away_since + limit - now
        if self.quiet_since is None or not self.warned(now, idle_limit):
            return None
        return self.quiet_since + idle_limit - now

    def away(self, now: int, limit: int) -> bool:
        """Whether a person is idle, has left, or been away for longer than `limit` ms."""
        gone = not self.here and now - self.away_since >= limit
        return self.human and (self.left or self.idle or gone)

    def quiet_ms(self, now: int) -> int:
        """How long a player has done nothing, as far as that counts."""
        return self._quiet_ms if self.quiet_since is None else now - self.quiet_since

    def act(self) -> bool:
        """Note that the player does something. Returns whether that is news."""
        news, self.idle = self.idle or self.quiet_since is not None, False
        self.quiet_since, self._quiet_ms = None, 0
        return news

    def wait(self, counting: bool, now: int, limit: int) -> None:
        """Note that the player has done nothing up to now. `counting`: while others play."""
        if not counting or not self.here or self.left:
            self._quiet_ms, self.quiet_since = self.quiet_ms(now), None
        elif self.quiet_since is None:
            self.quiet_since = now - self._quiet_ms
        elif now - self.quiet_since >= limit:
            self.idle = True

    def warned(self, now: int, limit: int) -> bool:
        """Whether others see that the player does nothing: in the second half of the time."""
        if self.idle or self.quiet_since is None:
            return False
        return now - self.quiet_since >= limit // 2

    @property
    def bot(self) -> tuple[str, int]:
        """The bot that plays here when one does."""
        return (self.place.temper, self.place.level) if self.place.kind == BOT else STAND_IN

    def command(self, command: Command) -> None:
        """Note the player's command. A page sends salts by itself."""
        if not isinstance(command, Salt):
            self.act()
        if isinstance(command, Ready):
            self.ready = command.ready
        elif isinstance(command, Leave):
            self.left, self.ready, self.votes = True, False, set()
        elif isinstance(command, Vote):
            change = self.votes.add if command.yes else self.votes.discard
            change(command.subject)

    def saved(self, now: int) -> PlayerState:
        return {
            "person": self.person,
            "ready": self.ready,
            "left": self.left,
            "votes": sorted(self.votes),
            "idle": self.idle,
            "quiet_ms": self.quiet_ms(now),
        }

    def restore(self, state: PlayerState) -> None:
        self.ready, self.left, self.votes = state["ready"], state["left"], set(state["votes"])
        self.idle, self._quiet_ms = state.get("idle", False), state.get("quiet_ms", 0)

    def appear(self, here: bool, lag: int | None, now: int) -> bool:
        """Note whether the player is here. Returns whether that is news."""
        if lag is None or self.lag is None or abs(lag - self.lag) >= LAG_NEWS_MS:
            self.lag = lag  # every change of it is sent to all followers
        if here == self.here:
            return False
        self.here = here
        if here:
            self.left = False
        else:
            self.away_since, self.ready = now, False
        return True


class TablePresence:
    """Everyone at the table. `limit`: how many ms of absence until a bot takes over."""

    def __init__(self, plan: Plan, limit: int, now: int) -> None:
        self._limit = limit
        self._idle_limit = plan.bot_after_ms
        self._warned: list[bool] = []
        self.all = [PlayerPresence(place, now) for place in plan.places]
        self._reports: dict[str, tuple[int, PresenceReport]] = {}
        self.empty_since = now

    def __getitem__(self, seat: int) -> PlayerPresence:
        return self.all[seat]

    def reseat(self, plan: Plan, now: int) -> None:
        """Follow the plan while seats are being taken."""
        self._idle_limit = plan.bot_after_ms
        for seat, place in enumerate(plan.places):
            if self.all[seat].place != place:
                self.all[seat] = PlayerPresence(place, now)
        self._look(now)

    def report_presence(self, report: PresenceReport, now: int) -> bool:
        """Note one process's connected people. Returns whether anyone has come or gone."""
        last = self._reports.get(report.process)
        if last is None or last[1].number <= report.number:
            self._reports[report.process] = (now, report)
        return self._look(now)

    def _look(self, now: int) -> bool:
        """Forget silent processes, and see who is here."""
        self._reports = {
            name: (at, report)
            for name, (at, report) in self._reports.items()
            if now - at < REPORT_EXPIRES_MS
        }
        news = False
        for seat, player in enumerate(self.all):
            lags = [
                report.lags[seat] for _, report in self._reports.values() if seat in report.lags
            ]
            known = [lag for lag in lags if lag is not None]
            news |= player.human and player.appear(bool(lags), min(known, default=None), now)
        if self.watching or any(player.here and not player.idle for player in self._company):
            self.empty_since = now
        return news

    @property
    def _company(self) -> list[PlayerPresence]:
        """The players who keep a table: not a program whose only opponents were people.

        A person who leaves it alone, or never came, would keep it busy.
        """
        people = [one for one in self.all if one.human and one.place.shown_kind == HUMAN]
        programs = sum(one.human for one in self.all) - len(people)
        return people if people and programs == 1 else self.all

    def excuse(self, since: int, now: int) -> None:
        """Ignore absences in this time, but for those who had been away too long before."""
        for player in self.all:
            if not player.away(since, self._limit):
                player.away_since += now - max(since, player.away_since)
        self.empty_since += now - max(since, self.empty_since)

    @property
    def watching(self) -> int:
        """How many spectators there are, in all processes."""
        return sum(report.watching for _, report in self._reports.values())

    @property
    def names(self) -> list[str]:
        """The names of spectators who show theirs, in order."""
        names = {name for _, report in self._reports.values() for name in report.names}
        return sorted(names, key=str.casefold)[:MOST_NAMES]

    def count_idle(self, playing: bool, now: int) -> bool:
        """Note idle players. Returns whether it is news. `playing`: a round is going on."""
        others_wait = sum(player.human and not player.left for player in self.all) > 1
        for player in self.all:
            if player.human:
                counting = playing and others_wait and self._idle_limit > 0
                player.wait(counting, now, self._idle_limit)
        warned = [player.warned(now, self._idle_limit) for player in self.all]
        news, self._warned = warned != self._warned, warned
        return news

    def next_idle(self, now: int) -> int | None:
        """When the next player is shown as idle, or a bot plays on for one."""
        times = [
            player.quiet_since + after
            for player in self.all
            if player.quiet_since is not None and not player.idle
            for after in (self._idle_limit // 2, self._idle_limit)
        ]
        return min((time for time in times if time > now), default=None)

    def clear_phrases(self, now: int) -> bool:
        """Clear phrases said long enough ago. Returns whether there were any."""
        over = [player for player in self.all if player.says and now >= player.phrase_until]
        for player in over:
            player.says = None
        return bool(over)

    @property
    def next_phrase_end(self) -> int | None:
        return min((player.phrase_until for player in self.all if player.says), default=None)

    def bots(self, now: int) -> dict[int, tuple[str, int]]:
        """The seats that a bot is playing now, each with the bot's temper and level."""
        return {
            seat: player.bot
            for seat, player in enumerate(self.all)
            if player.place.kind == BOT or player.away(now, self._limit)
        }

    def stand_ins(self, now: int) -> list[int]:
        """The seats of people for whom a bot plays."""
        return [seat for seat, player in enumerate(self.all) if player.away(now, self._limit)]

    def playing(self, now: int) -> list[PlayerPresence]:
        """The people who have not left, nor been away or idle too long."""
        return [s for s in self.all if s.human and not s.away(now, self._limit)]

    def all_ready(self, now: int) -> bool:
        """Whether everyone playing is here and ready.

        True with bots alone, but not while every person is away.
        """
        playing = self.playing(now)
        people = playing or [player for player in self.all if player.human and not player.left]
        return all(player.here and player.ready for player in people)

    def complete(self) -> bool:
        """Whether everyone who has a seat is here and ready, or all who are here vote to start."""
        people = [player for player in self.all if player.human]
        here = [player for player in people if player.here]
        voted = bool(here) and all("start" in player.votes for player in here)
        return voted or all(player.here and player.ready for player in people)

    def all_here(self, now: int) -> bool:
        return all(player.here for player in self.playing(now))

    def agreed(self, subject: str, now: int) -> bool:
        """Whether everyone playing, and at least one person, votes for that."""
        playing = self.playing(now)
        return bool(playing) and all(subject in player.votes for player in playing)

    def next_away(self, now: int) -> int | None:
        """When the next person will have been away too long."""
        ends = (
            player.away_since + self._limit
            for player in self.all
            if player.human and not player.here and not player.left
        )
        return min((end for end in ends if end > now), default=None)

    def reset_ready(self) -> None:
        """A round begins: ask everyone again after it."""
        for player in self.all:
            player.ready = False

    def shown(self, now: int, salted: Sequence[bool]) -> list[SeatState]:
        """Each seat's public state. `salted`: whose salts have arrived."""
        bots = self.bots(now)
        return [
            _seat_state(
                player,
                player.bot_in(now, self._limit, self._idle_limit),
                played_by_bot=seat in bots,
                salted=salted[seat],
            )
            for seat, player in enumerate(self.all)
        ]

    def saved(self, now: int) -> list[PlayerState]:
        return [player.saved(now) for player in self.all]

    def restore(self, saved: Sequence[PlayerState], dealt: bool) -> None:
        """Restore another host's saved state. Before a deal the seat's person may have changed."""
        for player, state in zip(self.all, saved, strict=True):
            if dealt or state.get("person", player.person) == player.person:
                player.restore(state)


def _seat_state(
    player: PlayerPresence, away_ms: int | None, *, played_by_bot: bool, salted: bool
) -> SeatState:
    return {
        "name": player.place.name or None,
        "kind": player.place.shown_kind or None,
        "here": player.here or player.place.kind == BOT,
        "ready": player.ready or player.place.kind == BOT,
        "bot": played_by_bot,
        "away_ms": away_ms,
        "votes": sorted(player.votes),
        "lag_ms": player.lag,
        "says": player.says,
        "salted": salted,
    }
