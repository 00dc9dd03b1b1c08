"""Every way by which one person reaches another here, tried on a child of a class.

A child is written to only where a coach of its class reads it too, and only its coaches call it.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from games.models import Match
from replays.classes import children
from replays.classes.limits import today
from replays.models import News, Study
from tests.notes.browsers import guest, post, put
from tests.notes.making import fresh
from tests.notes.test_notes import line_of
from tests.people import world
from tests.people.class_addresses import ClassWorld
from tests.people.test_matrix import undone
from tests.web.tables import FORM as TABLE

pytestmark = pytest.mark.django_db
PSST = "Psst! Nobody else reads this."
NO, READS, CALLED = "no", "reads", "called"
"""It does not reach the child. The child may read it, and so may its coach. It is called, too."""


class Site:
    """A class with a match of its own, a public match, and a child to whom everybody writes."""

    def __init__(self) -> None:
        self.there, self.users = ClassWorld(), world.people()
        self.key = self.there.school_class.key
        (card,) = children.make(self.there.school_class, ["Yan"])
        self.other_child = User.objects.get(username=card.log_in)
        self.played, self.public = (
            Match.objects.get(pk=world.build(kind, "over", self.users["Ada"], key)[1])
            for kind, key in (("class", self.key), ("public", ""))
        )
        self.log_in = self.there.child.get_username()
        self.child, self.coach = (logged_in(user) for user in (self.there.child, self.there.coach))

    def browser(self, sender: str) -> Client:
        """The browser of one of the senders."""
        if sender == "guest":
            return guest("Eve")
        others = {"account": self.users["Kim"], "moderator": self.users["Mo"]}
        others["other child"] = self.other_child
        return self.there.browser(sender) or logged_in(others[sender])


def logged_in(user: User) -> Client:
    """A browser of that account."""
    client = Client()
    client.force_login(user)
    return client


def noted(site: Site, by: Client, match: Match, **said: Any) -> str:
    """A note; where it is read."""
    body = {"round": 1, "event": 1, "text": PSST, "key": fresh(), **said}
    post(by, f"/api/v1/matches/{match.pk}/notes", **body)
    return f"/api/v1/matches/{match.pk}/notes"


def note_to_named(site: Site, by: Client) -> str:
    return noted(site, by, site.played, visibility="people", readers=[site.log_in])


def note_on_public_match(site: Site, by: Client) -> str:
    return noted(site, by, site.public, visibility="people", readers=[site.log_in])


def note_named_later(site: Site, by: Client) -> str:
    key = fresh()
    address = noted(site, by, site.public, key=key)
    body = {"round": 1, "event": 1, "text": PSST, "visibility": "people"}
    put(by, f"/api/v1/notes/{key}", revision=1, **body, readers=[site.log_in])
    return address


def note_for_class(site: Site, by: Client) -> str:
    return noted(site, by, site.played, visibility=f"class:{site.key}")


def mention(site: Site, by: Client) -> str:
    noted(site, by, site.public, visibility="everyone", text=f"@{site.log_in} {PSST}")
    return "/notes/?folder=mentions"


def mention_for_class(site: Site, by: Client) -> str:
    audience = f"class:{site.key}"
    noted(site, by, site.played, visibility=audience, text=f"@{site.log_in} {PSST}")
    return "/notes/?folder=mentions"


def what_if_to_named(site: Site, by: Client) -> str:
    said = {"visibility": "people", "readers": [site.log_in], "text": PSST, "key": fresh()}
    path = f"/api/v1/matches/{site.public.pk}/variations"
    post(by, path, round=1, event=1, events=[line_of(site.public, 2)], **said)
    return f"/api/v1/matches/{site.public.pk}/notes"


def playlist_to_named(site: Site, by: Client) -> str:
    key = fresh()
    post(by, "/api/v1/playlists", key=key, title=PSST, items=[])
    said = {"title": PSST, "items": [], "visibility": "people", "readers": [site.log_in]}
    put(by, f"/api/v1/playlists/{key}", revision=1, **said)
    return f"/playlists/{key}/"


def studied(by: Client, **said: Any) -> str:
    key = fresh()
    post(by, "/api/v1/studies", key=key, title=PSST)
    put(by, f"/api/v1/studies/{key}", revision=1, title=PSST, **said)
    return f"/studies/{key}/"


def study_to_named(site: Site, by: Client) -> str:
    return studied(by, visibility="people", readers=[site.log_in])


def study_to_write(site: Site, by: Client) -> str:
    return studied(by, writers=[site.log_in])


def study_for_class(site: Site, by: Client) -> str:
    return studied(by, visibility=f"class:{site.key}")


def reviewed(by: Client, match: Match, school_class: str) -> str:
    started = by.post(f"/matches/{match.pk}/review/", {"school_class": school_class})
    return str(started.get("Location", "/none/"))


def review_for_class(site: Site, by: Client) -> str:
    return reviewed(by, site.played, site.key)


def review_by_link(site: Site, by: Client) -> str:
    return reviewed(by, site.public, "")


def table_for_class(site: Site, by: Client) -> str:
    form = {**TABLE, "school_class": site.key, "seat_2": "open"}
    return str(by.post("/play/new/", form).get("Location", "/none/"))


def homework(site: Site, by: Client) -> str:
    lesson = Study.objects.filter(homework__isnull=False).get()
    form = {"study": lesson.key, "due": str(today()), "words": PSST, "all": "on"}
    made = by.post(f"/classes/{site.key}/homework/", form)
    return str(made.get("Location", "/none/"))


def name_in_class(site: Site, by: Client) -> str:
    by.post("/classes/join/", {"invitation": site.there.school_class.invitation})
    by.post("/classes/enter/", {"name": PSST})
    return f"/classes/{site.key}/"


def follows(site: Site, by: Client) -> str:
    by.post(f"/classes/{site.key}/follow/", {"do": "follow"})
    return "/news/"


def challenge(site: Site, by: Client) -> str:
    post(by, "/api/v1/challenges", bot=site.log_in)
    return "/news/"


ROLES = ("guest", "account", "moderator", "coach elsewhere", "former", "pupil", "other child")
_NO: dict[str, str] = dict.fromkeys((*ROLES, "coach"), NO)
WITH_ACCOUNT = ("account", "moderator", "coach elsewhere", "former")
"""Those who may join with the class's link, under a name that its coaches see."""
TO_NAMED = {**_NO, "coach": CALLED}
TO_CLASS = {**_NO, "pupil": READS, "coach": CALLED}
WAYS: dict[Callable[[Site, Client], str], dict[str, str]] = {
    note_to_named: TO_NAMED,
    note_on_public_match: TO_NAMED,
    note_named_later: TO_NAMED,
    note_for_class: TO_CLASS,
    mention: TO_NAMED,
    mention_for_class: TO_NAMED,
    what_if_to_named: {**_NO, "coach": READS},
    playlist_to_named: TO_NAMED,
    study_to_named: TO_NAMED,
    study_to_write: TO_NAMED,
    study_for_class: TO_CLASS,
    review_for_class: TO_NAMED,
    review_by_link: {**_NO, "coach": READS},
    table_for_class: {**TO_CLASS, "other child": READS},
    homework: TO_NAMED,
    name_in_class: {**_NO, **dict.fromkeys(WITH_ACCOUNT, READS)},
    follows: _NO,
    challenge: _NO,
}


def test_who_reaches_a_child() -> None:
    site = Site()
    cells = [(way, *cell) for way, of_senders in WAYS.items() for cell in of_senders.items()]
    for way, sender, expected in cells:
        with undone():
            News.objects.all().delete()
            address = way(site, site.browser(sender))
            reads = reaches(site.child, address)
            called = News.objects.filter(user=site.there.child).exists()
            told = CALLED if called else READS if reads else NO
            assert told == expected, (way.__name__, sender)
            if reads and not address.startswith("/notes/"):
                assert reaches(site.coach, address), (way.__name__, sender, "its coach reads it")


def reaches(browser: Client, address: str) -> bool:
    """Whether a visitor finds what was written there."""
    page = browser.get(address)
    made = address.startswith(("/reviews/", "/play/"))
    return page.status_code == 200 and (made or PSST in page.content.decode())
