"""What stands for a match, a chapter or a player in addresses."""

from __future__ import annotations

import re

from django.urls import register_converter


class MatchNumber:
    """A match's number in a URL, limited to what a database can hold."""

    regex = "[1-9][0-9]{0,17}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


class PlayerName:
    """A player's name in a URL, whatever a record calls somebody.

    A path segment made of dots would leave the folder, however it is escaped, so it is written with
    a leading tilde, as is any name that begins with one.
    """

    regex = ".+"

    def to_python(self, value: str) -> str:
        return "/".join(part.removeprefix("~") for part in value.split("/"))

    def to_url(self, value: str) -> str:
        return "/".join(f"~{part}" if _LEADS_OUT(part) else part for part in value.split("/"))


_LEADS_OUT = re.compile(r"\.+$|~").match


class ChapterNumber(MatchNumber):
    """A chapter's number in a URL."""

    regex = "[1-9][0-9]{0,4}"


class MemberNumber(MatchNumber):
    """The number of somebody in a class in a URL."""


def register() -> None:
    """Let addresses have them as `match`, `nth`, `member` and `player`."""
    register_converter(MemberNumber, "member")
    register_converter(MatchNumber, "match")
    register_converter(ChapterNumber, "nth")
    register_converter(PlayerName, "player")
