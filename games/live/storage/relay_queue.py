"""Requests and replies between processes, as rows that are fetched once."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone

from games.live.host.requests import Answer, ConnectionId, Refused
from games.models import LiveTable, RelayReply, RelayRequest

MOST_REQUESTS: Final = 200
STALE_S: Final = 60
"""Unfetched requests and replies of this age are deleted."""


def send(process: str, match: str, body: Mapping[str, Any]) -> None:
    table = LiveTable.objects.filter(record_id=match).values_list("pk", flat=True).first()
    if table is not None:
        RelayRequest.objects.create(table_id=table, process=process, body=body)


def requests(process: str, tables: Sequence[int]) -> list[tuple[int, Mapping[str, Any]]]:
    """Fetch and delete the requests for a process's own among these tables, oldest first.

    Tables whose lease was taken but whose host is not ready must not be included: requests fetched
    too early would be lost.
    """
    old = timezone.now() - timedelta(seconds=STALE_S)
    mine = RelayRequest.objects.filter(table__in=tables, table__lease_owner=process).order_by("pk")
    rows = list(mine.values_list("pk", "table_id", "body")[:MOST_REQUESTS])
    if rows:
        RelayRequest.objects.filter(pk__in=[pk for pk, _, _ in rows]).delete()
        RelayRequest.objects.filter(created__lt=old).delete()
    return [(table, body) for _, table, body in rows]


def reply(answers: Sequence[tuple[str, Answer]]) -> None:
    RelayReply.objects.bulk_create(
        RelayReply(process=connection.process, body=_answer_json(match, connection, answer))
        for match, answer in answers
        for connection in answer.connections
    )


def _answer_json(match: str, connection: ConnectionId, answer: Answer) -> dict[str, Any]:
    result = answer.result
    said = result if isinstance(result, int) else result._asdict()
    return {"match": match, "number": connection.number, "id": answer.id, "result": said}


def replies(process: str) -> list[tuple[str, Answer]]:
    """Fetch and delete the answers left for a process, oldest first."""
    rows = list(RelayReply.objects.filter(process=process).order_by("pk").values_list("pk", "body"))
    if rows:
        old = timezone.now() - timedelta(seconds=STALE_S)
        RelayReply.objects.filter(Q(pk__in=[pk for pk, _ in rows]) | Q(created__lt=old)).delete()
    return [_answer(process, body) for _, body in rows]


def _answer(process: str, body: Mapping[str, Any]) -> tuple[str, Answer]:
    said = body["result"]
    result = said if isinstance(said, int) else Refused(**said)
    return body["match"], Answer((ConnectionId(process, body["number"]),), body["id"], result)
