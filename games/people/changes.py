"""Signals to sockets: rights to see something may have changed, or a learner answered.

Code that changes rights calls `changed` inside their transaction. Listeners are called once it is
committed, in any thread. They check the rights again. Signals may be lost between processes, so
sockets also check from time to time.
"""

from collections.abc import Callable
from functools import partial

from django.db import transaction

SITE = "site"
"""The subject of a change in who may come at all (`games.people.door`)."""
Listener = Callable[[str], None]
_listeners: list[Listener] = []


def of_match(pk: int) -> str:
    """The subject of changes in who may see a match."""
    return f"match:{pk}"


def of_study(pk: int) -> str:
    """The subject of changes to a study's readers and its questions."""
    return f"study:{pk}"


def of_answers(study: int) -> str:
    """The subject of learners' answers to a study's questions, which change no rights."""
    return f"answers:{study}"


def of_class(key: str) -> str:
    """The subject of changes in who is in a class."""
    return f"class:{key}"


def of_account(pk: int) -> str:
    """The subject of messages to an account's programs, which change no rights."""
    return f"account:{pk}"


def changed(subject: str) -> None:
    """Call the listeners of this process, once the change is committed."""
    transaction.on_commit(partial(_tell, subject))


def _tell(subject: str) -> None:
    for listener in _listeners:
        listener(subject)


def listen(listener: Listener) -> None:
    """Call this listener with the subject of every change in this process."""
    _listeners.append(listener)


def forget(listener: Listener) -> None:
    """Stop calling it."""
    if listener in _listeners:
        _listeners.remove(listener)
