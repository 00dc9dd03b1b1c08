"""Whatever a client sends: a frame or a known close code comes back, never an error of ours."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
import websockets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.sync.client import connect

from games.live.host.client_frames import (
    Act,
    Back,
    BadFrameError,
    Chat,
    Frame,
    Got,
    Hello,
    Leave,
    Ping,
    Ready,
    Report,
    Salt,
    Say,
    Vote,
    parse,
)
from tests.live.asyncapi import hold
from tests.live.serving import PATIENCE_S, plan_of, served, token, ws
from tests.services import Site

FRAMES = (Hello, Act, Got, Ready, Salt, Vote, Leave, Say, Back, Chat, Report, Ping)
CLOSES = {1000, 1003, 1007, 1009, 4400, 4401, 4406, 4429}

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["act", "hello", "play", "A1a", "ready", "vote", "abandon", "E Ra"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["type", "v", "id", "round", "do", "card", "stack", "as", "seen", "seq", "epoch", "ready", "n"]
)
NEARLY: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            [
                "hello",
                "act",
                "got",
                "ready",
                "salt",
                "vote",
                "say",
                "chat",
                "report",
                "ping",
                "nothing",
            ]
        )
    },
    optional={
        "v": st.integers(0, 2),
        "id": st.text("ab-_9", max_size=40),
        "round": st.integers(-1, 3),
        "do": st.sampled_from(["play", "draw", "discard", "out", "win"]),
        "card": st.sampled_from(["A1a", "B5b", "ARa", "A?", "", "Z9z"]),
        "stack": st.integers(-1, 9),
        "as": st.integers(0, 9),
        "seen": st.integers(-1, 10**16),
        "seq": st.integers(-1, 10**9),
        "ready": st.booleans(),
        "salt": st.text("09afAF", max_size=66),
        "commit": st.text("09afAF", min_size=60, max_size=66),
        "for": st.sampled_from(["rematch", "nothing"]),
        "yes": st.booleans(),
        "n": st.integers(-1, 10**10),
        "chat": st.booleans(),
        "named": st.booleans(),
        "text": st.text(max_size=210),
        "phrase": st.sampled_from(["ouch", "again", "damn"]),
    },
)
ANYTHING = (
    NEARLY.map(json.dumps)
    | st.dictionaries(KEYS, VALUES).map(json.dumps)
    | VALUES.map(json.dumps)
    | st.text(max_size=200)
    | st.binary(max_size=100)
    | st.sampled_from(
        [
            "[" * 2_000,
            "{" * 2_000,
            '{"type":"got","seq":' + "9" * 1_900 + "}",
            '{"type":"got","seq":1e400}',
            '{"type":"got","seq":NaN}',
            '{"type":"got","type":"ping","n":1}',
            '{"type":"hello","v":1,"key":"\\ud800"}',
            '{"type":"hello","v":1,"key":"\\u0000"}',
            "x" * 4_000,
            "",
            "null",
            '"' + "\\" * 1_999,
        ]
    )
)


@given(ANYTHING)
def test_a_frame_is_understood_or_refused(raw: str | bytes) -> None:
    assert isinstance(understood(raw), FRAMES)


def understood(raw: str | bytes) -> Frame:
    """The frame, or a ping in the place of one that was refused with a short message."""
    try:
        return parse(raw)
    except BadFrameError as fault:
        if not 0 < len(str(fault)) <= 300:
            raise AssertionError(fault) from None
        return Ping(0)


@given(NEARLY.map(json.dumps))
def test_the_document_describes_every_frame_that_is_understood(text: str) -> None:
    try:
        frame = parse(text)
    except BadFrameError:
        return
    if not isinstance(frame, Hello) or frame.version == 1:
        hold(text, "say")


@pytest.mark.parametrize(
    "said",
    [
        {"type": "vote", "subject": "start", "yes": True},
        {"type": "hello", "version": 1},
        {
            "type": "act",
            "id": "a",
            "round": 1,
            "do": "play",
            "card": "ARa",
            "stack": 0,
            "number": 1,
        },
    ],
)
def test_a_field_has_only_its_name_in_the_protocol(said: dict[str, Any]) -> None:
    with pytest.raises(BadFrameError, match=r"keyword|required"):
        parse(json.dumps(said))


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"got","seq":1.0}',
        '{"type":"got","seq":"1"}',
        '{"type":"got","seq":true}',
        '{"type":"got","seq":1,"seq":1}',
        '{"type":"got","seq":1,"more":1}',
        '{"type":"got"}',
        '{"type":"hello","v":1,"seq":null}',
        '{"type":"ready","ready":1}',
    ],
)
def test_nothing_is_converted(text: str) -> None:
    with pytest.raises(BadFrameError):
        parse(text)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    plan = plan_of("fuzz", 2, 1, stall_ms=0)
    with served(tmp_path_factory.mktemp("fuzz"), plan) as serving:
        yield serving
    log = serving.log.read_text()
    assert "Traceback" not in log
    assert "ERROR" not in log


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    first=st.booleans(),
    frames=st.lists(ANYTHING, min_size=1, max_size=12),
    seat=st.sampled_from([0, None]),
)
def test_the_socket_survives_anything(
    site: Site, first: bool, frames: list[str | bytes], seat: int | None
) -> None:
    path = "/ws/watch/fuzz/" if seat is None else "/ws/bots/fuzz/"
    who = {"Origin": site.url} if seat is None else {"Authorization": f"Bearer {token(seat)}"}
    with connect(ws(site, path), additional_headers=who, open_timeout=PATIENCE_S) as socket:
        said = ['{"type":"hello","v":1}', *frames] if first else frames
        with contextlib.suppress(websockets.ConnectionClosed):
            for raw in said:
                data = raw.encode("utf-8", "replace") if isinstance(raw, str) else raw
                socket.send(data, text=isinstance(raw, str))
            socket.send('{"type":"ping","n":77}')
            while hold(str(socket.recv(PATIENCE_S)), "hear")["type"] != "pong":
                pass
            return
        assert socket.close_code in CLOSES
