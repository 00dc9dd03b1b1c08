"""People play by their session, and no longer than it lasts."""

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
import websockets

from games.live.host.rate_limits import BURST, FAULTS, ConnectionLimit, FrameLimits
from games.people.person import account
from games.tables.plan import Plan, new_plan
from tests.live.asyncapi import hold
from tests.live.serving import PATIENCE_S, connect, open_table, plan_of, served, ws
from tests.services import Site

LOG_IN = """
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.backends.db import SessionStore
user, new = get_user_model().objects.get_or_create(username="ada")
if new:
    user.set_password("four blue stacks")
    user.save()
session = SessionStore()
session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
session.create()
print(user.pk, session.session_key)
"""
NEW_PASSWORD = """
from django.test import Client
browser = Client(headers={{"host": "{site}", "cookie": "sessionid={key}"}})
form = {{"old_password": "four blue stacks"}}
form |= {{"new_password1": "five red stacks", "new_password2": "five red stacks"}}
assert browser.post("/account/password/", form).status_code == 302
print(browser.cookies["sessionid"].value)
"""
LOG_OUT = """
from django.contrib.sessions.models import Session
print(Session.objects.all().delete())
"""


def users_plan(user: str) -> Plan:
    plan = new_plan("mine", "usaopoly-2009", 2, {})
    return plan.sit(account(int(user)), "Ada").seat_bot("taker", 3, "B")


@pytest.mark.slow
async def test_a_socket_ends_with_its_session(tmp_path: Path) -> None:
    with served(tmp_path) as site:
        user, key = site.manage("shell", "-v", "0", "-c", LOG_IN).split()
        open_table(site, users_plan(user))
        headers = {"Cookie": f"sessionid={key}"}
        async with asyncio.timeout(3 * PATIENCE_S):
            socket, welcome = await join(site, headers)
            assert welcome["seat"] == 0
            stranger, welcome = await join(site, {})
            assert welcome["seat"] is None
            await asyncio.to_thread(site.manage, "shell", "-v", "0", "-c", LOG_OUT)
            assert await ended(socket) == 4403
            await stranger.send('{"type":"ping","n":1}')
            while hold(str(await stranger.recv()), "hear")["type"] != "pong":
                pass
            await stranger.close()


@pytest.mark.slow
async def test_a_new_password_ends_all_sockets_and_who_set_it_comes_back(tmp_path: Path) -> None:
    with served(tmp_path) as site:

        async def told(code: str) -> list[str]:
            answer = await asyncio.to_thread(site.manage, "shell", "-v", "0", "-c", code)
            return str(answer).split()

        user, here = await told(LOG_IN)
        _, elsewhere = await told(LOG_IN)
        open_table(site, users_plan(user))
        async with asyncio.timeout(3 * PATIENCE_S):
            joined = [await join(site, {"Cookie": f"sessionid={key}"}) for key in (here, elsewhere)]
            assert [welcome["seat"] for _, welcome in joined] == [0, 0]
            change = NEW_PASSWORD.format(site=site.url.split("//")[1], key=here)
            [anew] = await told(change)
            assert [await ended(socket) for socket, _ in joined] == [4403, 4403]
            for key, seat in ((anew, 0), (here, None), (elsewhere, None)):
                socket, welcome = await join(site, {"Cookie": f"sessionid={key}"})
                assert welcome["seat"] == seat
                await socket.close()


async def ended(socket: Any) -> int:
    """The code that the server said goodbye with, once it has closed."""
    last: dict[str, Any] = {}
    with contextlib.suppress(websockets.ConnectionClosed):
        async for text in socket:
            last = hold(str(text), "hear")
    assert (last["type"], last["code"]) == ("bye", socket.close_code)
    return int(last["code"])


async def join(site: Site, headers: dict[str, str]) -> Any:
    socket = await connect(
        ws(site, "/ws/matches/mine/"), origin=site.url, additional_headers=headers
    )
    await socket.send(json.dumps({"type": "hello", "v": 1}))
    return socket, hold(str(await socket.recv()), "hear")


@pytest.mark.slow
async def test_one_address_gets_a_limited_number_of_sockets(tmp_path: Path) -> None:
    few = {"LIVE_SOCKETS_PER_ADDRESS": "2"}
    with served(tmp_path, plan_of("b", 0, 2), environment=few) as site:
        url = ws(site, "/ws/watch/b/")
        first = await connect(url, origin=site.url)
        second = await connect(url, origin=site.url)
        third = await connect(url, origin=site.url)
        assert hold(str(await third.recv()), "hear")["code"] == 4429
        await first.close()
        await second.close()


def test_frames_and_faults_are_counted_by_the_clock() -> None:
    patience = FrameLimits(0)
    assert all(patience.frame(0) for _ in range(BURST))
    assert not patience.frame(0)
    assert patience.frame(17)
    assert not patience.frame(17)
    assert all(patience.fault(0) for _ in range(FAULTS - 1))
    assert not patience.fault(0)
    assert patience.fault(12_000)


def test_connection_limits_admit_only_so_many() -> None:
    limit = ConnectionLimit(3, 2)
    assert [limit.acquire(a) for a in "aaabb"] == [True, True, False, True, False]
    limit.release("a")
    assert limit.acquire("b")
    assert not limit.acquire("c")
