"""Matches to look at in the demo."""

from io import BytesIO, StringIO

import pytest
from django.core.management import call_command

from games.archive.filters import BIT_RANGES
from games.archive.store import read_record, record_of
from games.engine.editions import EDITIONS
from games.models import Match

pytestmark = pytest.mark.django_db


def test_the_demo_has_matches_of_every_kind_and_all_are_valid() -> None:
    call_command("demo_data", stdout=StringIO())
    matches = list(Match.objects.all())
    kinds = {(match.edition, match.seat_count) for match in matches}
    assert kinds == {(edition, seats) for edition in EDITIONS for seats in range(2, 6)}
    assert max(match.rounds for match in matches) >= 15
    for trait in ("notes", "ties"):
        assert {BIT_RANGES[trait].get(match.filter_bits) for match in matches} == {0, 1}
    assert len({match.started_at for match in matches}) == len(matches)
    for match in matches:
        read_record(BytesIO("".join(record_of(match)).encode()))
    out = StringIO()
    call_command("demo_data", stdout=out)
    assert "already" in out.getvalue()
    assert Match.objects.count() == len(matches)
