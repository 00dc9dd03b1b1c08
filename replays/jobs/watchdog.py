"""Telling systemd that this worker is alive, where its unit asks for it (`WatchdogSec`).

The protocol is one datagram to the socket that `NOTIFY_SOCKET` names; see sd_notify(3).
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from typing import Final

_ALIVE: Final = b"WATCHDOG=1"


def tell_watchdog() -> None:
    """Say so; nothing happens where no watchdog listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):  # an abstract socket
        address = "\0" + address[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(_ALIVE, address)
