"""Every recorded match folds into the same tables as ever, line by line.

After a change with a reason: `python -m tests.engine.golden --write`.
"""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest

from tests.engine.golden import MATCHES, digests, golden_of


@pytest.mark.parametrize("record", sorted(MATCHES.glob("*.ratuki")), ids=lambda path: path.stem)
def test_a_match_folds_into_its_golden_digests(record: Path) -> None:
    """`python -m tests.engine.golden --write` writes the file for a new match."""
    assert golden_of(record).exists(), "a new match: python -m tests.engine.golden --write"
    golden = golden_of(record).read_text().splitlines()
    for line, (digest, expected) in enumerate(zip_longest(digests(record), golden), start=1):
        assert digest == expected, f"{golden_of(record).name}:{line}"
