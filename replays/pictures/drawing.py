"""A position as an SVG picture of 1200 by 630, the size of a link preview.

It draws what it is given: what a viewer may not see is hidden before (`games.engine.perspective`),
so an unknown card is a back. Everything in it is escaped or made here. Shown on a page it has the
reader's theme, and where it is small, few and large words (`SMALL`).
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from unicodedata import east_asian_width
from xml.sax.saxutils import escape

from games.engine import scoring
from games.engine.cards import FACE, WILD, Card
from games.engine.message import ENGLISH, Language, Message, plural, render, spoken
from games.engine.table import Table
from replays.pictures.art import style_sheet, styles, symbols
from replays.pictures.fonts import FAMILY, runs_of

WIDTH: Final = 1200
HEIGHT: Final = 630
RATIO: Final = 1.4
EDGE: Final = 26
_SLOT_CARD: Final = 116
_SLOTS_TOP: Final = 92
_SLOTS_HEIGHT: Final = 302
_SEATS_TOP: Final = 436
_SEATS_HEIGHT: Final = 172
SMALL: Final = (
    ".small{display: none}@media (max-width: 640px){.small{display: inline}.large{display: none}}"
)
_FEW: Final = ".large{display: none}"
_SMALL_WORDS: Final = 37
_MARK: Final = "#ffd23f"
_CUT: Final = "…"
_EMS: Final = dict.fromkeys("MWmw@%", 1.05)
"""Letters wider than others of their script."""
_NOT_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Scene(NamedTuple):
    """What is drawn: the table as the viewer sees it, and the words around it."""

    table: Table
    names: Sequence[str]
    title: str
    caption: str
    marks: Sequence[str] = ()
    arrows: Sequence[str] = ()
    language: Language = ENGLISH
    small: bool = False
    """Whether it is only ever seen small, as a clip is."""

    def said(self, message: Message) -> str:
        return render(message, self.names, self.language)


class Box(NamedTuple):
    """A place in the picture."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2


class Drawn:
    """A picture being drawn. `boxes` are the places that marks and arrows may name."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.used: set[str] = set()
        self.boxes: dict[str, Box] = {}

    def add(self, text: str) -> None:
        self.parts.append(text)

    def use(self, symbol: str, box: Box, deck: int | None = None) -> None:
        """Draw a symbol, in a deck's colours if it has none of its own."""
        name = symbol if deck is None else f"{symbol}-of-{deck}"
        self.used.add(name)
        self.add(
            f'<use href="#{name}" x="{box.x:.1f}" y="{box.y:.1f}" '
            f'width="{box.width:.1f}" height="{box.height:.1f}"/>'
        )

    def card(self, card: Card, box: Box) -> None:
        """Draw a card. A hidden one as a back."""
        deck, face = ord(card[0]) - ord("A"), FACE.get(card, 0)
        if not face:
            self.use("card-back", box, deck)
            return
        self.use("card-front", box, deck)
        style = styles()[(ord(card[2]) - ord("a")) % len(styles())]
        self.use("card-wild" if face == WILD else f"card-{face}-{style}", box)
        self.use(f"card-corner-{'R' if face == WILD else face}", box, deck)
        self.boxes.setdefault(f"card:{card}", box)

    def words(
        self, text: str, x: float, y: float, *, size: float, fill: str, anchor: str = "start"
    ) -> None:
        """`fill`: the classes of a paint, and of a size if it is shown in that only."""
        inside, before, alone = "", "", False
        for part, family, here in runs_of(text):
            # A font from elsewhere spoils nothing beside it if it has a place of its own.
            alone, apart = not here, before and (alone or not here) and anchor == "start"
            at = f' x="{x + wide(before) * size:.1f}" y="{y:.1f}"' if apart else ""
            run = f'<tspan{at} font-family="{family}">{escaped(part)}</tspan>'
            inside += escaped(part) if family == FAMILY else run
            before += part
        self.add(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.0f}" class="{fill}" '
            f'text-anchor="{anchor}">{inside}</text>'
        )


def svg_of(scene: Scene, drawn: Drawn | None = None) -> str:
    """The picture. `drawn`: where its parts go, to draw the cards elsewhere."""
    drawn = drawn or Drawn()
    _head(drawn, scene)
    _slots(drawn, scene)
    _seats(drawn, scene)
    _remarks(drawn, scene)
    body = "".join(drawn.parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="{FAMILY}" font-weight="700">'
        f"<title>{escaped(f'{scene.title}. {scene.caption}'.strip())}</title>"
        f"<style>{style_sheet()}{_FEW if scene.small else SMALL}</style>"
        f"<defs>{_definitions(drawn.used)}</defs>"
        f"{_felt()}{body}</svg>"
    )


def card_svg(card: Card, width: float) -> str:
    """A card alone."""
    drawn = Drawn()
    drawn.card(card, Box(0, 0, width, width * RATIO))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {width * RATIO}">'
        f"<style>{style_sheet()}</style><defs>{_definitions(drawn.used)}</defs>"
        f"{''.join(drawn.parts)}</svg>"
    )


def _definitions(used: set[str]) -> str:
    """The symbols that are used, and those that they use."""
    definitions = [_symbol(name) for name in sorted(used)]
    decks = {name[-1] for name in used if "-of-" in name}
    for deck in sorted(decks):
        if f"mark-{deck}" not in used:
            definitions.append(symbols()[f"mark-{deck}"])
        definitions.append(symbols()[f"deck-pattern-{deck}"])
    return "".join(definitions)


def _symbol(name: str) -> str:
    symbol, of, deck = name.partition("-of-")
    if not of:
        return symbols()[symbol]
    known = symbols().get(f"{symbol}-{deck}") or symbols()[symbol]
    _, start, rest = known.partition('viewBox="0 0 100 140">')
    inside = rest.removesuffix("</symbol>")
    return f'<symbol id="{name}" {start}<g class="deck-{deck}">{inside}</g></symbol>'


def _felt() -> str:
    return (
        f'<rect width="{WIDTH}" height="{HEIGHT}" class="wood"/>'
        f'<rect x="10" y="10" width="{WIDTH - 20}" height="{HEIGHT - 20}" rx="18" '
        'class="felt"/>'
    )


def _head(drawn: Drawn, scene: Scene) -> None:
    if scene.small:
        words = cut(f"{scene.title}  {scene.caption}", (WIDTH - 2 * EDGE) / 30)
        drawn.words(words, EDGE + 6, 46, size=36, fill="felt-ink small")
        return
    ink = "felt-ink large"
    drawn.words(scene.title, EDGE + 6, 60, size=30, fill=ink)
    start = EDGE + 26 + wide(scene.title) * 30
    room = WIDTH - EDGE - 130 - start
    drawn.words(cut(scene.caption, room / 24), start, 60, size=24, fill=ink)
    drawn.words("Ratuki", WIDTH - EDGE - 6, 60, size=28, fill=ink, anchor="end")


def _slots(drawn: Drawn, scene: Scene) -> None:
    table = scene.table
    count = len(table.stacks)
    gap = 56
    left = (WIDTH - count * _SLOT_CARD - (count - 1) * gap) / 2
    for slot, stack in enumerate(table.stacks):
        x = left + slot * (_SLOT_CARD + gap)
        _stack(drawn, stack, x)
        drawn.boxes[f"stack:{slot}"] = Box(x - 8, _SLOTS_TOP - 6, _SLOT_CARD + 16, _SLOTS_HEIGHT)
        what = scene.said(_cards_on(stack, table.tops[slot]))
        at = x + _SLOT_CARD / 2, _SEATS_TOP - 14
        drawn.words(what, *at, size=20, fill="felt-ink large", anchor="middle")
        height = f"{len(stack) or ''}"
        drawn.words(height, *at, size=_SMALL_WORDS, fill="felt-ink small", anchor="middle")


def _cards_on(stack: Sequence[Card], top: int) -> Message:
    """How many cards lie there, and as which number a wild on top counts."""
    if not stack:
        return Message("free")
    if FACE[stack[-1]] == WILD:
        return plural(
            "{count} card, as {top}", "{count} cards, as {top}", count=len(stack), top=top
        )
    return plural("{count} card", "{count} cards", count=len(stack))


def _stack(drawn: Drawn, stack: Sequence[Card], x: float) -> None:
    height = _SLOT_CARD * RATIO
    if not stack:
        drawn.add(
            f'<rect x="{x:.1f}" y="{_SLOTS_TOP}" width="{_SLOT_CARD}" height="{height:.0f}" '
            'rx="10" fill="none" stroke="#ffffff" stroke-opacity=".34" stroke-width="2" '
            'stroke-dasharray="7 6"/>'
        )
    step = min(28.0, (_SLOTS_HEIGHT - height - 12) / max(len(stack) - 1, 1))
    for at, card in enumerate(stack):
        drawn.card(card, Box(x, _SLOTS_TOP + at * step, _SLOT_CARD, height))


def _seats(drawn: Drawn, scene: Scene) -> None:
    count, gap = len(scene.names), 12
    width = (WIDTH - 2 * EDGE - (count - 1) * gap) / count
    for seat in range(count):
        box = Box(EDGE + seat * (width + gap), _SEATS_TOP, width, _SEATS_HEIGHT)
        _seat(drawn, scene, seat, box)


def _seat(drawn: Drawn, scene: Scene, seat: int, box: Box) -> None:
    table = scene.table
    drawn.boxes[f"seat:{seat}"] = box
    drawn.add(
        f'<rect x="{box.x:.1f}" y="{box.y}" width="{box.width:.1f}" height="{box.height}" rx="12" '
        'class="panel"/>'
    )
    drawn.used.add(f"mark-{seat}")
    drawn.add(
        f'<use href="#mark-{seat}" x="{box.x + 12:.1f}" y="{box.y + 12}" width="20" height="20" '
        f'class="deck-{seat}"/>'
    )
    total = spoken(_points(table)[seat])
    name, right, bottom = scene.names[seat], box.x + box.width - 12, box.y + box.height - 11
    drawn.words(total, right, box.y + 33, size=28, fill="ink large", anchor="end")
    drawn.words(total, right, box.y + 38, size=_SMALL_WORDS, fill="ink small", anchor="end")
    room = (box.width - 60 - wide(total) * 28) / 22
    drawn.words(cut(name, room), box.x + 40, box.y + 31, size=22, fill="ink large")
    room = (box.width - 24) / _SMALL_WORDS
    drawn.words(cut(name, room), box.x + 12, bottom, size=_SMALL_WORDS, fill="ink small")
    _hand(drawn, table.hands[seat], box)
    piles = (
        scene.said(Message("{count} draw", count=len(table.draw_piles[seat]))),
        scene.said(Message("{count} discard", count=len(table.discard_piles[seat]))),
        scene.said(Message("{count} won", count=len(table.score_piles[seat]))),
    )
    size = min(18.0, (box.width - 24) / wide("  ".join(piles)))
    drawn.words("  ".join(piles), box.x + 12, bottom, size=size, fill="ink-soft large")


def _points(table: Table) -> Sequence[int]:
    """Each seat's points if the round ended now, as the board has them."""
    if table.ended:
        return table.totals
    return [sum(both) for both in zip(table.totals, scoring.round_scores(table), strict=True)]


def _hand(drawn: Drawn, hand: Sequence[Card], box: Box) -> None:
    width = min(64.0, (box.width - 36) / 3)
    for at, card in enumerate(hand):
        drawn.card(card, Box(box.x + 12 + at * (width + 6), box.y + 44, width, width * RATIO))


def _remarks(drawn: Drawn, scene: Scene) -> None:
    """Marks and arrows on visible things. Nothing points at hidden ones."""
    for mark in scene.marks:
        box = drawn.boxes.get(mark)
        if box:
            drawn.add(
                f'<rect x="{box.x - 4:.1f}" y="{box.y - 4:.1f}" width="{box.width + 8:.1f}" '
                f'height="{box.height + 8:.1f}" rx="12" fill="none" stroke="{_MARK}" '
                'stroke-width="5"/>'
            )
    for arrow in scene.arrows:
        start, end = (drawn.boxes.get(name) for name in arrow.split(">"))
        if start and end:
            drawn.add(_arrow(*start.middle, *end.middle))


def _arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    length = max(((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5, 1.0)
    ux, uy = (to_x - x) / length, (to_y - y) / length
    base_x, base_y = to_x - ux * 24, to_y - uy * 24
    return (
        f'<path d="M{x:.1f} {y:.1f}L{base_x:.1f} {base_y:.1f}" stroke="{_MARK}" stroke-width="8" '
        f'stroke-linecap="round"/><path d="M{to_x:.1f} {to_y:.1f}'
        f"L{base_x - uy * 15:.1f} {base_y + ux * 15:.1f}"
        f'L{base_x + uy * 15:.1f} {base_y - ux * 15:.1f}Z" fill="{_MARK}"/>'
    )


# --- Words -------------------------------------------------------------------------------------


def escaped(text: str) -> str:
    return escape(xml_text(text))


def xml_text(text: str) -> str:
    """The text with a replacement character for each that XML cannot contain. Not escaped."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def wide(text: str) -> float:
    """About how wide a text is, in ems, in any of the fonts that it may be shown in."""
    return sum(
        _EMS.get(letter, 1.05 if east_asian_width(letter) in "WF" else 0.64) for letter in text
    )


def cut(text: str, ems: float) -> str:
    """The text, cut to about that width."""
    if wide(text) <= ems:
        return text
    kept = ""
    for letter in text:
        if wide(kept + letter + _CUT) > ems:
            break
        kept += letter
    return kept.rstrip() + _CUT
