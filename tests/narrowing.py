"""A value as what it must be: for the type checker, and with a clear failure for the reader."""

from typing import TypeVar

T = TypeVar("T")


def narrow(kind: type[T], value: object) -> T:
    """``narrow(Header, lines[0])``: the value, which must be of that class."""
    assert isinstance(value, kind), f"{value!r} is no {kind.__name__}"
    return value


def present(value: T | None) -> T:
    """The value, which must not be None."""
    assert value is not None
    return value
