"""Players' pages as people use them: figures, charts, ratings, and their own match."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checking import check_page
from tests.browser.conftest import Faults
from tests.browser.replaying import choose, expect_all_in_view, to_the_question
from tests.services import Site

LONG = "Wolfeschlegelsteinhausenbergerdorff the Magnificent of Hamburg"
RIGHT = "\N{ARABIC LETTER ALEF}\N{ARABIC LETTER DAL}\N{ARABIC LETTER MEEM}"
FILL = f"""
from django.contrib.auth.models import User
from django.core.management import call_command
from games.archive.packing import pack
from games.archive.store import insert
from django.contrib.auth import get_user_model
from games.models import Match, Player, Seat
from games.people.person import account
from games.tables.opening import open_table
from games.tables.plan import new_plan
from tests.web.records import record
names = ("{LONG}", "{RIGHT}", "Bo")
insert(
    [
        pack(record("Ada", names[at % 3], seed=at % 4, started_at=f"2026-05-{{at:02}}T10:00:00Z"))
        for at in range(1, 13)
    ],
    Match.Origin.HOSTED,
)
for player in Player.objects.filter(seats__match__record_id__startswith="test-").distinct():
    user, _ = get_user_model().objects.get_or_create(username=player.name)
    Seat.objects.filter(player=player).update(user=user)
call_command("recount")
"""
SESSION = """
from importlib import import_module
from django.conf import settings
from django.contrib import auth
from django.contrib.auth import get_user_model
session = import_module(settings.SESSION_ENGINE).SessionStore()
ada = get_user_model().objects.get(username="Ada")
session.update(
    {
        auth.SESSION_KEY: str(ada.pk),
        auth.BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
        auth.HASH_SESSION_KEY: ada.get_session_auth_hash(),
    }
)
session.save()
print(session.session_key)
"""
SLOW_TAKES = """
from replays.models import SeatFigures
for place, row in enumerate(SeatFigures.objects.filter(seat__player__name="Ada")):
    costs = {kind: [place % 3 - 1.0, 1800, 1100, 1, 3, 4] for kind in row.costs}
    costs["takes"][0] = -30
    SeatFigures.objects.filter(pk=row.pk).update(costs=costs)
"""
CLEAN = """
from django.contrib.auth.models import User
from games.models import LiveTable, Match
for match in Match.objects.filter(record_id__startswith="test-", origin="hosted"):
    match.chunks.all().purge()
    match.seats.all().delete()
    match.delete()
User.objects.filter(username__in=["Ada", "Bo"]).delete()
"""


@pytest.fixture(scope="module")
def session_key(site: Site) -> Iterator[str]:
    """Of the browser in which Ada played.

    All is gone afterwards: these tests may be done in two parts.
    """
    yield site.manage("shell", "-v0", "-c", FILL + SLOW_TAKES + SESSION).strip().splitlines()[-1]
    site.manage("shell", "-v0", "-c", CLEAN)


@pytest.mark.usefixtures("session_key")
def test_pages_are_accessible_and_fit(open_page: Callable[..., Page]) -> None:
    for size, scheme, names in (("wide", "dark", ["Ada"]), ("phone", "light", [LONG, RIGHT])):
        page = open_page(size, color_scheme=scheme)
        rivals = f"/rivals/?player=Ada&rival={LONG if size == 'phone' else 'Bo'}"
        for address in ("/players/", rivals, *(f"/players/{name}/" for name in names)):
            page.goto(address)
            for summary in page.locator("main summary").all():
                summary.click()
            check_page(page)


@pytest.mark.usefixtures("session_key")
def test_a_long_name_is_listed_in_full(phone: Page) -> None:
    phone.goto("/players/")
    for name in (LONG, RIGHT):
        link = phone.locator(".people a").filter(has_text=name)
        assert link.evaluate("link => link.scrollWidth <= link.clientWidth"), name


def test_a_choice_of_matches_is_near(wide: Page, site: Site, session_key: str) -> None:
    wide.context.add_cookies([{"name": "sessionid", "value": session_key, "url": site.url}])
    wide.goto("/players/Ada/")
    rating = wide.get_by_role("region", name="Rating over time")
    expect(rating.get_by_role("row")).to_have_count(0)
    rating.get_by_text("The numbers as a table").click()
    expect(rating.get_by_role("row").nth(1)).to_be_visible()
    wide.get_by_text("Choose which matches count").click()
    wide.get_by_label("Opponent", exact=True).select_option("Bo")
    wide.get_by_role("button", name="Show").click()
    expect(wide.locator(".facts > div").first).to_have_text(re.compile(r"matches played here\s*4"))


def test_what_costs_most_leads_to_its_moment_and_its_match_to_its_plays(
    wide: Page, site: Site, session_key: str, faults: Faults
) -> None:
    wide.goto("/players/Ada/")
    public = wide.get_by_role("region", name="What costs points")
    expect(public.get_by_role("listitem")).to_contain_text("Take sooner with a 5")
    expect(public.get_by_role("listitem")).to_contain_text("costs most now")
    expect(public.get_by_role("button")).to_have_count(0)
    wide.context.add_cookies([{"name": "sessionid", "value": session_key, "url": site.url}])
    wide.reload()
    own = wide.get_by_role("region", name="What costs you points")
    own.get_by_role("link", name="Watch an example").click()
    expect(wide.locator("#table")).to_have_attribute("data-event", "3")
    # The same after a match: why, on top of its page, the plays to try again, what to practise.
    # A phone has the first of them in view.
    for language, tab in (("de", "Du"), ("en", "You")):
        wide.context.add_cookies([{"name": "language", "value": language, "url": site.url}])
        wide.reload()
        own = choose(wide, tab)
        head = wide.locator("#verdict > .verdict-words")
        expect(head).to_contain_text(re.compile(r"^(You|Du) .+\. \S"), timeout=30_000)
        expect_all_in_view(wide, (390, 844))
        expect(own.locator("li form button").first).to_be_in_viewport(ratio=1)
    wide.set_viewport_size({"width": 1280, "height": 800})
    expect(own.get_by_role("button", name="Practise", exact=True)).to_be_visible()
    check_page(wide)
    expect_all_in_view(wide, (320, 568), (390, 844), (844, 390), (1280, 800))
    expect(own.locator("li .card").first).to_be_attached()
    own.get_by_role("listitem").first.get_by_role("link").click()
    expect(wide.locator("#now")).to_contain_text("Next: ")
    faults.expect("/decisions")  # the site keeps the match back until the answer
    address = wide.url.partition("?")[0]
    own.get_by_role("button", name="Try it").first.click()
    # Its question is answered on this table, here with keys, and the others' hands are closed.
    to_the_question(wide)
    expect(wide.locator("#view")).to_have_value("0")
    wide.keyboard.press("d")
    # On a slow machine its time is over by now, and no card can be pressed.
    for key in wide.locator(".hand-place:enabled kbd").all_inner_texts()[:1]:
        wide.keyboard.press(key.lower())
    told = own.get_by_role("listitem").first.locator(".verdict")
    expect(told).to_contain_text(re.compile("Not quite|Time is up|Here is what happened"))
    expect(wide.locator("#question, #question-choice")).to_have_count(0)
    assert wide.url.partition("?")[0] == address, "the match goes on where it was asked"
    own.get_by_role("button", name="Try it").first.click()
    to_the_question(wide)


def test_what_was_missed_is_practised_one_after_the_other(
    open_page: Callable[..., Page], site: Site, session_key: str
) -> None:
    page = open_page("phone", color_scheme="dark")
    page.context.add_cookies([{"name": "sessionid", "value": session_key, "url": site.url}])
    page.goto("/")
    practice = page.locator("form.practice")
    expect(practice).to_contain_text("to practise today")
    check_page(page)
    left = int(practice.inner_text().split()[0])
    practice.get_by_role("button", name="Practise").click()
    for _ in range(2):
        to_the_question(page)
        # On a slow machine its time is over before the press, which leaves the focus where it is.
        told = page.get_by_text(re.compile("Here is what happened|Time is up"))
        give_up = page.locator("#question-choice").get_by_role("button", name="Show what happened")
        give_up.or_(told).first.dispatch_event("click")
        left -= 1
        expect(practice).to_contain_text(f"{left} to go")
        expect(told).to_be_visible()
        expect(practice.get_by_role("button", name="Next")).to_be_focused()
        check_page(page)
        practice.get_by_role("button", name="Next").press("Enter")
    to_the_question(page)
    page.get_by_role("button", name="Show what happened").click()
    expect(practice).to_contain_text("of the last 7 days")
    page.goto("/")
    expect(practice).to_contain_text(f"{left - 1} to practise today")
