"""The language of a visitor: their browser's, or the one they chose, which a cookie keeps.

An account keeps its choice too, for its mail and for other browsers: logging in sets the cookie.
"""

import re
from types import SimpleNamespace
from typing import Any, Final, cast

from django.conf import settings
from django.core.checks import CheckMessage, Info, Tags, register
from django.http import HttpRequest, parse_cookie
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import activate, get_language, get_language_from_request

from games.models import Account
from games.people.door import site

_CHOSEN: Final = "chosen_language"
_MISSING: Final = re.compile(r'^msgstr(?:\[0\])? ""$(?!\n")', re.MULTILINE)


def known(code: str) -> bool:
    return code in dict(settings.LANGUAGES)


def of_account(user: int) -> str:
    """The language of an account's mail: the one it has chosen, else the site's."""
    chosen = _chosen(user)
    return chosen if known(chosen) else site().language


def _chosen(user: int) -> str:
    return Account.objects.filter(user=user).values_list("language", flat=True).first() or ""


def of_scope(scope: Any) -> str:
    """The language of a socket, or of a request that does not reach Django."""
    headers = dict(scope["headers"])
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin-1"))
    meta = {"HTTP_ACCEPT_LANGUAGE": headers.get(b"accept-language", b"").decode("latin-1")}
    asked = SimpleNamespace(COOKIES=cookies, META=meta)
    return get_language_from_request(cast("HttpRequest", asked))


def choose(user: int, code: str) -> None:
    """Keep an account's choice."""
    Account.objects.update_or_create(user_id=user, defaults={"language": code})


def logged_in(request: HttpRequest, user: int) -> None:
    """Let the browser of an account that logs in have its language."""
    setattr(request, _CHOSEN, _chosen(user))


@register(Tags.translation)
def count_missing(**_: object) -> list[CheckMessage]:
    """How many texts a language lacks, which are shown in English."""
    said: list[CheckMessage] = []
    for code, name in settings.LANGUAGES:
        path = settings.LOCALE_PATHS[0] / code / "LC_MESSAGES" / "django.po"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if missing := len(_MISSING.findall(text)):
            said.append(Info(f"{name} lacks {missing} texts", id=f"languages.{code}"))
    return said


class LanguageMiddleware(MiddlewareMixin):
    """Django's own has no accounts, and keeps caches from mixing browsers but not cookies."""

    def process_request(self, request: HttpRequest) -> None:
        activate(get_language_from_request(request))

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """The response, with the cookie after a log-in."""
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        response.headers.setdefault("Content-Language", get_language() or settings.LANGUAGE_CODE)
        if known(chosen := getattr(request, _CHOSEN, "")):
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                chosen,
                max_age=settings.LANGUAGE_COOKIE_AGE,
                secure=settings.LANGUAGE_COOKIE_SECURE,
                httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
                samesite="Lax",
            )
        return response
