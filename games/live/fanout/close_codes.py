"""The protocol's version, and why the server closes a socket (docs/reference/protocol.md)."""

from typing import Final, NamedTuple

VERSION: Final = 1


class Close(NamedTuple):
    """Why the server closes a socket: the code and one word."""

    code: int
    reason: str
    pieces: str = ""
    """Where the match can be followed instead."""


DONE: Final = Close(1000, "done")
LEFT: Final = Close(1000, "left")
RESTART: Final = Close(1012, "restart")
NO_DATABASE: Final = Close(1012, "no-database")
BUSY: Final = Close(1013, "busy")
BAD_FRAMES: Final = Close(4400, "bad-frames")
HELLO_EXPECTED: Final = Close(4401, "hello-expected")
NOT_ALLOWED: Final = Close(4403, "not-allowed")
NO_SUCH_MATCH: Final = Close(4404, "no-such-match")
WRONG_VERSION: Final = Close(4406, "version")
TOO_SLOW: Final = Close(4408, "too-slow")
CROWDED: Final = Close(4410, "crowded")
TOO_MANY: Final = Close(4429, "too-many")
RETRY_MS: Final = {1012: 1_000, 1013: 5_000, 4408: 1_000, 4429: 10_000}
"""By close code, about how long a client should wait to reconnect. For other codes, never."""
