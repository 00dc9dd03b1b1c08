"""What is said to people from here: an English text with named values, put into words elsewhere."""

from __future__ import annotations

from typing import Any, NamedTuple


class Wording(NamedTuple):
    """`{card} is not in hand of seat {seat}`, and the values. `str()` says it in English."""

    text: str
    values: dict[str, Any] = {}

    def __str__(self) -> str:
        return self.text.format_map(self.values) if self.values else self.text

    def plain(self) -> list[Any]:
        """As JSON, to be stored."""
        values = self.values.items()
        return [
            self.text,
            {
                name: value.plain() if isinstance(value, Wording) else value
                for name, value in values
            },
        ]

    @staticmethod
    def stored(plain: list[Any]) -> Wording:
        """From what `plain` gave."""
        text, values = plain
        return Wording(text, {name: _restored(value) for name, value in values.items()})


def _restored(value: Any) -> Any:
    if isinstance(value, list) and len(value) == 2 and isinstance(value[1], dict):
        return Wording.stored(value)
    return value


class WordedError(ValueError):
    """Says what is wrong, for people: `said`, and in English the message."""

    def __init__(self, said: str | Wording, /, **values: Any) -> None:
        self.said = Wording(said, values) if isinstance(said, str) else said
        super().__init__(str(self.said))


def wording_of(error: Exception) -> Wording:
    """An error's wording. For a library's error, its message."""
    said = getattr(error, "said", None)
    return said if isinstance(said, Wording) else Wording(str(error))
