"""Sentences with players' names, as the server writes them."""

import json
from pathlib import Path

import pytest

from games.pages.words import spoken_names

CASES = json.loads(Path(__file__).with_name("spoken_names.json").read_text())
"""The browser's rule has the same: `short_names.test.js`."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["spoken"][0])
def test_a_sentence_has_long_names_cut_so_that_they_differ(case: dict[str, list[str]]) -> None:
    assert spoken_names(case["names"]) == case["spoken"]
