"""Every address of the site, asked by every kind of visitor.

The tables say what comes back: a status, or where one is led (`>lobby`, `>table`, `>replay`,
`>log-in`). An address that stands in no table fails the last test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, resolve, reverse

from games.models import LiveTable
from tests.addresses import names
from tests.people import world
from tests.people.world import KINDS, STAGES, VISITORS

pytestmark = pytest.mark.django_db

# Addresses of a match that is stored: `open` while it is played, then `over`.
# Each row: who asks, then public, by link, and without spectators.
MATCHES = """
replays:replay      GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     200     404     404     404     200
guest elsewhere           200     200     404     404     404     200
account elsewhere         200     200     404     404     404     200
holder of link            200     200     200     200     404     200
guest who plays           200     200     200     200     >table  200
account who plays         200     200     200     200     >table  200
seat's token              200     200     404     404     404     200
moderator                 200     200     404     404     404     200

replays:log         GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     200     404     404     404     200
guest elsewhere           200     200     404     404     404     200
account elsewhere         200     200     404     404     404     200
holder of link            200     200     200     200     404     200
guest who plays           200     200     200     200     404     200
account who plays         200     200     200     200     404     200
seat's token              200     200     404     404     404     200
moderator                 200     200     404     404     404     200

replays:charts      GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     200     404     404     404     200
guest elsewhere           200     200     404     404     404     200
account elsewhere         200     200     404     404     404     200
holder of link            200     200     200     200     404     200
guest who plays           200     200     200     200     404     200
account who plays         200     200     200     200     404     200
seat's token              200     200     404     404     404     200
moderator                 200     200     404     404     404     200

replays:chart       GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     200     404     404     404     200
guest elsewhere           200     200     404     404     404     200
account elsewhere         200     200     404     404     404     200
holder of link            200     200     200     200     404     200
guest who plays           200     200     200     200     404     200
account who plays         200     200     200     200     404     200
seat's token              200     200     404     404     404     200
moderator                 200     200     404     404     404     200

replays:analysis    GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     200     404     404     404     200
guest elsewhere           200     200     404     404     404     200
account elsewhere         200     200     404     404     404     200
holder of link            200     200     200     200     404     200
guest who plays           200     200     200     200     404     200
account who plays         200     200     200     200     404     200
seat's token              200     200     404     404     404     200
moderator                 200     200     404     404     404     200

replays:round_analysis GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  409     200     404     404     404     200
guest elsewhere           409     200     404     404     404     200
account elsewhere         409     200     404     404     404     200
holder of link            409     200     409     200     404     200
guest who plays           409     200     409     200     404     200
account who plays         409     200     409     200     404     200
seat's token              409     200     404     404     404     200
moderator                 409     200     404     404     404     200

replays:report      POST  public          by link         no spectators
                          open    over    open    over    open    over
stranger                  >replay >replay 404     404     404     >replay
guest elsewhere           >replay >replay 404     404     404     >replay
account elsewhere         >replay >replay 404     404     404     >replay
holder of link            >replay >replay >replay >replay 404     >replay
guest who plays           >replay >replay >replay >replay 404     >replay
account who plays         >replay >replay >replay >replay 404     >replay
seat's token              >replay >replay 404     404     404     >replay
moderator                 >replay >replay 404     404     404     >replay

replays:record      GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  409     200     404     404     404     200
guest elsewhere           409     200     404     404     404     200
account elsewhere         409     200     404     404     404     200
holder of link            409     200     409     200     404     200
guest who plays           409     200     409     200     404     200
account who plays         409     200     409     200     404     200
seat's token              409     200     404     404     404     200
moderator                 409     200     404     404     404     200

replays:picture_svg GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     200     404     404     404     200
guest elsewhere           200     200     404     404     404     200
account elsewhere         200     200     404     404     404     200
holder of link            200     200     200     200     404     200
guest who plays           200     200     200     200     404     200
account who plays         200     200     200     200     404     200
seat's token              200     200     404     404     404     200
moderator                 200     200     404     404     404     200

replays:picture     GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     200     404     404     404     200
guest elsewhere           200     200     404     404     404     200
account elsewhere         200     200     404     404     404     200
holder of link            200     200     200     200     404     200
guest who plays           200     200     200     200     404     200
account who plays         200     200     200     200     404     200
seat's token              200     200     404     404     404     200
moderator                 200     200     404     404     404     200

replays:ghost_race  GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  >replay 200     404     404     404     200
guest elsewhere           >replay 200     404     404     404     200
account elsewhere         >replay 200     404     404     404     200
holder of link            >replay 200     >replay 200     404     200
guest who plays           >replay 200     >replay 200     404     200
account who plays         >replay 200     >replay 200     404     200
seat's token              >replay 200     404     404     404     200
moderator                 >replay 200     404     404     404     200

replays:what_if     POST  public          by link         no spectators
                          open    over    open    over    open    over
stranger                  409     422     404     404     404     422
guest elsewhere           409     422     404     404     404     422
account elsewhere         409     422     404     404     404     422
holder of link            409     422     409     422     404     422
guest who plays           409     422     409     422     404     422
account who plays         409     422     409     422     404     422
seat's token              409     422     404     404     404     422
moderator                 409     422     404     404     404     422

replays:trial       POST  public          by link         no spectators
                          open    over    open    over    open    over
stranger                  409     422     404     404     404     422
guest elsewhere           409     422     404     404     404     422
account elsewhere         409     422     404     404     404     422
holder of link            409     422     409     422     404     422
guest who plays           409     422     409     422     404     422
account who plays         409     422     409     422     404     422
seat's token              409     422     404     404     404     422
moderator                 409     422     404     404     404     422

replays:notes       GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     200     404     404     404     200
guest elsewhere           200     200     404     404     404     200
account elsewhere         200     200     404     404     404     200
holder of link            200     200     200     200     404     200
guest who plays           200     200     200     200     404     200
account who plays         200     200     200     200     404     200
seat's token              200     200     404     404     404     200
moderator                 200     200     404     404     404     200

replays:notes       POST  public          by link         no spectators
                          open    over    open    over    open    over
stranger                  422     422     404     404     404     422
guest elsewhere           422     422     404     404     404     422
account elsewhere         422     422     404     404     404     422
holder of link            422     422     422     422     404     422
guest who plays           403     422     403     422     404     422
account who plays         403     422     403     422     404     422
seat's token              422     422     404     404     404     422
moderator                 422     422     404     404     404     422

replays:start_review POST public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     200     404     404     404     200
guest elsewhere           >review >review 404     404     404     >review
account elsewhere         >review >review 404     404     404     >review
holder of link            200     200     200     200     404     200
guest who plays           403     >review 403     >review 404     >review
account who plays         403     >review 403     >review 404     >review
seat's token              200     200     404     404     404     200
moderator                 >review >review 404     404     404     >review

replays:start_review GET  public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     200     404     404     404     200
guest elsewhere           200     200     404     404     404     200
account elsewhere         200     200     404     404     404     200
holder of link            200     200     200     200     404     200
guest who plays           403     200     403     200     404     200
account who plays         403     200     403     200     404     200
seat's token              200     200     404     404     404     200
moderator                 200     200     404     404     404     200

replays:review      GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     200     404     404     404     200
guest elsewhere           200     200     404     404     404     200
account elsewhere         200     200     404     404     404     200
holder of link            200     200     200     200     404     200
guest who plays           >table  200     >table  200     404     200
account who plays         >table  200     >table  200     404     200
seat's token              200     200     404     404     404     200
moderator                 200     200     404     404     404     200

replays:keep_review POST  public          by link         no spectators
                          open    over    open    over    open    over
stranger                  422     422     404     404     404     422
guest elsewhere           422     422     404     404     404     422
account elsewhere         422     422     404     404     404     422
holder of link            422     422     422     422     404     422
guest who plays           403     422     403     422     404     422
account who plays         403     422     403     422     404     422
seat's token              422     422     404     404     404     422
moderator                 422     422     404     404     404     422

replays:variations  POST  public          by link         no spectators
                          open    over    open    over    open    over
stranger                  422     422     404     404     404     422
guest elsewhere           422     422     404     404     404     422
account elsewhere         422     422     404     404     404     422
holder of link            422     422     422     422     404     422
guest who plays           403     422     403     422     404     422
account who plays         403     422     403     422     404     422
seat's token              422     422     404     404     404     422
moderator                 422     422     404     404     404     422

replays:note        GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     200     404     404     404     200
guest elsewhere           200     200     404     404     404     200
account elsewhere         200     200     404     404     404     200
holder of link            200     200     200     200     404     200
guest who plays           404     200     404     200     404     200
account who plays         404     200     404     200     404     200
seat's token              200     200     404     404     404     200
moderator                 200     200     404     404     404     200
"""

# Addresses of a table: before the deal, while it is played, and when it is over.
TABLES = """
games:table         GET   public                  by link                 no spectators
                          seating open    over    seating open    over    seating open    over
stranger                  200     >replay >replay 404     404     404     200     >replay >replay
guest elsewhere           200     >replay >replay 404     404     404     200     >replay >replay
account elsewhere         200     >replay >replay 404     404     404     200     >replay >replay
holder of link            200     >replay >replay 200     >replay >replay 200     >replay >replay
guest who plays           200     200     200     200     200     200     200     200     200
account who plays         200     200     200     200     200     200     200     200     200
seat's token              200     >replay >replay 404     404     404     200     >replay >replay
moderator                 200     >replay >replay 404     404     404     200     >replay >replay

games:api_table     GET   public                  by link                 no spectators
                          seating open    over    seating open    over    seating open    over
stranger                  200     200     200     404     404     404     200     200     200
guest elsewhere           200     200     200     404     404     404     200     200     200
account elsewhere         200     200     200     404     404     404     200     200     200
holder of link            200     200     200     404     404     404     200     200     200
guest who plays           200     200     200     404     404     404     200     200     200
account who plays         200     200     200     404     404     404     200     200     200
seat's token              200     200     200     200     200     200     200     200     200
moderator                 200     200     200     404     404     404     200     200     200

games:api_join      POST  public                  by link                 no spectators
                          seating open    over    seating open    over    seating open    over
stranger                  400     400     400     400     400     400     400     400     400
guest elsewhere           400     400     400     400     400     400     400     400     400
account elsewhere         400     400     400     400     400     400     400     400     400
holder of link            400     400     400     400     400     400     400     400     400
guest who plays           400     400     400     400     400     400     400     400     400
account who plays         400     400     400     400     400     400     400     400     400
seat's token              400     400     400     400     400     400     400     400     400
moderator                 400     400     400     400     400     400     400     400     400

games:replay        GET   public                  by link                 no spectators
                          seating open    over    seating open    over    seating open    over
stranger                  404     >replay >replay 404     404     404     404     >replay >replay
guest elsewhere           404     >replay >replay 404     404     404     404     >replay >replay
account elsewhere         404     >replay >replay 404     404     404     404     >replay >replay
holder of link            404     >replay >replay 404     >replay >replay 404     >replay >replay
guest who plays           404     >replay >replay 404     >replay >replay 404     >replay >replay
account who plays         404     >replay >replay 404     >replay >replay 404     >replay >replay
seat's token              404     >replay >replay 404     404     404     404     >replay >replay
moderator                 404     >replay >replay 404     404     404     404     >replay >replay

games:sit           POST  public                  by link                 no spectators
                          seating open    over    seating open    over    seating open    over
stranger                  >table! >table  >table  404     404     404     >table! >table  >table
guest elsewhere           >table! >table  >table  404     404     404     >table! >table  >table
account elsewhere         >table! >table  >table  404     404     404     >table! >table  >table
holder of link            >table! >table  >table  >table! >table  >table  >table! >table  >table
guest who plays           >table  >table  >table  >table  >table  >table  >table  >table  >table
account who plays         >table  >table  >table  >table  >table  >table  >table  >table  >table
seat's token              >table! >table  >table  404     404     404     >table! >table  >table
moderator                 >table! >table  >table  404     404     404     >table! >table  >table

games:stand_up      POST  public                  by link                 no spectators
                          seating open    over    seating open    over    seating open    over
stranger                  >lobby  >lobby  >lobby  404     404     404     >lobby  >lobby  >lobby
guest elsewhere           >lobby  >lobby  >lobby  404     404     404     >lobby  >lobby  >lobby
account elsewhere         >lobby  >lobby  >lobby  404     404     404     >lobby  >lobby  >lobby
holder of link            >lobby  >lobby  >lobby  >lobby  >lobby  >lobby  >lobby  >lobby  >lobby
guest who plays           >lobby! >lobby  >lobby  >lobby! >lobby  >lobby  >lobby! >lobby  >lobby
account who plays         >lobby! >lobby  >lobby  >lobby! >lobby  >lobby  >lobby! >lobby  >lobby
seat's token              >lobby  >lobby  >lobby  404     404     404     >lobby  >lobby  >lobby
moderator                 >lobby  >lobby  >lobby  404     404     404     >lobby  >lobby  >lobby

games:fill          POST  public                  by link                 no spectators
                          seating open    over    seating open    over    seating open    over
stranger                  404     404     404     404     404     404     404     404     404
guest elsewhere           404     404     404     404     404     404     404     404     404
account elsewhere         404     404     404     404     404     404     404     404     404
holder of link            404     404     404     404     404     404     404     404     404
guest who plays           >table! >table  >table  >table! >table  >table  >table! >table  >table
account who plays         >table! >table  >table  >table! >table  >table  >table! >table  >table
seat's token              404     404     404     404     404     404     404     404     404
moderator                 404     404     404     404     404     404     404     404     404

games:new_link      POST  public                  by link                 no spectators
                          seating open    over    seating open    over    seating open    over
stranger                  404     404     404     404     404     404     404     404     404
guest elsewhere           404     404     404     404     404     404     404     404     404
account elsewhere         404     404     404     404     404     404     404     404     404
holder of link            404     404     404     404     404     404     404     404     404
guest who plays           404     404     404     >table! >table  >table  404     404     404
account who plays         404     404     404     404     404     404     404     404     404
seat's token              404     404     404     404     404     404     404     404     404
moderator                 404     404     404     404     404     404     404     404     404
"""
# `!` marks what changes the table.

# Addresses that no single match decides about, by GET: who asks, who plays, who moderates.
OTHERS = """
                              stranger    guest       account     moderator
games:home                    200         200         200         200
games:lobby                   200         200         200         200
games:new                     200         200         200         200
games:join                    200         200         200         200
games:rules                   200         200         200         200
games:watch                   200         200         200         200
games:wall                    200         200         200         200
games:api_tables              200         200         200         200
too_large                     413         413         413         413
games:following               >watch      >watch      >watch      >watch
games:rename                  405         405         405         405
games:quick                   405         405         405         405
robots                        200         200         200         200
replays:archive               200         200         200         200
replays:mine                  200         200         200         200
replays:missed_takes          405         405         405         405
replays:my_reviews            200         200         200         200
replays:upload                200         200         200         200
replays:players               200         200         200         200
replays:player                404         404         404         404
replays:player_figures        404         404         404         404
replays:player_figures_json   404         404         404         404
replays:wall_chances          200         200         200         200
replays:spoilers              405         405         405         405
replays:note_preview          405         405         405         405
replays:my_notes              200         200         200         200
replays:tag_table             200         200         200         200
replays:my_playlists          200         200         200         200
replays:playlist_page         404         404         404         404
replays:notes_feed            404         404         404         404
replays:tag_buttons           200         200         200         200
replays:tag_matrix            422         422         422         422
replays:playlists             200         200         200         200
replays:patterns              200         200         200         200
replays:pattern               404         404         404         404
replays:pattern_searches      200         200         200         200
replays:pattern_json          404         404         404         404
replays:pattern_csv           404         404         404         404
replays:my_jobs               200         200         200         200
replays:jobs                  200         200         200         200
replays:job                   404         404         404         404
replays:playlist              404         404         404         404
replays:note_restore          405         405         405         405
replays:note_settle           405         405         405         405
replays:note_report           405         405         405         405
replays:note_hide             405         405         405         405
replays:note_history          404         404         404         404
replays:variation             404         404         404         404
replays:variation_restore     405         405         405         405
replays:my_studies            200         200         200         200
replays:studies               200         200         200         200
replays:study                 404         404         404         404
replays:study_import           200         200         200         200
replays:study_zip              404         404         404         404
replays:playlist_drill        405         405         405         405
replays:study_results         404         404         404         404
replays:study_history         404         404         404         404
replays:study_copy            405         405         405         405
replays:study_restore         405         405         405         405
replays:study_report          405         405         405         405
replays:chapter_history       404         404         404         404
replays:chapter_restore       405         405         405         405
replays:study_chapters        405         405         405         405
replays:study_chapter         404         404         404         404
replays:study_page            404         404         404         404
replays:study_print           404         404         404         404
replays:start_study_review    404         404         404         404
replays:chapter               404         404         404         404
replays:chapter_start         405         405         405         405
replays:chapter_log           404         404         404         404
replays:chapter_notes         404         404         404         404
replays:chapter_variations    405         405         405         405
replays:chapter_answer        405         405         405         405
replays:chapter_results       404         404         404         404
replays:variation_promote     405         405         405         405
accounts:profile              >log-in     >log-in     200         200
accounts:sign_up              200         200         >profile    >profile
accounts:introduce            405         405         405         405
accounts:name                 >log-in     >log-in     200         200
accounts:address              >log-in     >log-in     200         200
accounts:confirm              404         404         404         404
accounts:claim                >log-in     >log-in     405         405
accounts:browsers             >log-in     >log-in     200         200
accounts:delete               >log-in     >log-in     200         200
accounts:log_in               200         200         >profile    >profile
accounts:log_out              405         405         405         405
accounts:password             >log-in     >log-in     200         200
accounts:reset                200         200         200         200
accounts:reset_sent           200         200         200         200
accounts:reset_confirm        200         200         200         200
admin:index                   >admin      >admin      >admin      200
admin:games_chatreport_changelist >admin  >admin      >admin      200
admin:games_match_changelist  >admin      >admin      >admin      200
admin:games_matchreport_changelist >admin >admin      >admin      200
admin:games_moderation_changelist >admin  >admin      >admin      200
admin:games_player_changelist >admin      >admin      >admin      200
admin:auth_user_changelist    >admin      >admin      >admin      403
"""
PATHS: dict[str, list[str | int]] = {
    "games:following": ["none"],
    "replays:player": ["nobody"],
    "replays:player_figures": ["nobody"],
    "replays:player_figures_json": ["nobody"],
    "replays:playlist": ["none"],
    "replays:job": ["none"],
    "replays:pattern": ["none"],
    "replays:pattern_json": ["none"],
    "replays:pattern_csv": ["none"],
    "replays:playlist_page": ["none"],
    "replays:notes_feed": ["nobody"],
    "replays:note_restore": ["none"],
    "replays:note_settle": ["none"],
    "replays:note_report": ["none"],
    "replays:note_hide": ["none"],
    "replays:note_history": ["none"],
    "replays:variation": ["none"],
    "replays:variation_restore": ["none"],
    "replays:study": ["none"],
    "replays:study_zip": ["none"],
    "replays:playlist_drill": ["none"],
    "replays:study_results": ["none"],
    "replays:study_history": ["none"],
    "replays:study_copy": ["none"],
    "replays:study_restore": ["none"],
    "replays:study_report": ["none"],
    "replays:chapter_history": ["none", 1],
    "replays:chapter_restore": ["none", 1],
    "replays:study_chapters": ["none"],
    "replays:study_chapter": ["none", 1],
    "replays:study_page": ["none"],
    "replays:study_print": ["none"],
    "replays:start_study_review": ["none"],
    "replays:chapter": ["none", 1],
    "replays:chapter_start": ["none", 1],
    "replays:chapter_log": ["none", 1],
    "replays:chapter_notes": ["none", 1],
    "replays:chapter_variations": ["none", 1],
    "replays:chapter_answer": ["none", 1],
    "replays:chapter_results": ["none", 1],
    "replays:variation_promote": ["none"],
    "accounts:confirm": ["nonsense"],
    "accounts:reset_confirm": ["MQ", "none"],
}
LED = {
    "games:lobby": "lobby",
    "games:table": "table",
    "replays:replay": "replay",
    "replays:review": "review",
    "games:watch": "watch",
    "accounts:log_in": "log-in",
    "accounts:profile": "profile",
    "admin:login": "admin",
}


def blocks(text: str) -> dict[tuple[str, str], dict[str, list[str]]]:
    """The tables of a text: by address and method, each visitor's cells."""
    found = {}
    for block in text.strip().split("\n\n"):
        head, _, *rows = block.splitlines()
        name, method = head.split()[:2]
        found[name, method] = {row[:26].strip(): row[26:].split() for row in rows}
    return found


def columns(stages: Sequence[str]) -> list[tuple[str, str]]:
    """The kinds of matches, as the cells of a row have them."""
    return [(kind, stage) for kind in KINDS for stage in stages]


@contextmanager
def undone() -> Iterator[None]:
    """Take back whatever the block changes."""
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


def answer(client: Client, method: str, address: str) -> str:
    """A status, or where one is led."""
    response = client.get(address) if method == "GET" else client.post(address)
    if response.status_code != 302:
        return str(response.status_code)
    found = resolve(response["Location"].partition("?")[0])
    return f">{LED[found.view_name]}"


@pytest.mark.parametrize(("name", "method"), blocks(MATCHES), ids="{0[0]}".format)
def test_addresses_of_a_match(name: str, method: str, users: dict[str, User]) -> None:
    matches = [world.build(*cell, users["Ada"])[1] for cell in columns(STAGES[1:])]
    paths = [reverse(name, args=arguments(name, match)) for match in matches]
    for visitor, expected in blocks(MATCHES)[name, method].items():
        client = browser(visitor, users)
        assert [answer(client, method, path) for path in paths] == expected, visitor


def arguments(name: str, match: int) -> list[int | str]:
    """What the address of that name is made of, for a match."""
    if name == "replays:note":
        return [world.note_on(match)]
    if name == "replays:round_analysis":
        world.analyse(match)
        return [match, 1]
    if name in ("replays:review", "replays:keep_review"):
        return [world.review_of(match)]
    return [match, "scores"] if name == "replays:chart" else [match]


@pytest.mark.parametrize(("name", "method"), blocks(TABLES))
def test_addresses_of_a_table(name: str, method: str, users: dict[str, User]) -> None:
    ids = [world.build(*cell, users["Ada"])[0] for cell in columns(STAGES)]
    for visitor, expected in blocks(TABLES)[name, method].items():
        found = []
        for table in ids:
            client = browser(visitor, users)
            with undone():
                before = _plan(table)
                told = answer(client, method, reverse(name, args=[table]))
                found.append(told + "!" * (_plan(table) != before))
        assert found == expected, visitor


def _plan(table: str) -> object:
    return LiveTable.objects.values_list("plan", flat=True).get(record_id=table)


def others() -> dict[str, list[str]]:
    """The table of the other addresses."""
    _, *rows = OTHERS.strip().splitlines()
    return {row.split()[0]: row.split()[1:] for row in rows}


@pytest.mark.parametrize("name", others())
def test_other_addresses(name: str, users: dict[str, User]) -> None:
    asked = ("stranger", "guest elsewhere", "account elsewhere", "moderator")
    path = reverse(name, args=PATHS.get(name))
    found = [answer(browser(visitor, users), "GET", path) for visitor in asked]
    assert found == others()[name]


@pytest.mark.parametrize("name", ["replays:log", "replays:record"])
def test_a_public_match_needs_no_look_up_of_visitors(name: str, users: dict[str, User]) -> None:
    _, number = world.build("public", "over", users["Ada"])
    asked = {}
    for visitor in ("stranger", "account who plays", "moderator"):
        client = browser(visitor, users)
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse(name, args=[number]))
        asked[visitor] = [query["sql"] for query in queries if "SELECT" in query["sql"]]
    assert asked["stranger"] == asked["account who plays"] == asked["moderator"]
    assert not any("auth_user" in sql or "django_session" in sql for sql in asked["moderator"])


def test_every_address_has_a_row() -> None:
    every = {name for name in names(get_resolver().url_patterns) if not name.startswith("admin:")}
    rows = {name for text in (MATCHES, TABLES) for name, _ in blocks(text)} | others().keys()
    assert every - rows == set(), "say in a table above who may come there"
    assert {name for name in rows if not name.startswith("admin:")} - every == set()


def test_every_table_has_every_visitor() -> None:
    for text, width in ((MATCHES, 6), (TABLES, 9)):
        for name, rows in blocks(text).items():
            assert tuple(rows) == VISITORS, name
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
    one = ("_change", "_delete", "_history", "user_password_change")
    return ["1"] if name.endswith(one) and name != "admin:password_change" else []
