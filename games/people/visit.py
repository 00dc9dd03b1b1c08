"""The visitor: one value, made at the door of every page, API call and socket, and handed on.

The middleware puts it on the request. A socket makes one whenever it asks about its session.
"""

from collections.abc import Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from importlib import import_module
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeVar, cast

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.functional import SimpleLazyObject, cached_property

from games.models import Match, Token
from games.people import door, embargoes, guests, tokens
from games.people.accounts import supervised
from games.people.addresses import address_of, network
from games.people.classes import classes_of
from games.people.matches import access_of
from games.people.person import Person, account, encode
from games.people.rights import Rights, rights
from games.people.visitor import Author, Reader, Visitor
from games.records.shape import plain_ends, without_unsayable

MODERATE: Final = "games.add_chatmute"
"""The permission of moderators."""
RESULTS: Final = "spoilers"
"""The cookie of visitors who do not want to see how matches ended."""
HIDDEN: Final = "off"
_FORM: Final = "application/x-www-form-urlencoded"
_SAFE: Final = ("GET", "HEAD", "OPTIONS", "TRACE")
THREADS: Final = 2
_pool: Final = ThreadPoolExecutor(THREADS, "sessions")
_NO_MATCH: Final = "there is no such match, or you cannot see it"
"""Nobody learns which of the two."""
T = TypeVar("T")


class UnknownTokenError(PermissionDenied):
    """The request came with a token that is unknown, or that has ended."""


class Caller(NamedTuple):
    """The unit that limits count: a person, and the network that a request came from."""

    person: str
    """An account, or a guest. Empty for a browser that is neither."""
    network: str


class Visit:
    """The visitor and their rights. Everything is looked up when first asked for, and once."""

    def __init__(
        self,
        session: SessionBase,
        user: Callable[[], AbstractBaseUser | AnonymousUser],
        request: HttpRequest | None = None,
        token: Token | None = None,
    ) -> None:
        self.token = token
        """A program's token, in place of a session."""
        self._session = session
        self._user = user
        self._request = request
        self._known: tuple[object, Visitor] | None = None
        self._embargoed: dict[tuple[Person, ...], frozenset[int]] = {}

    @property
    def visitor(self) -> Visitor:
        """The person, or persons. They change after logging in or out."""
        user = self._user()
        if self._known is None or self._known[0] is not user:
            known = _visitor(user, self._session)
            self._known = user, known._replace(moderator=known.moderator and not self.token)
        return self._known[1]

    @property
    def member(self) -> bool:
        """Whether they have an account here, so the door is open to them."""
        return self.visitor.account is not None

    def closed(self, *, plays: bool = False) -> bool:
        """Whether the door is closed to them for a socket: to watch, or to `play` as well."""
        now = door.site()
        return (now.members_only or (plays and not now.guests)) and not self.member

    @property
    def reader(self) -> Reader:
        """The visitor as a reader of other people's work."""
        return self.visitor.reader

    @property
    def author(self) -> Author:
        """The visitor as an author. See `sign`."""
        user, visitor = self._user(), self.visitor
        signed = user if user.is_authenticated else None
        return Author(encode(visitor.person), visitor.name, signed)

    @cached_property
    def caller(self) -> Caller:
        """The person and network that limits count. A session alone has no network."""
        user, address = self._user(), self._request and address_of(self._request)
        # Not from the visitor: whether they moderate may take queries.
        person = account(user.pk) if user.is_authenticated else guests.guest_of(self._session)
        return Caller(encode(person), network(address or ""))

    @cached_property
    def classes(self) -> dict[str, str]:
        """The names of the classes that they are in, by key. One query for an account."""
        number = self.visitor.account
        return {} if number is None else classes_of(number)

    @property
    def shows_results(self) -> bool:
        """Whether winners, scores, lengths and ends may be shown. The response varies by cookie."""
        return self._request is None or self._request.COOKIES.get(RESULTS) != HIDDEN

    @property
    def share(self) -> str:
        """The share token in the address. It is not verified."""
        return "" if self._request is None else self._request.GET.get("share", "")

    # --- Matches ---------------------------------------------------------------------------------

    def rights(self, match: Match) -> Rights:
        """Their rights to a match. The visitor is looked up only if it matters."""
        return rights(cast("Visitor", SimpleLazyObject(lambda: self.visitor)), access_of(match))

    def match(self, pk: int) -> tuple[Match, Rights]:
        """A match that they may see, and their rights in it. Raises Http404."""
        match = embargoes.with_embargoes(Match.objects.filter(pk=pk)).first()
        may = None if match is None else self.rights(match)
        if match is None or may is None or not may.see:
            raise Http404(_NO_MATCH)
        return match, may

    def reviewable(self, pk: int) -> Match | None:
        """A match that they may see and are not playing in, if there is one of that number."""
        match = Match.objects.filter(pk=pk).first()
        return match if match is not None and self.rights(match).review else None

    def reviewed(self, matches: Iterable[Match]) -> set[int]:
        """Those among these matches that they may see and are not playing in."""
        return {pk for pk, match in {m.pk: m for m in matches}.items() if self.rights(match).review}

    @property
    def embargoed(self) -> frozenset[int]:
        """The matches that no list may show them for now."""
        persons = self.visitor.persons
        if persons not in self._embargoed:
            self._embargoed[persons] = frozenset(embargoes.open_questions(persons))
        return self._embargoed[persons]

    # --- What the browser's session remembers ----------------------------------------------------

    def player(self) -> tuple[Person, str]:
        """The person and name under which they sit down. Makes a visitor without a name a guest."""
        if not self.visitor.named:
            guests.name_guest(self._session)
            self._known = None
        visitor = self.visitor
        assert visitor.person is not None
        return visitor.person, visitor.name

    def sign(self) -> Author:
        """The author of anything they write now. Makes a visitor without a name a guest."""
        self.player()
        return self.author

    def rename_guest(self, name: str) -> None:
        guests.rename_guest(self._session, name)
        self._known = None

    def remember_key(self, table_id: str, key: str) -> None:
        guests.remember_key(self._session, table_id, key)
        self._known = None

    def remember_token(self, *, study: bool) -> None:
        guests.remember_token(self._session, self.share, study=study)
        self._known = None


class Request(HttpRequest):
    """A request that has come in by the door."""

    visit: Visit


class DoorMiddleware(AuthenticationMiddleware):
    """Django's own, which finds the user, and the visit as one value."""

    def process_request(self, request: HttpRequest) -> None:
        """Put it on the request. Only a token is looked up now. Raises UnknownTokenError."""
        super().process_request(request)
        program = request.path.startswith("/api/")
        secret = program and tokens.secret_in(request.headers.get("Authorization", ""))
        token = _token(secret) if secret else None
        if token is not None:
            request.COOKIES = {}  # no cookie adds to a token
            request.session, request.user = _no_session(), token.user
            cast("Any", request).csrf_processing_done = True
        visit = Visit(request.session, lambda: request.user, request, token)
        cast("Request", request).visit = visit

    def process_view(self, request: HttpRequest, *_: object) -> None:
        """Read a form's texts. Turn away strangers where the owner has closed the door.

        A token and a child's account do only what they may. Raises PermissionDenied.
        """
        if request.method == "POST" and request.content_type == _FORM:
            cast("Any", request).POST = _texts(request.POST)
        name = request.resolver_match.view_name if request.resolver_match else ""
        reads = request.method in _SAFE
        visit = cast("Request", request).visit
        shut = door.closed(name, reads=reads)
        if shut and not visit.member:
            raise door.TurnedAwayError(shut)
        if visit.token is not None:
            needed = tokens.scopes_of(request.method or "", name)
            if needed and not set(needed) & set(visit.token.scopes.split()):
                raise PermissionDenied(f"this needs a token with the scope {' or '.join(needed)}")
        may = not name or name in settings.SUPERVISED_MAY
        if reads or may or not request.user.is_authenticated:
            return
        if supervised(request.user.pk):
            raise PermissionDenied("this account may do this only inside its class")

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Where watching is for members, no cache on the way may keep anything for others.

        No search engine lists what is shared by link.
        """
        if "share" in request.GET:
            response["X-Robots-Tag"] = "noindex"
        if door.known().members_only and "no-store" not in response.get("Cache-Control", ""):
            patch_cache_control(response, private=True)
        return response


def _texts(form: QueryDict) -> QueryDict:
    """A form whose line ends are counted once, and without characters that no text has."""
    read = QueryDict(mutable=True)
    for name, values in form.lists():
        read.setlist(name, [without_unsayable(plain_ends(value)) for value in values])
    return read


def _token(secret: str) -> Token:
    token = tokens.valid(secret)
    if token is None:
        raise UnknownTokenError("this token is unknown, has ended or was revoked")
    return token


def _no_session() -> SessionBase:
    session: SessionBase = import_module(settings.SESSION_ENGINE).SessionStore()
    return session


def visit_of_session(session_key: str | None) -> Visit:
    """A visit by the person behind a session now. A session that has ended is a stranger's."""
    session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    carrier = cast("HttpRequest", SimpleNamespace(session=session))
    return Visit(session, cache(partial(get_user, carrier)))


def visit_of_account(user: AbstractBaseUser) -> Visit:
    """A visit by an account that made no request, to check what may be sent to it."""
    return Visit(_no_session(), lambda: user)


def visit_of_player(secret: str) -> Visit:
    """A visit by the bot that plays with that token, else a stranger's."""
    token = tokens.valid(secret)
    if token is None or tokens.PLAY not in token.scopes.split():
        return Visit(_no_session(), AnonymousUser)
    return Visit(_no_session(), lambda: token.user, token=token)


async def in_session(session_key: str | None, work: Callable[[Visit], T]) -> T:
    """Ask about a session now, without delaying anyone's pages or commits. Raises DatabaseError."""
    return await _off_loop(lambda: work(visit_of_session(session_key)))


async def with_token(secret: str, work: Callable[[Visit], T]) -> T:
    """Ask about a player's token now, in the same way. Raises DatabaseError."""
    return await _off_loop(lambda: work(visit_of_player(secret)))


async def _off_loop(work: Callable[[], T]) -> T:
    ask = database_sync_to_async(work, thread_sensitive=False, executor=_pool)
    try:
        answer: T = await ask()
    except InterfaceError as error:  # the connection is gone: no DatabaseError, to Django
        raise OperationalError(str(error)) from error
    return answer


def _visitor(user: AbstractBaseUser | AnonymousUser, session: SessionBase) -> Visitor:
    guest = guests.guest_of(session)
    persons = (guest,) if guest else ()
    keys, tokens = guests.keys_of(session), guests.tokens_of(session)
    if not user.is_authenticated:
        # Where guests may not play, they have no name: they can't write or speak either.
        name = guests.known_guest_name(session) if door.site().guests else ""
        return Visitor(persons, name, keys, tokens)
    mine = (account(user.pk), *persons)
    watched = supervised(user.pk)
    classes = cast("Collection[str]", SimpleLazyObject(lambda: frozenset(classes_of(user.pk))))
    return Visitor(mine, user.get_username(), keys, tokens, _moderates(user), classes, watched)


def _moderates(user: Any) -> bool:
    """Whether an account is a moderator. For non-staff accounts this needs no query."""
    return bool(user.is_staff and user.has_perm(MODERATE))
