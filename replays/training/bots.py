"""The players of the matches on which models are trained and tested.

Several populations, so that a model learns the game and not one set of players:
- `roster`: the site's bots at any level
- `equals`: the same one of them in every seat
- `alien`: random preferences and speed, combined by a linear rule
- `stranger`: never trained on. Likes or dislikes each (card, top) at random. Its times are
  uniform rather than lognormal, and it speeds up or slows down during a round.

And four in which the roster's bots change after the start:
- `drifter`: each seat's pace changes from every round to the next
- `people`: likewise, but it returns to its mean, and the player glances away now and then
- `leaver` (never trained on, nor the next): one seat stops moving at some time
- `stand_in`: likewise, until a bot takes over after as long as in a live match
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp, log, sqrt
from random import Random
from typing import Final

from games.bots.base import Bot, Decision, keeping
from games.bots.roster import BotSpec, seat_bot
from games.bots.simulate import MAX_ROUND_MS
from games.bots.skill import LEVELS, WHOLE, Skill, network_lag, quantiles
from games.bots.view import PublicEvents, View
from games.engine.cards import FACE, Card
from games.engine.table import Table
from replays.analysis.winning.position import STRENGTHS

Seater = Callable[[Table, PublicEvents, int, Random], Bot]
"""Makes a seat's bot from its table, the public events, its seat, and its own generator."""


class Alien(Bot):
    """Weighs each candidate by a few randomly chosen numbers."""

    temper = "alien"

    def __init__(self, view: View, skill: Skill, randomness: Random) -> None:
        super().__init__(view, skill, randomness)
        draw = randomness.uniform
        self._take, self._take_height = draw(0, 8), draw(0, 2)
        self._least = randomness.choice((0, 0, 0, 2, 3, 5))
        self._height, self._down, self._four = draw(-0.5, 1), draw(-1, 2), draw(-4, 1)
        self._base = draw(0.2, 3)
        self._lead = draw(-6, 6)
        self._keep_rank = keeping(*(randomness.randrange(5) for _ in range(6))).__getitem__

    def worth(self, card: Card, slot: int, number: int | None, takes: bool) -> float:
        """Linear in the candidate's effects. A low take is not wanted while it is patient."""
        height, top = self.view.heights[slot], self.view.tops[slot]
        if takes:
            wanted = height + 1 >= self._least or self.restless
            return self._take + self._take_height * height if wanted else 0
        left = number or FACE[card]
        worth = self._base + self._height * height + self._down * (left < top)
        worth += self._four * (left == 4)
        return worth if worth > 0 or not self.restless else 0.1

    def shouts(self) -> bool:
        """When far enough ahead for its taste, or tired of waiting."""
        view = self.view
        best = max(view.score(seat) for seat in range(view.seats) if seat != view.seat)
        return self.restless or view.score(view.seat) - best >= self._lead


class Stranger(Bot):
    """Has its own preference for each face on each top, and a pace that drifts."""

    temper = "stranger"

    def __init__(self, view: View, skill: Skill, randomness: Random) -> None:
        super().__init__(view, skill, randomness)
        self._likes = [[randomness.gauss(1, 1.2) for _ in range(7)] for _ in range(5)]
        self._greed = randomness.expovariate(0.3)
        self._drift = randomness.uniform(-0.4, 0.4)
        self._calm = randomness.random() < 0.5
        self._keep_rank = keeping(*(randomness.randrange(6) for _ in range(6))).__getitem__

    def worth(self, card: Card, slot: int, number: int | None, takes: bool) -> float:
        """The preference, plus greed for the cards it would take."""
        like = self._likes[self.view.tops[slot]][FACE[card]]
        if takes:
            like += self._greed * self.view.heights[slot] / 4
        return 0.01 if like <= 0 and self.restless else like

    def shouts(self) -> bool:
        """Some at once, others only when nothing happens any more."""
        return not self._calm or self.restless

    def think(self, now: int) -> Decision:
        """As any bot, but its delays shrink or grow the longer it plays."""
        action, again = super().think(now)
        factor = 1 + self._drift * min(1, now / 40_000)
        return action, now + max(1, round((again - now) * factor))


class Changing(Bot):
    """A bot whose hand does not go on as it began."""

    temper = "changing"

    def __init__(self, bot: Bot, randomness: Random) -> None:
        super().__init__(bot.view, bot.skill, randomness)
        self.bot = bot
        self.round = 0

    def begin(self, now: int) -> int:
        self.round += 1
        return self.bot.begin(now)


class Drifter(Changing):
    """Its pace changes by up to e^±.35 from each round to the next."""

    def __init__(self, bot: Bot, randomness: Random) -> None:
        super().__init__(bot, randomness)
        self._uniform, self._slowness = randomness.uniform, 1.0

    def begin(self, now: int) -> int:
        if self.round:
            self._slowness *= exp(self._uniform(-_DRIFT, _DRIFT))
        return super().begin(now)

    def think(self, now: int) -> Decision:
        action, again = self.bot.think(now)
        return action, now + max(1, round((again - now) * self._slowness))


class Lifelike(Changing):
    """Faster in one round and slower in another, around its own mean, and it glances away for a
    few seconds now and then. How much, and how often, is each bot's own."""

    def __init__(self, bot: Bot, randomness: Random) -> None:
        super().__init__(bot, randomness)
        self._random = own = Random(randomness.getrandbits(64))
        self._stays, self._spread = own.uniform(0, 0.8), own.uniform(0.1, 0.3)
        self._every_ms = own.uniform(20_000, 90_000)
        self._off = own.gauss(0, self._spread)

    def begin(self, now: int) -> int:
        if self.round:
            step = self._spread * sqrt(1 - self._stays**2)
            self._off = self._stays * self._off + self._random.gauss(0, step)
        self._glance = self._next(now)
        return super().begin(now)

    def _next(self, now: int) -> int:
        return now + round(self._random.expovariate(1 / self._every_ms))

    def think(self, now: int) -> Decision:
        if now >= self._glance:
            back = now + round(self._random.lognormvariate(*_GLANCE))
            self._glance = self._next(back)
            return None, back
        action, again = self.bot.think(now)
        return action, now + max(1, round((again - now) * exp(self._off)))


class Leaver(Changing):
    """Stops moving at some time in a round, for good or for `away_ms` of play."""

    def __init__(self, bot: Bot, randomness: Random, away_ms: int) -> None:
        super().__init__(bot, randomness)
        self._gone = randomness.randrange(1, 5), randomness.randrange(60_000)
        self._away_ms = away_ms

    def think(self, now: int) -> Decision:
        if self._away_ms and (self.round, now) >= self._gone:
            away = self._away_ms
            self._away_ms = away if away == FOR_GOOD else 0
            return None, now + away
        return self.bot.think(now)


@dataclass(frozen=True)
class SiteBot:
    """The seater of one of the site's bots. Spectators know which."""

    spec: BotSpec

    def __call__(self, table: Table, public: PublicEvents, place: int, own: Random) -> Bot:
        return seat_bot(self.spec, table, public, place, own)


def roster_seater(randomness: Random, _speed: float) -> Seater:
    """One of the site's bots of known strength, at a random level."""
    temper, level = randomness.choice(list(STRENGTHS)), randomness.choice(list(LEVELS))
    return SiteBot(BotSpec(temper, level))


def alien_seater(randomness: Random, speed: float) -> Seater:
    """An alien whose times are lognormal around random medians."""
    skill = scaled(_alien_skill(randomness), speed)

    def seat(table: Table, public: PublicEvents, place: int, own: Random) -> Bot:
        return Alien(View(table, public, place, skill.lag), skill, own)

    return seat


def stranger_seater(randomness: Random, speed: float) -> Seater:
    """A stranger whose times are uniform."""
    slow = randomness.uniform(0.6, 1.7)
    skill = replace(
        _alien_skill(randomness),
        pace=_uniform(randomness, 700 * slow),
        reach=_uniform(randomness, 260 * slow),
        hesitation=_uniform(randomness, 600),
    )
    skill = scaled(skill, speed)

    def seat(table: Table, public: PublicEvents, place: int, own: Random) -> Bot:
        return Stranger(View(table, public, place, skill.lag), skill, own)

    return seat


def drifter_seater(randomness: Random, speed: float) -> Seater:
    """One of the site's bots, whose pace drifts."""
    return _changing(Drifter, roster_seater(randomness, speed))


def people_seater(randomness: Random, speed: float) -> Seater:
    """One of the site's bots, as uneven as people."""
    return _changing(Lifelike, roster_seater(randomness, speed))


def _changing(kind: type[Drifter | Lifelike], make: Seater) -> Seater:
    def seat(table: Table, public: PublicEvents, place: int, own: Random) -> Bot:
        return kind(make(table, public, place, own), own)

    return seat


@dataclass(frozen=True)
class Leaving:
    """The seater of the same bot, that leaves."""

    make: Seater
    away_ms: int

    def __call__(self, table: Table, public: PublicEvents, place: int, own: Random) -> Bot:
        return Leaver(self.make(table, public, place, own), own, self.away_ms)


SEATERS: Final[dict[str, Callable[[Random, float], Seater]]] = {
    "roster": roster_seater,
    "equals": roster_seater,
    "alien": alien_seater,
    "stranger": stranger_seater,
    "drifter": drifter_seater,
    "people": people_seater,
    "leaver": roster_seater,
    "stand_in": roster_seater,
}
FOR_GOOD: Final = MAX_ROUND_MS
LEAVING: Final = {"leaver": FOR_GOOD, "stand_in": 20_000}
"""In which populations one seat leaves, and for how long."""
_DRIFT: Final = 0.35
_GLANCE: Final = log(2_500), 0.5
"""How long a glance away takes: the logarithm's mean, of ms, and its deviation."""


def scaled(skill: Skill, speed: float) -> Skill:
    """All times multiplied by `speed`: whole tables may be far faster than the site's bots."""

    def slower(times: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(max(1, round(ms * speed)) for ms in times)

    return replace(
        skill,
        pace=slower(skill.pace),
        reach=slower(skill.reach),
        hesitation=slower(skill.hesitation),
        lag=max(1, round(skill.lag * speed)),
        glance=round(skill.glance * speed),
        patience=round(skill.patience * speed),
    )


def _alien_skill(randomness: Random) -> Skill:
    draw = randomness.uniform
    pace = randomness.lognormvariate(6.6, 0.22)
    return Skill(
        pace=quantiles(pace, draw(0.2, 0.6)),
        reach=quantiles(draw(150, 450), draw(0.15, 0.5)),
        lag=round(draw(100, 260)) + network_lag(randomness),
        glance=round(draw(10, 80)),
        hesitation=quantiles(pace * draw(0.4, 1.2), 0.5),
        hesitates=round(draw(0, 0.3) * WHOLE),
        slips=round(draw(0, 0.06) * WHOLE),
        overlooks=round(draw(0.05, 0.5) * WHOLE),
        patience=round(pace * draw(3, 15)),
    )


def _uniform(randomness: Random, middle: float) -> tuple[int, ...]:
    low = middle * randomness.uniform(0.3, 0.9)
    high = 2 * middle - low
    return tuple(round(low + (high - low) * step / WHOLE) for step in range(WHOLE))
