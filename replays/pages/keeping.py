"""Pages and forms of kept matches, and of followed players and classes."""

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.archive.players import player_named
from games.archive.queries import rows_of
from games.models import KeptMatch, Match, Player
from games.pages.problems import must_be_there
from games.pages.words import reason
from games.people import embargoes
from games.people.following import TooManyError, follow, keep, unfollow
from games.people.visit import Request
from replays.pages.classes.access import member_of
from replays.pages.rendering import page_of, private_page
from replays.pages.rows import words_of
from replays.pages.telling import rows_known
from replays.query_string import number_or_404, number_or_none

PAGE: Final = 25


@login_required
@require_safe
def kept_matches(request: Request) -> HttpResponse:
    """The account's own list, the newest first, as far as it may still see the matches."""
    number = number_or_404(request.GET, "page", 1) or 1
    mine = KeptMatch.objects.filter(user=request.visit.visitor.account)
    rows, more = page_of(mine.order_by("-since", "-pk"), number, PAGE)
    words = {row.match_id: row.word for row in rows}
    matches = embargoes.with_embargoes(Match.objects.filter(pk__in=words))
    seen = {match.pk for match in matches if request.visit.rights(match).see}
    shown = request.visit.shows_results
    listed = rows_known(request.visit, rows_of([pk for pk in words if pk in seen]))
    context = {
        "matches": [words_of(row, spoilers=shown)._replace(word=words[row.id]) for row in listed],
        "number": number,
        "next_page": number + 1 if more else None,
        "missing": len(rows) - len(seen),
    }
    return private_page(request, "kept", context)


@login_required
@require_POST
def keep_match(request: Request, pk: int) -> HttpResponse:
    """Keep a match with a word of one's own, or keep it no longer."""
    account, mine = _account(request), KeptMatch.objects.filter(match=pk)
    if "remove" in request.POST:
        mine.filter(user=account).delete()
        messages.success(request, _("The match is no longer in your list."))
        return redirect("replays:kept")
    match = request.visit.match(pk)[0]
    word = request.POST.get("word", "")
    _report_outcome(request, lambda: keep(account, match, word), _("Bookmarked."))
    page = number_or_none(request.POST, "listed")
    if page is None:
        return redirect("replays:replay", pk)
    return redirect(f"{reverse('replays:kept')}?page={page}#match-{pk}")


@login_required
@require_POST
def follow_player(request: Request, name: str) -> HttpResponse:
    """Follow a player who has a page, or follow them no longer."""
    player = must_be_there(player_named(name), _("no player {name!r}").format(name=name))
    _follow(request, player, "", player.name)
    return redirect("replays:player", player.name)


@login_required
@require_POST
def follow_class(request: Request, key: str) -> HttpResponse:
    """Follow a class that one is in, or follow it no longer."""
    school_class = member_of(request.visit, key).school_class
    _follow(request, None, key, school_class.name)
    return redirect("replays:school_class", key)


def _follow(request: Request, player: Player | None, key: str, name: str) -> None:
    account = _account(request)
    if "remove" in request.POST:
        unfollow(account, player, key)
        messages.success(request, _("You no longer follow {name}.").format(name=name))
    else:
        said = _("You follow {name}. The bell shows when a match begins.").format(name=name)
        _report_outcome(request, lambda: follow(account, player, key), said)


def _account(request: Request) -> int:
    account = request.visit.visitor.account
    assert account is not None  # thanks to `login_required`
    return account


def _report_outcome(request: Request, work: Callable[[], object], said: str) -> None:
    try:
        work()
    except TooManyError as error:
        messages.error(request, reason(error))
    else:
        messages.success(request, said)
