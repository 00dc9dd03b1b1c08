"""The kinds of jobs: each defines how a part is done, and how the parts are joined.

A kind is a constant in the room that knows the work. `JOB_KINDS` in the settings names it.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from games.engine.message import WordedError

Json = Any
Asked = dict[str, Any]


class JobFault(WordedError):  # noqa: N818 - a fault of the request, not of the program
    """The job cannot be done. The message is a sentence for the person who asked."""


class Step(Protocol):
    """To be called after a little work, a match or a round: until then nothing is saved, and the
    worker cannot stop."""

    def __call__(self, units: int = 1, found: Json = None) -> None:
        """So many more units are done. With `found`, another worker can go on from there.

        Raises `rows.PartLost` when the part is to be left at once.
        """


class Share(NamedTuple):
    """The work of one part."""

    what: Json
    units: int
    """Of the kind's choice. They add up to the job's total."""


class Kind(NamedTuple):
    """One kind of job. Both functions may raise JobFault."""

    do: Callable[[Asked, Json, Json, Step], Json]
    """Do a part: `do(asked, share, found, step)` returns its result. `found` is the part's last
    `step` value, None at first."""
    close: Callable[[Asked, Iterator[Json]], Json] | None = None
    """Join what the parts found, in order, to the job's result, a small one."""


@cache
def kind_of(name: str) -> Kind:
    """The kind of that name. Raises LookupError."""
    if name not in settings.JOB_KINDS:
        raise LookupError(f"no kind of job {name!r}")
    kind: Kind = import_string(settings.JOB_KINDS[name])
    return kind
