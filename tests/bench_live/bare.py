"""Nothing but `websockets`, to compare with: it sends each frame of its input to everybody.

As a program: `python -m tests.bench_live.bare DESCRIPTOR`, with the listening socket.
"""

import asyncio
import json
import socket
import sys

from websockets.asyncio.server import ServerConnection, broadcast, serve

from games.live.fanout.connection import WINDOW

PING_S = 5
PONG_S = 10
"""As the site is shipped."""
WELCOME = json.dumps({"type": "welcome", "got_every": WINDOW // 2}, separators=(",", ":"))


async def main(descriptor: int) -> None:
    """Serve until the input ends."""
    everybody: set[ServerConnection] = set()

    async def stay(connection: ServerConnection) -> None:
        await connection.send(WELCOME)
        everybody.add(connection)
        try:
            async for _ in connection:
                pass
        finally:
            everybody.remove(connection)

    frames = asyncio.StreamReader(limit=1 << 20)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(frames), sys.stdin
    )
    listening = socket.socket(fileno=descriptor)
    async with serve(
        stay,
        sock=listening,
        backlog=4_096,
        compression=None,
        open_timeout=None,
        ping_interval=PING_S,
        ping_timeout=PONG_S,
    ):
        async for line in frames:
            broadcast(everybody, line.decode().rstrip())


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
