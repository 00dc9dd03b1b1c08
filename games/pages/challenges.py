"""Challenges: operations for programs, and for people a button and a page to wait on."""

from typing import Annotated, Any, Final, Literal

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from ninja import Router, Status
from pydantic import Field
from typing_extensions import TypedDict

from games.engine.editions import DEFAULT_EDITION, EDITION_NAMES
from games.models import Challenge
from games.pages.api import socket_of
from games.pages.operations import RequestBody
from games.pages.problems import Refused, must_be_there
from games.pages.words import reason
from games.people.bots import bot_named
from games.people.visit import Request
from games.tables import challenges
from games.tables.challenges import ChallengeError
from games.tables.plan import NoSeatError

AGAIN_S: Final = 2
"""How often the page that waits for a bot asks again."""
router: Final = Router(tags=["challenges"])


class ChallengeJson(TypedDict):
    """A challenge. The table and its socket once it is accepted."""

    challenge: str
    by: str
    to: str
    edition: str
    rules: dict[str, Any]
    private: bool
    state: Literal["open", "accepted", "declined", "over"]
    table: str | None
    socket: str | None


class Challenges(TypedDict):
    """Those of the last two minutes, by this visitor or of their bot."""

    challenges: list[ChallengeJson]


class NewChallenge(RequestBody):
    """Which bot, and how to play: a match of two."""

    player: Annotated[str, Field(max_length=64)]
    edition: Annotated[str, Field(max_length=64)] = DEFAULT_EDITION
    rules: dict[str, Any] = {}
    private: bool = False


def challenge_json(row: Challenge) -> ChallengeJson:
    still = row.made > challenges.oldest_open()
    state: Any = "accepted" if row.table else "declined" if row.declined else "open"
    return {
        "challenge": row.key,
        "by": row.name,
        "to": row.bot.get_username(),
        "edition": row.edition,
        "rules": row.overrides,
        "private": row.private,
        "state": state if still or state != "open" else "over",
        "table": row.table or None,
        "socket": socket_of(row.table) if row.table else None,
    }


@router.get("/challenges", url_name="challenges", response=Challenges)
def list_challenges(request: Request) -> Challenges:
    """The visitor's challenges of the last two minutes, and their results."""
    return {"challenges": list(map(challenge_json, challenges.of(request.visit.visitor.persons)))}


@router.post("/challenges", url_name="challenges", response={201: ChallengeJson})
def challenge_bot(request: Request, asked: NewChallenge) -> Status[ChallengeJson]:
    """Ask a bot for a match. It has a minute to accept."""
    return Status(201, challenge_json(_challenge(request, asked)))


def _challenge(request: Request, asked: NewChallenge) -> Challenge:
    """Raises Http404, Refused, RulesError."""
    bot = must_be_there(
        bot_named(asked.player), _("there is no bot {player!r}").format(player=asked.player)
    )
    person, name = request.visit.player()
    try:
        return challenges.challenge(
            bot,
            person,
            name,
            asked.edition,
            asked.rules,
            private=asked.private,
            network=request.visit.caller.network,
        )
    except ChallengeError as error:
        raise Refused(reason(error)) from None


@router.post("/challenges/{slug:key}/accept", url_name="accept", response=ChallengeJson)
def accept_challenge(request: Request, key: str) -> ChallengeJson:
    """Accept: a table opens with both players seated."""
    try:
        challenges.accept(key, _account(request))
    except (ChallengeError, NoSeatError) as error:
        raise Refused(reason(error)) from None
    return challenge_json(Challenge.objects.select_related("bot").get(key=key))


@router.post("/challenges/{slug:key}/decline", url_name="decline", response=ChallengeJson)
def decline_challenge(request: Request, key: str) -> ChallengeJson:
    """Turn a challenge down."""
    try:
        challenges.decline(key, _account(request))
    except ChallengeError as error:
        raise Refused(reason(error)) from None
    return challenge_json(Challenge.objects.select_related("bot").get(key=key))


def _account(request: Request) -> Any:
    user = request.visit.author.user
    if user is None:
        raise PermissionDenied(_("this needs the session, or a token, of a bot's account"))
    return user


# --- For people -----------------------------------------------------------------------------------


@require_POST
def challenge(request: Request) -> HttpResponse:
    """Challenge a bot from its page, and wait for it."""
    try:
        row = _challenge(request, NewChallenge(player=request.POST.get("player", "")[:64]))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("games:lobby")
    return redirect("games:challenged", row.key)


@require_safe
def challenged(request: Request, key: str) -> HttpResponse:
    """Wait for the bot. The page asks again by itself, and leads to the table."""
    mine = challenges.of(request.visit.visitor.persons).filter(key=key)
    row = must_be_there(mine.first(), _("there is no such challenge of yours"))
    challenge = challenge_json(row)
    if challenge["state"] == "accepted":
        return redirect("games:table", row.table)
    if challenge["state"] != "open":
        if challenge["state"] == "declined":
            words = _("{bot} declined. Challenge another bot, or open a table.")
        else:
            words = _("{bot} did not answer. Challenge another bot, or open a table.")
        messages.info(request, words.format(bot=challenge["to"]))
        return redirect("games:lobby")
    context = {"challenge": challenge, "edition": EDITION_NAMES[row.edition], "seconds": AGAIN_S}
    return render(request, "games/challenged.html", context)
