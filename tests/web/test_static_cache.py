"""Static files come from memory, and as ServeStatic gives them."""

import asyncio
import gzip
from pathlib import Path
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from ratuki_site.layers import StaticCache
from ratuki_site.origins import App

TEXT = b"export const one = 1;\n" * 40


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "one.js"
    path.write_bytes(TEXT)
    path.with_suffix(".js.gz").write_bytes(gzip.compress(TEXT))
    return path


@pytest.fixture
def shelf(file: Path) -> StaticCache:
    return StaticCache(None, root=file.parent, prefix="static", immutable_file_test=lambda *_: True)


async def ask(
    shelf: App, path: str = "/static/one.js", method: str = "GET", **sent: str
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of an answer."""
    names = {name.replace("_", "-").encode(): value.encode() for name, value in sent.items()}
    scope: dict[str, Any] = {"type": "http", "method": method, "path": path, "query_string": b""}
    asked = ApplicationCommunicator(shelf, {**scope, "headers": list(names.items())})
    await asked.send_input({"type": "http.request", "body": b""})
    start = await asked.receive_output(60)
    body = b""
    while True:
        part = await asked.receive_output(60)
        body += part["body"]
        if not part.get("more_body"):
            break
    await asked.wait()
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], headers, body


def test_a_file_is_read_once(shelf: StaticCache, file: Path) -> None:
    assert asyncio.run(ask(shelf))[2] == TEXT
    file.unlink()
    assert asyncio.run(ask(shelf))[2] == TEXT


@pytest.mark.parametrize("accepted", ["gzip, deflate", "identity", "", "gzip;q=0, br"])
async def test_the_first_answer_and_later_ones_are_those_of_the_library(
    shelf: StaticCache, accepted: str
) -> None:
    ours = [await ask(shelf, accept_encoding=accepted) for _ in range(2)]
    library: Any = super(StaticCache, shelf).__call__
    theirs = await ask(library, accept_encoding=accepted)
    assert ours == [theirs, theirs]
    assert ours[0][1]["cache-control"].endswith("immutable")


async def test_questions_and_ranges_are_answered_as_before(shelf: StaticCache) -> None:
    _, headers, _ = await ask(shelf)
    assert (await ask(shelf, if_none_match=headers["etag"]))[0] == 304
    status, _, body = await ask(shelf, range="bytes=0-5")
    assert (status, body) == (206, TEXT[:6])
    assert (await ask(shelf, method="POST"))[0] == 405
    status, headers, body = await ask(shelf, method="HEAD")
    assert (status, headers["content-length"], body) == (200, str(len(TEXT)), b"")
    assert (await ask(shelf, "/static/two.js"))[0] == 404
