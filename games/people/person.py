"""Who somebody is."""

from __future__ import annotations

from typing import NamedTuple


class Identity(NamedTuple):
    """Who writes: how the site knows the person, the name, and whether it is an account's."""

    person: str
    name: str
    account: bool
