"""Where a player's points came from, told: in a sentence, and as JSON whose parts add up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from typing_extensions import TypedDict

from games.records.plural import counted
from replays.analysis.players.points import Points

TITLES: Final = {
    "table": "Table’s average",
    "speed": "Speed",
    "noticing": "Noticing",
    "choice": "Choice",
    "mistakes": "Mistakes",
    "cards": "Cards",
    "line": "Connection",
    "rest": "The rest",
}
"""The title of each part in tables."""


class PointsJson(TypedDict):
    """A seat's points: their parts add up to `score`; `text` says so."""

    seat: int
    score: int
    parts: dict[str, float]
    text: str


def points_json(by_seat: Sequence[Points], names: Sequence[str]) -> list[PointsJson]:
    """The points of each seat of a match; none before a round is finished."""
    return [
        {
            "seat": seat,
            "score": round(points.score),
            "parts": points._asdict(),
            "text": points_sentence(name, points),
        }
        for seat, (name, points) in enumerate(zip(names, map(whole, by_seat), strict=False))
    ]


def whole(points: Points) -> Points:
    """In whole points, which add up to the score: the rest takes what rounding leaves. Tables and
    sentences round here and nowhere else, or they contradict each other."""
    rounded = Points(*map(round, points))
    return rounded._replace(rest=rounded.rest + round(points.score) - rounded.score)


def points_sentence(name: str, points: Points) -> str:
    """As `Rosa made 45 points, 12 above the table's average of 33: 9 won by speed, …`."""
    points = whole(points)
    score, table = round(points.score), round(points.table)
    ahead = score - table
    apart = f"{abs(ahead)} {'above' if ahead > 0 else 'below'}" if ahead else "just"
    average = f"{apart} the table’s average of {_minus(table)}"
    parts = ", ".join(_parts(points))
    made = counted(score, "point").replace("-", "−")
    return f"{name} made {made}, {average}{parts and ': '}{parts}."


def _parts(points: Points) -> list[str]:
    """The parts worth a word, as `9 won by speed`, the largest first and the rest last."""
    values = {part: round(getattr(points, part)) for part in _SENTENCES}
    ranked = sorted(values, key=lambda part: (part == "rest", -abs(values[part])))
    return [
        _SENTENCES[part][values[part] < 0].format(abs(values[part]))
        for part in ranked
        if values[part]
    ]


_SENTENCES: Final[dict[str, tuple[str, str]]] = {
    "speed": ("{} won by speed", "{} lost by speed"),
    "noticing": ("{} won by noticing sooner", "{} lost by noticing later"),
    "choice": ("{} won by choice", "{} lost by choice"),
    "mistakes": ("{} won by fewer mistakes", "{} lost by more mistakes"),
    "line": ("{} won by a quicker connection", "{} lost by a slower connection"),
    "cards": ("the cards gave {}", "the cards cost {}"),
    "rest": ("the rest gave {}", "the rest cost {}"),
}


def _minus(value: int) -> str:
    return str(value).replace("-", "−")
