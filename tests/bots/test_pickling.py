"""What processes hand each other arrives as it was, also where its class is compiled."""

import copy
import pickle

import pytest

from games.bots.simulate import lines
from games.bots.skill import skill_of
from games.engine.editions import EDITIONS
from tests.bots.tables import setting

RECORD = lines(setting(speedy=True), 0)


@pytest.mark.parametrize(
    "value",
    [*EDITIONS.values(), setting(target=150), skill_of(3), RECORD],
    ids=lambda value: type(value).__name__,
)
def test_values_survive(value):
    assert pickle.loads(pickle.dumps(value)) == value
    assert copy.copy(value) == value
    assert copy.deepcopy(value) == value
