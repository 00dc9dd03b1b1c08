"""Browsers of guests and accounts, and what they send."""

from typing import Any

from django.contrib.auth import get_user_model
from django.test import Client

from replays.pages.news.views import NewsItem


def guest(name: str) -> Client:
    """A browser whose guest has this name."""
    client = Client()
    client.post("/play/name/", {"name": name})
    return client


def account(name: str) -> Client:
    """A browser that is logged in."""
    client = Client()
    client.force_login(get_user_model().objects.create_user(name))
    return client


def post(client: Client, path: str, **body: Any) -> Any:
    """The answer to a POST of JSON."""
    return client.post(path, body, content_type="application/json")


def put(client: Client, path: str, **body: Any) -> Any:
    """The answer to a PUT of JSON."""
    return client.put(path, body, content_type="application/json")


def read_news(browser: Client) -> list[NewsItem]:
    """What is on the page of news, seen and so read."""
    page = browser.get("/news/").context
    if page["until"]:
        assert post(browser, "/api/v1/news/read", until=page["until"]).json() == {"read": True}
    told: list[NewsItem] = page["told"]
    return told
