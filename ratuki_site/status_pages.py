"""Pages of the site where Django or a proxy would send an empty or generic response."""

import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, cast

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext_lazy as _
from django.views.csrf import csrf_failure
from django.views.defaults import bad_request, page_not_found, permission_denied, server_error

from games.live.storage.availability import is_outage
from games.pages.accounts.views import onwards
from games.pages.problems import for_program, problem
from games.people.door import TurnedAwayError
from games.people.visit import Request, UnknownTokenError

Handler = Callable[[HttpRequest, Exception], HttpResponseBase]
_RETRY_S: Final = 5
"""When to ask again while the database is away."""
_OUT_OF_DATE: Final = _(
    "This needs a session and its token as X-CSRFToken (`csrf` has it), or an account's token. "
    "On a page, try again or reload: you may have logged in in another tab."
)
_AWAY: Final = _("The database can’t be reached. Nothing was changed. Try again in a few seconds.")


def wants_page(accept: str) -> bool:
    """Whether the Accept header shows a person's browser rather than a program."""
    return "text/html" in accept


class MethodPageMiddleware(MiddlewareMixin):
    """Adds a page to the response when a URL refuses a method."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """The response, with a page where a 405 would be empty."""
        refused = response.status_code == HTTPStatus.METHOD_NOT_ALLOWED
        if not refused or not wants_page(request.headers.get("Accept", "")):
            return response
        page = render(request, "405.html", status=HTTPStatus.METHOD_NOT_ALLOWED)
        page["Allow"] = response.get("Allow", "")
        return page


def failed(request: HttpRequest) -> HttpResponse:
    """Shown where a view raised something: 503 if the database is away or full, otherwise 500.

    Django calls it while it handles that.
    """
    error = sys.exc_info()[1]
    if error is None or not is_outage(error):
        if for_program(request.path):
            return problem(
                HTTPStatus.INTERNAL_SERVER_ERROR, str(_("Something is wrong with the site."))
            )
        return server_error(request)
    return unavailable(request.path, request.headers.get("Accept", ""), request.method)


def _refusing(status: HTTPStatus, page: Callable[..., HttpResponseBase]) -> Handler:
    """The response to a refused request: for programs a problem, for people that page."""

    def refused(request: HttpRequest, exception: Exception) -> HttpResponseBase:
        if not for_program(request.path):
            return page(request, exception)
        words = str(exception) if isinstance(exception, PermissionDenied) else ""
        if isinstance(exception, UnknownTokenError):
            response = problem(HTTPStatus.UNAUTHORIZED, words)
            response["WWW-Authenticate"] = 'Bearer error="invalid_token"'
            return response
        return problem(status, words or status.phrase)

    return refused


malformed = _refusing(HTTPStatus.BAD_REQUEST, bad_request)


def _no_access(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """A visitor's options where the owner has closed the door to strangers."""
    if not isinstance(exception, TurnedAwayError):
        return permission_denied(request, exception)
    page = render(request, "closed.html", {"why": str(exception)}, status=HTTPStatus.FORBIDDEN)
    page["Cache-Control"] = "no-store"
    return page


forbidden = _refusing(HTTPStatus.FORBIDDEN, _no_access)
missing = _refusing(HTTPStatus.NOT_FOUND, page_not_found)


def out_of_date(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """Shown where the token of a form is missing or wrong (CSRF_FAILURE_VIEW)."""
    if for_program(request.path):
        return problem(HTTPStatus.FORBIDDEN, str(_OUT_OF_DATE), csrf=get_token(request))
    page = request.resolver_match and request.resolver_match.view_name
    if page in ("accounts:log_in", "accounts:sign_up") and request.user.is_authenticated:
        messages.info(
            request, _("You are logged in as {name}.").format(name=request.user.get_username())
        )
        return onwards(cast("Request", request))
    return csrf_failure(request, reason)


def unavailable(path: str, accept: str, method: str | None) -> HttpResponse:
    """Sent while the database is away: a page for a browser, otherwise a problem."""
    if wants_page(accept) and not for_program(path):
        seen = {"again": method in {"GET", "HEAD"}, "seconds": _RETRY_S}
        response = HttpResponse(render_to_string("503.html", seen), status=503)
    else:
        response = problem(HTTPStatus.SERVICE_UNAVAILABLE, str(_AWAY))
    response["Retry-After"] = str(_RETRY_S)
    response["Cache-Control"] = "no-store"
    return response


def too_large(request: HttpRequest) -> HttpResponse:
    """Shown when a request body is too large. Proxies lead here, and `BodyLimit`."""
    return render(request, "413.html", status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
