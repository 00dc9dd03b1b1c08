"""What an account gives its programs: tokens, and itself, if it becomes a bot."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from games.archive.players import player_named
from games.models import Token
from games.pages import shown_once
from games.pages.accounts.forms import TokenForm
from games.people import tokens
from games.people.bots import PlayedError, become_bot, is_bot
from games.people.names import MARK
from games.people.visit import Request


@sensitive_post_parameters()
@login_required
@require_http_methods(["GET", "POST"])
def programs(request: Request) -> HttpResponse:
    """The account's tokens. POST: a new one, shown until the page is closed."""
    if request.visit.visitor.supervised:
        raise PermissionDenied(_("A child’s account has no programs."))
    user: Any = request.user
    bot = is_bot(user.pk)
    form = TokenForm(user, request.POST or None, bot=bot)
    status = HTTPStatus.OK
    if "close" in request.POST:
        shown_once.close(request.session)
        return redirect("accounts:programs")
    if request.method == "POST" and form.is_valid():
        if tokens.of(user).count() >= tokens.MAX_TOKENS:
            full = _("You have {count} tokens. Revoke one first.").format(count=tokens.MAX_TOKENS)
            form.add_error(None, full)
        else:
            said = form.cleaned_data
            secret = tokens.make(user, said["name"], said["scopes"], said["days"])
            shown_once.put(request.session, request.path, secret)
            return redirect("accounts:programs")
    if form.errors:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    player = player_named(user.get_username() + MARK) if bot else None
    context = {
        "form": form,
        "secret": shown_once.look(request.session, request.path),
        "tokens": tokens.of(user),
        "bot": bot,
        "player": player,
    }
    return render(request, "registration/programs.html", context, status=status)


@login_required
@require_POST
def revoke(request: Request, pk: int) -> HttpResponse:
    """Delete a token of one's own. Its programs are refused at once."""
    if Token.objects.filter(pk=pk, user=request.user.pk).delete()[0]:
        messages.success(request, _("The token is revoked."))
    return redirect("accounts:programs")


@login_required
@require_POST
def be_bot(request: Request) -> HttpResponse:
    """Make the account a bot, for good."""
    try:
        become_bot(request.user)
    except PlayedError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("This account is a bot now. Make a token with which it plays."))
    return redirect("accounts:programs")
