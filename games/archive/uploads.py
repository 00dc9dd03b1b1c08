"""Uploaded records: how much each person may send per day, and who sent which.

`UPLOAD_BYTES_A_DAY` limits the bytes of an account, of a guest, and, since creating guests is free,
of all guests of an address and of all guests together.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet, Sum

from games.models import LiveTable, Match, MatchComplaint, Upload
from games.people.addresses import kept
from games.people.person import Kind, Person, encode
from games.records.log import Header, RecordFault
from games.records.shape import legible
from games.records.strict import Malformed

DAY: Final = timedelta(days=1)
_MIB: Final = 2**20


class OverQuotaError(RuntimeError):
    """The day's limit of uploaded bytes would be exceeded."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


def claim(person: Person, name: str, size: int, network: str) -> Upload:
    """Count an uploaded file before anything is done with it. Raises OverQuotaError."""
    guest = person.kind is not Kind.ACCOUNT
    quota = settings.UPLOAD_BYTES_A_DAY
    with transaction.atomic():
        claimed = Upload.objects.create(
            person=encode(person), name=name, bytes=size, network=kept(network) if guest else ""
        )
        own = quota["guest" if guest else "account"]
        if _sent(Upload.objects.filter(person=claimed.person)) > own:
            raise OverQuotaError(f"You can upload at most {own // _MIB} MiB a day.{_HINT[guest]}")
        here = Upload.objects.filter(network=claimed.network)
        if guest and _sent(here) > quota["address"]:
            raise OverQuotaError(
                "Guests at your address have uploaded enough today. Log in to upload more."
            )
        guests = Upload.objects.filter(person__startswith=f"{Kind.GUEST.value}:")
        if guest and _sent(guests) > quota["guests"]:
            raise OverQuotaError(
                "Guests have uploaded too much today. Log in to upload your record."
            )
    return claimed


_HINT: Final = {True: " Log in to upload more.", False: ""}


def _sent(uploads: QuerySet[Upload]) -> int:
    since = datetime.now(UTC) - DAY
    return uploads.filter(created__gt=since).aggregate(sum=Sum("bytes"))["sum"] or 0


def refuse_future(header: Header) -> None:
    """Refuse a match dated in the future. Raises RecordFault."""
    if not header.started_at:
        return
    if datetime.fromisoformat(header.started_at) > datetime.now(UTC) + DAY:
        raise RecordFault(1, f"started_at: {header.started_at} is more than a day ahead")


def refuse_unseen(header: Header) -> None:
    """Refuse names that look like others, since they hold what nobody sees. Raises RecordFault."""
    for number, seat in enumerate(header.seats):
        try:
            legible(seat.name, f"seats[{number}].name")
        except Malformed as error:
            raise RecordFault(1, str(error)) from None


def refuse_open_table(record_id: str) -> None:
    """Nobody may upload the match of an open table. Raises RecordFault."""
    begun = Match.objects.filter(record_id=record_id).exists()
    if not begun and LiveTable.objects.filter(record_id=record_id).exists():
        raise RecordFault(1, "id: a table of this site has this id")


def forget_old() -> None:
    """Delete what is only needed to count a day's bytes."""
    long_ago = datetime.now(UTC) - 2 * DAY
    Upload.objects.filter(created__lt=long_ago).exclude(network="").update(network="")
    Upload.objects.filter(match=None, created__lt=long_ago).delete()


def forget(person: Person) -> None:
    """Remove the name of a departing person from their uploads, and what they reported."""
    Upload.objects.filter(person=encode(person)).update(person="", name="")
    MatchComplaint.objects.filter(person=encode(person)).delete()
