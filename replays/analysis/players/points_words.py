"""Where a player's points came from, told: in a sentence, and as JSON whose parts add up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from typing_extensions import TypedDict

from games.engine.message import Message, seat, signed
from replays.analysis.players.points import Points, Scored
from replays.analysis.sentences import Text, fact, say

TITLES: Final = {
    "table": Message("Table’s average"),
    "speed": Message("Speed"),
    "noticing": Message("Noticing"),
    "choice": Message("Choice"),
    "mistakes": Message("Mistakes"),
    "cards": Message("Cards"),
    "line": Message("Connection"),
    "rest": Message("The rest"),
}
"""The title of each part in tables."""


class PointsJson(TypedDict):
    """A seat's points. `cards` (exact) and `parts` (estimates) both add up to `score`. `text`: the
    latter as a sentence."""

    seat: int
    score: int
    takes: int
    cards: dict[str, int]
    parts: dict[str, float]
    text: Text


def points_json(by_seat: Iterable[Points], scored: Iterable[Scored]) -> list[PointsJson]:
    """The points of each seat of a match. None before a round is finished."""
    return [
        {
            "seat": seat,
            "score": round(points.score),
            "takes": cards.takes,
            "cards": {"taken": cards.taken, "left": cards.left, "floor": cards.floor},
            "parts": points._asdict(),
            "text": points_text(seat, points),
        }
        for seat, (points, cards) in enumerate(zip(map(whole, by_seat), scored, strict=True))
    ]


def whole(points: Points) -> Points:
    """In whole points, which add up to the score: the rest takes what rounding leaves. Tables and
    sentences round here and nowhere else, or they contradict each other."""
    rounded = Points(*map(round, points))
    return rounded._replace(rest=rounded.rest + round(points.score) - rounded.score)


def points_text(of: int, points: Points) -> Text:
    """The score against the table's average, and the parts worth a word, the largest first and the
    rest last."""
    points = whole(points)
    score, table = round(points.score), round(points.table)
    ahead = score - table
    kind = "points_even" if not ahead else "points_above" if ahead > 0 else "points_below"
    made = fact(kind, player=seat(of), count=score, by=abs(ahead), table=table)
    values = {part: round(value) for part, value in points._asdict().items() if part != "table"}
    ranked = sorted(values, key=lambda part: (part == "rest", -abs(values[part])))
    return say(made, [fact(part, points=signed(values[part])) for part in ranked if values[part]])
