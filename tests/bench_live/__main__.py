"""How much one process carries (`make bench-live`), in CPU seconds and by one clock.

    python -m tests.bench_live [--spectators 100,1000] [--seconds 15] [--soak MINUTES]
    python -m tests.bench_live --spectators "" --matches 0 --pieces 10,20000
    python -m tests.bench_live --spectators "" --matches 0 --bare 4000 --seconds 8

The server has one core, the clients have another. A latency is from the commit of a line to its
receipt by a spectator; the 250 ms for which lines are gathered are part of it.
"""

import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from bisect import bisect_right
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from games.tables.plan import Plan, to_json
from tests.bench_live import crowded
from tests.bench_live.crowd import Meter, dismiss, gather
from tests.bench_live.players import Mover, table
from tests.bench_live.servers import Server, serving, serving_bare
from tests.services import Site

HEAD = (
    f"{'what':<26}{'spectators':>10}{'events':>10}{'p50 ms':>8}{'p99 ms':>8}"
    f"{'CPU s':>8}{'CPU s/1000':>12}{'core':>6}{'MiB':>7}"
)
SETTLE_S = 2.0
TURNS = 3
"""How often the site and bare `websockets` are measured in turn."""


class Row(NamedTuple):
    """One measurement."""

    what: str
    spectators: int
    events: int
    p50: float
    p99: float
    cpu: float
    seconds: float
    memory: float

    @property
    def each(self) -> float:
        """CPU seconds for 1,000 delivered events."""
        return self.cpu / max(1, self.events) * 1_000

    def __str__(self) -> str:
        return (
            f"{self.what:<26}{self.spectators:>10,}{self.events:>10,}{self.p50:>8.0f}"
            f"{self.p99:>8.0f}{self.cpu:>8.2f}{self.each:>12.4f}{self.cpu / self.seconds:>6.2f}"
            f"{self.memory:>7.0f}"
        )


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def share(values: Sequence[float], part: float) -> float:
    """The value below which that part of them lies; 0 where there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0


def latencies(meter: Meter, commits: dict[int, list[int]]) -> list[float]:
    """For each delivered event, the ms from its commit to its receipt."""
    ends = sorted(commits)
    delays = []
    for first, end, received in meter.received:
        for seq in range(first, end):
            place = bisect_right(ends, seq)
            times = commits[ends[place]] if place < len(ends) else []
            last = bisect_right(times, received)  # recorded frames are sent again and again
            if last:
                delays.append((received - times[last - 1]) / 1e6)
    return delays


@asynccontextmanager
async def moving(movers: Sequence[Mover]) -> AsyncIterator[None]:
    """Players at their tables, as long as the block lasts."""
    tasks = [asyncio.create_task(mover.run()) for mover in movers]
    try:
        async with asyncio.timeout(60):
            for mover, task in zip(movers, tasks, strict=True):
                playing = asyncio.create_task(mover.playing.wait())
                await asyncio.wait((playing, task), return_when=asyncio.FIRST_COMPLETED)
                if task.done():
                    task.result()  # says why this player was turned away
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def measured(name: str, server: Server, meter: Meter, seconds: float, match: str) -> Row:
    """Watch for some seconds."""
    await asyncio.sleep(SETTLE_S)
    meter.begin()
    before, begun = server.cpu(), time.monotonic()
    await asyncio.sleep(seconds)
    cpu, lasted = server.cpu() - before, time.monotonic() - begun
    delays = latencies(meter, server.noted(match))
    p50, p99 = share(delays, 0.5), share(delays, 0.99)
    return Row(name, meter.open, meter.events, p50, p99, cpu, lasted, server.memory())


async def one_match(site: Site, crowds: Sequence[int], options: Namespace) -> None:
    """One match at ten events a second."""
    with serving(site, options.cores[0]) as server:
        movers = [Mover(site.url, "one", seat, 0.2) for seat in range(2)]
        async with moving(movers):
            for size in crowds:
                await watched("site", server, size, options.seconds)
            for size in sizes(options.bare):
                await beside_bare(site, server, movers[0], size, options)
            for text, cached in ((options.pieces, True), (options.uncached, False)):
                for size in sizes(text):
                    work = partial(
                        crowded.measured, server, size, options.seconds, share, cached=cached
                    )
                    say(await asyncio.to_thread(work))


async def watched(name: str, server: Server, size: int, seconds: float) -> Row:
    """A crowd at a server, measured and dismissed."""
    meter = Meter()
    crowd = await gather(meter, server.url, ["/ws/watch/one/"] * size)
    row = await measured(name, server, meter, seconds, "one")
    say(str(row))
    dismiss(crowd)
    await asyncio.sleep(SETTLE_S)
    return row


async def beside_bare(
    site: Site, server: Server, mover: Mover, size: int, options: Namespace
) -> None:
    """The same match in turn by the site and by bare `websockets`, each event as it comes."""
    with serving_bare(site, server, options.cores[0]) as bare:
        frames = bare.process.stdin
        assert frames

        def pass_on(text: str) -> None:
            frames.write(f"{text}\n".encode())
            frames.flush()

        mover.pass_on = pass_on
        rows = [
            (
                await watched("site", server, size, options.seconds),
                await watched("websockets, each event", bare, size, options.seconds),
            )
            for _ in range(TURNS)
        ]
        mover.pass_on = lambda _text: None
    ratios = ", ".join(f"{ours.each / theirs.each:.2f}" for ours, theirs in rows)
    say(f"site / websockets at {size:,}: {ratios}")


def sizes(text: str) -> list[int]:
    """Of crowds, with commas between."""
    return [int(size) for size in text.split(",") if size]


def names_of_many(options: Namespace) -> list[str]:
    """The matches that are played at the same time."""
    return [f"many{number}" for number in range(options.matches)]


async def many_matches(site: Site, options: Namespace) -> None:
    """Fifty tables of four, an action a second from everybody, 500 spectators over all."""
    names = names_of_many(options)
    with serving(site, options.cores[0]) as server:
        movers = [Mover(site.url, name, seat, 1.0) for name in names for seat in range(4)]
        async with moving(movers):
            meter = Meter()
            paths = [f"/ws/watch/{names[n % len(names)]}/" for n in range(500)]
            crowd = await gather(meter, site.url, paths)
            await asyncio.sleep(SETTLE_S)
            for mover in movers:
                mover.waits.clear()
            before, begun = server.cpu(), time.monotonic()
            await asyncio.sleep(options.seconds)
            lasted, cpu = time.monotonic() - begun, server.cpu() - before
            waits = [wait / 1e6 for mover in movers for wait in mover.waits]
            say(
                f"{len(names)} matches, {len(waits) / lasted:.0f} actions/s, "
                "500 spectators: "
                f"accept p50 {share(waits, 0.5):.0f} ms, p99 {share(waits, 0.99):.0f} ms, "
                f"{sum(mover.refused for mover in movers)} refused, "
                f"{cpu / lasted:.2f} of a core, {server.memory():.0f} MiB"
            )
            dismiss(crowd)


async def soak(site: Site, options: Namespace) -> None:
    """Spectators who come back again and again: the memory every minute.

    Nobody plays, so the log and what it costs don't grow.
    """
    with serving(site, options.cores[0]) as server:
        meter, back = Meter(), 0
        crowd = await gather(meter, site.url, ["/ws/watch/one/"] * 100)
        for minute in range(options.soak + 1):
            say(f"minute {minute}: {server.memory():.1f} MiB, {back:,} came back")
            until = time.monotonic() + 60
            while minute < options.soak and time.monotonic() < until:
                dismiss(crowd[:25])
                crowd = crowd[25:] + await gather(meter, site.url, ["/ws/watch/one/"] * 25)
                back += 25
        dismiss(crowd)


def prepared(var: Path, plans: Sequence[Plan]) -> Site:
    """A site with these tables, without anything else: an open table is hosted and costs too."""
    site = Site(var)
    site.migrate()
    site.socket.listen(4_096)
    open_tables(site, plans)
    return site


@contextmanager
def site_of(plans: Sequence[Plan]) -> Iterator[Site]:
    """A site with these tables, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder, prepared(Path(folder), plans) as site:
        yield site


def open_tables(site: Site, plans: Sequence[Plan]) -> None:
    """Put tables into the site's database, all in one go."""
    path = site.var / "plans.json"
    path.write_text(json.dumps([to_json(plan) for plan in plans]))
    code = (
        "import json; from games.models import LiveTable; "
        f"plans = json.load(open({str(path)!r})); "
        "[LiveTable.objects.create(record_id=p['id'], plan=p) for p in plans]"
    )
    site.manage("shell", "-v0", "-c", code)


def asked() -> Namespace:
    """What the command line asks for."""
    parser = ArgumentParser(prog="python -m tests.bench_live", description=__doc__)
    parser.add_argument(
        "--spectators", default="100,1000,2000,4000", help="crowds, with commas, or nothing"
    )
    parser.add_argument("--bare", default="", help="crowds at the site and at bare `websockets`")
    parser.add_argument("--pieces", default="", help="crowds that follow by pieces, with commas")
    parser.add_argument("--uncached", default="", help="the same, without nginx and its cache")
    parser.add_argument("--seconds", type=float, default=15, help="of each measurement")
    parser.add_argument("--matches", type=int, default=50, help="at the same time; 0: none")
    parser.add_argument("--soak", type=int, default=0, metavar="MINUTES", help="only this")
    options = parser.parse_args()
    options.cores = sorted(os.sched_getaffinity(0))[:2]
    return options


async def main(options: Namespace) -> None:
    """Measure everything that is asked for."""
    crowds = sizes(options.spectators)
    say(f"load of this machine: {os.getloadavg()[0]:.1f}; cores {options.cores}\n{HEAD}")
    if options.soak or crowds or options.bare or options.pieces or options.uncached:
        with site_of([table("one", 2)]) as site:
            if options.soak:
                await soak(site, options)
            else:
                await one_match(site, crowds, options)
    if options.matches and not options.soak:
        with site_of([table(name, 4) for name in names_of_many(options)]) as site:
            await many_matches(site, options)


if __name__ == "__main__":
    arguments = asked()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    os.sched_setaffinity(0, {arguments.cores[-1]})
    asyncio.run(main(arguments))
