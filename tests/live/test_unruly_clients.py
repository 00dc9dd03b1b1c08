"""Whatever clients do, the record that a host writes is true."""

from random import Random

import pytest

from games.engine.events import End
from games.live.host.requests import ActionKey
from tests.live.unruly import Desk, unruly_plan

MATCHES = 24
COUNTED = 12
"""So many of them are looked at together, for what happened in them."""
ROUNDS = 8


def played(seed: int) -> Desk:
    """A desk after a match of which the record is true."""
    random = Random(seed)
    desk = Desk(unruly_plan(random), random)
    desk.run(ROUNDS)
    report = desk.check()
    assert report.rounds == len(desk.deals)
    assert report.events + report.rounds + (report.result is not None) == len(desk.lines) - 1
    assert desk.retries > 50
    seqs: dict[ActionKey, int] = {}
    for asked, seq in desk.asked:
        assert seqs.setdefault(asked, seq) == seq, "however often it is sent, it is one line"
    assert len(seqs) == len(desk.asked)
    return desk


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(COUNTED, MATCHES))
def test_every_record_of_unruly_clients_is_true(seed: int) -> None:
    played(seed)


def test_true_records_show_all_that_can_be_done() -> None:
    """And the clients are worth something: ties, late tries, mistakes, takeovers, all ends."""
    kinds: set[str] = set()
    takeovers = rounds = 0
    for seed in range(COUNTED):
        desk = played(seed)
        rounds += len(desk.deals)
        takeovers += desk.takeovers
        kinds |= {type(line).__name__ for line in desk.lines}
        kinds |= {line.reason for line in desk.lines if isinstance(line, End)}
    assert kinds >= {"Play", "Draw", "Discard", "Tie", "Late", "Miss", "out", "blocked", "stalled"}
    assert takeovers > 5
    assert rounds > 60
