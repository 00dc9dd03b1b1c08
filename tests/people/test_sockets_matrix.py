"""Every WebSocket of the site, asked by every kind of visitor, at tables that wait for the deal.

The cells say what one becomes: the player of a seat, a spectator (`watch`), a spectator who is
shown open hands later (`hands`), or with which code the socket is closed.
"""

import http.client
import json
import re
from collections.abc import Iterator
from contextlib import closing

import pytest

from games.live.wire import routing
from replays.ghost_races import socket as ghost_races
from tests.live.serving import becomes, ws
from tests.people.world import KEY, KINDS, VISITORS, headers_of, rows_for
from tests.services import Site

# For each kind of match: a hello without, and one with, the wish to see open hands.
SOCKETS = """
                    public          by link         no spectators
                    plain   open    plain   open    plain   open

ws/matches
others              watch   hands   4404    4404    4403    4403
holder of link      watch   hands   watch   hands   4403    4403
guest who plays     seat1   seat1   seat1   seat1   seat1   seat1
account who plays   seat0   seat0   seat0   seat0   seat0   seat0

ws/watch
others              watch   hands   4404    4404    4403    4403
holder of link      watch   hands   watch   hands   4403    4403
who plays           watch   watch   4404    watch   4403    4403

ws/bots
others              4403    4403    4404    4404    4403    4403
holder of link      4403    4403    4403    4403    4403    4403
seat's token        seat2   seat2   seat2   seat2   seat2   seat2
"""
# Ghost races in finished matches: by a hello while it goes on, and after it is over.
GHOST_RACES = """
                    public          by link         no spectators
                    open    over    open    over    open    over

ws/races
others              4403    seat2   4404    4404    4404    seat2
holder of link      4403    seat2   4403    seat2   4404    seat2
who plays           4403    seat2   4403    seat2   4404    seat2
"""
# The tables, and a ghost race in a finished match, of a class that is nobody else's.
OF_A_CLASS = """
                    plain   open    race
stranger            4404    4404    4404
holder of link      4404    4404    4404
account elsewhere   4404    4404    4404
moderator           4404    4404    4404
coach elsewhere     4404    4404    4404
former              4404    4404    4404
coach               watch   hands   seat2
pupil               watch   hands   seat2
child               watch   hands   seat2
"""
# By pieces nobody is known, so everybody gets the same: at tables that wait for the deal, and of
# matches that are over. `delayed` shows open hands, `asked` has somebody's question to answer.
PIECES = """
                    public  link    quiet   class   delayed asked
seating             200     404     404     404     404
over                200     404     404     404     404     404
"""
BUILD = """
import json
from games.models import LiveTable, Match
from games.people import embargoes, tokens
from games.people.person import account
from tests.people import class_addresses, world
from tests.people.class_addresses import ClassWorld
users = world.people()
tables = {kind: world.build(kind, "seating", users["Ada"])[0] for kind in world.KINDS}
sessions = {visitor: world.session_of(visitor, users) for visitor in world.VISITORS}
played = {
    f"{kind} {stage}": world.build(kind, stage, users["Ada"])[1]
    for kind in world.KINDS for stage in ("open", "over")
}
sessions |= {
    scope: tokens.make(users["Ada"], scope, [scope], 30) for scope in ("play", "read")
}
tables["over"], number = world.build("public", "over", users["Ada"])
kim = account(users["Kim"].pk)
embargoes.begin(Match.objects.get(pk=number), [kim], 1)
there = ClassWorld()
key = there.school_class.key
of_class = [world.build("class", "seating", users["Ada"], key)[0],
            world.build("class", "over", users["Ada"], key)[1]]
for visitor in class_addresses.VISITORS:
    client = there.browser(visitor)
    if client:
        sessions[visitor] = client.cookies["sessionid"].value
pieces = {
    f"{kind} {stage}": world.build(kind, stage, users["Ada"], key if kind == "class" else "", 0)[0]
    for kind in (*world.KINDS, "class") for stage in ("seating", "over")
}
pieces |= {f"delayed {stage}": world.build("public", stage, users["Ada"])[0]
           for stage in ("seating", "over")}
pieces["asked over"], number = world.build("public", "over", users["Ada"], "", 0)
embargoes.begin(Match.objects.get(pk=number), [kim], 1)
# No host takes these tables, which would play their matches to the end: none runs yet.
LiveTable.objects.filter(phase="round").update(over=True)
print(json.dumps([tables, sessions, played, of_class, pieces]))
"""


def blocks(tables: str = SOCKETS) -> dict[str, dict[str, list[str]]]:
    """The cells of each visitor, by socket."""
    by_socket = {}
    for block in tables.strip("\n").split("\n\n")[1:]:
        head, *rows = block.splitlines()
        by_socket[head] = rows_for({row[:20].strip(): row[20:].split() for row in rows})
    return by_socket


Built = tuple[Site, dict[str, str], dict[str, str], dict[str, int], list[str | int], dict[str, str]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    """A site with a table of each kind, each visitor's session, and matches that were played."""
    with Site(tmp_path_factory.mktemp("sockets")) as site:
        site.migrate()
        made = json.loads(site.manage("shell", "-v", "0", "-c", BUILD))
        yield site.start(), *made


@pytest.mark.slow
@pytest.mark.parametrize("socket", blocks())
async def test_each_visitor_gets_their_view_from_each_socket(built: Built, socket: str) -> None:
    site, tables, sessions, *_ = built
    for visitor in VISITORS:
        headers = headers_of(site, visitor, sessions[visitor])
        key = {"key": KEY} if visitor == "holder of link" else {}
        views = [
            await becomes(ws(site, f"/{socket}/{tables[kind]}/"), headers, {"open": wish, **key})
            for kind in KINDS
            for wish in (False, True)
        ]
        assert views == blocks()[socket][visitor], visitor


@pytest.mark.slow
async def test_who_may_race_the_ghosts_of_which_match(built: Built) -> None:
    site, _, sessions, played, *_ = built
    for visitor in VISITORS:
        headers = headers_of(site, visitor, sessions[visitor])
        views = [
            await becomes(ws(site, f"/ws/races/{match}/?round=1&event=9&seat=2"), headers, {})
            for match in played.values()
        ]
        assert views == blocks(GHOST_RACES)["ws/races"][visitor], visitor


@pytest.mark.slow
async def test_the_sockets_of_a_class_know_who_is_in_it(built: Built) -> None:
    site, _, sessions, _, (table, match), _ = built
    rows = OF_A_CLASS.splitlines()[2:]
    for visitor, expected in ((row[:20].strip(), row[20:].split()) for row in rows):
        headers = headers_of(site, visitor, sessions[visitor])
        key = {"key": KEY} if visitor == "holder of link" else {}
        for socket in ("ws/matches", "ws/watch"):
            views = [
                await becomes(ws(site, f"/{socket}/{table}/"), headers, {"open": wish, **key})
                for wish in (False, True)
            ]
            assert views == expected[:2], (visitor, socket)
        race = ws(site, f"/ws/races/{match}/?round=1&event=9&seat=2")
        assert await becomes(race, headers, {}) == expected[2], visitor
        assert await becomes(ws(site, f"/ws/bots/{table}/"), headers, {}) == "4404", visitor


@pytest.mark.slow
async def test_nobody_follows_a_match_about_which_they_have_a_question_to_answer(
    built: Built,
) -> None:
    site, tables, sessions, *_ = built
    for socket in ("ws/matches", "ws/watch"):
        views = [
            await becomes(
                ws(site, f"/{socket}/{tables['over']}/"),
                headers_of(site, visitor, sessions[visitor]),
                {"open": False},
            )
            for visitor in ("stranger", "guest elsewhere", "account elsewhere")
        ]
        assert views == ["watch", "watch", "4404"], socket


@pytest.mark.slow
async def test_a_token_gives_its_accounts_seat_to_a_program(built: Built) -> None:
    """In the header, or in the hello of a program that has none and is no page of any site."""
    site, tables, secrets, *_ = built
    for kind in KINDS:
        address = ws(site, f"/ws/bots/{tables[kind]}/")
        for scope, seat in (("play", "seat0"), ("read", "4404" if kind == "link" else "4403")):
            said = {"token": secrets[scope]}
            header = {"Authorization": f"Bearer {secrets[scope]}"}
            assert await becomes(address, header, {}) == seat
            assert await becomes(address, {}, said) == seat
            assert await becomes(address, header, said) in ("4403", "4404"), "one token at a time"
            for origin in (site.url, "https://elsewhere.example"):
                assert await becomes(address, {"Origin": origin}, said) in ("4403", "4404")


@pytest.mark.slow
def test_every_visitor_gets_the_same_by_pieces(built: Built) -> None:
    site, _, sessions, *_, tables = built
    head, *rows = (line.split() for line in PIECES.strip().splitlines())
    expected = {
        f"{kind} {stage}": status
        for stage, *cells in rows
        for kind, status in zip(head, cells, strict=False)
    }
    pieces: dict[str, set[bytes]] = {}
    for visitor in VISITORS:
        headers = headers_of(site, visitor, sessions[visitor])
        found = {}
        for name, table in tables.items():
            for path in ("latest", "lines/1"):
                status, body = by_pieces(site, f"/live/{table}/{path}?key={KEY}", headers)
                if path == "latest":
                    found[name] = str(status)
                else:
                    pieces.setdefault(name, set()).add(body)
                assert status == 404 or expected[name] == "200"
        assert found == expected, visitor
    assert {len(said) for said in pieces.values()} == {1}
    assert any(pieces["public over"])


def by_pieces(site: Site, path: str, headers: dict[str, str]) -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_every_socket_has_a_table() -> None:
    more = ghost_races.routes(lambda app: app)
    every_route = routing.sockets(lambda app: app, lambda app: app, print, lambda _: more).routes
    routes = [str(route.pattern) for route in every_route]
    every = {paths[0] for route in routes if (paths := re.findall(r"\^(\w+/\w+)", route))}
    assert blocks().keys() | blocks(GHOST_RACES).keys() == every
    assert len(routes) == len(every) + 1, "and the last route turns all others away"
    for rows in (blocks() | blocks(GHOST_RACES)).values():
        assert {len(cells) for cells in rows.values()} == {2 * len(KINDS)}
