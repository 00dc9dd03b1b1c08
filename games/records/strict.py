"""Strict JSON: one value from the bytes of one line, nothing lenient.

Python's decoder accepts more than JSON (NaN, duplicate keys, lone surrogates, numbers of any
length). Here these are errors, and so is a number with a fraction or an exponent, since a
record has whole numbers only.
"""

import json
from collections import Counter
from typing import Any, Final, NoReturn

from games.engine.message import WordedError

MAX_DIGITS: Final = 15
"""Longer numbers are refused unread, since parsing time grows faster than length."""
_SHOWN: Final = 60


class Malformed(WordedError):  # noqa: N818 - says what the text is
    """Text that breaks the record format. The message says what was expected."""


def decode(raw: bytes) -> Any:
    """The value in one line. Raises Malformed."""
    if b"\r" in raw:
        raise Malformed("found the byte 0x0D, expected none in the file")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(
            "not UTF-8: byte {byte:#04x} at {start}", byte=raw[error.start], start=error.start
        ) from None
    if text.startswith("\ufeff"):
        raise Malformed("found a byte order mark, expected none")
    if not text.strip(" \t"):
        raise Malformed("found a blank line, expected a JSON object")
    value = _load(text)
    if "\\u" in text:
        _refuse_lone_surrogates(value)
    return value


def show(value: Any) -> str:
    """A value as shown in a message: ASCII JSON, cut if long."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _load(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        what = error.msg.lower().removesuffix(" at")
        raise Malformed(
            "not JSON: {what} at character {place}", what=what, place=error.pos + 1
        ) from None
    except RecursionError:
        raise Malformed("not JSON that can be read: nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise Malformed("duplicate key {found}", found=show(counts.most_common(1)[0][0]))
    return value


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise Malformed(
            "number out of range: {digits}… has {count} characters",
            digits=digits[:12],
            count=len(digits),
        )
    return int(digits)


def _broken(number: str) -> NoReturn:
    raise Malformed(
        "expected a whole number without fraction or exponent, found {found}", found=number[:20]
    )


def _constant(name: str) -> NoReturn:
    raise Malformed("not JSON: {name}", name=name)


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole, parse_float=_broken, parse_constant=_constant
)


def _refuse_lone_surrogates(value: Any) -> None:
    if isinstance(value, str):
        if any(0xD800 <= ord(character) <= 0xDFFF for character in value):
            raise Malformed("lone surrogate in {found}", found=show(value))
    elif isinstance(value, list):
        for item in value:
            _refuse_lone_surrogates(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_lone_surrogates(key)
            _refuse_lone_surrogates(item)
