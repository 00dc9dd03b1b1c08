"""A match's log by pieces: the lines of a socket, over HTTP, for everyone or for no one."""

import gzip
import http.client
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.dealing import shuffled
from games.engine.events import Deal, Discard
from games.live.fanout import pieces
from games.live.fanout.broadcast import Broadcast
from games.live.fanout.frames import SPECTATOR, line_text
from games.live.fanout.pieces import ENOUGH, PIECE, RECENT_MS, SEEN_MS, Crowd
from games.live.host.leases import LogTail
from games.people.person import guest
from games.records.digests import digest_after
from games.records.log import Line, Result
from games.tables.plan import OPEN_DELAY_MS, new_plan
from tests.live.asyncapi import hold
from tests.live.by_pieces import ByPieces
from tests.live.serving import open_table, plan_of, served, ws
from tests.live.states import HOST_STATE, match_state
from tests.live.witness import hello
from tests.services import Site

PLAN = new_plan("m", "usaopoly-2009", 2, {}).sit(guest("0"), "P0").sit(guest("1"), "P1")
PACE_MS = 200


def log_of(rounds: list[int]) -> list[Line]:
    """A log whose rounds have so many events, the first at 0, one each `PACE_MS`."""
    lines: list[Line] = []
    for number, count in enumerate(rounds, 1):
        deal = shuffled(PLAN.rules, 2, number, Random(number))
        lines.append(deal)
        lines += [Discard(at * PACE_MS, 0, deal.decks[0][at % 30]) for at in range(count)]
    return lines


def broadcast_of(lines: list[Line], known: int = 0) -> Broadcast:
    """A process's, which knew so many of the lines when it first looked. One comes each pace."""
    tail = LogTail(
        "m", 1, PLAN, 1, lines[:known], (0, 0), [], HOST_STATE, match_state("round"), over=False
    )
    broadcast = Broadcast(tail._replace(before=bytes(32)), known * PACE_MS)
    for at in range(known, len(lines)):
        broadcast.extend(1 + at, [lines[at]], at * PACE_MS)
    return broadcast


def round_of(lines: list[Line], seq: int) -> Broadcast:
    """A finished round, as it is read from the store."""
    deals = [at for at, line in enumerate(lines, 1) if isinstance(line, Deal)]
    first = max(at for at in deals if at <= seq)
    end = min((at for at in deals if at > seq), default=len(lines) + 1)
    part = lines[first - 1 : end - 1]
    tail = LogTail("m", 1, PLAN, first, part, (0, 0), [], HOST_STATE, None, over=True)
    return Broadcast(tail._replace(before=digest_after(bytes(32), lines[: first - 1])), 0)


ROUNDS = st.lists(st.integers(1, 2 * PIECE + 3), min_size=1, max_size=3)


@given(ROUNDS, st.integers(0, 400))
def test_every_process_cuts_a_log_alike(rounds: list[int], known: int) -> None:
    lines = log_of(rounds)
    one, other = broadcast_of(lines), broadcast_of(lines, min(known, len(lines)))
    for seq in range(max(one.first, other.first), one.end):
        assert pieces.piece(one, seq) == pieces.piece(other, seq)


@given(ROUNDS, st.integers(1, 5))
def test_pieces_never_change_and_join_without_a_gap(rounds: list[int], every: int) -> None:
    """A spectator who asks now and then has each line once, as it is on a socket."""
    lines = log_of(rounds)
    growing = broadcast_of([])
    kept: dict[int, str] = {}
    now = 0

    def answer(path: str) -> tuple[int, str]:
        if path.endswith("latest"):
            return 200, pieces.latest(growing, now, sample=1, room=0)
        seq = int(path.rpartition("/")[2])
        text = pieces.piece(growing if seq >= growing.first else round_of(lines, seq), seq)
        assert text is not None
        return 200, kept.setdefault(seq, text)

    spectator = ByPieces("m", answer, 1)
    for at, line in enumerate(lines):
        now = at * PACE_MS
        growing.extend(1 + at, [line], now)
        for first, text in kept.items():
            assert first < growing.first or pieces.piece(growing, first) == text
        if at % (every * 11) == 0:
            assert spectator.ask()
            shown = [json.loads(line_text(each, SPECTATOR)) for each in lines[: at + 1]]
            assert spectator.lines == dict(enumerate(shown, 1))


def test_who_is_in_step_needs_nothing_but_the_latest_answer() -> None:
    lines = log_of([3 * PIECE])
    broadcast = broadcast_of(lines)
    now = len(lines) * PACE_MS
    latest = json.loads(pieces.latest(broadcast, now, sample=1, room=0))
    first = latest["frames"][0]["seq"]
    assert first <= broadcast.seq_at(now - RECENT_MS)
    assert broadcast.end - first < PIECE + RECENT_MS / PACE_MS + 1
    assert [frame["seq"] % PIECE for frame in latest["frames"][:-1]] == [1] * (
        len(latest["frames"]) - 1
    )


def test_a_match_that_is_over_ends_with_a_whole_piece() -> None:
    lines = log_of([3])
    assert pieces.piece(broadcast_of(lines), 1) is None
    ended = broadcast_of([*lines, Result((0,), (0, 0))])
    assert len(json.loads(str(pieces.piece(ended, 1)))["lines"]) == 5
    assert pieces.piece(ended, 6) is None


@given(st.integers(0, 100_000))
def test_a_sample_of_a_crowd_is_counted(watching: int) -> None:
    sample = pieces.sample_of(watching)
    assert sample == 1 or ENOUGH <= watching // sample < 2 * ENOUGH


def test_spectators_by_pieces_are_counted_for_a_minute() -> None:
    crowd = Crowd(0)
    crowd.note(4, "192.0.2.1", 0)
    crowd.note(8, "192.0.2.1", SEEN_MS // 2)
    assert crowd.size(SEEN_MS - 1) == 12
    assert crowd.size(SEEN_MS) == 8


def test_one_client_cannot_pass_for_any_number() -> None:
    """Although each sample follows from the size, which each sample raises."""
    crowd = Crowd(0)
    honest = [f"192.0.2.{at}" for at in range(200)]
    for now in range(0, 10 * SEEN_MS, 100):
        network = honest[now // 300 % 200] if now % 300 == 0 else "198.51.100.1"
        crowd.note(pieces.sample_of(crowd.size(now)), network, now)
        assert crowd.size(now) < 200 * 4 + 250 + 4
    for now in range(10 * SEEN_MS, 20 * SEEN_MS, 50):
        crowd.note(pieces.sample_of(crowd.size(now)), f"2001:db8:0:{now}::", now)
    assert crowd.size(20 * SEEN_MS) < 10_000_000


# With a real server

BOTS = plan_of("bots", 0, 2)
KEPT_BACK = {
    "link": replace(plan_of("link", 0, 2), key="of-the-link"),
    "quiet": replace(plan_of("quiet", 0, 2), watching=False),
    "delayed": replace(plan_of("delayed", 0, 2), open_delay_ms=OPEN_DELAY_MS),
    "class": replace(plan_of("class", 0, 2), school_class="k"),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    plans = (BOTS, *KEPT_BACK.values())
    with served(
        tmp_path_factory.mktemp("pieces"), *plans, environment={"WATCH_BY": "pieces"}
    ) as site:
        yield site


def asked(
    site: Site, path: str, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of a response, without a cookie."""
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)) as connection:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()


def latest_of(site: Site, match: str) -> dict[str, Any]:
    status, headers, body = asked(site, f"/live/{match}/latest")
    assert status == 200
    assert headers["cache-control"] == "public, max-age=1, stale-while-revalidate=5"
    return hold(body.decode(), "hear_by_pieces")


@pytest.mark.slow
async def test_a_spectator_is_sent_to_the_pieces_and_finds_the_same_lines_there(site: Site) -> None:
    _, bye = await hello(ws(site, "/ws/watch/bots/"), site.url, pieces=True)
    assert (bye["type"], bye["code"], bye["pieces"]) == ("bye", 4410, "/live/bots/")
    while (latest := latest_of(site, "bots"))["seq"] < PIECE + 20:
        pass
    status, headers, body = asked(site, "/live/bots/lines/1")
    assert status == 200
    assert "max-age=31536000" in headers["cache-control"]
    assert not {"set-cookie", "etag"} & headers.keys()
    piece = hold(body.decode(), "hear_by_pieces")
    record = [json.loads(line) for line in site.record("bots").splitlines()]
    assert len(piece["lines"]) == PIECE
    assert [line.get("t") for line in piece["lines"]] == [
        each.get("t") for each in record[1 : 1 + PIECE]
    ]
    assert latest["epoch"] == 1
    _, headers, packed = asked(site, "/live/bots/lines/1", **{"Accept-Encoding": "gzip, br"})
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed) == body
    assert asked(site, "/live/bots/lines/1", "HEAD")[2] == b""
    status, headers, _ = asked(site, "/live/bots/lines/9999999")
    assert (status, headers["cache-control"]) == (404, "no-store")
    # A client that does not know of pieces, such as a wall, keeps its socket.
    socket, welcome = await hello(ws(site, "/ws/watch/bots/"), site.url)
    assert welcome["type"] == "welcome"
    await socket.close()


@pytest.mark.slow
def test_a_crowd_has_the_story_so_far_from_caches_too(site: Site) -> None:
    while latest_of(site, "bots")["seq"] < 20:
        pass
    told = {}
    for language in ("en", "de"):
        status, headers, body = asked(site, f"/live/bots/story/{language}/0", Cookie="sessionid=x")
        assert (status, headers["cache-control"]) == (200, "public, max-age=1")
        assert "set-cookie" not in headers
        assert "cookie" not in headers.get("vary", "").lower()
        told[language] = json.loads(body)
    assert told["en"]["so_far"]["headline"] != told["de"]["so_far"]["headline"]
    later = json.loads(asked(site, "/live/bots/story/en/5")[2])
    points = told["en"]["curve"]
    assert later["curve"][: len(points) - 5] == points[5:]
    assert asked(site, "/live/bots/story/xx/0")[0] == 404


@pytest.mark.slow
async def test_spectators_by_pieces_are_counted_among_the_others(site: Site) -> None:
    for _ in range(3):
        assert asked(site, "/live/bots/here", "POST")[0] == 204
    socket, _ = await hello(ws(site, "/ws/watch/bots/"), site.url)
    async for text in socket:
        frame = json.loads(text)
        if frame["type"] == "state" and frame["watching"] == 4:
            break
    await socket.close()
    assert asked(site, "/live/bots/here")[0] == 405


@pytest.mark.slow
@pytest.mark.parametrize("match", [*KEPT_BACK, "no-such-match"])
async def test_only_a_public_match_without_delay_has_pieces(site: Site, match: str) -> None:
    assert asked(site, f"/live/{match}/story/en/0")[0] == 404
    for path in ("latest", "lines/1"):
        status, headers, body = asked(site, f"/live/{match}/{path}")
        assert (status, headers["cache-control"], body) == (404, "no-store", b"")
    assert asked(site, f"/live/{match}/here", "POST")[0] == 404
    if match == "delayed":
        socket, welcome = await hello(ws(site, f"/ws/watch/{match}/"), site.url, pieces=True)
        assert welcome["type"] == "welcome", "there is no other way to follow it"
        await socket.close()


WITHDRAWN = """
from games.archive import moderation
from games.models import Match
moderation.show(Match.objects.get(record_id='asked'), Match.Visibility.LINK)
"""
TIDIED = """
from games.models import LiveTable
LiveTable.objects.filter(record_id='asked').delete()
"""
EMBARGO = """
from games.models import Match
from games.people import embargoes
from games.people.person import guest
embargoes.begin(Match.objects.get(record_id='asked'), [guest("eve")], 1)
"""


@pytest.mark.slow
@pytest.mark.parametrize("change", [WITHDRAWN, TIDIED, EMBARGO])
def test_a_match_that_is_no_longer_for_everyone_has_no_pieces(site: Site, change: str) -> None:
    match = f"asked-{len(change)}"
    open_table(site, plan_of(match, 0, 2))
    while latest_of(site, match)["seq"] <= 2:
        pass
    site.manage("shell", "-c", change.replace("'asked'", repr(match)))
    while asked(site, f"/live/{match}/latest")[0] == 200:
        pass
    assert asked(site, f"/live/{match}/lines/1")[0] == 404
