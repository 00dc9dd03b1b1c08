"""The same seed gives the same records; a bot needs no more than its seat may see."""

from hashlib import sha256
from heapq import heapify, heapreplace
from random import Random

import pytest

from games.bots.roster import BotSpec, mixed, seat_bot
from games.bots.simulate import header, lines, rounds
from games.bots.view import PublicEvents
from games.engine.editions import EDITIONS
from games.engine.events import Deal
from games.engine.perspective import see, see_deal
from games.engine.referee import Referee, Settled
from games.engine.table import Table, apply
from games.records.log import Header
from tests.bots.tables import setting, text
from tests.narrowing import narrow


def test_the_same_setting_gives_the_same_bytes():
    assert text(lines(setting(), 3)) == text(lines(setting(), 3))


def test_each_index_and_seed_is_a_match_of_its_own():
    matches = [lines(setting(seed=seed), index) for seed in (1, 2) for index in (0, 1)]
    assert len({narrow(Header, match[0]).id for match in matches}) == 4
    assert len({narrow(Deal, match[1]).decks for match in matches}) == 4


def test_the_id_tells_settings_apart():
    settings = [
        setting(),
        setting("gamerules"),
        setting(target=150),
        setting(specs=mixed(3)),
        setting(specs=[BotSpec("taker", 4), *mixed(4)[1:]]),
    ]
    assert len({header(chosen, 0).id for chosen in settings}) == len(settings)


def redacted(chosen, deal, seats_of_bots):
    """Play a round with each bot at a table that is folded from what its seat may see."""
    seats = len(chosen.specs)
    truth, public = Table(chosen.rules, seats), PublicEvents(chosen.rules, seats)
    truth.deal(deal)
    own = [Table(chosen.rules, seats) for _ in range(seats)]
    for seat, table in enumerate(own):
        table.deal(see_deal(deal, seat))
    bots = [
        seat_bot(chosen.specs[seat], own[seat], public, seat, Random(source))
        for seat, source in enumerate(seats_of_bots)
    ]
    referee = Referee(truth)

    def publish(outcomes):
        for outcome in outcomes:
            if isinstance(outcome, Settled):
                for seat, table in enumerate(own):
                    apply(table, see(outcome.event, seat))
                public.settled(outcome.event)

    publish(referee.settle(0))
    queue = [(bot.begin(0), seat) for seat, bot in enumerate(bots)]
    heapify(queue)
    while not truth.ended:
        now, seat = queue[0]
        publish(referee.settle(now))
        if truth.ended:
            break
        action, again = bots[seat].think(now)
        if action is not None:
            publish(referee.offer(now, action))
        heapreplace(queue, (again, seat))
    return public.events


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("seats", [2, 4, 5])
def test_bots_play_the_same_on_redacted_tables(edition, seats):
    for index in range(3):
        chosen = setting(edition, mixed(seats), speedy=True)
        (played,) = rounds(chosen, index)
        source = Random(f"ratuki {chosen.seed}/{index}")
        seeds = [source.getrandbits(64) for _ in range(seats)]
        assert redacted(chosen, played.deal, seeds) == played.events


@pytest.mark.parametrize(
    ("edition", "digest"),
    [
        ("usaopoly-2009", "8cf5e83147782aad"),
        ("hasbro-2010", "217c8f7b18ce6d3f"),
        ("gamerules", "d25ae8cc0b460c4a"),
    ],
)
def test_these_matches_are_known_byte_for_byte(edition, digest):
    """On every machine, compiled or not; a new digest needs a reason, such as another temper."""
    hashed = sha256()
    for seats in (2, 3, 4, 5):
        chosen = setting(edition, mixed(seats, level=seats), seed=7)
        hashed.update(text(lines(chosen, seats)))
    assert hashed.hexdigest()[:16] == digest
