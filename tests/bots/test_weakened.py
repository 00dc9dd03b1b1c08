"""Every temper can be weakened, also where the tempers are compiled."""

import pytest

from games.bots.roster import TEMPERS, BotSpec
from replays.training.weaknesses import Weakness, played


@pytest.mark.parametrize("temper", TEMPERS)
def test_a_weakened_temper_plays_a_match(temper):
    weak = Weakness(takes=0.2, choice=0.2, mistakes=0.1, wilds=5)
    match = played(f"weak {temper}", "usaopoly-2009", [(BotSpec(temper), weak)] * 2)
    assert match.rounds[-1].end
    assert max(match.totals) > 0
