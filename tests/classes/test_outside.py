"""What is closed to somebody answers as what is not there: in words, length and queries alike."""

import re
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from replays.classes import members
from replays.classes.limits import today
from replays.homework import giving
from replays.models import Study
from tests.notes.browsers import account, guest
from tests.people.class_addresses import OF_NO_CLASS, ClassWorld, rows
from tests.people.test_matrix import undone

pytestmark = pytest.mark.django_db
CHANGING = re.compile(r'(csrfmiddlewaretoken" value="|nonce[-=]"?|csrf" content=")[\w-]+')
"""What is new on every page."""
CLOSED = [
    (method, name)
    for method, name in rows()
    if name.removeprefix("replays:") not in (*OF_NO_CLASS, "stop_news")
]


def told(browser: Client, method: str, path: str, *secrets: object) -> tuple[Any, ...]:
    """All that an answer tells, without the words of its address."""
    with CaptureQueriesContext(connection) as asked:
        said = browser.generic(
            method, path, "name=x&do=delete&size=2", "application/x-www-form-urlencoded"
        )
    text = f"{said.get('Location')} {said.text}"
    for secret in secrets:
        text = text.replace(str(secret), "*")
    return said.status_code, CHANGING.sub("", text), len(asked)


def test_a_class_is_to_nobody_outside_what_a_class_that_there_is_not() -> None:
    there = ClassWorld()
    for (method, name), visitor in product(CLOSED, (None, "guest", "former", "coach elsewhere")):
        key, *more = there.arguments(name)
        responses = []
        for asked in (key, "n" * len(str(key))):
            with undone():
                browser = there.browser(visitor or "") or (guest("Eve") if visitor else Client())
                responses.append(told(browser, method, reverse(name, args=[asked, *more]), asked))
        assert responses[0] == responses[1], (method, name, visitor)


def test_what_is_another_pupils_is_to_a_pupil_what_there_is_not() -> None:
    there = ClassWorld()
    pupil, child = there.browser("pupil"), there.member(there.child)
    assert pupil
    study = Study.objects.get()
    private = giving.give(there.school_class, there.coach, study, today(), pupils=[child.pk])
    at = f"/classes/{there.school_class.key}"
    for part, known in (("homework", private.key), ("pupils", str(child.pk))):
        other = known[::-1] if part == "homework" else str(child.pk + 10**6)
        responses = [
            told(pupil, "GET", f"{at}/{part}/{asked}/", f"/{asked}/") for asked in (known, other)
        ]
        assert responses[0] == responses[1], part
        assert responses[0][0] == 404


def test_a_link_that_was_replaced_is_one_that_never_was() -> None:
    there, kim = ClassWorld().school_class, account("Kim")
    old, never = there.invitation, "n" * len(there.invitation)
    members.invite(there)
    there.refresh_from_db()
    deleted = there.invitation
    members.delete(there)
    responses = []
    for invitation in (old, never, deleted):
        kim.post("/classes/join/", {"invitation": invitation})
        responses.append((told(kim, "GET", "/classes/join/"), told(kim, "POST", "/classes/enter/")))
    assert responses[0] == responses[1] == responses[2]
    assert responses[0][0][0] == 404
