"""A bot may be written anywhere, also where nothing is compiled: it only derives from `Bot`."""

from random import Random

from games.bots.base import Bot
from games.bots.simulate import play
from games.bots.skill import skill_of
from games.bots.view import PublicEvents, View
from games.engine.dealing import shuffled
from games.engine.editions import Rules
from games.engine.events import End, Play
from games.engine.table import Table


class Lowest(Bot):
    """Wants the lowest stacks; counts how often it was asked."""

    temper = "lowest"

    def __init__(self, *args):
        super().__init__(*args)
        self.asked = 0

    def worth(self, card, slot, number, takes):
        self.asked += 1
        return 10 - self.view.heights[slot]


def test_a_bot_of_another_room_plays():
    table, public = Table(Rules(), 3), PublicEvents(Rules(), 3)
    table.deal(shuffled(Rules(), 3, 1, Random(1)))
    views = [View(table, public, seat, 150) for seat in range(3)]
    bots = [Lowest(view, skill_of(3), Random(view.seat)) for view in views]
    play(table, public, bots)
    assert isinstance(public.events[-1], End)
    played = [event for event in public.events if isinstance(event, Play)]
    assert len(played) > 20
    assert sum(bot.asked for bot in bots) >= len(played)
