"""The log's digest: the same on every frame, for every viewer, from every process."""

from dataclasses import replace

import pytest
from pytest_django import DjangoAssertNumQueries

from games.archive import append
from games.archive.packing import pack
from games.archive.store import insert
from games.engine.events import Deal, Draw, End
from games.live.fanout.frames import SPECTATOR
from games.live.host.leases import Lease, LogTail, LogUpdate
from games.live.host.requests import ActionKey, Answer, LogEntry, Refused, Step
from games.live.storage.commits import Commits
from games.live.storage.queries import news, tail
from games.models import Chunk, LiveTable, Match
from games.records.digests import digest_after, digests, first_digest, prefix_hex
from games.records.log import FAIR_VERSION, Header, Line
from games.tables.plan import to_json
from tests.live.bench import people
from tests.live.states import HOST_STATE
from tests.live.test_hub import PLAN, Room, others
from tests.live.witness import Chain
from tests.web.records import played

LINES = list(played(3, "usaopoly-2009", 2, target=150))
"""A match of several rounds: its header, and all that follows."""


def header() -> Header:
    assert isinstance(LINES[0], Header)
    return replace(LINES[0], id="m", version=FAIR_VERSION)


def told_after(count: int) -> str:
    """What viewers are told of the digest after so many lines, without the header."""
    return prefix_hex(digest_after(first_digest(header()), LINES[1 : 1 + count]))


def deal_of_round(number: int) -> int:
    """The seq of a deal."""
    deals = (seq for seq, line in enumerate(LINES) if isinstance(line, Deal))
    return [*deals][number - 1]


def test_a_digest_follows_from_all_lines_before() -> None:
    chain = list(digests(first_digest(header()), LINES[1:]))
    assert len(chain) == len(LINES) - 1
    assert len(set(chain)) == len(chain)
    changed = [*LINES[1:5], LINES[6], LINES[5], *LINES[7:]]
    other = list(digests(first_digest(header()), changed))
    assert [digest == twin for digest, twin in zip(chain, other, strict=True)].index(False) == 4
    assert other[-1] != chain[-1]


async def test_every_viewer_is_told_the_same_digest_however_late() -> None:
    room = Room()
    player, spectator = room.follow(0), room.follow(SPECTATOR)
    room.hub.begin("m", header())
    for line in LINES[1:12]:
        room.tell(line)
        await room.hub.batch()
    late = room.follow(SPECTATOR)
    for reader in (player, spectator, late):
        chain = Chain()
        for frame in reader.frames:
            chain.hear(frame)
        assert reader.frames[-1]["last"] == 11
        assert reader.frames[-1]["digest"] == told_after(11)
        assert chain.digests[11].hex()[:32] == told_after(11)


async def test_an_answer_says_the_digest_of_at_least_its_line() -> None:
    room = Room()
    player = room.follow(0)
    room.hub.begin("m", header())
    step = [LogEntry(LINES[1]), LogEntry(LINES[2], (ActionKey(0, "a"),))]
    me = (player.follower.connection,)
    room.hub.publish(
        "m", 1, step, [Answer(me, "a", 2), Answer(me, "b", Refused("one-hand", "", 0, 7))]
    )
    await others()
    ack, refused = (f for f in player.frames if f["type"] in ("ack", "refused"))
    assert (ack["seq"], ack["last"], ack["digest"]) == (2, 2, told_after(2))
    assert (refused["t"], refused["last"], refused["digest"]) == (7, 2, told_after(2))


async def test_an_answer_from_another_process_waits_for_its_line() -> None:
    room = Room()
    player = room.follow(0)
    room.hub.answer("m", [Answer((player.follower.connection,), "a", 2)])
    assert "ack" not in player.kinds()
    update = LogUpdate(
        "m", 1, 1, LINES[1:4], None, 1, over=False, before=first_digest(header())
    )  # fmt: skip
    assert room.hub.update(update)
    await others()
    (ack,) = (frame for frame in player.frames if frame["type"] == "ack")
    assert (ack["seq"], ack["last"], ack["digest"]) == (2, 3, told_after(3))


async def test_a_host_that_starts_far_behind_skips_to_the_stored_end() -> None:
    """Rounds passed that this process has not heard of: its followers go on with the newest."""
    room = Room()
    player, spectator = room.follow(0), room.follow(SPECTATOR)
    room.hub.begin("m", header())
    room.tell(*LINES[1:4])
    await room.hub.batch()
    seq = deal_of_round(3)
    me = (player.follower.connection,)
    room.hub.answer("m", [Answer(me, "a", seq + 1)])
    before = digest_after(first_digest(header()), LINES[1:seq])
    room.hub.open(
        LogTail(
            "m", 2, PLAN, seq, LINES[seq : seq + 3], (0, 0), [], HOST_STATE, None,
            over=False, before=before,
        )
    )  # fmt: skip
    room.tell(LINES[seq + 3])
    await room.hub.batch()
    await others()
    (ack,) = (frame for frame in player.frames if frame["type"] == "ack")
    assert (ack["seq"], ack["digest"]) == (seq + 1, told_after(seq + 2))
    for reader in (player, spectator):
        (skipped,) = (frame for frame in reader.frames if frame["type"] == "resync")
        assert (skipped["seq"], skipped["round"]) == (seq, 3)
        assert len(reader.lines) == 3 + 4
        assert reader.frames[-1]["digest"] == told_after(seq + 3)


async def test_a_broadcast_that_forgets_old_rounds_goes_on_with_the_digest() -> None:
    room = Room()
    room.hub.begin("m", header())
    for seq, line in enumerate(LINES[1:], 1):
        room.tell(line)
        if isinstance(line, End):
            covers = room.broadcast.covers(room.broadcast.end)
            assert covers is not None
            assert prefix_hex(covers.digest) == told_after(seq)
    assert room.broadcast.first > deal_of_round(1)


def hosted(lines: list[Line]) -> tuple[Lease, Commits]:
    """A table whose log was committed line by line."""
    plan = people(3)
    table = LiveTable.objects.create(record_id=plan.id, plan=to_json(plan), host_state=HOST_STATE)
    lease, commits = Lease(table.pk, plan.id, 0), Commits()
    for seq, line in enumerate(lines, 1):
        first = header() if seq == 1 else None
        commits.append(lease, plan, seq, Step((LogEntry(line),), header=first))
    return lease, commits


@pytest.mark.django_db
@pytest.mark.parametrize("number", [1, 2, 3])
def test_another_host_goes_on_from_the_stored_log(number: int) -> None:
    end = deal_of_round(number) + 3
    hosted(LINES[1:end])
    ending = tail("m")
    assert ending is not None
    assert ending.seq == deal_of_round(number)
    assert prefix_hex(ending.before) == told_after(ending.seq - 1)
    rounds = Chunk.objects.filter(packed=True).order_by("first_seq")
    assert [bytes(row.digest or b"") for row in rounds] == [
        digest_after(first_digest(header()), LINES[1 : deal_of_round(earlier + 1)])
        for earlier in range(1, number)
    ]


@pytest.mark.django_db
def test_a_round_that_could_not_be_packed_is_read_again_and_no_other(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    hosted(LINES[1 : deal_of_round(2)])
    unpackable = [*LINES[deal_of_round(2) : deal_of_round(3)]]
    unpackable.insert(1, Draw(0, 0, "A1a"))  # of a card that is in no deck
    lease = Lease(LiveTable.objects.get().pk, "m", 0)
    Commits().append(lease, people(3), deal_of_round(2), Step(tuple(map(LogEntry, unpackable))))
    match, seq = Match.objects.get(), deal_of_round(3) + 1
    assert [row.packed for row in match.chunks.all()] == [True, False]
    expected = digest_after(first_digest(header()), [*LINES[1 : deal_of_round(2)], *unpackable])
    with django_assert_num_queries(3):
        assert append.digest_before(match, seq) == expected


@pytest.mark.django_db
def test_a_log_that_an_earlier_release_began_is_not_read_again_for_its_digest(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    (match,) = insert([pack([replace(header(), version=1), *LINES[1:]])])
    with django_assert_num_queries(2):
        assert append.digest_before(match, deal_of_round(3)) == b""


@pytest.mark.django_db
def test_news_of_a_log_that_begins_say_the_digest_of_its_header() -> None:
    hosted(LINES[1:4])
    (update,) = news({"m": (1, -1)})
    assert update.before == first_digest(header())
    (later,) = news({"m": (2, -1)})
    assert later.before == b""
