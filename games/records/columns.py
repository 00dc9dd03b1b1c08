"""A round as columns: one JSON object with a short string for each kind of detail in its lines.

Nothing is stored that follows from earlier lines: a hand card is its place in the hand, a drawn
card is the top of its draw pile, a play takes the height of the stack, and times are differences.
So a round of some 500 lines takes about 3 bytes a line once compressed, and a browser reads it with
`JSON.parse` (`static/games/match/columns.js` is the other reader).

Every number is one character of `ALPHABET`. The last one, `~`, means that the number is too large
for that and is in `b`, the list of such numbers in reading order.

| key | content |
| --- | --- |
| `v` | the version of this format, 1 |
| `f` | the source of the decks, as in a record, absent if unknown |
| `r` | the round's number |
| `c` | how many of 1, 2, 3, 4, 5 and wilds a deck has |
| `k` | for each seat the deck, top first, each card by its place in the sorted deck, a deck of
too many cards for that as in a record |
| `w` | for each try of a wild that was not tied: the number it was tried as, or 0 |
| `g` | for each tie: how many cards |
| `e` | reason, scores and totals of the end, if there is one |
| `b` | large numbers |
| `o` | notes, variations and the result, as in a record |
| `s` | for each try, tied tries included: the slot |
| `n` | for each try: 1 + the number of events before it that its player had not seen, or 0 |
| `a` | for each line after the deal: its kind, for a tie once for each card |
| `h` | for each time: a 64th of the ms since the line before, in a tie since the try before |
| `l` | and the remainder |
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter, sub
from typing import Any, Final

from games.engine.cards import DECK_LETTERS, FACE, FACE_LETTERS, WILD, Card, deck_of
from games.engine.events import Deal, Discard, Draw, End, Event, Late, Miss, Out, Play, Tie
from games.engine.fitting import takes
from games.records.log import Line
from games.records.notation import write_line
from games.records.parsing import fair_from, line_from

Columns = dict[str, Any]

VERSION: Final = 1
ALPHABET: Final = "".join(chr(code) for code in range(ord("#"), ord("~") + 1) if code != ord("\\"))
_LARGE: Final = len(ALPHABET) - 1
_VALUE: Final = {character: value for value, character in enumerate(ALPHABET)}
_TICK: Final = 64
_FAR: Final = _LARGE * _TICK  # ms, a time this long or longer is a large number
_HIGH: Final = [ALPHABET[ms // _TICK] for ms in range(_FAR + _TICK)]
_LOW: Final = [ALPHABET[ms % _TICK] for ms in range(_FAR + _TICK)]

# What an action's character encodes: kind and place in the hand, each for five seats.
_SEATS: Final = 5
_DRAW, _PLAY, _DISCARD, _LATE, _MISS, _TIED = (place * _SEATS for place in (0, 1, 4, 7, 10, 13))
_OUT: Final = 16 * _SEATS
_END: Final = 17 * _SEATS
_OTHER: Final = _END + 1

_T: Final = itemgetter(0)  # every event begins with its time


class Unpackable(ValueError):  # noqa: N818 - says what the lines are
    """Lines that do not make up a round."""


class _Cards:
    """Where the cards of a round are, as far as its columns omit that."""

    def __init__(self, decks: Sequence[Sequence[Card]]) -> None:
        self.hands = [list(deck[:3]) for deck in decks]
        self._piles = [list(deck[:2:-1]) for deck in decks]
        self._discarded: list[list[Card]] = [[] for _ in decks]
        self._heights = [0] * len(decks)

    def draw(self, seat: int) -> Card:
        pile = self._piles[seat]
        card = pile.pop()
        self.hands[seat].append(card)
        if not pile:
            self._turn_over(seat)
        return card

    def discard(self, seat: int, place: int) -> Card:
        card = self.hands[seat].pop(place)
        self._discarded[seat].append(card)
        if not self._piles[seat]:
            self._turn_over(seat)
        return card

    def _turn_over(self, seat: int) -> None:
        self._piles[seat], self._discarded[seat] = self._discarded[seat], []

    def taken(self, slot: int, card: Card, number: int | None) -> int | None:
        """How many cards a play on that slot takes. None if the card stays."""
        height = self._heights[slot]
        if takes(height, FACE[card], number):  # for `takes`, any top but FREE is the same
            self._heights[slot] = 0
            return height + 1
        self._heights[slot] = height + 1
        return None


def pack(lines: Sequence[Line]) -> Columns:
    """The columns of a round: its deal and every line before the next deal.

    Raises Unpackable if the lines do not allow it: a card is not where it is used, t decreases, …
    """
    deal, *rest = lines
    if not isinstance(deal, Deal):
        raise Unpackable(f"expected a deal first, found {write_line(deal)}")
    writer = _Writer(deal)
    try:
        writer.write(rest)
    except (IndexError, ValueError) as error:
        raise Unpackable(f"the cards are not where the lines have put them: {error}") from error
    return writer.packed(rest)


class _Writer:
    """The columns, built line by line. The times, all alike, come last."""

    def __init__(self, deal: Deal) -> None:
        self._deal = deal
        self._cards = _Cards(deal.decks)
        self._events = 0  # before the line being written
        self._end: End | None = None
        self._acts: list[int] = []
        self._slots: list[int] = []
        self._lags: list[int] = []
        self._wilds: list[int] = []
        self._ties: list[tuple[int, Tie]] = []  # each with the number of events before it
        self._others: list[Any] = []
        self._writers: dict[type, Callable[[Any], None]] = {
            Play: self._play,
            Late: partial(self._failed, _LATE),
            Miss: partial(self._failed, _MISS),
            Tie: self._tie,
            Out: self._out,
            End: self._finish,
        }

    def write(self, lines: Iterable[Any]) -> None:
        """Add the values of lines (no headers, no deals) to the columns."""
        cards, acts = self._cards, self._acts
        for place, line in enumerate(lines):
            if type(line) is Draw:
                seat = line[1]
                if cards.draw(seat) != line[2]:
                    raise Unpackable(f"{line[2]} is not on top of the draw pile of seat {seat}")
                acts.append(_DRAW + seat)
            elif type(line) is Discard:
                seat = line[1]
                held = cards.hands[seat].index(line[2])
                cards.discard(seat, held)
                acts.append(_DISCARD + held * _SEATS + seat)
            else:
                self._events = place - len(self._others)
                self._writers.get(type(line), self._other)(line)

    def _other(self, line: Any) -> None:
        self._acts.append(_OTHER)
        self._others.append(json.loads(write_line(line)))

    def _play(self, event: Play) -> None:
        _, seat, card, slot, number, taken, seen = event
        place = self._try(_PLAY, seat, card, slot, seen)
        del self._cards.hands[seat][place]
        if FACE[card] == WILD:
            self._wilds.append(number or 0)
        if self._cards.taken(slot, card, number) != taken:
            raise Unpackable(f"{card} on slot {slot} does not take {taken}")

    def _failed(self, act: int, event: Late | Miss) -> None:
        _, seat, card, slot, number, seen = event
        self._try(act, seat, card, slot, seen)
        if FACE[card] == WILD:
            self._wilds.append(number or 0)

    def _try(self, act: int, seat: int, card: Card, slot: int, seen: int | None) -> int:
        """Write the columns common to all tries. Returns the card's place in the hand."""
        place = self._cards.hands[seat].index(card)
        self._acts.append(act + place * _SEATS + seat)
        self._slots.append(slot)
        lag = 0 if seen is None else 1 + self._events - seen
        if lag < 1 and seen is not None:
            raise Unpackable(f"seen: expected at most {self._events}, found {seen}")
        self._lags.append(lag)
        return place

    def _tie(self, event: Tie) -> None:
        _, slot, cards, _, seen = event
        self._ties.append((self._events, event))
        for place, card in enumerate(cards):
            seat = DECK_LETTERS.index(card[0])
            held = self._try(_TIED, seat, card, slot, None if seen is None else seen[place])
            self._cards.discard(seat, held)

    def _out(self, event: Out) -> None:
        self._acts.append(_OUT + event.seat)

    def _finish(self, event: End) -> None:
        self._acts.append(_END)
        self._end = event

    def packed(self, lines: Sequence[Any]) -> Columns:
        """The columns, with similar ones next to each other for better compression."""
        counts = _counts(self._deal.decks[0])
        end, lags, gaps = self._end, self._lags, self._gaps(lines)
        big: list[int] = []
        if max(gaps, default=0) >= _FAR or max(lags, default=0) >= _LARGE:
            big = _large(self._acts, gaps, lags)
            gaps = [ms if ms < _FAR else _FAR + ms % _TICK for ms in gaps]
            lags = [min(lag, _LARGE) for lag in lags]
        return {
            "v": VERSION,
            "r": self._deal.round,
            **({"f": self._deal.fair._asdict()} if self._deal.fair else {}),
            "c": _text(counts),
            "k": [_pack_deck(seat, deck, counts) for seat, deck in enumerate(self._deal.decks)],
            "w": _text(self._wilds),
            "g": _text(len(tie.cards) for _, tie in self._ties),
            "e": end and [end.reason, end.scores, end.totals],
            "b": big,
            "o": self._others,
            "s": _text(self._slots),
            "n": _text(lags),
            "a": _text(self._acts),
            "h": "".join(map(_HIGH.__getitem__, gaps)),
            "l": "".join(map(_LOW.__getitem__, gaps)),
        }

    def _gaps(self, lines: Sequence[Any]) -> list[int]:
        """The ms from each event to the next, and within a tie from each try to the next."""
        events = [line for line in lines if isinstance(line, Event)] if self._others else lines
        times = list(map(_T, events))
        gaps = list(map(sub, times, [0, *times]))
        for place, tie in reversed(self._ties):
            gaps[place + 1 : place + 1] = map(sub, tie.after[1:], tie.after)
        if min(gaps, default=0) < 0:
            raise Unpackable(f"t falls by {-min(gaps)} ms")
        return gaps


def _large(acts: Iterable[int], gaps: Iterable[int], lags: Iterable[int]) -> list[int]:
    """The large numbers in reading order: each action's time comes first."""
    large, times, unseen = [], iter(gaps), iter(lags)
    for act in acts:
        if act == _OTHER:
            continue
        ms = next(times)
        if ms >= _FAR:
            large.append(ms // _TICK)
        lag = next(unseen) if _PLAY <= act < _DISCARD or _LATE <= act < _OUT else 0
        if lag >= _LARGE:
            large.append(lag)
    return large


def _text(values: Iterable[int]) -> str:
    return "".join(map(ALPHABET.__getitem__, values))


def _counts(deck: Sequence[Card]) -> tuple[int, ...]:
    faces = [card[1] for card in deck]
    return tuple(map(faces.count, FACE_LETTERS))


def _pack_deck(seat: int, deck: Sequence[Card], counts: tuple[int, ...]) -> str:
    if len(deck) > len(ALPHABET):
        return " ".join(deck)
    places = dict(zip(deck_of(seat, counts), ALPHABET, strict=False))
    return "".join(map(places.__getitem__, deck))


def unpack(packed: Columns) -> list[Line]:
    """The packed lines: the deal and the rest."""
    return list(_LineReader(packed).lines())


class _LineReader:
    """The lines of a packed round, one by one."""

    def __init__(self, packed: Columns) -> None:
        self._packed = packed
        decks = tuple(_unpack_deck(seat, packed) for seat in range(len(packed["k"])))
        fair = packed.get("f")
        self._deal = Deal(packed["r"], decks, fair and fair_from(fair))
        self._cards = _Cards(decks)
        self._acts = map(_VALUE.__getitem__, packed["a"])
        self._highs = map(_VALUE.__getitem__, packed["h"])
        self._lows = map(_VALUE.__getitem__, packed["l"])
        self._slots = map(_VALUE.__getitem__, packed["s"])
        self._lags = map(_VALUE.__getitem__, packed["n"])
        self._wilds = map(_VALUE.__getitem__, packed["w"])
        self._ties = map(_VALUE.__getitem__, packed["g"])
        self._big = iter(packed["b"])
        self._others = iter(packed["o"])
        self._t = 0
        self._events = 0

    def lines(self) -> Iterator[Line]:
        """The deal, then the other lines, in order."""
        yield self._deal
        for act in self._acts:
            if act == _OTHER:
                yield line_from(next(self._others))
                continue
            self._t += self._time()
            yield self._event(act)
            self._events += 1

    def _time(self) -> int:
        high = next(self._highs)
        if high == _LARGE:
            high = next(self._big)
        return high * _TICK + next(self._lows)

    def _event(self, act: int) -> Event:
        """The event for the character of an action that is not a remark."""
        seat, place = act % _SEATS, act // _SEATS
        if place == 0:
            return Draw(self._t, seat, self._cards.draw(seat))
        if place < 4:
            return self._play(seat, place - 1)
        if place < 7:
            return Discard(self._t, seat, self._cards.discard(seat, place - 4))
        if place < 10:
            return Late(self._t, *self._failed(seat, place - 7))
        if place < 13:
            return Miss(self._t, *self._failed(seat, place - 10))
        if place < 16:
            return self._tie(seat, place - 13)
        return Out(self._t, seat) if place == 16 else self._end()

    def _play(self, seat: int, place: int) -> Play:
        slot, seen = next(self._slots), self._next_seen()
        card = self._cards.hands[seat].pop(place)
        number = next(self._wilds) or None if FACE[card] == WILD else None
        taken = self._cards.taken(slot, card, number)
        return Play(self._t, seat, card, slot, number, taken, seen)

    def _next_seen(self) -> int | None:
        lag = next(self._lags)
        if lag == _LARGE:
            lag = next(self._big)
        return self._events + 1 - lag if lag else None

    def _failed(self, seat: int, place: int) -> tuple[int, Card, int, int | None, int]:
        slot, seen = next(self._slots), self._next_seen()
        card = self._cards.hands[seat][place]
        number = next(self._wilds) or None if FACE[card] == WILD else None
        return seat, card, slot, number, seen or 0

    def _tie(self, seat: int, place: int) -> Tie:
        count = next(self._ties)
        slot, seen = next(self._slots), [self._next_seen()]
        cards, after = [self._cards.discard(seat, place)], [0]
        while len(cards) < count:
            act = next(self._acts) - _TIED
            after.append(after[-1] + self._time())
            next(self._slots)
            seen.append(self._next_seen())
            cards.append(self._cards.discard(act % _SEATS, act // _SEATS))
        known = tuple(lag for lag in seen if lag is not None)
        return Tie(self._t, slot, tuple(cards), tuple(after), known or None)

    def _end(self) -> End:
        reason, scores, totals = self._packed["e"]
        return End(self._t, reason, tuple(scores), tuple(totals))


def _unpack_deck(seat: int, packed: Columns) -> tuple[Card, ...]:
    deck: str = packed["k"][seat]
    if " " in deck:
        return tuple(deck.split(" "))
    cards = deck_of(seat, tuple(_VALUE[count] for count in packed["c"]))
    return tuple(cards[_VALUE[place]] for place in deck)
