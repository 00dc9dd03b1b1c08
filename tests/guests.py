"""Browsers of guests, for tests of pages."""

from django.test import Client


def guest(key: str, name: str = "") -> Client:
    """The browser of the guest with that key; its name is the key's, if none is given."""
    client = Client()
    session = client.session
    session.update({"guest": key, "guest_name": name or key.title()})
    session.save()
    return client
