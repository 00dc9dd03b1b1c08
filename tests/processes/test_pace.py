"""What `make test` says about time."""

from __future__ import annotations

import pytest

from tests.pace import USUAL_CORES, WIDTH, expectation, expected, took


@pytest.mark.parametrize("share", [0.5, 0.25, 0.1])
def test_a_slower_machine_hears_how_many_minutes(share: float) -> None:
    said = expectation(USUAL_CORES * share)
    assert f"expect about {expected(USUAL_CORES * share) / 60:.0f} minutes" in said
    assert 0.8 / share < expected(USUAL_CORES * share) / expected(USUAL_CORES) <= 1 / share


@pytest.mark.parametrize("cores", [USUAL_CORES, WIDTH])
def test_any_other_hears_nothing(cores: float) -> None:
    assert expectation(cores) == ""


def test_the_slowest_tests_come_first_and_only_few() -> None:
    tests = "".join(f"{number}.5 tests/test_a.py::test[{number} s]\n" for number in range(20))
    first, *rest = took("61 lint\n239 unit-test\n", tests).splitlines()
    assert first == "Took: lint 61 s, unit-test 239 s. The slowest tests:"
    assert rest[0].strip() == "19.5 s  tests/test_a.py::test[19 s]"
    assert len(rest) == 8
