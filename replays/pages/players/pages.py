"""Players: found by name, a player's page, and its figures for programs."""

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe
from ninja import Router

from games.archive.own import latest_seats
from games.archive.players import (
    ListedPlayer,
    listed_players,
    newest_players,
    player_named,
    unnumbered,
)
from games.archive.queries import Filter, page_of
from games.bots.roster import persona_named
from games.bots.skill import LEVELS
from games.engine.cards import WILD
from games.models import Player, Seat
from games.pages.problems import must_be_there
from games.pages.words import day, words
from games.people.bots import bot_named
from games.people.following import follows
from games.people.names import MARK
from games.people.visit import Request
from games.people.visitor import Visitor
from replays.analysis.players.intervals import FEWEST
from replays.pages.forms import MAX_QUERY
from replays.pages.moment_pictures import PicturedMoment, Place, pictured
from replays.pages.players.figure_rows import FiguresJson, json_of
from replays.pages.players.level_words import level_of_player
from replays.pages.players.profile import profile_of
from replays.pages.players.rating_words import (
    PlayerRatings,
    bot_ladders,
    rating_tables,
    ratings_of,
)
from replays.pages.rendering import page
from replays.pages.responses import must_show_results
from replays.pages.rows import words_of
from replays.patterns.occurrences import KINDS, Occurrence, play_of
from replays.patterns.query import LATE, MISSED, PRESETS, TOOK
from replays.patterns.storing import stored_in
from replays.players.queries import LATEST, Played
from replays.ratings.tables import moved_by

_PLAYERS_LATEST = 4
_LEAST: Final = 3
STRIP: Final = 16
"""Results in a strip."""
_BAR, _HEIGHT = 5, 16
_BARS: Final = {"W": _HEIGHT, "D": 9, "L": 3}
"""How high a result is drawn."""
_LATELY: Final = 500
"""How many of a visitor's seats say under which names they play."""
_HABITS: Final = "/habits"
"""Where there was a page that is part of a player's now."""
router: Final = Router(tags=["players"])


@require_safe
def players(request: Request) -> HttpResponse:
    """Find players by name. Without one, the ratings and the ladder of bots."""
    text = request.GET.get("name", "").replace("\0", "").strip()[:MAX_QUERY]
    shown, without = request.visit.shows_results, request.visit.embargoed
    listed = listed_players(text, 50, without) if text else newest_players(50, without)
    known = [player for player in listed if text or player.results + player.others] or listed
    people = [_person(player, spoilers=shown) for player in known]
    bots = [] if text else [person for person in people if person.ours]
    people = [person for person in people if text or not person.ours]
    context: dict[str, Any] = {
        "text": text,
        "people": people,
        "bots": [
            (persona_named(bot.name), bot) for bot in bots if unnumbered(bot.name) == bot.name
        ],
        "ratings": None,
        "ladders": [],
        "levels": LEVELS,
    }
    if not text and shown:
        held = moved_by(request.visit.embargoed)
        context |= {"ratings": rating_tables(held), "held": list(held.values())}
        context["ladders"] = bot_ladders(held)
    return page(request, "players", context)


class ListedPerson(NamedTuple):
    """A player in a list, with a strip of results: high bars are won, low ones lost."""

    name: str
    bot: bool
    ours: bool
    """Whether it is one of the site's bots, numbered or not."""
    width: int
    bars: str
    said: str


def _person(player: ListedPlayer, *, spoilers: bool) -> ListedPerson:
    ours = player.bot and persona_named(player.name) is not None
    few = player.others and len(player.results) < (FEWEST if player.bot else 1)  # as on their page
    known = player.others if few else player.results
    results = known[-STRIP:] if spoilers and len(known) >= _LEAST else ""
    bars = "".join(
        f"M{_BAR * at} {_HEIGHT}v-{_BARS[result]}h{_BAR - 1}V{_HEIGHT}z"
        for at, result in enumerate(results, STRIP - len(results))
    )
    others = (_("won {won} of {count} imported"), _("won {won} of {count} simulated"))[player.bot]
    text = others if few else _("won {won} of the last {count}")
    said = text.format(won=results.count("W"), count=len(results)) if results else ""
    return ListedPerson(player.name, player.bot, ours, _BAR * STRIP, bars, said)


@require_safe
def player_page(request: Request, name: str) -> HttpResponse:
    """A player: results, by edition, against opponents, recent form, latest matches."""
    visitor = request.visit.visitor
    if visitor.account and visitor.name == name and player_named(name) is None:
        return redirect("replays:mine")  # which says that there are none: to its owner alone
    player = player_called(name)
    if player.name != name:
        return under_its_name(request, player)
    shown, without = request.visit.shows_results, request.visit.embargoed
    latest = page_of(Filter(players=[[player.pk]], without=without), size=_PLAYERS_LATEST)
    own = shown and _plays_as(visitor, player)
    practised = visitor.persons if own else ()
    plain = visitor.supervised
    profile = profile_of(player, request.GET, without, practised, plain=plain) if shown else None
    persona = persona_named(player.name)
    bot = profile.kind == "bot" if profile else persona is not None
    context = {
        "player": player,
        "bot": persona if profile and bot else None,
        "unnumbered": unnumbered(player.name) if bot else player.name,
        "profile": profile,
        "level": level_of_player(player, without) if profile and not bot else "",
        "best_takes": best_takes(profile.latest) if profile else [],
        "ratings": _ratings(request, player, without) if shown else None,
        "held": _count_hidden(player, without) if shown else 0,
        "latest_counted": LATEST,
        "figures_url": _with_query(request, reverse("api:player_figures", args=[name])),
        "own": own,
        "challenged": bot_named(player.name) if player.name.endswith(MARK) else None,
        "may_follow": not (own or bot or visitor.account is None or visitor.supervised),
        "follows": follows(visitor.account, player),
        "priorities": profile and profile.priorities,
        "moments": [
            (words(said), urlencode(preset.fields))
            for preset, said in PRESETS.items()
            if preset.what in (MISSED, TOOK, LATE)
        ],
        "chosen": urlencode(profile.chosen) if profile else "",
        "matches": [words_of(row, spoilers=shown) for row in latest.rows],
        "more": latest.after is not None,
    }
    return page(request, "player", context)


def player_called(name: str) -> Player:
    """The player of that name, or else the first whose name has its skeleton."""
    player = player_named(name)
    if player is None and name.endswith(_HABITS):
        return player_called(name.removesuffix(_HABITS))
    if player is None and not name.endswith(MARK) and bot_named(name):
        return player_called(name + MARK)
    return must_be_there(player, _("no player {name!r}").format(name=name))


def under_its_name(request: Request, player: Player) -> HttpResponse:
    """The same address, with the player's name as it is."""
    assert request.resolver_match
    path = reverse(request.resolver_match.view_name, args=[player.name])
    return redirect(_with_query(request, path))


def _with_query(request: Request, path: str) -> str:
    """An address with this page's query string."""
    query = request.GET.urlencode()
    return f"{path}{'?' if query else ''}{query}"


@router.get("/players/{player:name}/figures", url_name="player_figures", response=FiguresJson)
def read_figures(request: Request, name: str) -> FiguresJson | HttpResponse:
    """The figures of a player's page, for visitors who may see results."""
    player = player_called(name)
    if player.name != name:
        return under_its_name(request, player)
    must_show_results(request.visit)
    without = request.visit.embargoed
    profile = profile_of(player, request.GET, without)
    return json_of(player.name, profile, _ratings(request, player, without))


def _plays_as(visitor: Visitor, player: Player) -> bool:
    """Whether the visitor has lately played under that name. No query for strangers."""
    # Not filtered: PostgreSQL might look for them among all seats of the player.
    played = latest_seats(visitor.persons, _LATELY).values_list("player", flat=True)
    return player.pk in played.distinct()


def _count_hidden(player: Player, without: Collection[int]) -> int:
    """How many of a player's matches are hidden from this visitor. No query if none is hidden."""
    return Seat.objects.filter(player=player, match__in=without).count() if without else 0


def _ratings(request: Request, player: Player, without: Collection[int]) -> PlayerRatings | None:
    """A player's ratings. None while one of their matches is hidden from this visitor."""
    if player.pk in moved_by(without):
        return None
    return ratings_of(player, request.GET.get("edition", ""))


MAX_TAKES: Final = 4


def best_takes(played: Sequence[Played]) -> list[PicturedMoment]:
    """The biggest takes of a player in these matches, as far as those are stored. Two queries."""
    by = {match.match: match for match in played}
    takes = [
        (by[match], take)
        for match, rows in stored_in(by, {KINDS.index(TOOK)})
        for take in map(Occurrence._make, rows)
        if take.seat == by[match].number
    ]
    best = sorted(takes, key=lambda take: take[1].cards, reverse=True)[:MAX_TAKES]
    return pictured(
        (
            Place(match.match, take.round, take.seq, play=play_of(take), at=take.to),
            _take_words(take),
            day(match.started_at),
        )
        for match, take in best
    )


def _take_words(take: Occurrence) -> str:
    said = (
        ngettext("{count} card with a wild", "{count} cards with a wild", take.cards)
        if take.face == WILD
        else ngettext("{count} card with a {face}", "{count} cards with a {face}", take.cards)
    )
    return said.format(count=take.cards, face=take.face)
