"""A viewer's receipt, compared with the record of its match, which is over. Deals are checked too.

    POST <the receipt's file>

The answer counts the lines and actions compared, and lists each difference
(docs/reference/fair-play.md).
"""

from typing import Any, Final

from django.utils.translation import gettext as _
from ninja import Router
from typing_extensions import TypedDict

from games.archive.store import header_of, log_of
from games.models import Match
from games.pages.operations import body_of, let_bodies_have
from games.pages.problems import Refused, must_be_there
from games.people.visit import Request
from games.records.receipts import differences, parse_receipt
from replays.pages.concurrency import costly
from replays.pages.responses import must_show_results

MAX_BYTES: Final = 2**20
"""The longest receipt. One that a page keeps is shorter."""
_ASKED: Final[dict[str, Any]] = {
    "requestBody": {"content": {"application/json": {"schema": {}}}, "required": True},
    "security": [{}, {"session": []}],
}

router: Final = Router(tags=["matches"])
let_bodies_have("receipt", MAX_BYTES)


class Difference(TypedDict):
    """Where the record differs, counted from 1, and how."""

    line: int
    message: str


class Compared(TypedDict):
    """How many lines and actions were compared, and each difference."""

    lines: int
    actions: int
    differences: list[Difference]


@router.post("/receipts", url_name="receipt", response=Compared, openapi_extra=_ASKED)
def check_receipt(request: Request) -> Compared:
    """Where the record of a match that is over differs from a receipt, whose file is the body."""
    kept = parse_receipt(body_of(request))
    number = Match.objects.filter(record_id=kept.match).values_list("pk", flat=True).first()
    match = request.visit.match(must_be_there(number, _("there is no such match")))[0]
    if match.hidden:
        raise Refused(_("This match is still being played."))
    must_show_results(request.visit)
    with costly.slot(request.visit.caller):
        differing = differences(kept, enumerate([header_of(match), *log_of(match)], 1))
    return {
        "lines": kept.seq + 1,
        "actions": len(kept.actions),
        "differences": [
            {"line": difference.line, "message": difference.message} for difference in differing
        ],
    }
