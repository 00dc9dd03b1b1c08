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

    def edge(self, to: "Box") -> tuple[float, float]:
        """Where the way from its middle to another's leaves it."""
        x, y = self.x + self.width / 2, self.y + self.height / 2
        dx, dy = to.x + to.width / 2 - x, to.y + to.height / 2 - y
        part = min(self.width / 2 / (abs(dx) or 1), self.height / 2 / (abs(dy) or 1), 1)
        return x + dx * part, y + dy * part


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

    def fitted(
        self, text: str, x: float, y: float, room: float, sizes: tuple[int, int], *, fill: str
    ) -> None:
        """Words in so much room: smaller, then cut. `sizes`: the largest and the smallest."""
        size = max(sizes[1], min(sizes[0], room / max(wide(text), 1)))
        self.words(cut(text, room / size + 0.01), x, y, size=size, fill=fill)


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
    for deck in sorted({name[-1] for name in used if "-of-" in name}):
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
        words = f"{scene.title}  {scene.caption}"
        drawn.fitted(words, EDGE + 6, 46, WIDTH - 2 * EDGE - 12, (36, 26), fill="felt-ink small")
        return
    ink = "felt-ink large"
    drawn.words(scene.title, EDGE + 6, 60, size=30, fill=ink)
    start = EDGE + 26 + wide(scene.title) * 30
    room = WIDTH - EDGE - 130 - start
    drawn.fitted(scene.caption, start, 60, room, (24, 17), fill=ink)
    drawn.words("Ratuki", WIDTH - EDGE - 6, 60, size=28, fill=ink, anchor="end")


def _slots(drawn: Drawn, scene: Scene) -> None:
    table, count, gap = scene.table, len(scene.table.stacks), 56
    left = (WIDTH - count * _SLOT_CARD - (count - 1) * gap) / 2
    for slot, stack in enumerate(table.stacks):
        x = left + slot * (_SLOT_CARD + gap)
        below = _stack(drawn, stack, x)
        drawn.boxes[f"stack:{slot}"] = Box(x - 8, _SLOTS_TOP, _SLOT_CARD + 16, below - 58)
        words = scene.said(_cards_on(stack, table.tops[slot])), f"{len(stack) or ''}"
        for text, size, shown in zip(words, (20, _SMALL_WORDS), ("large", "small"), strict=True):
            at = x + _SLOT_CARD / 2, below + 9 + size * 0.75
            drawn.words(text, *at, size=size, fill=f"felt-ink {shown}", anchor="middle")


def _cards_on(stack: Sequence[Card], top: int) -> Message:
    """How many cards lie there, and as which number a wild on top counts."""
    if not stack:
        return Message("free")
    if FACE[stack[-1]] == WILD:
        return plural(
            "{count} card, as {top}", "{count} cards, as {top}", count=len(stack), top=top
        )
    return plural("{count} card", "{count} cards", count=len(stack))


def _stack(drawn: Drawn, stack: Sequence[Card], x: float) -> float:
    """Returns where its last card ends."""
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
    return _SLOTS_TOP + max(len(stack) - 1, 0) * step + height


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
    total = spoken(_points(table)[seat])
    name, right, bottom = scene.names[seat], box.x + box.width - 12, box.y + box.height - 11
    for top, size, shown in ((12, 20, "large"), (136, 26, "small")):
        drawn.add(
            f'<use href="#mark-{seat}" x="{box.x + 12:.1f}" y="{box.y + top}" width="{size}" '
            f'height="{size}" class="deck-{seat} {shown}"/>'
        )
    drawn.used.add(f"mark-{seat}")
    drawn.words(total, right, box.y + 33, size=28, fill="ink large", anchor="end")
    drawn.words(total, right, bottom, size=_SMALL_WORDS, fill="ink small", anchor="end")
    room = box.width - 60 - wide(total) * 28
    drawn.fitted(name, box.x + 40, box.y + 31, room, (22, 18), fill="ink large")
    sizes = _SMALL_WORDS, 30
    drawn.fitted(name, box.x + 12, box.y + 36, box.width - 24, sizes, fill="ink small")
    _hand(drawn, table.hands[seat], box)
    draw = scene.said(Message("{count} draw", count=len(table.draw_piles[seat])))
    won = scene.said(Message("{count} won", count=len(table.score_piles[seat])))
    piles, sizes = f"{draw} · {won}", (18, 12)
    drawn.fitted(piles, box.x + 12, bottom, box.width - 24, sizes, fill="ink-soft large")


def _points(table: Table) -> Sequence[int]:
    """Each seat's points if the round ended now, as the board has them."""
    if table.ended:
        return table.totals
    return [sum(both) for both in zip(table.totals, scoring.round_scores(table), strict=True)]


def _hand(drawn: Drawn, hand: Sequence[Card], box: Box) -> None:
    width = min(60.0, (box.width - 36) / 3)
    for at, card in enumerate(hand):
        drawn.card(card, Box(box.x + 12 + at * (width + 6), box.y + 44, width, width * RATIO))


def _remarks(drawn: Drawn, scene: Scene) -> None:
    """Marks and arrows on visible things. Nothing points at hidden ones."""
    for mark in scene.marks:
        if box := drawn.boxes.get(mark):
            drawn.add(
                f'<rect x="{box.x - 4:.1f}" y="{box.y - 4:.1f}" width="{box.width + 8:.1f}" '
                f'height="{box.height + 8:.1f}" rx="12" fill="none" stroke="{_MARK}" '
                'stroke-width="5"/>'
            )
    for arrow in scene.arrows:
        start, end = (drawn.boxes.get(name) for name in arrow.split(">"))
        if start and end:
            drawn.add(_arrow(*start.edge(end), *end.edge(start)))


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
