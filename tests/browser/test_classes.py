"""An evening with a class: made, joined, homework given and done, and its coach sees it."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http import HTTPStatus

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accounts import make_a_class, sign_up
from tests.browser.checking import check_page, no_sideways_scroll
from tests.browser.conftest import Faults
from tests.browser.replaying import START, choose, sharing, show
from tests.browser.studying import study_of
from tests.browser.tables import LOOK, begin

LEFT = "tabs => tabs.getBoundingClientRect().left"


def test_an_evening_with_a_class(wide: Page, open_page: Callable[..., Page], three: str) -> None:
    coach, pupil = wide, open_page("phone", color_scheme="dark")

    sign_up(coach, "Cora")
    chapter = {"title": "Look here", "event": START}
    study_of(coach, three, "study-of-an-evening", chapter, visibility="self")
    make_a_class(coach)
    link = invitation(coach)
    check_page(coach)
    sign_up(pupil, "Kim")
    pupil.goto(link)
    pupil.get_by_label("Your name in the class").fill("Kim Ito")
    check_page(pupil)
    pupil.get_by_role("button", name="Join the class").click()
    expect(pupil.get_by_role("heading", name="4b", exact=True)).to_be_visible()

    give(coach)
    pupil.goto("/")
    check_page(pupil)
    pupil.get_by_role("region", name="Homework").get_by_role("link", name="Openings").click()
    expect(pupil.locator("main")).to_contain_text("Slowly, please.")
    check_page(pupil)
    coach.reload()
    expect(coach.locator("#waiting")).to_contain_text("Kim Ito")
    coach.get_by_role("button", name="Remind 1 pupil").click()
    check_page(coach)
    pupil.goto("/rules/")
    check_page(pupil)
    pupil.get_by_role("link", name="Notifications: 2 unread").click()
    expect(pupil.get_by_text("reminds you of")).to_be_visible()
    expect(pupil.get_by_role("link", name="Notifications", exact=True)).to_be_visible()
    check_page(pupil)
    pupil.get_by_role("link", name="Openings").first.click()
    with pupil.expect_response(re.compile("/opened")):
        pupil.get_by_role("link", name="Begin").press("Enter")
    expect(pupil.locator(".lesson-bar")).to_contain_text("Look here")

    coach.reload()
    expect(coach.get_by_role("link", name="Notifications: 1 unread")).to_be_visible()
    expect(coach.get_by_role("row", name=re.compile("Kim Ito"))).to_contain_text("done")
    coach.get_by_role("link", name="4b").click()
    coach.get_by_role("link", name="Homework", exact=True).click()
    sheet = coach.get_by_role("region", name="Pupils and homework")
    expect(sheet.get_by_role("row", name=re.compile("Kim Ito"))).to_contain_text("1 of 1")
    check_page(coach)
    tabs = coach.get_by_role("navigation", name="4b")
    at = tabs.evaluate(LEFT)
    own = tabs.get_by_role("link", name="Class", exact=True)
    own.click()
    expect(own).to_have_attribute("aria-current", "page")
    assert tabs.evaluate(LEFT) == at, "the tabs stay where they are"
    coach.get_by_role("link", name="Season").click()
    check_page(coach)
    coach.get_by_role("link", name="Homework", exact=True).click()
    coach.get_by_role("link", name="Kim Ito").click()
    expect(coach.get_by_role("region", name="Homework").get_by_role("row")).to_have_count(2)
    check_page(coach)
    print_codes(coach)


def test_what_is_only_for_the_class(wide: Page, open_page: Callable[..., Page], three: str) -> None:
    coach, pupil = wide, open_page("phone", color_scheme="dark")
    meet(coach, "Cato", pupil, "Kai")

    show(coach, three)
    choose(coach, "Notes")
    coach.get_by_role("button", name="Write a note").click()
    form = coach.get_by_role("form", name="Note")
    form.get_by_role("textbox", name="Text").fill("Look at the 5.")
    form.get_by_label("Visible to").select_option("Class 4b")
    form.get_by_role("button", name="Save").click()
    expect(coach.locator("li.note", has_text="Look at the 5.")).to_contain_text("for class 4b")
    show(pupil, three)
    choose(pupil, "Notes")
    expect(pupil.locator("li.note", has_text="Look at the 5.")).to_be_visible()

    sharing(coach).get_by_role("button", name="Watch together").click()
    asked = coach.get_by_label("Open to")
    expect(asked.locator("option:checked")).to_have_text("only the class 4b")
    check_page(coach)
    coach.get_by_role("button", name="Watch together").press("Enter")
    expect(coach.locator("#review-bar .review-state")).to_contain_text("You lead")
    pupil.goto("/classes/")
    pupil.get_by_role("link", name="4b", exact=True).click()
    check_page(pupil)
    pupil.get_by_role("link", name=re.compile("^Review of")).click()
    expect(pupil.locator("#review-bar .review-state")).to_contain_text("You follow")
    stranger = open_page("wide")
    told = stranger.request.get(coach.url)
    assert told.status == HTTPStatus.NOT_FOUND


@pytest.fixture
def closing(faults: Faults) -> None:
    """A page may ask for the analysis or notes of a match just as a question closes it."""
    faults.expect("/analysis")
    faults.expect("/notes?")


@pytest.mark.usefixtures("closing")
def test_everybody_is_asked_in_a_review_of_the_class(
    wide: Page, open_page: Callable[..., Page], three: str
) -> None:
    coach, pupil = wide, open_page("phone", color_scheme="dark")
    meet(coach, "Cleo", pupil, "Kit")
    class_page = pupil.url
    look_here = {"title": "Look here", "event": START}
    of_class = f"class:{class_page.split('/')[4]}"
    coach.goto(study_of(coach, three, "study-to-ask-from", look_here, visibility=of_class))
    for _ in ("on the study's page", "for whom"):
        coach.get_by_role("button", name="Watch together").click()
    expect(coach.locator("#review-bar .review-state")).to_contain_text("You lead")
    pupil.goto(class_page)
    pupil.get_by_role("link", name="Review of Openings").click()
    expect(pupil.locator("#review-bar .review-state")).to_contain_text("You follow")

    coach.get_by_role("button", name=re.compile("^Ask: what does .+ play")).press("Enter")
    answers = coach.locator("#review-answers")
    expect(coach.locator("#review-leads")).to_have_text("0/1")
    check_page(coach)
    upright = pupil.viewport_size
    pupil.set_viewport_size({"width": 844, "height": 390})
    expect(pupil.locator(".side > #question #question-choice")).to_be_visible()
    empty = "slot => slot.clientHeight - slot.querySelector('.framed').clientHeight"
    assert pupil.locator(".side > #question").evaluate(empty) > 0, "the card ends with its words"
    assert upright
    pupil.set_viewport_size(upright)
    expect(pupil.locator("#lesson > #question")).to_be_visible()
    expect(pupil.locator(".stage > #question-choice")).to_be_visible()
    expect(pupil.get_by_role("button", name="I don’t know")).to_be_visible()
    expect(pupil.get_by_role("link", name="Back to the review")).to_be_visible()
    expect(pupil.get_by_role("navigation", name="Chapters")).to_have_count(0)
    expect(pupil.get_by_role("button", name="Show what happened")).to_have_count(0)
    pupil.get_by_role("button", name="Draw", exact=True).click()
    expect(pupil.get_by_text("You answered “draw a card”.")).to_be_visible()
    expect(pupil.locator("#table")).to_be_visible()
    check_page(pupil)
    expect(coach.locator("#review-leads")).to_have_text("1/1")
    expect(answers.locator("ol")).to_contain_text("Kim Ito")
    expect(answers.locator("ol")).to_be_hidden()
    coach.get_by_role("button", name="Show what happened").press("Enter")
    expect(pupil.locator("#review-bar .review-state")).to_contain_text("You follow")
    expect(coach.get_by_role("button", name="Ask everyone")).to_be_visible()
    coach.get_by_role("button", name="End the review").press("Enter")
    coach.get_by_role("button", name=re.compile("Press again")).press("Enter")
    expect(coach.get_by_role("button", name="Ask everyone")).to_be_hidden()
    for page, places in ((coach, ["Answers", "Season", "4b"]), (pupil, ["Practise", "4b"])):
        following = page.get_by_role("navigation", name="What comes next")
        expect(following.get_by_role("link")).to_have_text(places)
        check_page(page)


@pytest.mark.usefixtures("closing")
def test_a_class_is_asked_in_a_review_of_a_match_and_sees_what_happened(
    wide: Page, open_page: Callable[..., Page], three: str
) -> None:
    coach, pupil = wide, open_page("phone", color_scheme="dark")
    meet(coach, "Clea", pupil, "Kat")
    show(coach, f"{three}?seq={START}")
    sharing(coach).get_by_role("button", name="Watch together").click()
    coach.get_by_role("button", name="Watch together").click()
    expect(coach.locator("#review-bar .review-state")).to_contain_text("You lead")
    pupil.reload()
    pupil.get_by_role("link", name=re.compile("^Review of")).click()
    expect(pupil.locator("#review-bar .review-state")).to_contain_text("You follow")
    expect(pupil.locator("#review-people")).to_contain_text("Kim Ito")
    expect(coach.get_by_role("tab", name="Moments")).to_be_visible()
    expect(pupil.get_by_role("tab", name="Moments")).to_have_count(0)
    expect(pupil.locator("#no-end")).to_be_visible()

    coach.get_by_role("button", name=re.compile("^Ask: what does .+ play")).press("Enter")
    answers = coach.locator("#review-answers")
    expect(coach.locator("#review-leads")).to_have_text("0/1")
    expect(coach.get_by_role("button", name="Show what happened")).to_be_focused()
    pupil.get_by_role("button", name="Wait", exact=True).click()
    expect(pupil.get_by_text("You answered “wait”.")).to_be_visible()
    expect(pupil.locator("#table")).to_be_visible()
    check_page(pupil)
    expect(coach.locator("#review-leads")).to_have_text("1/1")
    expect(answers.locator("ol")).to_contain_text("Kim Ito")
    expect(answers.locator("ol")).to_be_hidden()
    check_page(coach)
    asked = coach.locator("#table").get_attribute("data-event")
    coach.get_by_role("button", name="Show what happened").press("Enter")
    for page in (pupil, coach):
        expect(page.locator("#review-bar .review-state")).to_contain_text(
            re.compile("You follow|You lead")
        )
        expect(page.locator("#table")).not_to_have_attribute("data-event", f"{asked}")
    no_sideways_scroll(pupil)
    expect(pupil.get_by_text("You answered “wait”")).to_be_in_viewport(ratio=1)
    expect(coach.locator("#review-verdict")).to_contain_text("0 of 1 right.")
    expect(answers.locator("ol > li").first).to_have_class("is-right")
    expect(answers.locator("ol > li", has_text="wait")).to_contain_text("Kim Ito")
    coach.keyboard.press("End")
    end = coach.evaluate("JSON.parse(document.getElementById('match').textContent).rounds.at(-1)")
    for page in (coach, pupil):
        expect(page.locator("#table")).to_have_attribute("data-event", f"{end['events']}")
    coach.get_by_role("button", name="Save as question").click()
    coach.get_by_role("link", name="Open the question").click()
    expect(coach.locator("#lesson")).to_be_visible()


def test_a_pupil_is_called_to_a_club_table_and_the_coach_watches_it(
    wide: Page, open_page: Callable[..., Page]
) -> None:
    coach, pupil = wide, open_page("phone", color_scheme="dark")
    meet(coach, "Clio", pupil, "Kip")
    coach.reload()
    coach.get_by_role("link", name="Seat the class").click()
    coach.get_by_label("Tables of").select_option("2")
    check_page(coach)
    coach.get_by_role("button", name="Seat them").click()
    expect(coach.get_by_role("link", name=re.compile("^Kim Ito"))).to_be_visible()
    coach.get_by_role("button", name="Start all tables").click()
    expect(coach.get_by_role("button", name="Start with bots")).to_be_visible()
    expect(coach.get_by_text("not here yet: Kim Ito")).to_be_visible()
    check_page(coach)
    coach.get_by_role("link", name="Cancel").click()
    pupil.evaluate(LOOK)
    pupil.get_by_role("link", name="Back to your table").click()
    expect(pupil.locator("#places")).to_contain_text("Kim Ito")
    begin(pupil)
    coach.evaluate(LOOK)
    expect(coach.locator(".wall-match .seat-name, .wall-match bdi").first).to_have_text("Kim Ito")
    expect(coach.locator(".wall-board .card").first).to_be_attached()
    check_page(coach)
    coach.get_by_role("link", name=re.compile("^Watch Kim Ito")).click()
    coach.get_by_role("tab", name="Notes").click()
    expect(coach.get_by_role("button", name="Write a note")).to_be_visible()
    coach.keyboard.press("a")
    expect(coach.get_by_role("form", name="Note")).to_be_visible()


def meet(coach: Page, by: str, pupil: Page, name: str) -> None:
    """A class of that coach, which the pupil has joined; the pupil's page is the class's."""
    sign_up(coach, by)
    make_a_class(coach)
    link = invitation(coach)
    sign_up(pupil, name)
    pupil.goto(link)
    pupil.get_by_label("Your name in the class").fill("Kim Ito")
    pupil.get_by_role("button", name="Join the class").click()
    expect(pupil.get_by_role("heading", name="4b", exact=True)).to_be_visible()


def invitation(coach: Page) -> str:
    """The link that invites to the class on the page."""
    expect(coach.get_by_role("img", name="The link as a QR code")).to_be_visible()
    return coach.get_by_label("Anyone with this link can join").input_value()


def give(coach: Page) -> None:
    """Give the study as homework."""
    coach.get_by_role("link", name="Give homework").click()
    coach.get_by_label("One of your studies").select_option(label="Openings")
    due = coach.get_by_label("Due on")
    due.fill("")
    coach.get_by_role("button", name="Give homework").click()
    assert due.evaluate("(field) => field.validity.valueMissing"), "nothing is sent without a day"
    due.fill((datetime.now(tz=UTC).date() + timedelta(days=7)).isoformat())
    coach.get_by_label("What you want to say about it").fill("Slowly, please.")
    coach.get_by_text("Only for some pupils").click()
    check_page(coach)
    coach.get_by_role("button", name="Give homework").click()
    expect(coach.locator("#waiting")).to_contain_text("Kim Ito")
    check_page(coach)


def print_codes(coach: Page) -> None:
    """Make accounts for children."""
    coach.get_by_role("link", name="4b").click()
    coach.get_by_text("Invite pupils").click()
    coach.get_by_role("link", name="Make accounts for children").click()
    coach.get_by_label("Names, one per line").fill("Zoe\nAbd al-Karim")
    coach.get_by_role("button", name="Make the accounts").click()
    expect(coach.locator(".code-card")).to_have_count(2)
    check_page(coach)
