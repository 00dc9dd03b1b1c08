"""Links that open a private table or its match, there or at a page about it.

    /play/join/#<table>.<key>          the table, or its match
    /play/join/#<table>.<key>./matches/7/?seq=9

The key is behind the #, so that no server logs it.
"""

from typing import Final, NamedTuple

import segno
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString, mark_safe

MAX_INVITATION: Final = 400
"""Characters of the part behind the #."""


class Invitation(NamedTuple):
    """The content of an invitation. `path`: where it leads, empty for the table."""

    table: str
    key: str
    path: str


def invitation(request: HttpRequest, table: str, key: str, path: str = "") -> str:
    """A link for others, as a whole address."""
    end = f".{path}" if path else ""
    return f"{request.build_absolute_uri(reverse('games:join'))}#{table}.{key}{end}"


def invited(text: str) -> Invitation:
    """What is behind the # of such a link. A path is one of this site, or left out."""
    table, key, path = [*text.replace("\0", "").split(".", 2), "", ""][:3]
    local = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return Invitation(table, key, path if local else "")


def qr_of(link: str) -> SafeString:
    """A link as a QR code, in SVG."""
    picture = segno.make(link, error="m", micro=False)
    drawn = picture.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None)
    return mark_safe(drawn)  # noqa: S308 - drawn here, of our own link
