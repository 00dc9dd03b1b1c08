"""Who may come: each setting of the owner's for each kind of visitor, on pages, API and sockets.

`200` and the like are statuses; `!` means that the page or problem says what the visitor can do.
"""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import SignUpInvitation, SiteSettings
from games.people import door
from games.people.accounts import supervised
from games.people.door import Site
from games.people.mail import settle
from games.people.visit import Visit
from replays.models import SchoolClass
from tests.live.serving import becomes, connect, ws
from tests.people import world
from tests.people.world import headers_of
from tests.services import Site as Server

OPEN = Site()
MEMBERS = Site(members_only=True)
NO_GUESTS = Site(guests=False)
NEITHER = Site(members_only=True, guests=False)
SETTINGS = {"open": OPEN, "members": MEMBERS, "no guests": NO_GUESTS, "neither": NEITHER}
# What visitors without an account get, who all get the same; those with one are never turned away.
WITHOUT = """
                            open    members  no guests  neither
GET  games:home             200     200!     200        200!
GET  games:rules            200     200      200        200
GET  accounts:log_in        200     200      200        200
GET  accounts:sign_up       200     200      200        200
GET  replays:join_class     200     200      200        200
GET  replays:archive        200     403!     200        403!
GET  replays:players        200     403!     200        403!
GET  replays:my_studies     200     403!     200        403!
GET  replays:replay         200     403!     200        403!
GET  replays:picture_svg    200     403!     200        403!
GET  replays:record         200     403!     200        403!
GET  games:watch            200     403!     200        403!
GET  replays:tv             200     403!     200        403!
GET  games:lobby            200     200      200        403!
GET  games:table            200     200      200        403!
POST games:quick            302     302      403!       403!
POST games:rename           422     422      403!       403!
GET  replays:ghost_race     200     403!     403!       403!
POST replays:upload         422     403!     403!       403!
GET  api:log                200     403!     200        403!
GET  api:charts             200     403!     200        403!
GET  api:openapi            200     200      200        200
GET  api:tables             200     200      200        403!
POST api:tables             422     422      403!       403!
POST api:notes              422     403!     403!       403!
POST api:what_if            422     403!     422        403!
GET  admin:index            302     302      302        302
"""
OF_A_MATCH = ("replay", "picture_svg", "record", "ghost_race", "log", "charts", "notes", "what_if")
WAYS_ON = ("Log in to see it", "You need an account to play and write here")


def cells() -> list[tuple[str, str, dict[str, str]]]:
    """The rows of the table: method, address, and what is answered by setting."""
    _, *rows = WITHOUT.strip().splitlines()
    words = [row.split() for row in rows]
    return [(row[0], row[1], dict(zip(SETTINGS, row[2:], strict=True))) for row in words]


def path_of(name: str, match: int, table: str) -> str:
    """The address of that name, about that match or table."""
    if name == "games:table":
        return reverse(name, args=[table])
    about = name.partition(":")[2] in OF_A_MATCH
    query = "?round=1&event=9&seat=2" if name == "replays:ghost_race" else ""
    return reverse(name, args=[match] if about else []) + query


def answer(client: Client, method: str, path: str) -> str:
    """The status; with a `!` if it says how to go on, and where that is a refusal."""
    if method == "POST" and path.startswith("/api/"):
        response = client.post(path, {"x": 1}, content_type="application/json")
    else:
        response = client.get(path) if method == "GET" else client.post(path)
    said = any(words in response.text for words in WAYS_ON) if not response.streaming else False
    assert said or response.status_code != 403, response.text
    if said and not path.startswith("/api/"):
        assert reverse("accounts:log_in") in response.text
    return f"{response.status_code}{'!' * said}"


@pytest.fixture
def users() -> dict[str, User]:
    return world.people()


@pytest.mark.django_db
@pytest.mark.parametrize("setting", SETTINGS)
def test_strangers_and_guests_get_what_the_owner_lets_them(
    setting: str, users: dict[str, User]
) -> None:
    match = world.build("public", "over", users["Ada"])[1]
    table = world.build("public", "seating", users["Ada"])[0]
    door.learn(SETTINGS[setting], 3_600)
    for visitor in ("stranger", "holder of link", "guest who plays"):
        client = Client()
        if session := world.session_of(visitor, users):
            client.cookies["sessionid"] = session
        for method, name, expected in cells():
            told = answer(client, method, path_of(name, match, table))
            assert told == expected[setting], (visitor, method, name)


@pytest.mark.django_db
@pytest.mark.parametrize("setting", SETTINGS)
def test_whoever_has_an_account_is_never_turned_away(setting: str, users: dict[str, User]) -> None:
    match = world.build("public", "over", users["Ada"])[1]
    table = world.build("public", "seating", users["Ada"])[0]
    for visitor in ("account elsewhere", "moderator"):
        client = Client()
        client.cookies["sessionid"] = world.session_of(visitor, users)
        door.learn(SETTINGS[setting], 3_600)
        for method, name, expected in cells():
            if not name.startswith(("accounts", "admin")) and method == "GET":
                told = answer(client, method, path_of(name, match, table))
                assert told == expected["open"], (visitor, name)


@pytest.mark.django_db
def test_what_members_are_sent_no_cache_may_keep_for_others(users: dict[str, User]) -> None:
    client = Client()
    client.cookies["sessionid"] = world.session_of("account elsewhere", users)
    assert "public" in client.get(reverse("robots"))["Cache-Control"]
    door.learn(MEMBERS, 3_600)
    kept = client.get(reverse("robots"))["Cache-Control"]
    assert "private" in kept
    assert "public" not in kept
    assert "private" in client.get(reverse("games:wall"))["Cache-Control"]


@pytest.mark.django_db
def test_an_open_door_asks_nobody_who_they_are() -> None:
    door.learn(OPEN, 3_600)
    with CaptureQueriesContext(connection) as queries:
        Client().get(reverse("games:rules"))
    assert not queries.captured_queries


# --- The owner's form ----------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_owner_sets_it_in_the_admin_and_it_holds_from_then_on(
    admin_client: Client, client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    form = {"name": "Otter Club", "notice": "We meet on <Fridays>.", "contact": "kim@otter.example"}
    form |= {"language": "en", "sign_up": "invitation", "watching": "members"}
    page = admin_client.get("/admin/games/sitesettings/", follow=True).text
    for field in SiteSettings._meta.get_fields():
        help_text = str(getattr(field, "help_text", ""))
        assert field.name == "id" or help_text.partition(".")[0] in page, field.name
    with django_capture_on_commit_callbacks(execute=True):
        added = admin_client.post("/admin/games/sitesettings/add/", form)
    assert added.status_code == 302
    home = client.get("/").text
    assert "<title>Otter Club</title>" in home
    assert '<span class="brand-word">Otter Club</span>' in home
    assert "We meet on &lt;Fridays&gt;." in home
    assert "mailto:kim@otter.example" in home
    assert "You need an invitation to make an account" in home
    assert client.get("/matches/").status_code == 403
    again = admin_client.get("/admin/games/sitesettings/", follow=True)
    assert again.redirect_chain[-1][0].endswith("/admin/games/sitesettings/1/change/")
    assert admin_client.get("/admin/games/sitesettings/add/").status_code == 403
    assert admin_client.get("/admin/games/sitesettings/1/delete/").status_code == 403


@pytest.mark.django_db
def test_only_the_owner_sets_it(client: Client) -> None:
    client.cookies["sessionid"] = world.session_of("moderator", world.people())
    for path in ("sitesettings/add/", "signupinvitation/add/"):
        assert client.get(f"/admin/games/{path}").status_code == 403


@pytest.mark.django_db
def test_other_processes_follow_within_seconds() -> None:
    SiteSettings.objects.create(name="Otter Club")
    door.learn(OPEN, 0)
    assert door.FRESH_S <= 5
    assert door.site().name == "Otter Club"


def test_the_last_settings_hold_while_the_database_is_away() -> None:
    """Here no test may reach it."""
    door.learn(MEMBERS, 3_600)
    assert door.site() == MEMBERS
    assert "members" in door.closed("replays:archive", reads=True)


# --- Signing up ----------------------------------------------------------------------------------

FORM = {"username": "Nia", "password1": "four blue stacks", "password2": "four blue stacks"}


def sign_up(client: Client, **more: str) -> Any:
    return client.post(reverse("accounts:sign_up"), {**FORM, **more})


@pytest.mark.django_db
def test_a_closed_site_takes_no_account(client: Client) -> None:
    door.learn(Site(sign_up="closed", contact="kim@otter.example"), 3_600)
    for response in (client.get(reverse("accounts:sign_up")), sign_up(client)):
        assert response.status_code == 403
        assert "This site takes no new accounts" in response.text
        assert "mailto:kim@otter.example" in response.text
    assert not User.objects.exists()
    assert "sign up" not in client.get(reverse("accounts:log_in")).text


@pytest.mark.django_db
def test_an_invitation_makes_as_many_accounts_as_it_says() -> None:
    door.learn(Site(sign_up="invitation"), 3_600)
    invitation = SignUpInvitation.objects.create(uses=2)
    for name in ("Nia", "Ola"):
        client = Client()
        page = client.get(f"{reverse('accounts:sign_up')}?invitation={invitation.code}").text
        assert f'value="{invitation.code}"' in page
        for _ in range(2):  # sent twice, it is used once
            made = sign_up(client, username=name, invitation=invitation.code)
            assert made.status_code == 302, made.text
    late = sign_up(Client(), username="Pia", invitation=invitation.code)
    assert "This invitation does not work" in late.text
    assert set(User.objects.values_list("username", flat=True)) == {"Nia", "Ola"}


@pytest.mark.django_db
@pytest.mark.parametrize("code", ["", "nonsense", "old"])
def test_without_an_invitation_that_lasts_nobody_signs_up(client: Client, code: str) -> None:
    door.learn(Site(sign_up="invitation", contact="kim@otter.example"), 3_600)
    SignUpInvitation.objects.create(code="old", ends=timezone.now())
    response = sign_up(client, invitation=code)
    assert response.status_code == 200
    assert "mailto:kim@otter.example" in response.text
    assert not User.objects.exists()


@pytest.mark.django_db
def test_the_link_of_a_class_is_an_invitation_too(client: Client) -> None:
    school_class = SchoolClass.objects.create(name="Otters")
    client.post(reverse("replays:join_class"), {"invitation": school_class.invitation})
    door.learn(Site(sign_up="invitation", members_only=True, guests=False), 3_600)
    assert "Otters" in client.get(reverse("replays:join_class")).text
    assert sign_up(client).status_code == 302
    assert client.get("/matches/").status_code == 200


@pytest.mark.django_db
def test_who_may_invite_makes_accounts_for_children_behind_closed_doors(client: Client) -> None:
    door.learn(Site(sign_up="closed", members_only=True, guests=False), 3_600)
    coach = User.objects.create_user("Coach")
    client.force_login(coach)
    school_class = client.post(reverse("replays:my_classes"), {"name": "Otters"})["Location"]
    refused = client.post(f"{school_class}children/", {"names": "Tam"})
    assert (refused.status_code, User.objects.count()) == (403, 1)
    assert "permit you to invite" in refused.text
    assert "Make accounts for children" not in client.get(school_class).text
    codename = door.INVITE.partition(".")[2]
    coach.user_permissions.add(Permission.objects.get(codename=codename))
    assert "Make accounts for children" in client.get(school_class).text
    cards = client.post(f"{school_class}children/", {"names": "Tam"}, follow=True)
    assert cards.status_code == 200
    child = User.objects.exclude(username="Coach").get()
    browser = Client()
    browser.force_login(child)
    assert browser.get("/matches/").status_code == 200
    assert browser.post(reverse("games:quick")).status_code == 302
    member = SchoolClass.objects.get().members.get(user=child)
    coach.user_permissions.clear()
    over = client.post(f"{school_class}children/{member.pk}/", {"do": "give"})
    assert (over.status_code, supervised(child.pk)) == (403, True)


@pytest.mark.django_db
def test_mails_and_names_know_what_the_site_is_called(client: Client) -> None:
    door.learn(Site(name="Otter’s & Co"), 3_600)
    refused = sign_up(client, username="Otter’s & Co")
    assert not User.objects.exists(), refused.text
    sign_up(client, email="nia@otter.example")
    settle()
    assert mail.outbox[-1].subject == "Confirm your address for Otter’s & Co"
    assert "Otter’s & Co" in mail.outbox[-1].body


@pytest.mark.django_db
def test_guests_have_no_name_where_they_may_not_write(users: dict[str, User]) -> None:
    """So they neither speak in chats nor take part in reviews; who sits at a table stays."""
    session = Client()
    session.cookies["sessionid"] = world.session_of("guest who plays", users)
    visit = Visit(session.session, AnonymousUser)
    assert visit.visitor.shown
    door.learn(NO_GUESTS, 3_600)
    nobody = Visit(session.session, AnonymousUser).visitor
    assert not nobody.shown
    assert nobody.persons


# --- Sockets -------------------------------------------------------------------------------------

# By setting: what a spectator and a player get from each socket.
SOCKETS = """
                            open    members  no guests  neither
stranger watches            watch   4403     watch      4403
stranger at a table         watch   4403     watch      4403
guest at their table        seat1   seat1    seat1      seat1
program at its table        seat2   seat2    seat2      seat2
stranger in a review        in      4403     in         4403
stranger in a ghost race    seat2   4403     4403       4403
account watches             watch   watch    watch      watch
account in a ghost race     seat2   seat2    seat2      seat2
"""
SET = """
from games.models import SiteSettings
SiteSettings.objects.update_or_create(pk=1, defaults={values})
"""
BUILD = """
import json
from games.models import LiveTable
from tests.people import world
users = world.people()
table = world.build("public", "seating", users["Ada"])[0]
match = world.build("public", "over", users["Ada"])[1]
review = world.review_of(match)
LiveTable.objects.filter(phase="round").update(over=True)
sessions = {visitor: world.session_of(visitor, users) for visitor in world.VISITORS}
print(json.dumps([table, match, review, sessions]))
"""


async def entered(address: str, headers: dict[str, str]) -> str:
    """What becomes of somebody who wants to be in a review."""
    async with connect(address, additional_headers=headers) as it:
        await it.send(json.dumps({"type": "hello", "v": 1}))
        frame = json.loads(await it.recv())
        return "in" if frame["type"] == "welcome" else str(frame["code"])


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("door")) as site:
        site.migrate()
        yield site.start()


@pytest.mark.slow
async def test_sockets_follow_the_owner_without_a_restart(served: Server) -> None:
    site = served
    table, match, review, sessions = json.loads(site.manage("shell", "-v0", "-c", BUILD))
    stranger = headers_of(site, "stranger", "")
    account = headers_of(site, "account elsewhere", sessions["account elsewhere"])
    guest = headers_of(site, "guest who plays", sessions["guest who plays"])
    watch, seats = ws(site, f"/ws/watch/{table}/"), ws(site, f"/ws/matches/{table}/")
    bots, race = (
        ws(site, f"/ws/bots/{table}/"),
        ws(site, f"/ws/races/{match}/?round=1&event=9&seat=2"),
    )
    _, *rows = SOCKETS.strip().splitlines()
    expected = {row[:28].strip(): row[28:].split() for row in rows}
    got: dict[str, list[str]] = {name: [] for name in expected}
    async with connect(watch, additional_headers=stranger) as spectator:
        await spectator.send(json.dumps({"type": "hello", "v": 1}))
        for setting in SETTINGS.values():
            watching = "members" if setting.members_only else "everyone"
            values = {"watching": watching, "guests": setting.guests}
            await asyncio.to_thread(site.manage, "shell", "-v0", "-c", SET.format(values=values))
            if setting is MEMBERS:
                await closed(spectator)
            elif setting is not OPEN:
                await asyncio.sleep(door.FRESH_S + 0.5)
            got["stranger watches"].append(await becomes(watch, stranger, {}))
            got["stranger at a table"].append(await becomes(seats, stranger, {}))
            got["guest at their table"].append(await becomes(seats, guest, {}))
            program = headers_of(site, "seat's token", "")
            got["program at its table"].append(await becomes(bots, program, {}))
            in_review = ws(site, f"/ws/reviews/{review}/")
            got["stranger in a review"].append(await entered(in_review, stranger))
            got["stranger in a ghost race"].append(await becomes(race, stranger, {}))
            got["account watches"].append(await becomes(watch, account, {}))
            got["account in a ghost race"].append(await becomes(race, account, {}))
    assert got == expected


async def closed(spectator: Any) -> None:
    """Wait until the site closes a connection because strangers may no longer watch."""
    async with asyncio.timeout(door.FRESH_S * 4):
        async for text in spectator:
            frame = json.loads(text)
            if frame["type"] == "bye":
                assert frame["code"] == 1012
                return
