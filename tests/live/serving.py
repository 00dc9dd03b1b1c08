"""The site served by Daphne for tests of live play, with tables in its database."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import websockets

from games.people.person import bearer
from games.tables.plan import Plan, new_plan, to_json
from tests.services import Site

PATIENCE_S = 60
"""How long a first answer may take: a busy machine needs long to start a server."""
TOKEN = "a-seat-token-of-this-test-{}"
OPEN = """
import json
from games.tables.plan import from_json
from games.tables.opening import open_table
open_table(from_json(json.loads({plan!r})))
"""


def token(seat: int) -> str:
    """The token by which a test plays that seat."""
    return TOKEN.format(seat)


def plan_of(match: str, people: int, bots: int = 0, **overrides: Any) -> Plan:
    """A table with people, known by `token`, and bots."""
    plan = new_plan(match, "usaopoly-2009", people + bots, overrides)
    for seat in range(people):
        plan = plan.sit(bearer(token(seat)), f"P{seat}")
    for seat in range(people, people + bots):
        plan = plan.seat_bot("first-fit", 5, f"B{seat}")
    return plan


def open_table(site: Site, plan: Plan) -> None:
    """Put a table into a site's database."""
    site.manage("shell", "-c", OPEN.format(plan=json.dumps(to_json(plan))))


@contextmanager
def served(var: Path, *plans: Plan, environment: Mapping[str, str] | None = None) -> Iterator[Site]:
    """A migrated site with these tables, serving."""
    with Site(var, environment) as site:
        site.migrate()
        for plan in plans:
            open_table(site, plan)
        yield site.start()


def connect(url: str, **how: Any) -> websockets.connect:
    """A WebSocket to a site that may only be starting."""
    return websockets.connect(url, open_timeout=PATIENCE_S, **how)


def ws(site: Site, path: str) -> str:
    """The address of a WebSocket on a site."""
    return f"{site.url.replace('http', 'ws', 1)}{path}"


async def becomes(address: str, headers: dict[str, str], hello: dict[str, Any]) -> str:
    """What one becomes who says that hello."""
    async with asyncio.timeout(PATIENCE_S), connect(address, additional_headers=headers) as it:
        await it.send(json.dumps({"type": "hello", "v": 1, **hello}))
        frame = json.loads(await it.recv())
        if frame["type"] == "error":
            frame = json.loads(await it.recv())
        if frame["type"] == "bye":
            return str(frame["code"])
        assert frame["type"] == "welcome"
        if frame["seat"] is not None:
            return f"seat{frame['seat']}"
        return "hands" if frame["open"] else "watch"
