"""Cards taken and lost between players: a row of bars for each.

Right of zero are the cards that a player took from others, then their own, pale. Left of it are
those lost to others. The rows are above the rest of the chart, on axes of their own.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.engine.message import Message, plural, seat, seats, signed, spoken, when
from replays.analysis.marks import label
from replays.charts.course import Course
from replays.charts.frame import Json, box, filled

ROW, ROW_LOST = 0.8, 0.54
"""The fractions of a row's height that its bars use."""
PALE: Final = 0.26
"""The opacity of one's own cards."""
LEAST: Final = 8
"""In cards. So few cards make no long bars."""
ROOM: Final = 0.06
"""Beside the longest bars, for each digit of their sums, as a fraction of both together."""
_ROW_PX, _LANE_PX, _BETWEEN_PX = 31, 62, 52
"""Heights, for the panels' shares of the whole."""
_BARS: Final = {"xaxis": "x2", "yaxis": "y2"}


def below(seats: int) -> float:
    """The lower panel's share of the height."""
    lanes = _LANE_PX * seats
    return round(lanes / (lanes + _ROW_PX * seats + _BETWEEN_PX), 3)


def floor(course: Course, lane: int) -> float:
    """The bottom of a lane. Lane 0 is on top."""
    return len(course.names) - 1 - lane


class _Piece(NamedTuple):
    """Cards that `taker` took of `owner`'s. `x` of its middle in `row`, `seat`: whose colour."""

    row: int
    seat: int
    taker: int
    owner: int
    x: float
    cards: int

    @property
    def own(self) -> bool:
        return self.taker == self.owner


def _row_of(course: Course, row: int) -> Iterator[_Piece]:
    """A player's pieces: those taken, outward, then their own, and those lost, outward."""
    others = [seat for seat in course.seats if seat != row]
    at = 0
    for owner in [*others, row]:
        if cards := course.fed[owner][row]:
            yield _Piece(row, owner, row, owner, at + cards / 2, cards)
        at += cards
    at = 0
    for taker in others:
        if cards := course.fed[row][taker]:
            yield _Piece(row, taker, taker, row, -at - cards / 2, cards)
        at += cards


def _all_pieces(course: Course) -> list[_Piece]:
    return [piece for row in course.seats for piece in _row_of(course, row)]


def bars(course: Course) -> Iterator[Json]:
    """An area for each piece."""
    for piece in _all_pieces(course):
        height = (ROW if piece.x > 0 else ROW_LOST) / 2
        y, half = floor(course, piece.row), piece.cards / 2
        corners = box(piece.x - half, piece.x + half, y - height, y + height)
        other = piece.owner if piece.seat == piece.taker else piece.taker
        share = {"share": PALE} if piece.own else {}
        meta = {"other": other, "bar": piece.cards, **share}
        yield filled(piece.seat, f"row {piece.row + 1}", corners, **meta) | _BARS


def pieces(course: Course) -> Json:
    """The pieces' numbers, and their data for the page's words. A press goes to the takes."""
    all_pieces = _all_pieces(course)
    return {
        "type": "scatter",
        "mode": "text",
        "name": "pieces",
        "x": [piece.x for piece in all_pieces],
        "y": [floor(course, piece.row) for piece in all_pieces],
        "text": [str(piece.cards) for piece in all_pieces],
        "customdata": [_takes_of(course, piece) for piece in all_pieces],
        "meta": {
            "pieces": [
                {
                    "seat": piece.seat, "taker": piece.taker, "owner": piece.owner,
                    "cards": piece.cards, "back": course.fed[piece.taker][piece.owner],
                }
                for piece in all_pieces
            ]
        },
        **_BARS,
    }  # fmt: skip


def _takes_of(course: Course, piece: _Piece) -> list[int]:
    """The takes by its taker in which a card of its owner lay."""
    mine = (s for s in course.stacks if s.taker == piece.taker and piece.owner in s.seats)
    return sorted(stack.plays[-1] for stack in mine)


def sums(course: Course) -> Json:
    """The number of cards at both ends of each row."""
    ends = [
        (at, floor(course, seat), side)
        for seat in course.seats
        for at, side in ((taken(course, seat), "right"), (-lost(course, seat), "left"))
    ]
    return {
        "type": "scatter",
        "mode": "text",
        "name": "sums",
        "meta": {"sums": True},
        "x": [x for x, _, _ in ends],
        "y": [y for _, y, _ in ends],
        "text": [f"\u00a0{abs(x)}\u00a0" for x, _, _ in ends],
        "textposition": [f"middle {side}" for _, _, side in ends],
        "hoverinfo": "skip",
        **_BARS,
    }


def taken(course: Course, seat: int) -> int:
    return sum(row[seat] for row in course.fed)


def lost(course: Course, seat: int) -> int:
    """Their cards that others took."""
    return sum(course.fed[seat][:-1]) - course.fed[seat][seat]


def net(course: Course, seat: int) -> int:
    """The cards taken from others, less those lost to them. Over all seats that is 0."""
    return taken(course, seat) - course.fed[seat][seat] - lost(course, seat)


def bars_axes(course: Course) -> Json:
    """Those of the bars, above the others."""
    seats = len(course.names)
    right = max((taken(course, seat) for seat in course.seats), default=0)
    left = max((lost(course, seat) for seat in course.seats), default=0)
    room = max(right + left, LEAST) * ROOM * len(str(max(right, left)))
    bare = {"fixedrange": True, "zeroline": False, "showgrid": False}
    return {
        "xaxis2": {
            **bare, "anchor": "y2", "showticklabels": False,
            "range": [-left - room, max(right, 1) + room],
        },
        "yaxis2": {
            **bare, "anchor": "x2", "range": [-0.5, seats - 0.5],
            "domain": [below(seats) + (1 - below(seats)) * _BETWEEN_PX / (
                _BETWEEN_PX + _ROW_PX * seats), 1],
            "tickmode": "array",
            "tickvals": [floor(course, seat) for seat in course.seats],
            "ticktext": [
                f"{label(seat, course.names[seat])}\u00a0{spoken(signed(net(course, seat)))}"
                for seat in course.seats
            ],
        },
    }  # fmt: skip


def zero_line(seats: int) -> Json:
    """Between the cards lost and those taken."""
    return {
        "type": "line", "name": "base", "xref": "x2", "yref": "y2",
        "x0": 0, "x1": 0, "y0": -0.5, "y1": seats - 0.5, "line": {"width": 1.5, "color": "#444"},
    }  # fmt: skip


_LOST: Final = Message("lost to others")
_TAKEN: Final = Message("taken from others, then own cards (pale)")
SHORT: Final = {"part lost": Message("lost"), "part taken": Message("taken (own pale)")}
"""The words of a narrow chart, by the names of what they stand for."""


def bar_words(course: Course) -> Iterator[Json]:
    """The names of the sides, and of the nets in the margin."""
    top = len(course.names) - 0.5
    above = {"showarrow": False, "yref": "y2", "y": top, "yanchor": "bottom"}
    sides = ("part lost", _LOST, "right", -6), ("part taken", _TAKEN, "left", 6)
    for name, words, anchor, shift in sides:
        at = {"xref": "x2", "x": 0, "xanchor": anchor, "xshift": shift}
        yield {**above, "name": name, "text": course.words(words), **at}
    beside = {"xref": "paper", "x": 0, "xanchor": "right", "xshift": -6}
    yield {**above, "name": "part", "text": course.words(Message("net")), **beside}


def profit(course: Course) -> Iterator[Message]:
    """The player with most taken cards, how many were others', whose cards went to others most, and
    the biggest take of a round. Or that nothing has been taken."""
    cards = [taken(course, taker) for taker in course.seats]
    given = [lost(course, giver) for giver in course.seats]
    if not course.stacks:
        yield Message("No card has been laid.")
        return
    if not any(cards):
        over = all(played.totals is not None for played in course.rounds)
        no_takes = Message("No one took a stack."), Message("No one has taken a stack yet.")
        yield no_takes[not over]
        return
    best, giver = _most(cards), _most(given)
    if len(best) > 1:
        yield _EACH_TOOK_MOST.filled({"players": seats(best), "count": max(cards)})
    else:
        others = max(cards) - course.fed[best[0]][best[0]]
        values = {"player": seat(best[0]), "count": max(cards), "others": others}
        yield _TOOK_MOST.filled(values)
    if any(given):
        fed = _FED_MOST if len(giver) == 1 else _EACH_FED_MOST
        yield fed.filled({"players": seats(giver), "count": max(given)})
    if not course.whole:
        yield _biggest(course)


_TOOK_MOST: Final = plural(
    "{player} took most: {count} card, {others} of them from others.",
    "{player} took most: {count} cards, {others} of them from others.",
)
_EACH_TOOK_MOST: Final = plural(
    "{players} took most: {count} card each.", "{players} took most: {count} cards each."
)
_FED_MOST: Final = plural(
    "{players} fed the others most: {count} card.", "{players} fed the others most: {count} cards."
)
_EACH_FED_MOST: Final = plural(
    "{players} fed the others most: {count} card each.",
    "{players} fed the others most: {count} cards each.",
)


def _biggest(course: Course) -> Message:
    """The round's biggest take, the first of several."""
    takes = [stack for stack in course.stacks if stack.taker is not None]
    take = max(takes, key=lambda stack: (len(stack.seats), -stack.times[-1]))
    return Message(
        "Biggest take: {cards}, by {player} {when}.",
        cards=len(take.seats),
        player=seat(take.taker or 0),
        when=when(None, take.times[-1]),
    )


def _most(counts: Sequence[int]) -> list[int]:
    return [seat for seat, count in enumerate(counts) if count == max(counts)]
