"""The names of processes, which hold leases, and whether such a process has ended.

Whoever is killed cannot give up its leases. Another process of the same machine, such as the same
one restarted, sees that it has ended and need not wait until they expire.
"""

from __future__ import annotations

import os
import secrets
import socket
from contextlib import suppress
from hashlib import blake2s
from pathlib import Path
from typing import Final


def _machine() -> str:
    """Where process ids mean the same as here: this boot, this container. Empty if unknown."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
        return blake2s(
            f"{boot}{Path('/proc/self/ns/pid').readlink()}".encode(), digest_size=6
        ).hexdigest()
    except OSError:
        return ""


MACHINE: Final = _machine()


def process_name() -> str:
    """A name for this process that no other has or will have."""
    return f"{socket.gethostname()[:24]}-{MACHINE}-{os.getpid()}-{secrets.token_hex(4)}"


def has_ended(name: str, own: str) -> bool:
    """Whether the process of that name has certainly ended; `own`: this process's name."""
    machine, pid = [*name.rsplit("-", 3), "", "", ""][1:3]
    if not MACHINE or machine != MACHINE or not pid.isdigit() or name == own:
        return False
    if int(pid) == os.getpid():
        return True
    with suppress(OSError):
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state in {"Z", "X"}
    return not Path(f"/proc/{pid}").exists()
