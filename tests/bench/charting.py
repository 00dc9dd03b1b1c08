"""What pages of long and of hostile records cost a server: its CPU, its memory, its answers.

Each record is generated, imported, and asked for as a stranger may: the charts of a round and of
the whole match, also up to a line, so that nothing kept can be used; the replay page; the log, for
viewers who see how matches end and for those who hide that. Memory is what the process needed
more than before at its peak. The last figure is that of eight requests at once.
"""

from __future__ import annotations

import gzip
import os
import urllib.request
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import HTTPError

from games.records.log import Line
from tests.bench.measure import say
from tests.hostile_records import late_flood, long_match, text_of
from tests.services import Site

RECORDS: dict[str, Callable[[], list[Line]]] = {
    "5,990 late tries in a round, names of 64 &": lambda: late_flood(5_990),
    "the same without an end": lambda: late_flood(5_990, finished=False),
    "100 rounds": lambda: long_match(100),
}
ASKED = {
    "charts of a round": "charts/?round=1",
    "charts of all": "charts/?round=all",
    "charts of all up to a line": "charts/?round=all&until=50000",
    "replay page": "",
    "log": "log?from=1",
    "log, ends hidden": "log?from=40000&until_t=500",
}
TOGETHER = 8


class Server:
    """The site's process, seen from outside."""

    def __init__(self, site: Site) -> None:
        assert site.process
        self._url = site.url
        self._proc = Path(f"/proc/{site.process.pid}")

    def get(self, path: str, *, spoilers: bool = True) -> tuple[int, int]:
        """The status and the bytes of an answer, uncompressed."""
        cookie = {} if spoilers else {"Cookie": "spoilers=off"}
        request = urllib.request.Request(
            f"{self._url}{path}", headers={"Accept-Encoding": "gzip", **cookie}
        )
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                body = answer.read()
                packed = answer.headers.get("Content-Encoding") == "gzip"
                return answer.status, len(gzip.decompress(body) if packed else body)
        except HTTPError as error:
            return error.code, 0

    @property
    def cpu(self) -> float:
        """CPU seconds so far."""
        fields = (self._proc / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, what: str) -> float:
        """`VmRSS`, now, or `VmHWM`, at the peak since `forget_peak`; MiB."""
        lines = (self._proc / "status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith(what)).split()[1]) / 1024

    def forget_peak(self) -> None:
        (self._proc / "clear_refs").write_text("5")


def bench() -> None:
    """Print what each page of each record costs."""
    with TemporaryDirectory(prefix="ratuki-bench-") as folder, Site(Path(folder)) as site:
        site.migrate()
        for number, make in enumerate(RECORDS.values()):
            file = Path(folder) / f"{number}.ratuki"
            file.write_bytes(text_of(make()))
            site.manage("import_records", str(file))
        server = Server(site.start())
        for pk, name in enumerate(RECORDS, 1):
            say(f"  {name}")
            _tell(server, pk)


def _tell(server: Server, pk: int) -> None:
    for what, query in ASKED.items():
        _told(server, what, [f"/matches/{pk}/{query}"], spoilers="hidden" not in what)
    paths = [f"/api/v1/matches/{pk}/charts?round=all&until={50_000 + n}" for n in range(TOGETHER)]
    _told(server, f"{TOGETHER} charts of all at once", paths)


def _told(server: Server, what: str, paths: Sequence[str], *, spoilers: bool = True) -> None:
    server.get("/healthz")
    server.forget_peak()
    cpu, memory = server.cpu, server.memory("VmRSS")
    with ThreadPoolExecutor(len(paths)) as pool:
        answers = list(pool.map(lambda path: server.get(path, spoilers=spoilers), paths))
    spent, more = server.cpu - cpu, server.memory("VmHWM") - memory
    statuses = sorted({status for status, _ in answers})
    size = max(size for _, size in answers) / 1_000
    say(f"    {what:<28} {spent:6.2f} CPU s {more:7.1f} MiB more {size:9.1f} kB  {statuses}")
