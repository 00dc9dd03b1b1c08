"""Who is asking, as one value: looked up when it is asked for, once, and again when it changes."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError, InterfaceError
from django.test import Client, RequestFactory
from django.utils.translation import override

from games.models import Embargo, Match
from games.people import embargoes
from games.people.person import account, bearer, guest
from games.people.visit import HIDDEN, RESULTS, Visit, in_session, visit_of_session
from games.people.visitor import STRANGER, Author, Visitor, holder
from tests.web.records import store

pytestmark = pytest.mark.django_db
NOBODY = AnonymousUser()


def test_a_page_that_asks_nothing_of_its_visitor_is_the_same_for_all(client: Client) -> None:
    wall = client.get("/watch/wall/", headers={"cookie": "sessionid=unknown; spoilers=off"})
    assert wall.content == client.get("/watch/wall/").content
    assert (wall.status_code, wall["Cache-Control"]) == (200, "max-age=3")


def test_nobody_becomes_a_guest_by_writing() -> None:
    visit = Visit(SessionStore(), lambda: NOBODY)
    assert (visit.visitor, visit.author) == (STRANGER, Author())
    author = visit.sign()
    assert author.name.startswith("Guest ")
    with override("de"):
        assert Visit(SessionStore(), lambda: NOBODY).sign().name.startswith("Gast ")
    assert visit.author == author == visit.sign(), "one guest, however often they write"
    assert visit.reader.persons == [author.person]
    visit.rename_guest("Kim")
    assert visit.sign() == author._replace(name="Kim")


def test_whoever_logs_in_is_somebody_else_at_once() -> None:
    users: list[User | AnonymousUser] = [NOBODY]
    visit = Visit(SessionStore(), lambda: users[-1])
    visit.rename_guest("Kim")
    before = visit.visitor
    users.append(User.objects.create_user("Ada"))
    assert visit.visitor.persons == (account(users[1].pk or 0), *before.persons)
    assert visit.visitor.name == visit.author.name == "Ada"
    users.pop()
    assert visit.visitor == before


def test_who_is_asking_and_what_is_embargoed_is_looked_up_once(
    django_assert_num_queries: Any,
) -> None:
    match, other = store("Ada", "Bo"), store("Ada", "Cy")
    session = SessionStore()
    session["guest"] = "kim"
    session.save()
    embargoes.begin(match, [guest("kim")], 1)
    visit = visit_of_session(session.session_key)
    count = django_assert_num_queries
    with count(0):
        may = visit.rights(other)
    with count(2):
        assert visit.embargoed == visit.embargoed == {match.pk}
    with count(0):
        assert visit.visitor.persons == (guest("kim"),)
    assert may.see
    assert visit.reviewed(Match.objects.all()) == {other.pk}
    Embargo.objects.all().delete()
    assert visit_of_session(session.session_key).reviewable(match.pk) == match


def test_an_ended_session_is_a_strangers() -> None:
    session = SessionStore()
    session["guest"] = "kim"
    session.save()
    assert visit_of_session(session.session_key).visitor.persons == (guest("kim"),)
    session.delete()
    assert visit_of_session(session.session_key).visitor == STRANGER
    assert visit_of_session(None).visitor == STRANGER


@pytest.mark.parametrize(("cookie", "shown"), [(None, True), ("on", True), (HIDDEN, False)])
def test_results_are_shown_unless_the_viewer_says_no(cookie: str | None, shown: bool) -> None:
    request = RequestFactory().get("/?share=a-token")
    request.COOKIES = {} if cookie is None else {RESULTS: cookie}
    visit = Visit(SessionStore(), lambda: NOBODY, request)
    assert (visit.shows_results, visit.share) == (shown, "a-token")
    assert visit.caller == ("", "127.0.0.1")


@pytest.mark.parametrize(
    ("said", "visitor"),
    [
        ("Bearer " + "t" * 32, Visitor((bearer("t" * 32),))),
        ("bearer " + "t" * 16, Visitor((bearer("t" * 16),))),
        *[(said, STRANGER) for said in ("", "Bearer", "Bearer short", "Basic " + "t" * 32)],
    ],
)
def test_a_seats_token_makes_its_holder(said: str, visitor: Visitor) -> None:
    assert holder(said) == visitor


async def test_a_connection_that_is_gone_is_an_outage_to_whoever_asks_off_the_loop() -> None:
    def gone(_: Visit) -> None:
        raise InterfaceError("the connection is closed")

    with pytest.raises(DatabaseError, match="is closed"):
        await in_session(None, gone)
