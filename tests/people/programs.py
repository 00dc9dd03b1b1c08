"""Programs that ask with an account's token."""

from django.contrib.auth.models import User
from django.test import Client

from games.people import tokens


def program(user: User, *scopes: str) -> Client:
    """A program with a new token of that account; by default one that may do everything."""
    secret = tokens.make(user, "Mine", scopes or tuple(tokens.SCOPES), 30)
    return Client(headers={"Authorization": f"Bearer {secret}"}, enforce_csrf_checks=True)
