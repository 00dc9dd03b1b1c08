"""The parts of every operation of the API: strict bodies, numbers and keys in addresses.

A room declares its operations on a router. `ratuki_site.api` puts the routers together and gives
each error its status. An operation takes the visitor from the request (`request.visit`) and hands
it on.
"""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, Final

from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, gettext_noop
from ninja.parser import Parser
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from games.engine.message import Message, WordedError
from games.pages.words import reason
from games.people.visit import Request
from games.records.log import MAX_TEXT
from games.records.shape import legible, one_line, sent
from games.records.strict import Malformed, decode

_SALT: Final = "games.people.repeats"
"""The same as in earlier releases: a request may be sent again during an update."""
MAX_BODY: Final = 64 * 1024
MOST_TITLE: Final = 100
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_MAX_BODIES: Final[dict[str, int]] = {}


class TooLargeError(WordedError):
    """A body that is longer than its operation takes."""


class RequestBody(BaseModel):
    """A body: an object with these keys and no others, and nothing taken for something else."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class StrictParser(Parser):
    """Reads bodies as strictly as a record's lines."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """The object in a request's body. Raises Malformed, TooLargeError."""
        body = decode(body_of(request))
        if type(body) is not dict:
            raise Malformed("body: expected a JSON object")
        texts: dict[str, Any] = sent(body)
        return texts


def body_of(request: HttpRequest) -> bytes:
    """The body, unless it is too long for this operation. Raises TooLargeError."""
    name = request.resolver_match.view_name if request.resolver_match else ""
    most = _MAX_BODIES.get(name, MAX_BODY)
    if len(request.body) > most:
        raise TooLargeError(
            "body: expected at most {most} bytes, found {found}", most=most, found=len(request.body)
        )
    return request.body


def let_bodies_have(name: str, most: int) -> None:
    """Say how many bytes the body of the operation of that name may have."""
    _MAX_BODIES[f"api:{name}"] = most


def _digits(value: Any) -> Any:
    if isinstance(value, str) and not (value.isascii() and value.isdigit() and len(value) < 11):
        raise WordedError("expected a whole number")
    return value


def _new_key(value: str) -> str:
    if not _KEY.fullmatch(value):
        raise WordedError("expected 16 to 64 characters of A-Z a-z 0-9 _ -, new for each thing")
    return value


Key = Annotated[
    str,
    AfterValidator(_new_key),
    WithJsonSchema({"type": "string", "pattern": f"^{_KEY.pattern}$"}),
]
"""Chosen by the client, new for each thing that it makes."""
Text = Annotated[str, Field(max_length=MAX_TEXT)]


def title_of(value: str) -> str:
    """A title: visible characters on one line. Raises Malformed."""
    return legible(one_line(value, "title", MOST_TITLE, Message("a title")), "title")


Title = Annotated[str, AfterValidator(title_of)]
NonNegativeInt = Annotated[int, Field(ge=0, lt=2**31), BeforeValidator(_digits)]
"""A number in a query string."""


_WORDS: Final = {
    "bool_type": gettext_noop("expected true or false"),
    "dict_type": gettext_noop("expected an object"),
    "extra_forbidden": gettext_noop("unknown key"),
    "greater_than_equal": gettext_noop("expected at least {ge}"),
    "int_type": gettext_noop("expected a whole number"),
    "less_than": gettext_noop("expected less than {lt}"),
    "less_than_equal": gettext_noop("expected at most {le}"),
    "list_type": gettext_noop("expected a list"),
    "literal_error": gettext_noop("expected {expected}"),
    "missing": gettext_noop("missing"),
    "model_attributes_type": gettext_noop("expected an object"),
    "model_type": gettext_noop("expected an object"),
    "string_pattern_mismatch": gettext_noop("expected {pattern}"),
    "string_too_long": gettext_noop("expected at most {max_length} characters"),
    "string_type": gettext_noop("expected a string"),
    "too_long": gettext_noop("expected at most {max_length}, found {actual_length}"),
    "too_short": gettext_noop("expected at least {min_length}, found {actual_length}"),
    "union_tag_invalid": gettext_noop("expected one of {expected_tags} as {discriminator}"),
    "union_tag_not_found": gettext_noop("missing {discriminator}"),
}
"""pydantic's errors, in the site's words."""


def fault_words(fault: Mapping[str, Any], place: Sequence[int | str]) -> str:
    """pydantic's error at a place, as `field: expected …`."""
    values = fault.get("ctx", {})
    error = values.get("error")
    if fault["type"] in _WORDS:
        words = gettext(_WORDS[fault["type"]]).format(**values)
    elif isinstance(error, Exception):
        words = reason(error)
    else:
        words = gettext(error) if error else fault["msg"]  # of the API the library gives the text
    return f"{'.'.join(map(str, place))}: {words.removeprefix(f'{place[-1]}: ')}"


def request_key(request: Request) -> str:
    """The header `X-Request-Key`, which the client chooses. Empty: none. Raises Malformed."""
    key = request.headers.get("X-Request-Key", "")
    if key and not _KEY.fullmatch(key):
        raise Malformed("X-Request-Key: expected 16 to 64 characters of A-Z a-z 0-9 _ -")
    return key


def secret_of(request: Request, use: str, size: int) -> str:
    """A secret of `size` bytes for one use, the same whenever the request is sent again.

    Only a client that knows the request's key, on the same network, can have it repeated. Empty for
    a request without a key. Raises Malformed.
    """
    key = request_key(request)
    if not key:
        return ""
    what = sha256(request.body).hexdigest()
    network = request.visit.caller.network
    said = f"{key}\0{network}\0{request.get_full_path()}\0{what}"
    return salted_hmac(f"{_SALT}.{use}", said, algorithm="sha256").hexdigest()[: 2 * size]
