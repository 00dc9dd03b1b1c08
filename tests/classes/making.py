"""Classes with their people, for tests."""

from typing import Any

from django.contrib.auth import get_user_model
from django.test import Client

from replays.classes import members
from replays.models import ClassMember, SchoolClass
from tests.notes.browsers import account


def user_of(client: Client) -> Any:
    """The account that a browser is logged in to."""
    return get_user_model().objects.get(pk=client.session["_auth_user_id"])


def school_class(coach: Client, name: str = "4b") -> SchoolClass:
    """A class of this coach."""
    return members.create(user_of(coach), name)


def class_of_cora() -> tuple[Client, SchoolClass]:
    """A coach's browser, and her class."""
    coach = account("Cora")
    return coach, school_class(coach)


def class_with_kim() -> tuple[Client, SchoolClass, Client, ClassMember]:
    """The same, and the browser of its only pupil, who is also given as a member."""
    coach, there = class_of_cora()
    return coach, there, *pupil(there, "Kim")


def joined(client: Client, there: SchoolClass, name: str = "") -> ClassMember:
    """This account as a pupil of a class, under a name."""
    user = user_of(client)
    return members.join(there, user, name or user.get_username())


def pupil(there: SchoolClass, name: str) -> tuple[Client, ClassMember]:
    """A new account as a pupil of a class."""
    browser = account(name)
    return browser, joined(browser, there)


def group(coach: Client, there: SchoolClass, name: str, *members: ClassMember) -> Any:
    """These members are put in a group, on the class's page."""
    said = {"do": "group", "name": name, "pupil": [member.pk for member in members]}
    return coach.post(place(there, "change"), said, follow=True)


def place(there: SchoolClass, *rest: str) -> str:
    """An address of a class."""
    return "/".join((f"/classes/{there.key}", *rest, ""))
