"""A span of a round as an animated WebP: the table after each event, as long as it stayed so."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from typing import Final, NamedTuple

import resvg_py
from PIL import Image

from games.engine.cards import FACE, OWNER, Card
from games.engine.events import Deal, Discard, Draw, End, Event, Late, Miss, Out, Tie
from games.engine.message import Language, Message, clock, plural, render, seat
from games.engine.message import card as face
from games.engine.perspective import Viewer, see, see_deal
from games.engine.table import Table, apply
from replays.pictures import drawing
from replays.pictures.drawing import Box, Drawn, Scene, card_svg, cut, svg_of
from replays.pictures.fonts import FILES

WIDTH: Final = 640
LONGEST_MS: Final = 30_000
MOST_FRAMES: Final = 100
"""A frame takes about 30 ms of CPU."""
MOST_BYTES: Final = 2**20
_LAST_MS: Final = 2_000
_SHORTEST_MS: Final = 40
"""Browsers show shorter frames for longer."""
_HOLD_MS: Final = 1_500
"""How long the words about a take, a tie or an OUT stay, whatever follows."""
_TAKES_UP_TO: Final = 6
"""If not even every 64th other event leaves room for all takes, they are thinned out too."""
_NAME: Final = 8.0
"""So many ems of a name are in the words."""
_QUALITIES: Final = (60, 40, 20)


class Span(NamedTuple):
    """A round from after `event` to after `until` events, as a viewer sees it."""

    deal: Deal
    events: Sequence[Event]
    event: int
    until: int
    viewer: Viewer
    open: bool

    def time(self, number: int) -> int:
        """After so many events, in ms of the round."""
        return self.events[number - 1].t if number else 0

    def loud(self, number: int) -> bool:
        event = self.events[number - 1] if number else None
        return isinstance(event, Tie | Out | End) or bool(getattr(event, "takes", 0))

    def frames(self) -> dict[int, int]:
        """How many ms each frame is seen, by the number of events. Too many are thinned out."""
        shown: dict[int, int] = {}
        for power in range(self.until.bit_length() + 1):
            shown, since = {}, self.time(self.event)
            for at in range(self.event, self.until + 1):
                end = self.time(at + 1) if at < self.until else self.time(at) + _LAST_MS
                loud = self.loud(at) and power < _TAKES_UP_TO
                kept = loud or at % 2**power == 0 or at == self.until
                if kept and end - since >= _SHORTEST_MS:
                    shown[at] = end - since
                    since = end
            if len(shown) <= MOST_FRAMES:
                break
        return shown


class _Cards(Drawn):
    """A picture whose cards are drawn elsewhere: each is the same in all frames."""

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[tuple[Card, Box]] = []

    def card(self, card: Card, box: Box) -> None:
        self.cards.append((card, box))


@lru_cache(256)
def _card(card: Card, width: int) -> Image.Image:
    return _pixels(card_svg(card, 100), width)


def _pixels(drawn: str, width: int) -> Image.Image:
    png = resvg_py.svg_to_bytes(svg_string=drawn, width=width, font_files=FILES)
    return Image.open(BytesIO(bytes(png)))


def _picture(scene: Scene) -> Image.Image:
    drawn = _Cards()
    picture = _pixels(svg_of(scene, drawn), WIDTH).convert("RGB")
    scale = WIDTH / drawing.WIDTH
    for card, box in drawn.cards:
        pixels = _card(card, round(box.width * scale))
        picture.paste(pixels, (round(box.x * scale), round(box.y * scale)), pixels)
    return picture


def pictures(
    span: Span, table: Table, names: Sequence[str], language: Language
) -> Iterator[tuple[Image.Image, int]]:
    """The frames, and for how many ms each is seen. `table`: before the deal."""
    table.deal(span.deal if span.open else see_deal(span.deal, span.viewer))
    shown, words, held = span.frames(), Message(""), -_HOLD_MS
    for number in range(span.until + 1):
        if number:
            event = span.events[number - 1]
            event = event if span.open else see(event, span.viewer)
            said, loud = caption(event, table), span.loud(number)
            if said and (loud or event.t >= held + _HOLD_MS):
                words, held = said, event.t if loud else held
            apply(table, event)
        if number in shown:
            line = render(words, [cut(name, _NAME) for name in names], language)
            title = clock(table.t, language)
            scene = Scene(table, names, title, line, language=language, small=True)
            yield _picture(scene), shown[number]


def caption(event: Event, table: Table) -> Message | None:
    """The event in words, as under the table. None for those that happen all the time."""
    match event:
        case Draw() | Discard():
            return None
        case Tie():
            return Message("tie on stack {stack}", stack=event.stack + 1)
        case Out():
            return Message("{name} is OUT!", name=seat(event.seat))
        case End():
            return Message("Round over")
    card = face(event.card) if event.card in FACE else Message("a card")
    about = {"name": seat(event.seat), "card": card, "stack": event.stack + 1}
    match event:
        case Late():
            return Message("{name} is late with {card} on stack {stack}.", **about)
        case Miss():
            said = "{name} makes a mistake: {card} does not fit stack {stack}."
            return Message(said, **about)
    if event.takes:
        cards = plural("{count} card", "{count} cards", count=event.takes)
        return Message(
            "{name} takes stack {stack} with {card}, in all {cards}.", **about, cards=cards
        )
    below = table.stacks[event.stack]
    if not below:
        return Message("{name} starts stack {stack} with {card}.", **about)
    owner = OWNER[below[-1]]
    whose = Message("{name}’s card", name=seat(owner))
    own = Message("their own card") if owner == event.seat else whose
    return Message("{name} plays {card} on {below}, stack {stack}.", **about, below=own)


def webp(frames: Sequence[tuple[Image.Image, int]]) -> bytes:
    """The animation, played over and over. It is at most `MOST_BYTES`, if less sharp."""
    first, *rest = (picture for picture, _ in frames)
    animated = {"save_all": True, "append_images": rest, "loop": 0, "method": 2}
    times = [ms for _, ms in frames]
    for quality in _QUALITIES:
        out = BytesIO()
        first.save(out, "WEBP", duration=times, quality=quality, **animated)
        if out.tell() <= MOST_BYTES:
            break
    return out.getvalue()
