"""A study by a stranger, and a question that a learner answers on a phone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checking import check_page
from tests.browser.conftest import Faults
from tests.browser.replaying import (
    FIRST,
    START,
    expect_place,
    numbers,
    sharing,
    show,
    to_the_question,
)
from tests.browser.studying import study_of

STOP = next(n for n in numbers(FIRST, "take") if n > START) - 1
"""Just before the first take after the place that the studies are made from."""


@pytest.fixture
def coach(wide: Page, faults: Faults) -> Page:
    """A page on which a request is lost."""
    faults.expect("ERR_FAILED")
    return wide


def made(page: Page, match: str) -> str:
    """A study with one chapter, made from a match; its address."""
    show(page, f"{match}?seq={START + 1}")
    expect_place(page, 1, START)
    sharing(page).get_by_role("button", name="Add to a study").click()
    dialog = page.get_by_role("dialog", name="Add to a study")
    dialog.get_by_role("textbox", name="Title of the study").fill("Openings")
    dialog.get_by_role("textbox", name="Title of the chapter").fill("The first five")
    page.route("**/studies/*/chapters", lambda route: route.abort(), times=1)
    dialog.get_by_role("button", name="Add and open").click()
    expect(dialog).to_contain_text("Not saved. There is no connection.")
    dialog.get_by_role("button", name="Add and open").click()
    page.wait_for_url("**/studies/*/1/?*")
    expect_place(page, 1, START)
    return re.sub(r"1/[?#].*", "", page.url)


def test_a_strangers_first_study_asks_and_is_shared(
    coach: Page, open_page: Callable[..., Page], faults: Faults, three: str
) -> None:
    study = made(coach, three)
    assert len(coach.request.get("/api/v1/studies").json()["studies"]) == 1
    editor = coach.locator("#chapter-editor")
    editor.get_by_role("textbox", name="Introduction").fill("Look at **the five**, then @0:05.0.")
    question = coach.get_by_role("region", name="Question")
    question.get_by_role("button", name="Ask here").click()
    expect_place(coach, 1, STOP)
    expect(question).to_contain_text(re.compile(r"Stops at 0:\d\d\.\d, before \w+ takes stack"))
    expect(question.get_by_role("listitem")).to_contain_text("as in the match")
    # By a key: what is saved meanwhile is shown above, and may move a button while it is clicked.
    question.get_by_role("button", name="Another right answer").press("Enter")
    expect(question).to_contain_text("Play it on the table, or choose it here.")
    coach.keyboard.press("d")
    coach.locator(".hand-place:enabled").first.click()
    expect(question.get_by_role("listitem")).to_have_count(2)
    question.get_by_label("Only as long as").check()
    question.get_by_label("Seconds, if not as long").fill("90")
    question.get_by_text("Hint, and words after the answer").click()
    question.get_by_role("textbox", name="Shown after a wrong answer").fill("The one was free.")
    expect(coach.locator(".save-status")).to_have_text("Saved.")
    expect(coach.locator("#chapter-words strong")).to_have_text("the five")
    coach.get_by_role("button", name="New chapter from here").click()
    coach.get_by_role("dialog").get_by_label("Title of the chapter").fill("Another")
    coach.get_by_role("dialog").get_by_role("button", name="Add and stay").click()
    expect(coach.locator("#add-chapter")).to_have_text("Added: chapter 2")
    check_page(coach)
    play = coach.get_by_role("link", name="Ghost race")
    play.hover()
    expect(play).to_have_attribute("href", re.compile(rf"/race\?round=1&event={STOP}&seat=\d$"))
    coach.goto(study)
    coach.get_by_text("Edit title, introduction and sharing").click()
    coach.get_by_label("Visible to").select_option("link")
    expect(coach).to_have_url(re.compile(r"\?share=\w"))
    coach.get_by_role("link", name="The first five").click()
    coach.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect_place(coach, 1, STOP)
    coach.keyboard.press("ArrowLeft")
    dialog = sharing(coach)
    expect(dialog.get_by_text("Anyone with this link can open it.")).to_be_visible()
    expect(dialog.get_by_label("Link")).to_have_value(re.compile(r"/1/\?share=[\w-]+$"))
    dialog.get_by_label("What").select_option("This position")
    dialog.get_by_role("button", name="Copy link").click()
    expect(dialog.get_by_role("status")).to_have_text("Copied.")
    coach.keyboard.press("Escape")
    expect(coach).to_have_url(re.compile(r"[?&]share=\w"))
    link = coach.evaluate("navigator.clipboard.readText()")
    expect(coach).to_have_url(link)  # the address bar is late, but not the link
    assert "round=1" in link
    assert open_page("phone").request.get(link).ok
    coach.goto(study)
    coach.get_by_text("Edit title, introduction and sharing").click()
    coach.get_by_label("Visible to").select_option("everyone")
    expect(coach).to_have_url(study)
    expect(coach.locator("#study-status")).to_have_text("Saved.")
    check_page(coach)
    faults.expect("409")
    _change_in_another_tab(coach, study)
    coach.get_by_role("textbox", name="Title").fill("From this tab")
    expect(coach.locator("#study-status")).to_have_text("Choose a version.")
    coach.get_by_role("button", name="Take the other version").click()
    expect(coach.get_by_role("heading", name="From the other tab")).to_be_visible()
    coach.get_by_text("Edit title, introduction and sharing").click()
    coach.get_by_role("button", name="Delete the study").click()
    coach.wait_for_url("**/studies/")


def _change_in_another_tab(coach: Page, study: str) -> None:
    other = coach.context.new_page()
    other.goto(study)
    other.get_by_text("Edit title, introduction and sharing").click()
    other.get_by_role("textbox", name="Title").fill("From the other tab")
    expect(other.locator("#study-status")).to_have_text("Saved.")
    other.close()


def test_a_learner_answers_and_the_coach_sees_how(
    wide: Page, open_page: Callable[..., Page], three: str
) -> None:
    taker = FIRST[STOP]
    answer = {"do": "play", "card": taker["card"], "stack": taker["stack"]}
    asked = {"seat": taker["seat"], "answers": [answer], "wrong": "The one was free."}
    asked |= {"timed": True, "limit": 600_000}
    chapter = {"title": "The first five", "event": STOP, "until": STOP + 2, "question": asked}
    study = study_of(wide, three, "study-for-a-learner", chapter, visibility="everyone")

    learner = open_page("phone", color_scheme="dark")
    learner.goto(study)
    learner.get_by_role("link", name="Start").click()
    learner.get_by_role("button", name="Start the question").click()
    to_the_question(learner)
    clock = learner.locator("#question-clock")
    expect(clock).to_have_text(re.compile(r"^9:5[0-6].* left$"))
    learner.reload()
    expect(clock).not_to_be_empty()
    assert not clock.inner_text().startswith(("10:", "9:59", "9:58")), "it goes on"
    deeds = learner.get_by_role("region", name="Table")
    deeds.get_by_role("button", name="Draw", exact=True).wait_for()
    expect_place(learner, 1, STOP)
    deeds.get_by_text("Other ways").click()
    check_page(learner)
    assert learner.request.get(f"/api/v1{three}log").status == 404
    below = "element => element.getBoundingClientRect().top + scrollY"
    before = learner.locator("#table").evaluate(below)
    deeds.get_by_role("button", name="Discard…").click()
    expect(learner.locator("#question-status")).to_have_text("Choose the card to discard.")
    assert learner.locator("#table").evaluate(below) == before, "the table does not jump"
    in_sight = "element => element.getBoundingClientRect().top"
    learner.locator(".hand-place:enabled").last.hover()
    before = learner.locator(".seat.is-home").evaluate(in_sight)
    learner.locator(".hand-place:enabled").last.click()
    expect(learner.get_by_text("The one was free.")).to_be_visible()
    expect_place(learner, 1, STOP)
    expect(learner.locator("#question-player")).not_to_be_empty()
    after = learner.locator(".seat.is-home").evaluate(in_sight)
    assert abs(after - before) < 1, "the hand stays under the finger"
    learner.get_by_role("button", name="Step: one event forward").click()
    expect_place(learner, 1, STOP + 1)
    expect(learner.locator(".seat.is-home")).to_have_class(re.compile(rf"deck-{taker['seat']}"))
    learner.get_by_role("button", name="Play", exact=True).click()
    expect_place(learner, 1, STOP + 2)
    expect(learner.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert learner.request.get(f"/api/v1{three}log").status == 200

    wide.goto(f"{study}results/")
    expect(wide.get_by_role("row", name=re.compile("^Guest"))).to_contain_text("wrong")
    check_page(wide)
    wide.get_by_role("link", name="The first five").click()
    expect(wide.get_by_role("row", name=re.compile("^Guest"))).to_contain_text("wrong")
    expect(wide.get_by_text("Median:")).to_be_visible()
    check_page(wide)
