"""The source of the next deal: a seed with a commitment, and the seats' salts.

The law (docs/reference/fair-play.md): a seed is stored before its commitment is shown, which is
shown before any salt counts. The first seed is for the seats at the time it was drawn. A seed that
is not dealt from is thrown away first. The host of that time shows it only once no host can use it
any more. The deal alone shows the salts. No one sees its seed before the match is over.
"""

from random import Random
from typing import Final

from games.engine.dealing import SEED_BYTES, fair_deal, shuffled
from games.engine.editions import Rules
from games.engine.events import Deal
from games.live.host.client_frames import Ready, Salt
from games.live.host.requests import NextSeed, SavedSalts, Seed, Step, StoredSeed
from games.tables.guided import guided_deal
from games.tables.plan import Plan
from games.tables.state import RevealedSeed

NO_SALT: Final = ""


class NextDeal:
    """The seed and the salts of the round that will be dealt next."""

    def __init__(self, plan: Plan, randomness: Random) -> None:
        self.salts: list[str] = [NO_SALT] * len(plan.places)
        self.fair = not plan.guided
        """Whether seeds are drawn. A match that an earlier release began goes on without."""
        self._guided = plan.id if plan.guided else ""
        self.unwanted = False
        """Whether the seed has to be thrown away."""
        self._random = randomness
        self._drawn: Seed | None = None
        self._stored = False
        self._revealed: Seed | None = None

    @property
    def drawn(self) -> bool:
        """Whether there is a seed, if only on its way to the store."""
        return self._drawn is not None

    @property
    def missing(self) -> bool:
        """Whether a seed has to be drawn before the deal."""
        return self.fair and not self.drawn

    @property
    def commit(self) -> str | None:
        """The commitment, once the seed is stored."""
        return self._drawn.commit if self._drawn and self._stored else None

    @property
    def revealed(self) -> RevealedSeed | None:
        """The last seed that was thrown away."""
        seed = self._revealed
        return None if seed is None else {"commit": seed.commit, "seed": seed.hex()}

    def draw(self, number: int) -> Step:
        """Draw a seed for that round. It has to be stored."""
        self._drawn = Seed(self._random.randbytes(SEED_BYTES))
        return Step(sealed=NextSeed(number, self._drawn))

    def throw_away(self, number: int) -> Step:
        """Give up the seed of that round. It has to be forgotten before it is shown."""
        return Step(sealed=NextSeed(number, None))

    def committed(self, sealed: NextSeed) -> None:
        if sealed.seed is None:
            revealed = self._drawn
            self.dealt()
            self._revealed = revealed
        else:
            self._stored = True

    def salt(self, seat: int, command: Ready | Salt) -> None:
        """A seat's salt, if any. It counts only after the commitment, and only for that one."""
        if command.salt is not None and self.commit and command.commit in (None, self.commit):
            self.salts[seat] = command.salt

    def deal(self, rules: Rules, number: int) -> Deal:
        """The deal that follows from the seed and the salts. A guided round's is laid out."""
        if self._guided:
            return guided_deal(self._guided)
        if not self.fair:
            return shuffled(rules, len(self.salts), number, self._random)
        assert self._drawn is not None
        assert self._stored
        return fair_deal(rules, number, self._drawn, [bytes.fromhex(salt) for salt in self.salts])

    def dealt(self) -> None:
        self.salts = [NO_SALT] * len(self.salts)
        self._drawn, self._stored, self.unwanted = None, False, False

    def saved(self) -> SavedSalts | None:
        return {"commit": self.commit, "salts": list(self.salts)} if self.commit else None

    def resume(
        self, stored: StoredSeed | None, number: int, plan: Plan, saved: SavedSalts | None
    ) -> None:
        """Go on with another host's stored seed, if it is for that round and this plan."""
        if stored is None:
            return
        self._revealed = stored.revealed
        if stored.seed is None or stored.round != number:
            return
        self._drawn, self._stored = stored.seed, True
        self.unwanted = number == 1 and stored.plan != plan
        if saved and saved["commit"] == self.commit:
            self.salts = list(saved["salts"])
