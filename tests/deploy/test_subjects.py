"""Commits have subjects of one form."""

import pytest

from deploy.subjects import fault


@pytest.mark.parametrize(
    "subject",
    [
        "analysis: don't treat a player as absent after a tie returns a card",
        "docs, tests: name the parts of a release",
        "jobs: requeue parts whose message was lost",
        'board: stack labels read "9 cards"',
    ],
)
def test_a_place_and_an_effect_are_right(subject: str) -> None:
    assert fault(subject) is None


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        (f"jobs: requeue {'parts ' * 10}whose message was lost", "at most 72"),
        ("Fix the jobs", "area: verb object"),
        ("jobs: Requeue parts", "area: verb object"),
        ("jobs: requeue parts.", "area: verb object"),
        ("tests: let the guided newcomer find its seat", "no effect"),
        ("update: say the release", "no effect"),
    ],
)
def test_what_is_wrong_is_named(subject: str, words: str) -> None:
    wrong = fault(subject)
    assert wrong
    assert words in wrong
