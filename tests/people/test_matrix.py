"""Every address of the site, asked by every kind of visitor.

The tables say what comes back: a status, or where one is led (`>lobby`, `>table`, `>replay`,
`>log-in`). An address that stands in no table fails the last test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import connection, transaction
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, resolve, reverse

from games.models import Account, LiveTable
from tests.addresses import names
from tests.notes.making import fresh
from tests.people import class_addresses, world
from tests.people.class_addresses import ClassWorld
from tests.people.programs import program
from tests.people.world import KINDS, STAGES, VISITORS

pytestmark = pytest.mark.django_db

# Addresses of a match that is stored: `open` while it is played, then `over`.
# Each row: who asks, then public, by link, and without spectators. One table may be that of
# several addresses.
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

replays:embed_match GET    public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     200     403     403     403     200
guest elsewhere           200     200     403     403     403     200
account elsewhere         200     200     403     403     403     200
holder of link            200     200     403     403     403     200
guest who plays           200     200     403     403     403     200
account who plays         200     200     403     403     403     200
seat's token              200     200     403     403     403     200
moderator                 200     200     403     403     403     200

api:log             GET   public          by link         no spectators
api:charts          GET
api:chart           GET
replays:picture_svg GET
replays:picture     GET
api:notes           GET
                          open    over    open    over    open    over
stranger                  200     200     404     404     404     200
guest elsewhere           200     200     404     404     404     200
account elsewhere         200     200     404     404     404     200
holder of link            200     200     200     200     404     200
guest who plays           200     200     200     200     404     200
account who plays         200     200     200     200     404     200
seat's token              200     200     404     404     404     200
moderator                 200     200     404     404     404     200

api:analysis        GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  200     202     404     404     404     202
guest elsewhere           200     202     404     404     404     202
account elsewhere         200     202     404     404     404     202
holder of link            200     202     200     202     404     202
guest who plays           200     202     200     202     404     202
account who plays         200     202     200     202     404     202
seat's token              200     202     404     404     404     202
moderator                 200     202     404     404     404     202

api:round_analysis  GET   public          by link         no spectators
replays:record      GET
api:what_if         POST
                          open    over    open    over    open    over
stranger                  409     200     404     404     404     200
guest elsewhere           409     200     404     404     404     200
account elsewhere         409     200     404     404     404     200
holder of link            409     200     409     200     404     200
guest who plays           409     200     409     200     404     200
account who plays         409     200     409     200     404     200
seat's token              409     200     404     404     404     200
moderator                 409     200     404     404     404     200

api:decisions       GET   public          by link         no spectators
                          open    over    open    over    open    over
stranger                  409     202     404     404     404     202
guest elsewhere           409     202     404     404     404     202
account elsewhere         409     202     404     404     404     202
holder of link            409     202     409     202     404     202
guest who plays           409     202     409     202     404     202
account who plays         409     202     409     202     404     202
seat's token              409     202     404     404     404     202
moderator                 409     202     404     404     404     202

replays:complaint   POST  public          by link         no spectators
                          open    over    open    over    open    over
stranger                  >replay >replay 404     404     404     >replay
guest elsewhere           >replay >replay 404     404     404     >replay
account elsewhere         >replay >replay 404     404     404     >replay
holder of link            >replay >replay >replay >replay 404     >replay
guest who plays           >replay >replay >replay >replay 404     >replay
account who plays         >replay >replay >replay >replay 404     >replay
seat's token              >replay >replay 404     404     404     >replay
moderator                 >replay >replay 404     404     404     >replay

replays:keep_match  POST  public          by link         no spectators
                          open    over    open    over    open    over
stranger                  >log-in >log-in >log-in >log-in >log-in >log-in
guest elsewhere           >log-in >log-in >log-in >log-in >log-in >log-in
account elsewhere         >replay >replay 404     404     404     >replay
holder of link            >log-in >log-in >log-in >log-in >log-in >log-in
guest who plays           >log-in >log-in >log-in >log-in >log-in >log-in
account who plays         >replay >replay >replay >replay 404     >replay
seat's token              >log-in >log-in >log-in >log-in >log-in >log-in
moderator                 >replay >replay 404     404     404     >replay

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

api:try             POST  public          by link         no spectators
api:receipt         POST
                          open    over    open    over    open    over
stranger                  409     422     404     404     404     422
guest elsewhere           409     422     404     404     404     422
account elsewhere         409     422     404     404     404     422
holder of link            409     422     409     422     404     422
guest who plays           409     422     409     422     404     422
account who plays         409     422     409     422     404     422
seat's token              409     422     404     404     404     422
moderator                 409     422     404     404     404     422

api:notes           POST  public          by link         no spectators
                          open    over    open    over    open    over
stranger                  201     201     404     404     404     201
guest elsewhere           201     201     404     404     404     201
account elsewhere         201     201     404     404     404     201
holder of link            201     201     201     201     404     201
guest who plays           403     201     403     201     404     201
account who plays         403     201     403     201     404     201
seat's token              201     201     404     404     404     201
moderator                 201     201     404     404     404     201

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

api:keep_review     POST  public          by link         no spectators
api:variations      POST
                          open    over    open    over    open    over
stranger                  422     422     404     404     404     422
guest elsewhere           422     422     404     404     404     422
account elsewhere         422     422     404     404     404     422
holder of link            422     422     422     422     404     422
guest who plays           403     422     403     422     404     422
account who plays         403     422     403     422     404     422
seat's token              422     422     404     404     404     422
moderator                 422     422     404     404     404     422

api:note            GET   public          by link         no spectators
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

replays:embed_table GET   public                  by link                 no spectators
                          seating open    over    seating open    over    seating open    over
stranger                  200     200     200     403     403     403     403     403     200
guest elsewhere           200     200     200     403     403     403     403     403     200
account elsewhere         200     200     200     403     403     403     403     403     200
holder of link            200     200     200     403     403     403     403     403     200
guest who plays           200     200     200     403     403     403     403     403     200
account who plays         200     200     200     403     403     403     403     403     200
seat's token              200     200     200     403     403     403     403     403     200
moderator                 200     200     200     403     403     403     403     403     200

api:table           GET   public                  by link                 no spectators
                          seating open    over    seating open    over    seating open    over
stranger                  200     200     200     404     404     404     200     200     200
guest elsewhere           200     200     200     404     404     404     200     200     200
account elsewhere         200     200     200     404     404     404     200     200     200
holder of link            200     200     200     404     404     404     200     200     200
guest who plays           200     200     200     404     404     404     200     200     200
account who plays         200     200     200     404     404     404     200     200     200
seat's token              200     200     200     200     200     200     200     200     200
moderator                 200     200     200     404     404     404     200     200     200

api:join            POST  public                  by link                 no spectators
                          seating open    over    seating open    over    seating open    over
stranger                  201!    409     409     404     404     404     201!    409     409
guest elsewhere           201!    409     409     404     404     404     201!    409     409
account elsewhere         201!    409     409     404     404     404     201!    409     409
holder of link            201!    409     409     404     404     404     201!    409     409
guest who plays           201!    409     409     404     404     404     201!    409     409
account who plays         201!    409     409     404     404     404     201!    409     409
seat's token              201!    409     409     404     404     404     201!    409     409
moderator                 201!    409     409     404     404     404     201!    409     409

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
games:fair_play               200         200         200         200
games:watch                   200         200         200         200
games:wall                    200         200         200         200
api:tables                    200         200         200         200
api:openapi                   200         200         200         200
api:nothing                   404         404         404         404
faults                        405         405         405         405
too_large                     413         413         413         413
games:following               >watch      >watch      >watch      >watch
games:rename                  405         405         405         405
games:quick                   405         405         405         405
games:guided                  405         405         405         405
robots                        200         200         200         200
replays:oembed                404         404         404         404
replays:embed_chapter         404         404         404         404
replays:archive               200         200         200         200
replays:mine                  200         200         200         200
replays:missed_takes          405         405         405         405
replays:after_match           200         200         200         200
replays:kept                  >log-in     >log-in     200         200
replays:follow_player         >log-in     >log-in     405         405
replays:my_reviews            200         200         200         200
replays:tv                    200         200         200         200
replays:upload                200         200         200         200
replays:players               200         200         200         200
replays:player                404         404         404         404
replays:player_figures        404         404         404         404
api:player_figures            404         404         404         404
api:tv                        200         200         200         200
api:wall_chances              200         200         200         200
api:tv                        200         200         200         200
replays:tv                    200         200         200         200
replays:spoilers              405         405         405         405
api:read_news                 405         405         405         405
api:note_preview              405         405         405         405
replays:my_notes              200         200         200         200
replays:tag_table             200         200         200         200
replays:my_playlists          200         200         200         200
replays:playlist_page         404         404         404         404
api:tag_buttons               200         200         200         200
api:playlists                 200         200         200         200
replays:patterns              200         200         200         200
replays:situations            200         200         200         200
api:situations                200         200         200         200
replays:pattern               404         404         404         404
games:challenge               405         405         405         405
games:challenged              404         404         404         404
api:challenges                200         200         200         200
api:accept                    405         405         405         405
api:decline                   405         405         405         405
api:stream                    403         403         403         403
api:matches                   200         200         200         200
api:player_matches            404         404         404         404
api:patterns                  200         200         200         200
api:pattern                   404         404         404         404
replays:my_jobs               200         200         200         200
api:jobs                      200         200         200         200
api:job                       404         404         404         404
api:playlist                  404         404         404         404
api:note_restore              405         405         405         405
api:note_settle               405         405         405         405
api:note_complaint            405         405         405         405
api:note_hide                 405         405         405         405
api:note_history              404         404         404         404
api:variation                 404         404         404         404
api:variation_restore         405         405         405         405
replays:news                  >log-in     >log-in     200         200
replays:news_settings         >log-in     >log-in     405         405
replays:stop_news             404         404         404         404
replays:practice              200         200         200         200
replays:puzzle                404         404         404         404
replays:my_studies            200         200         200         200
api:studies                   200         200         200         200
api:study                     404         404         404         404
replays:practise_playlist     405         405         405         405
replays:playlist_drill        301         301         301         301
replays:study_results         404         404         404         404
api:study_copy                405         405         405         405
replays:study_restore         405         405         405         405
replays:study_complaint       405         405         405         405
api:chapter_restore           405         405         405         405
api:study_chapters            405         405         405         405
api:study_chapter             404         404         404         404
replays:study_page            404         404         404         404
replays:study_print           301         301         301         301
replays:start_study_review    404         404         404         404
replays:chapter               404         404         404         404
replays:chapter_start         405         405         405         405
replays:release_match         >replay     >replay     >replay     >replay
api:chapter_log               404         404         404         404
api:review_answers            404         404         404         404
api:review_ask                405         405         405         405
api:review_reveal             405         405         405         405
api:chapter_notes             404         404         404         404
api:chapter_variations        405         405         405         405
api:chapter_answer            405         405         405         405
api:chapter_opened            405         405         405         405
replays:chapter_results       404         404         404         404
api:variation_promote         405         405         405         405
accounts:profile              >log-in     >log-in     200         200
accounts:sign_up              200         200         >profile    >profile
api:name                      405         405         405         405
accounts:name                 >log-in     >log-in     200         200
accounts:address              >log-in     >log-in     200         200
accounts:confirm              404         404         404         404
accounts:language             405         405         405         405
accounts:claim                >log-in     >log-in     405         405
accounts:browsers             >log-in     >log-in     200         200
accounts:programs             >log-in     >log-in     200         200
accounts:revoke               >log-in     >log-in     405         405
accounts:be_bot               >log-in     >log-in     405         405
accounts:delete               >log-in     >log-in     200         200
accounts:log_in               200         200         >profile    >profile
accounts:log_out              405         405         405         405
accounts:password             >log-in     >log-in     200         200
accounts:reset                200         200         200         200
accounts:reset_sent           200         200         200         200
accounts:reset_confirm        200         200         200         200
admin:index                   >admin      >admin      >admin      200
admin:games_chatcomplaint_changelist >admin >admin      >admin      200
admin:games_chatline_changelist >admin    >admin      >admin      200
admin:games_chatmute_changelist >admin    >admin      >admin      200
admin:games_match_changelist  >admin      >admin      >admin      200
admin:games_matchcomplaint_changelist >admin >admin      >admin      200
admin:games_moderation_changelist >admin  >admin      >admin      200
admin:games_player_changelist >admin      >admin      >admin      200
admin:auth_user_changelist    >admin      >admin      >admin      403
"""
PATHS: dict[str, list[str | int]] = {
    "games:following": ["none"],
    "replays:player": ["nobody"],
    "replays:player_figures": ["nobody"],
    "replays:follow_player": ["nobody"],
    "api:nothing": ["none"],
    "api:player_figures": ["nobody"],
    "api:player_matches": ["nobody"],
    "games:challenged": ["none"],
    "api:accept": ["none"],
    "api:decline": ["none"],
    "api:playlist": ["none"],
    "api:job": ["none"],
    "replays:pattern": ["none"],
    "api:pattern": ["none"],
    "replays:playlist_page": ["none"],
    "api:note_restore": ["none"],
    "api:note_settle": ["none"],
    "api:note_complaint": ["none"],
    "api:note_hide": ["none"],
    "api:note_history": ["none"],
    "api:variation": ["none"],
    "api:variation_restore": ["none"],
    "api:study": ["none"],
    "replays:practise_playlist": ["none"],
    "replays:playlist_drill": ["none"],
    "replays:study_print": ["none"],
    "replays:study_results": ["none"],
    "api:study_copy": ["none"],
    "replays:study_restore": ["none"],
    "replays:study_complaint": ["none"],
    "api:chapter_restore": ["none", 1],
    "api:study_chapters": ["none"],
    "api:study_chapter": ["none", 1],
    "replays:study_page": ["none"],
    "replays:start_study_review": ["none"],
    "replays:chapter": ["none", 1],
    "replays:chapter_start": ["none", 1],
    "replays:embed_chapter": ["none", 1],
    "replays:release_match": [1],
    "api:review_answers": ["none", 1],
    "api:review_ask": ["none"],
    "api:review_reveal": ["none"],
    "api:chapter_log": ["none", 1],
    "api:chapter_notes": ["none", 1],
    "api:chapter_variations": ["none", 1],
    "api:chapter_answer": ["none", 1],
    "api:chapter_opened": ["none", 1],
    "replays:chapter_results": ["none", 1],
    "api:variation_promote": ["none"],
    "accounts:confirm": ["nonsense"],
    "accounts:revoke": [1],
    "replays:stop_news": ["nonsense"],
    "accounts:reset_confirm": ["MQ", "none"],
}
ALIKE = {"guest": "guest elsewhere", "account": "account elsewhere"}
"""Visitors of a class, as the tables of matches call them."""
# What is sent by POST, so that nothing is refused but for who asks.
BODIES: dict[str, dict[str, object]] = {
    "api:join": {"name": "Dee"},
    "api:keep_review": {},
    "api:notes": {"key": "", "round": 1, "event": 0, "text": "Look."},
    "api:receipt": {},
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
    "replays:school_class": "class",
    "replays:homework": "given",
    "replays:pupil": "pupil",
    "replays:class_wall": "wall",
}


def blocks(text: str) -> dict[tuple[str, str], dict[str, list[str]]]:
    """The tables of a text: by address and method, each visitor's cells."""
    tables = {}
    for block in text.strip().split("\n\n"):
        lines = block.splitlines()
        stages = next(at for at, line in enumerate(lines) if line.startswith(" "))
        rows = {row[:26].strip(): row[26:].split() for row in lines[stages + 1 :]}
        for head in lines[:stages]:
            name, method = head.split()[:2]
            tables[name, method] = rows
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
    client: Client,
    method: str,
    address: str,
    body: object = None,
    kind: str = "application/json",
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
    if name == "api:note":
        return [world.note_on(match)]
    if name == "api:round_analysis":
        world.analyse(match)
        return [match, 1]
    if name in ("replays:review", "api:keep_review"):
        return [world.review_of(match)]
    return [match, "scores"] if name == "api:chart" else [match]


def test_addresses_of_a_table(users: dict[str, User]) -> None:
    ids = [world.build(*cell, users["Ada"])[0] for cell in columns(STAGES)]
    for (name, method), rows in blocks(TABLES).items():
        for visitor, expected in rows.items():
            cells = []
            for table in ids:
                client = browser(visitor, users)
                path = reverse(name, args=[table])
                with undone():
                    before = _plan(table)
                    told = answer(client, method, path, BODIES.get(name))
                    cells.append(told + "!" * (_plan(table) != before))
            assert cells == expected, (name, method, visitor)


@pytest.mark.parametrize("whose", ["account elsewhere", "account who plays", "moderator"])
def test_a_token_sees_what_its_account_sees_and_no_more(whose: str, users: dict[str, User]) -> None:
    """Asked with all scopes; with none but another it is refused (tests.web.test_openapi).

    A bot's account has no more rights than another one.
    """
    owner = users[{"account elsewhere": "Kim", "account who plays": "Ada"}.get(whose, "Mo")]
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
    _, *rows = OTHERS.strip().splitlines()
    return {row.split()[0]: row.split()[1:] for row in rows}


def test_other_addresses(users: dict[str, User]) -> None:
    asked = ("stranger", "guest elsewhere", "account elsewhere", "moderator")
    for name, expected in others().items():
        path = reverse(name, args=PATHS.get(name))
        with undone():
            cells = [answer(browser(visitor, users), "GET", path) for visitor in asked]
        assert cells == expected, name


def test_addresses_of_a_class(users: dict[str, User]) -> None:
    for (method, name), expected in class_addresses.rows().items():
        with undone():
            there = ClassWorld()
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
            told = child.post(reverse(name, args=PATHS.get(name))).status_code
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


def test_nobody_outside_a_class_is_sent_a_name_from_inside(users: dict[str, User]) -> None:
    there = ClassWorld()
    said = [name for key, name in class_addresses.NAMES.items() if key != "coach"]
    paths = [reverse(name, args=PATHS.get(name)) for name in others() if name[:6] != "admin:"]
    paths += [
        reverse(name, args=there.arguments(name))
        for method, name in class_addresses.rows()
        if method == "GET"
    ]
    paths += [f"/players/{name}/" for name in ("Pia", *said)]
    for visitor in ("stranger", "guest", "account", "moderator", "coach elsewhere"):
        client = there.browser(visitor) or browser(ALIKE.get(visitor, visitor), users)
        client.post("/classes/join/", {"invitation": there.school_class.invitation})
        for path in paths:
            page = client.get(path, follow=True).content.decode()
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
    endings = ("_change", "_delete", "_history", "user_password_change")
    return ["1"] if name.endswith(endings) and name != "admin:password_change" else []
