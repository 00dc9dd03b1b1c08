"""Pages of the site where Django or a proxy would send an empty or generic response."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin


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


def too_large(request: HttpRequest) -> HttpResponse:
    """Shown when a request body is too large; proxies lead here, and `BodyLimit`."""
    return render(request, "413.html", status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
