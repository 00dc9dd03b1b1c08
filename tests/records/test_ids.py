"""Ids that commands take as they are."""

from __future__ import annotations

from games.records.ids import new_id


def test_an_id_can_stand_on_a_command_line() -> None:
    # One byte has 64 first characters: without the rule, a hyphen would be nearly certain here.
    found = {new_id(1) for _ in range(2_000)}
    assert len(found) > 100
    assert not [one for one in found if one.startswith("-")]
