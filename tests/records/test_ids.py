"""Ids that commands take as they are."""

from __future__ import annotations

from games.records.ids import new_id


def test_an_id_can_stand_on_a_command_line() -> None:
    # One byte has 64 first characters: without the rule, a hyphen would be nearly certain here.
    ids = {new_id(1) for _ in range(2_000)}
    assert len(ids) > 100
    assert not [made for made in ids if made.startswith("-")]
