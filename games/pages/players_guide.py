"""The player's guide: `docs/players/guide.md`, and beside it one file for each other language."""

import re
from functools import cache
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

FOLDER: Final = settings.BASE_DIR / "docs" / "players"
_PAGES: Final = {"../reference/rules.md": "games:rules"}
"""The documents that are pages of the site too. Links to others are shown as their words."""
_markdown: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


@require_safe
def players_guide(request: HttpRequest) -> HttpResponse:
    guide = rendered(get_language() or settings.LANGUAGE_CODE)
    return render(request, "games/players_guide.html", {"guide": guide})


@cache
def rendered(language: str) -> SafeString:
    """The guide as HTML, in English if there is none in that language."""
    path = FOLDER / f"guide.{language}.md"
    text = (path if path.exists() else FOLDER / "guide.md").read_text(encoding="utf-8")
    tokens = _markdown.parse(text)
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(tokens[number + 1].content))
        elif token.children:
            token.children = [*_followed(token.children)]
    return mark_safe(_markdown.renderer.render(tokens, _markdown.options, {}))  # noqa: S308 - ours


def _anchor(heading: str) -> str:
    """As hosts of repositories make it, so that the file's own links work there too."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _followed(tokens: list[Token]) -> list[Token]:
    """These, with links and pictures as the site has them."""
    kept, lost = [], False
    for token in tokens:
        if token.type == "link_open":
            href = str(token.attrs["href"])
            lost = not href.startswith("#") and href not in _PAGES
            if href in _PAGES:
                token.attrs["href"] = reverse(_PAGES[href])
        elif token.type == "image":
            token.attrs |= {"src": static(f"guide/{token.attrs['src']}"), "loading": "lazy"}
            token.attrs |= {"width": 1280, "height": 800}
        if not (lost and token.type in ("link_open", "link_close")):
            kept.append(token)
        lost = lost and token.type != "link_close"
    return kept
