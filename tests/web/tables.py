"""Visitors and tables for the tests of pages: opened by the form, begun as the host leaves them."""

from typing import Any

from django.test import Client
from django.urls import reverse

from games.models import LiveTable, Match
from games.tables.plan import Plan, from_json
from games.tables.state import ROUND

PERSON = {"seat_2": "open", "seat_3": "none", "seat_4": "none", "seat_5": "none"}
FORM: dict[str, Any] = {
    "edition": "usaopoly-2009",
    "target": "100",
    "watching": "on",
    "open_delay_s": "0",
    **PERSON,
    **{f"level_{seat}": "3" for seat in range(2, 6)},
}


def browser(name: str = "") -> Client:
    """A visitor; with a name, a guest who has taken it."""
    client = Client()
    if name:
        client.post(reverse("games:rename"), {"name": name})
    return client


def open_by(client: Client, **form: Any) -> Plan:
    """The table that this visitor opens by the form."""
    response = client.post(reverse("games:new"), {**FORM, **form})
    assert response.status_code == 302, response.content.decode()
    return plan_of(response["Location"].split("/")[-2])


def plan_of(table: str) -> Plan:
    return from_json(LiveTable.objects.get(record_id=table).plan)


def address(plan: Plan, name: str = "table") -> str:
    return reverse(f"games:{name}", args=[plan.id])


def text(client: Client, url: str) -> str:
    return client.get(url).content.decode()


def begin(plan: Plan, *, watching: int = 0) -> Match:
    """As the host leaves it once the first cards are dealt."""
    state = {"phase": ROUND, "round": 1, "watching": watching, "totals": [0] * len(plan.places)}
    LiveTable.objects.filter(record_id=plan.id).update(state=state, phase=ROUND)
    header = {"visibility": "link" if plan.key else "public", "token": plan.key}
    return Match.objects.create(
        record_id=plan.id,
        header="{}",
        edition=plan.edition,
        seat_count=len(plan.places),
        started_at="2026-01-01T00:00:00Z",
        day=0,
        source="live",
        spectators={"watching": plan.watching},
        **header,
    )
