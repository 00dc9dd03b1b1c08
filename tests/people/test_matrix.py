"""Every address of the site, asked by every kind of visitor.

The tables say what comes back: a status, or where one is led (`>lobby`, `>table`, `>replay`,
`>log-in`). An address that stands in no table fails the last test.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import connection, transaction
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, get_resolver, resolve, reverse

from games.models import Account, LiveTable, Match
from replays.models import Clip
from replays.stored.clips import names_digest
from tests.addresses import names
from tests.notes.making import fresh
from tests.people import class_addresses, world
from tests.people.class_addresses import ClassWorld
from tests.people.programs import program
from tests.people.world import KINDS, STAGES

pytestmark = pytest.mark.django_db

# Addresses of a match that is stored: `open` while it is played, then `over`.
# Each row: who asks, then public, by link, and without spectators. `who plays`: as a guest and with
# an account. One table may be that of several addresses.
MATCHES = """
                          public          by link         no spectators
                          open    over    open    over    open    over

replays:replay GET
others                    200     200     404     404     404     200
holder of link            200     200     200     200     404     200
who plays                 200     200     200     200     >table  200

replays:embed_match GET
others                    200     200     404     404     404     200

api:log GET
api:charts GET
api:chart GET
replays:chart_svg GET
replays:chart_png GET
replays:picture_svg GET
replays:picture GET
replays:clip GET
api:notes GET
others                    200     200     404     404     404     200
holder of link            200     200     200     200     404     200
who plays                 200     200     200     200     404     200

api:clips POST
others                    202     202     404     404     404     202
holder of link            202     202     202     202     404     202
who plays                 202     202     202     202     404     202

api:analysis GET
others                    200     202     404     404     404     202
holder of link            200     202     200     202     404     202
who plays                 200     202     200     202     404     202

api:round_analysis GET
replays:record GET
api:what_if POST
others                    409     200     404     404     404     200
holder of link            409     200     409     200     404     200
who plays                 409     200     409     200     404     200

api:decisions GET
others                    409     202     404     404     404     202
holder of link            409     202     409     202     404     202
who plays                 409     202     409     202     404     202

replays:complaint POST
others                    >replay >replay 404     404     404     >replay
holder of link            >replay >replay >replay >replay 404     >replay
who plays                 >replay >replay >replay >replay 404     >replay

replays:keep_match POST
others                    >log-in >log-in >log-in >log-in >log-in >log-in
account elsewhere         >replay >replay 404     404     404     >replay
account who plays         >replay >replay >replay >replay 404     >replay
moderator                 >replay >replay 404     404     404     >replay

replays:ghost_race GET
others                    >replay 200     404     404     404     200
holder of link            >replay 200     >replay 200     404     200
who plays                 >replay 200     >replay 200     404     200

api:try POST
others                    409     422     404     404     404     422
holder of link            409     422     409     422     404     422
who plays                 409     422     409     422     404     422

api:notes POST
others                    201     201     404     404     404     201
holder of link            201     201     201     201     404     201
who plays                 403     201     403     201     404     201

replays:start_review POST
others                    >review >review 404     404     404     >review
stranger                  200     200     404     404     404     200
holder of link            200     200     200     200     404     200
who plays                 403     >review 403     >review 404     >review
seat's token              200     200     404     404     404     200

replays:start_review GET
others                    200     200     404     404     404     200
holder of link            200     200     200     200     404     200
who plays                 403     200     403     200     404     200

replays:review GET
others                    200     200     404     404     404     200
holder of link            200     200     200     200     404     200
who plays                 >table  200     >table  200     404     200

api:keep_review POST
api:variations POST
others                    422     422     404     404     404     422
holder of link            422     422     422     422     404     422
who plays                 403     422     403     422     404     422

api:note GET
others                    200     200     404     404     404     200
holder of link            200     200     200     200     404     200
who plays                 404     200     404     200     404     200
"""

# Addresses of a table: before the deal, while it is played, and when it is over.
TABLES = """
                          public                  by link                 no spectators
                          seating open    over    seating open    over    seating open    over

games:table GET
others                    200     >replay >replay 404     404     404     200     >replay >replay
holder of link            200     >replay >replay 200     >replay >replay 200     >replay >replay
who plays                 200     200     200     200     200     200     200     200     200

replays:embed_table GET
others                    200     200     200     404     404     404     404     404     200

api:table GET
others                    200     200     200     404     404     404     200     200     200
seat's token              200     200     200     200     200     200     200     200     200

api:join POST
others                    201!    409     409     404     404     404     201!    409     409

api:leave POST
others                    409     409     409     404     404     404     409     409     409
seat's token              200!    409     409     200!    409     409     200!    409     409

games:replay GET
others                    404     >replay >replay 404     404     404     404     >replay >replay
holder of link            404     >replay >replay 404     >replay >replay 404     >replay >replay
who plays                 404     >replay >replay 404     >replay >replay 404     >replay >replay

games:sit POST
others                    >table! >table  >table  404     404     404     >table! >table  >table
holder of link            >table! >table  >table  >table! >table  >table  >table! >table  >table
who plays                 >table  >table  >table  >table  >table  >table  >table  >table  >table

games:stand_up POST
others                    >lobby  >lobby  >lobby  404     404     404     >lobby  >lobby  >lobby
holder of link            >lobby  >lobby  >lobby  >lobby  >lobby  >lobby  >lobby  >lobby  >lobby
who plays                 >lobby! >lobby  >lobby  >lobby! >lobby  >lobby  >lobby! >lobby  >lobby

games:fill POST
others                    404     404     404     404     404     404     404     404     404
who plays                 >table! >table  >table  >table! >table  >table  >table! >table  >table

games:new_link POST
others                    404     404     404     404     404     404     404     404     404
guest who plays           404     404     404     >table! >table  >table  404     404     404
"""
# `!` marks what changes the table.

# Addresses that no single match decides about, by GET: who asks, who plays, who moderates.
OTHERS = """
stranger    guest       account     moderator
200         200         200         200
    games:home games:lobby games:new games:join games:players_guide games:rules games:fair_play
    games:watch
    games:wall api:tables api:openapi robots favicon touch_icon replays:archive
    replays:mine
    replays:my_reviews replays:tv replays:upload replays:players api:tv api:wall_chances
    replays:my_notes replays:tags_csv replays:my_playlists api:playlists
    replays:patterns api:challenges api:matches api:patterns
    api:jobs replays:practice replays:my_studies api:studies accounts:reset
    accounts:reset_sent accounts:reset_confirm
404         404         404         404
    api:nothing replays:oembed replays:story replays:embed_chapter replays:player
    api:player_figures replays:playlist_page replays:pattern games:challenged api:player_matches
    api:pattern api:job api:playlist api:note_history api:variation replays:stop_news
    replays:puzzle api:study replays:study_results api:study_chapter replays:study_page
    replays:start_study_review replays:chapter api:chapter_log api:review_answers
    api:chapter_notes replays:chapter_results accounts:confirm
405         405         405         405
    faults games:quick games:guided replays:spoilers
    api:read_news api:note_preview games:challenge api:accept api:decline api:note_restore
    api:note_settle api:note_complaint api:note_hide api:variation_restore
    replays:practise_playlist api:study_copy replays:study_restore replays:study_complaint
    api:receipt api:chapter_restore api:study_chapters replays:chapter_start api:review_ask
    api:review_reveal api:chapter_variations api:chapter_answer api:chapter_opened
    api:variation_promote api:name accounts:language accounts:log_out
413         413         413         413
    too_large
>watch      >watch      >watch      >watch
    games:following
>lobby      >lobby      >lobby      >lobby
    games:rename
>own        >own        >own        >own
    replays:you
>players    >players    >players    >players
    replays:rivals
>log-in     >log-in     200         200
    replays:kept replays:news accounts:profile accounts:name accounts:address accounts:browsers
    accounts:programs accounts:delete accounts:password
>log-in     >log-in     405         405
    replays:follow_player replays:news_settings accounts:claim accounts:revoke accounts:be_bot
403         403         403         403
    api:stream
301         301         301         301
    replays:playlist_drill replays:study_print replays:old_practice replays:missed_takes
    replays:my_jobs replays:situations replays:tag_table
>replay     >replay     >replay     >replay
    replays:release_match
200         200         >profile    >profile
    accounts:sign_up accounts:log_in
>admin      >admin      >admin      200
    admin:index admin:games_chatcomplaint_changelist admin:games_chatline_changelist
    admin:games_chatmute_changelist admin:games_match_changelist
    admin:games_matchcomplaint_changelist admin:games_moderation_changelist
    admin:games_player_changelist
>admin      >admin      >admin      403
    admin:auth_user_changelist
"""
ARGUMENTS: Sequence[Sequence[object]] = (
    *((), ("none",), (1,), ("none", 1), ("MQ", "none")),
    ("none", "en", 0),
)
"""Of addresses that no single match decides about: the first that an address takes."""
ALIKE = {"guest": "guest elsewhere", "account": "account elsewhere"}
"""Visitors of a class, as the tables of matches call them."""
# What is sent by POST, so that nothing is refused but for who asks.
BODIES: dict[str, dict[str, object]] = {
    "api:clips": {"round": 1, "event": 0, "until": 1},
    "api:join": {"name": "Dee"},
    "api:keep_review": {},
    "api:leave": {},
    "api:notes": {"key": "", "round": 1, "event": 0, "text": "Look."},
    "api:try": {"round": 1, "event": 1, "seat": 0},
    "api:variations": {"key": "", "round": 1, "event": 0, "events": [{}]},
    "api:what_if": {"round": 1, "event": 0},
}
LED = {
    "games:home": "home",
    "games:lobby": "lobby",
    "games:table": "table",
    "replays:replay": "replay",
    "replays:review": "review",
    "games:watch": "watch",
    "accounts:log_in": "log-in",
    "accounts:profile": "profile",
    "admin:login": "admin",
    "replays:my_classes": "mine",
    "replays:news": "news",
    "replays:players": "players",
    "replays:mine": "own",
    "replays:school_class": "class",
    "replays:homework": "given",
    "replays:pupil": "pupil",
    "replays:class_wall": "wall",
}


def blocks(text: str) -> dict[tuple[str, str], dict[str, list[str]]]:
    """The tables of a text: by address and method, each visitor's cells."""
    tables = {}
    _, *rest = text.strip("\n").split("\n\n")
    for block in rest:
        heads = [line.split() for line in block.splitlines() if not line[26:]]
        rows = {line[:26].strip(): line[26:].split() for line in block.splitlines() if line[26:]}
        for name, method in heads:
            tables[name, method] = world.rows_for(rows)
    return tables


def columns(stages: Sequence[str]) -> list[tuple[str, str]]:
    """The kinds of matches, as the cells of a row have them."""
    return [(kind, stage) for kind in KINDS for stage in stages]


@contextmanager
def undone() -> Iterator[None]:
    """Take back whatever the block changes, and let nobody have asked too often."""
    caches["rate_limits"].clear()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def users() -> dict[str, User]:
    return world.people()


def browser(visitor: str, users: dict[str, User]) -> Client:
    """The browser of that visitor, or its program."""
    token = {"authorization": f"Bearer {world.TOKEN}"} if visitor == "seat's token" else {}
    client = Client(headers=token)
    session = world.session_of(visitor, users)
    if session:
        client.cookies["sessionid"] = session
    return client


def answer(
    client: Client, method: str, address: str, body: object = None, kind: str = "application/json"
) -> str:
    """A status, or where one is led."""
    if method == "GET":
        response = client.get(address)
    elif body is None:
        response = client.post(address)
    else:
        response = client.post(address, body, content_type=kind)
    if response.status_code != 302:
        return str(response.status_code)
    view = resolve(response["Location"].partition("?")[0])
    return f">{LED[view.view_name]}"


@pytest.mark.slow
def test_addresses_of_a_match(users: dict[str, User]) -> None:
    matches = [world.build(*cell, users["Ada"])[1] for cell in columns(STAGES[1:])]
    for (name, method), rows in blocks(MATCHES).items():
        with undone():
            paths = [reverse(name, args=arguments(name, match)) for match in matches]
            for visitor, expected in rows.items():
                client = browser(visitor, users)
                with undone():
                    cells = [answer(client, method, path, body_for(name)) for path in paths]
                assert cells == expected, (name, method, visitor)


def arguments(name: str, match: int) -> list[int | str]:
    """What the address of that name is made of, for a match."""
    if name == "replays:clip":
        subject = names_digest(Match.objects.get(pk=match))
        clip = Clip.objects.create(match_id=match, subject=f"{match}{subject}", body=b"")
        return [match, clip.key]
    if name == "api:note":
        return [world.note_on(match)]
    if name == "api:round_analysis":
        world.analyse(match)
        return [match, 1]
    if name in ("replays:review", "api:keep_review"):
        return [world.review_of(match)]
    charts = ("api:chart", "replays:chart_svg", "replays:chart_png")
    return [match, "scores"] if name in charts else [match]


@pytest.mark.slow
def test_addresses_of_a_table(users: dict[str, User]) -> None:
    ids = [world.build(*cell, users["Ada"])[0] for cell in columns(STAGES)]
    for (name, method), rows in blocks(TABLES).items():
        for visitor, expected in rows.items():
            cells, client = [], browser(visitor, users)
            for table in ids:
                path = reverse(name, args=[table])
                with undone():
                    before = _plan(table)
                    told = answer(client, method, path, BODIES.get(name))
                    cells.append(told + "!" * (_plan(table) != before))
            assert cells == expected, (name, method, visitor)


@pytest.mark.parametrize("whose", ["account who plays", "moderator"])
def test_a_token_sees_what_its_account_sees_and_no_more(whose: str, users: dict[str, User]) -> None:
    """Asked with all scopes; with none but another it is refused (tests.web.test_openapi).

    A bot's account has no more rights than another one.
    """
    owner = users["Ada" if whose == "account who plays" else "Mo"]
    Account.objects.update_or_create(user=owner, defaults={"bot": True})
    matches = [world.build(*cell, users["Ada"])[1] for cell in columns(STAGES[1:])]
    for (name, method), rows in blocks(MATCHES).items():
        paths = [reverse(name, args=arguments(name, match)) for match in matches]
        with undone():
            cells = [answer(program(owner), method, path, body_for(name)) for path in paths]
        page = rows["stranger"] if method == "GET" else ["403"] * len(cells)
        assert cells == (rows[whose] if name.startswith("api:") else page), (name, method)


def body_for(name: str) -> object:
    """What is sent by POST; nothing is made twice."""
    body = BODIES.get(name)
    return {**body, "key": fresh()} if body and "key" in body else body


def _plan(table: str) -> object:
    return LiveTable.objects.values_list("plan", flat=True).get(record_id=table)


def others() -> dict[str, list[str]]:
    """The table of the other addresses."""
    rows: dict[str, list[str]] = {}
    cells: list[str] = []
    for line in OTHERS.strip().splitlines()[1:]:
        if line.startswith(" "):
            rows |= dict.fromkeys(line.split(), cells)
        else:
            cells = line.split()
    return rows


def path_of(name: str) -> str:
    """An address that no single match decides about, of nothing that there is."""
    for arguments in ARGUMENTS:
        with suppress(NoReverseMatch):
            return reverse(name, args=arguments)
    raise AssertionError(name)


def test_other_addresses(users: dict[str, User]) -> None:
    asked = ("stranger", "guest elsewhere", "account elsewhere", "moderator")
    for name, expected in others().items():
        path = path_of(name)
        with undone():
            cells = [answer(browser(visitor, users), "GET", path) for visitor in asked]
        assert cells == expected, name


@pytest.mark.slow
def test_addresses_of_a_class(users: dict[str, User]) -> None:
    there = ClassWorld()
    for (method, name), expected in class_addresses.rows().items():
        with undone():
            path = reverse(name, args=there.arguments(name))
            said = class_addresses.SAID.get(name.removeprefix("replays:"), {})
            cells = []
            for visitor in class_addresses.VISITORS:
                client = there.browser(visitor) or browser(ALIKE.get(visitor, visitor), users)
                with undone():
                    cells.append(answer(client, method, path, said, MULTIPART_CONTENT))
        assert cells == expected, (method, name)


def test_a_child_changes_nothing_but_what_it_may() -> None:
    there = ClassWorld()
    for name in others():
        with undone():
            child = there.browser("child")
            assert child is not None
            told = child.post(path_of(name)).status_code
        assert (told == HTTPStatus.FORBIDDEN) is (name not in settings.SUPERVISED_MAY), name


def test_a_child_changes_nothing_of_a_match(users: dict[str, User]) -> None:
    child = ClassWorld().browser("child")
    assert child is not None
    table, match = world.build("public", "over", users["Ada"])
    for name, method in blocks(MATCHES):
        if method == "POST" and name not in settings.SUPERVISED_MAY:
            path = reverse(name, args=arguments(name, match))
            assert child.post(path).status_code == HTTPStatus.FORBIDDEN, name
    for name in ("games:sit", "games:new_link"):
        assert child.post(reverse(name, args=[table])).status_code == HTTPStatus.FORBIDDEN


@pytest.mark.slow
def test_nobody_outside_a_class_is_sent_a_name_from_inside(users: dict[str, User]) -> None:
    there = ClassWorld()
    said = [name for key, name in class_addresses.NAMES.items() if key != "coach"]
    paths = [path_of(name) for name in others() if name[:6] != "admin:"]
    paths += [
        reverse(name, args=there.arguments(name))
        for method, name in class_addresses.rows()
        if method == "GET"
    ]
    paths += [f"/players/{name}/" for name in ("Pia", *said)]
    for visitor in ("stranger", "guest", "moderator", "coach elsewhere"):
        client = there.browser(visitor) or browser(ALIKE.get(visitor, visitor), users)
        client.post("/classes/join/", {"invitation": there.school_class.invitation})
        for path in paths:
            page = client.get(path, follow=True).content.decode(errors="replace")
            assert not any(name in page for name in said), (visitor, path)


def test_a_public_match_needs_no_look_up_of_visitors(users: dict[str, User]) -> None:
    """Its log; downloads of its record are counted by person."""
    _, number = world.build("public", "over", users["Ada"])
    asked = {}
    for visitor in ("stranger", "account who plays", "moderator"):
        client = browser(visitor, users)
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("api:log", args=[number]))
        asked[visitor] = [query["sql"] for query in queries if "SELECT" in query["sql"]]
    assert asked["stranger"] == asked["account who plays"] == asked["moderator"]
    assert not any("auth_user" in sql or "django_session" in sql for sql in asked["moderator"])


def test_every_address_has_a_row() -> None:
    every = {name for name in names(get_resolver().url_patterns) if not name.startswith("admin:")}
    rows = {name for text in (MATCHES, TABLES) for name, _ in blocks(text)} | others().keys()
    rows |= {name for _, name in class_addresses.rows()}
    assert every - rows == set(), "say in a table above who may come there"
    assert {name for name in rows if not name.startswith("admin:")} - every == set()


def test_every_row_has_all_cells() -> None:
    for text, width in ((MATCHES, 6), (TABLES, 9)):
        for name, rows in blocks(text).items():
            assert {len(cells) for cells in rows.values()} == {width}, name


def test_the_admin_opens_to_nobody_but_its_staff(users: dict[str, User]) -> None:
    open_to_all = {"admin:login", "admin:logout", "admin:None"}
    client = browser("account elsewhere", users)
    every = {name for name in names(get_resolver().url_patterns) if name.startswith("admin:")}
    for name in sorted(every - open_to_all):
        arguments = _arguments(name)
        assert answer(client, "GET", reverse(name, args=arguments)) == ">admin", name


def _arguments(name: str) -> list[str]:
    """What the admin's address of that name is made of."""
    words = {"admin:app_list": ["games"], "admin:view_on_site": ["1", "1"]}
    if name in words:
        return words[name]
    endings = ("_change", "_delete", "_history", "user_password_change")
    return ["1"] if name.endswith(endings) and name != "admin:password_change" else []
