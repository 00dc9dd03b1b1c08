"""Notes' Markdown as safe HTML.

CommonMark without HTML, then only the elements allowed in notes. A time such as `@1:34.1`, in
German `@1:34,1` (in the note's round), or `@2/0:05.0` (in round 2), and a card such as `B5a`,
become links into the match. A page's script follows them without loading anything. `@name` becomes
a link to the page of a player, if the caller gives it.

A text has at most `MOST_LINKS` links. One that would become more than `MOST_BYTES` of HTML is shown
unformatted.
"""

import re
from collections.abc import Mapping
from html import escape
from typing import Final

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType

from games.engine.cards import FACE

MOST_LINKS: Final = 50
MOST_BYTES: Final = 16 * 1024
_LINKS: Final = re.compile(
    r"@(?:(?P<round>[1-9]\d{0,3})/)?(?P<min>\d{1,4}):(?P<s>[0-5]\d)(?:[.,](?P<ds>\d))?(?![\d:])"
    r"|(?<![\w-])(?P<card>[A-E][1-5R][a-z])(?![\w-])"
    r"|(?<![\w@.])@(?P<name>[\w.+-]*\w)"
)
_TAGS: Final = {
    *("p", "br", "hr", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h1", "h2", "h3", "h4", "h5", "h6"),
}
_ATTRIBUTES: Final = {"a": {"href", "class"}, "ol": {"start"}, "*": set[str]()}
# A deeper nesting makes thousands of brackets costly.
_OPTIONS: Final = {"html": False, "linkify": False, "maxNesting": 20}
_markdown: Final = MarkdownIt("js-default", _OPTIONS).disable(["image", "table"])


def render(text: str, round_number: int, players: Mapping[str, str] | None = None) -> str:
    """The text's HTML, for a note on that round. `players`: the address of each name's page."""
    known = {"round": round_number, "players": players or {}, "room": MOST_LINKS}
    html = nh3.clean(
        _markdown.render(text, known),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow noopener noreferrer",
    )
    return html if len(html.encode()) <= MOST_BYTES else _unformatted(text)


def _unformatted(text: str) -> str:
    """As much of a text as has room, with nothing but its characters."""
    room = MOST_BYTES - len("<p>…</p>".encode())
    shown = escape(text, quote=False).encode()
    if len(shown) > room:
        # Whatever is cut in two goes: a character, or one such as &amp;.
        whole = re.sub(r"&[a-z]*$", "", shown[:room].decode(errors="ignore"))
        return f"<p>{whole}…</p>"
    return f"<p>{shown.decode()}</p>"


def _link_places(state: StateCore) -> None:
    """Turn moments, cards and players in the text into links."""
    for block in state.tokens:
        if block.type == "inline" and block.children:
            block.children = _linked(block.children, state.env)


def _linked(tokens: list[Token], known: EnvType) -> list[Token]:
    linked: list[Token] = []
    inside = 0
    for token in tokens:
        inside += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type == "link_open":
            known["room"] -= 1
        if token.type in ("link_open", "link_close") and known["room"] < 0:
            continue
        if token.type == "text" and not inside:
            linked += _split(token, known)
        else:
            linked.append(token)
    return linked


def _split(token: Token, known: EnvType) -> list[Token]:
    parts: list[Token] = []
    end = 0
    for match in _LINKS.finditer(token.content):
        if (match["card"] and match["card"] not in FACE) or (
            match["name"] and match["name"] not in known["players"]
        ):
            continue
        if known["room"] <= 0:
            break
        known["room"] -= 1
        parts += [_text(token.content[end : match.start()]), *_link(match, known)]
        end = match.end()
    return [*parts, _text(token.content[end:])]


def _link(match: re.Match[str], known: EnvType) -> list[Token]:
    opening = Token("link_open", "a", 1)
    if match["name"]:
        opening.attrs = {"href": known["players"][match["name"]], "class": "player-link"}
    elif match["card"]:
        opening.attrs = {"href": f"?card={match['card']}", "class": "card-link"}
    else:
        # The end of that tenth: what happened in it has happened.
        ms = (int(match["min"]) * 60 + int(match["s"])) * 1000 + int(match["ds"] or 0) * 100 + 99
        place = f"?round={match['round'] or known['round']}&t={ms}"
        opening.attrs = {"href": place, "class": "moment-link"}
    return [opening, _text(match[0]), Token("link_close", "a", -1)]


def _text(content: str) -> Token:
    token = Token("text", "", 0)
    token.content = content
    return token


_markdown.core.ruler.push("places", _link_places)
