"""What can be done as a job: each kind says how it is cut into parts, and does a step of one.

A kind is a class in the room that knows how; `JOB_KINDS` in the settings names it. Whatever a
step needs is in `asked` and in the part's own state, so any worker can do it after any other.
A step may be done twice, by a worker that has died and by its successor: what it stores itself
must allow for that.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.module_loading import import_string

Json = Any
Asked = dict[str, Any]
Closing = Generator[None, None, Json]
"""It returns the job's result."""


class JobFault(Exception):  # noqa: N818 - a fault of what was asked, not of the program
    """The job cannot be done; the message, a sentence, is shown to whoever asked."""


class StepResult(NamedTuple):
    """What a step leaves: the part's new state, and whether the part is finished."""

    state: Json
    units: int = 1
    """How many units of the job's total it did, since the last save."""
    over: bool = True


class Part(NamedTuple):
    """A share of a job, as its worker finds it."""

    asked: Asked
    number: int
    state: Json
    """What the last step returned; None before the first."""
    save: Callable[[StepResult], object]
    """Saves how far a long step has come; the step goes on."""


class JobKind:
    """One kind of job. The numbers that `plan` gives are the total for the progress bar."""

    def plan(self, asked: Asked) -> Sequence[int]:
        """The units of each part, in order. Raises JobFault."""
        raise NotImplementedError

    def step(self, part: Part) -> StepResult:
        """Do a little of a part: at most a round's or match's work. Raises JobFault."""
        raise NotImplementedError

    def close(self, asked: Asked, states: Iterator[Json]) -> Json:
        """Join the parts' last states, in order, to the job's (small) result. Raises JobFault."""
        raise NotImplementedError

    def closing(self, asked: Asked, states: Iterator[Json]) -> Closing:
        """`close` in pieces, for kinds with which it takes long: between them the worker sees
        whether the job is still wanted, and leaves it if not."""
        yield from ()
        return self.close(asked, states)


@cache
def kind_of(name: str) -> JobKind:
    """The kind of that name. Raises LookupError."""
    if name not in settings.JOB_KINDS:
        raise LookupError(f"no kind of job {name!r}")
    kind: JobKind = import_string(settings.JOB_KINDS[name])()
    return kind
