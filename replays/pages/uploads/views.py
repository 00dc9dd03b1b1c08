"""What visitors send: records to store, and reports of matches."""

from http import HTTPStatus
from itertools import islice
from typing import Any, BinaryIO, Final, NamedTuple, cast

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.archive.packing import PackedRecord
from games.archive.store import insert, read_record, says_the_same
from games.archive.uploads import (
    DAY,
    OverQuotaError,
    claim,
    refuse_future,
    refuse_marked,
    refuse_open_table,
    refuse_unseen,
)
from games.models import Match, MatchComplaint, Upload
from games.pages.words import reason
from games.people.person import encode
from games.people.visit import Request
from games.records.log import RecordFault
from replays.pages.forms import MAX_UPLOAD, ReportForm, UploadForm
from replays.pages.rendering import page


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: Request) -> HttpResponse:
    """Store a record, or show its errors beside their lines."""
    sent = request.method == "POST"
    form = UploadForm(request.POST, request.FILES) if sent else UploadForm()
    context: dict[str, Any] = {"form": form, "most": MAX_UPLOAD // 2**20}
    if not (sent and form.is_valid()):
        status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
        return page(request, "upload", context, status=status)
    taken: UploadedFile = form.cleaned_data["record"]
    file = cast("BinaryIO", taken.file)
    try:
        claimed = claim(*request.visit.player(), taken.size or 0, request.visit.caller.network)
        return redirect("replays:replay", _store(request, file, claimed).pk)
    except OverQuotaError as error:
        form.add_error("record", str(error))
        response = page(request, "upload", context, status=HTTPStatus.TOO_MANY_REQUESTS)
        response["Retry-After"] = str(int(DAY.total_seconds()) // 24)
        return response
    except RecordFault as fault:
        context["fault"] = shown_fault(file, fault)
        return page(request, "upload", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _store(request: Request, file: BinaryIO, claimed: Upload) -> Match:
    """The match of that record, which may already be stored. Raises RecordFault."""
    file.seek(0)
    packed = read_record(file)[1]
    header = packed.summary.header
    refuse_future(header)
    refuse_open_table(header.id)
    refuse_unseen(header)
    refuse_marked(header)
    try:
        with transaction.atomic():
            (match,) = insert([packed], Match.Origin.UPLOADED)
            claimed.match = match
            claimed.save(update_fields=["match"])
    except IntegrityError:
        return _existing_match(request, packed)
    messages.success(request, _("The record is valid and has been stored."))
    return match


def _existing_match(request: Request, packed: PackedRecord) -> Match:
    match = Match.objects.get(record_id=packed.summary.header.id)
    if says_the_same(match, packed):
        messages.info(request, _("This match is here already. Nothing was changed."))
    else:
        messages.warning(
            request,
            _(
                "Another match here has this id already. It was left as it is, and your record, "
                "which differs from it, was not stored."
            ),
        )
    return match


@require_POST
def complain(request: Request, pk: int) -> HttpResponse:
    """Ask a moderator to look at a match. Repeating it changes nothing."""
    match = request.visit.match(pk)[0]
    form = ReportForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Say briefly what is wrong with the match."))
        return redirect("replays:replay", pk)
    person, name = request.visit.player()
    MatchComplaint.objects.get_or_create(
        match=match,
        person=encode(person),
        defaults={"name": name, "text": form.cleaned_data["text"]},
    )
    messages.success(request, _("Thank you. A moderator will look at this match."))
    return redirect("replays:replay", pk)


AROUND: Final = 2
"""How many lines are shown above and below the faulty one."""
WIDTH: Final = 300
"""How much of a line is shown, in characters."""
_READ: Final = 1 << 16


class ShownLine(NamedTuple):
    """A line of the file, cut when long."""

    number: int
    text: str
    faulty: bool


class ShownFault(NamedTuple):
    """An error, and the lines around it."""

    line: int
    message: str
    lines: list[ShownLine]


def shown_fault(file: BinaryIO, fault: RecordFault) -> ShownFault:
    """The fault with the lines around it, read from the beginning of the file."""
    file.seek(0)
    first = max(1, fault.line - AROUND)
    rows = enumerate(iter(lambda: file.readline(_READ), b""), 1)
    lines = [
        ShownLine(number, _visible(raw), number == fault.line)
        for number, raw in islice(rows, first - 1, fault.line + AROUND)
    ]
    return ShownFault(fault.line, reason(fault), lines)


def _visible(raw: bytes) -> str:
    """A line as it can be shown: invisible characters are written as their numbers."""
    text = raw[: 4 * WIDTH].rstrip(b"\n").decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text[:WIDTH])
    return shown + "…" if len(text) > WIDTH else shown
