"""Uploaded records: how much each person may send per day, and each record's sender.

`UPLOAD_BYTES_A_DAY` limits the bytes of an account, of a guest, and of everyone at an address.
Since creating guests is free, it also limits all guests there and all guests together.
"""

from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _

from games.models import LiveTable, Match, MatchComplaint, Upload
from games.people.addresses import network_hash
from games.people.names import is_marked
from games.people.person import Kind, Person, encode
from games.records.log import Header, RecordFault
from games.records.shape import legible
from games.records.strict import Malformed

DAY: Final = timedelta(days=1)
_MIB: Final = 2**20


class OverQuotaError(RuntimeError):
    """Too much has been uploaded today. The message says by whom."""


def claim(person: Person, name: str, size: int, network: str) -> Upload:
    """Count an uploaded file before anything is done with it. Raises OverQuotaError."""
    quota = settings.UPLOAD_BYTES_A_DAY
    guest = person.kind is not Kind.ACCOUNT
    own = quota["guest" if guest else "account"]
    mib = own // _MIB
    with transaction.atomic():
        claimed = Upload.objects.create(
            person=encode(person), name=name, bytes=size, network=network_hash(network)
        )
        day = Upload.objects.filter(created__gt=datetime.now(UTC) - DAY)
        here = day.filter(network=claimed.network)
        limits = [
            (
                day.filter(person=claimed.person),
                own,
                _("You can upload at most {mib} MiB a day. Log in to upload more.").format(mib=mib)
                if guest
                else _("You can upload at most {mib} MiB a day.").format(mib=mib),
            ),
            (here, quota["address"], _("Enough has been uploaded from your address today.")),
        ]
        if guest:
            of_guests = {"person__startswith": f"{Kind.GUEST.value}:"}
            limits += [
                (
                    here.filter(**of_guests),
                    quota["address_guests"],
                    _("Guests at your address have uploaded enough today. Log in to upload more."),
                ),
                (
                    day.filter(**of_guests),
                    quota["guests"],
                    _("Guests have uploaded too much today. Log in to upload more."),
                ),
            ]
        for uploads, most, words in limits:
            if uploads.aggregate(sum=Sum("bytes"))["sum"] > most:
                raise OverQuotaError(words)
    return claimed


def refuse_future(header: Header) -> None:
    """Refuse a match dated in the future. Raises RecordFault."""
    if not header.started_at:
        return
    if datetime.fromisoformat(header.started_at) > datetime.now(UTC) + DAY:
        raise RecordFault(
            1, "started_at: {started_at} is more than a day ahead", started_at=header.started_at
        )


def refuse_unseen(header: Header) -> None:
    """Refuse names with invisible characters, which look like other names. Raises RecordFault."""
    for number, seat in enumerate(header.seats):
        try:
            legible(seat.name, f"seats[{number}].name")
        except Malformed as error:
            raise RecordFault(1, error.said) from None


def refuse_marked(header: Header) -> None:
    """Refuse a person with the mark of a bot: its page would have their matches. RecordFault."""
    for number, seat in enumerate(header.seats):
        if seat.kind == "human" and is_marked(seat.name):
            raise RecordFault(
                1, "seats[{number}].name: only a bot has the mark of one", number=number
            )


def refuse_open_table(record_id: str) -> None:
    """Refuse to upload the match of an open table. Raises RecordFault."""
    begun = Match.objects.filter(record_id=record_id).exists()
    if not begun and LiveTable.objects.filter(record_id=record_id).exists():
        raise RecordFault(1, "id: a table of this site has this id")


def forget_old() -> None:
    """Delete what is only needed to count a day's bytes."""
    long_ago = datetime.now(UTC) - 2 * DAY
    Upload.objects.filter(created__lt=long_ago).exclude(network="").update(network="")
    Upload.objects.filter(match=None, created__lt=long_ago).delete()


def forget(person: Person) -> None:
    """Remove the name of a departing person from their uploads, and their reports."""
    Upload.objects.filter(person=encode(person)).update(person="", name="")
    MatchComplaint.objects.filter(person=encode(person)).delete()
