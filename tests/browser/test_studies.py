"""A study by a stranger, and a question that a learner answers on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.replaying import START, expect_place, show

Check = Callable[[Page], None]


def made(page: Page, match: str) -> str:
    """A study with one chapter, made from a match; its address."""
    show(page, f"{match}?seq={START + 1}")
    expect_place(page, 1, START)
    page.get_by_role("button", name="Add to a study").click()
    dialog = page.get_by_role("dialog", name="Add to a study")
    dialog.get_by_role("textbox", name="Title of the study").fill("Openings")
    dialog.get_by_role("textbox", name="Title of the chapter").fill("The first five")
    dialog.get_by_role("button", name="Add", exact=True).click()
    dialog.get_by_role("link", name="Open the chapter").click()
    expect_place(page, 1, START)
    return re.sub(r"1/\?.*", "", page.url)


def test_a_strangers_first_study_and_a_learners_answer(
    wide: Page, open_page: Callable[..., Page], three: str, axe: Check, no_sideways_scroll: Check
) -> None:
    coach = wide
    study = made(coach, three)
    coach.get_by_role("button", name="Edit the chapter").click()
    editor = coach.get_by_role("region", name="Edit the chapter")
    editor.get_by_role("textbox", name="Introduction").fill("Look at **the five**, then @0:05.0.")
    editor.get_by_role("button", name="Make it a question").click()
    editor.get_by_role("textbox", name="Shown after a wrong answer").fill("The one was free.")
    expect(editor.get_by_role("status")).to_have_text("Saved.")
    expect(coach.locator("#chapter-words strong")).to_have_text("the five")
    axe(coach)
    coach.goto(study)
    coach.get_by_text("Edit title, introduction and sharing").click()
    coach.get_by_label("Visible to").select_option("everyone")
    expect(coach.locator("#study-status")).to_have_text("Saved.")
    axe(coach)

    learner = open_page("phone", color_scheme="dark")
    learner.goto(study)
    learner.get_by_role("link", name="Start").click()
    learner.get_by_role("button", name="Start the question").click()
    learner.get_by_role("button", name="To the question").click()
    learner.get_by_role("button", name="Draw a card").wait_for()
    expect_place(learner, 1, START)
    axe(learner)
    no_sideways_scroll(learner)
    assert learner.request.get(f"{three}log").status == 404
    learner.get_by_role("button", name=re.compile("^Play the")).first.focus()
    learner.keyboard.press("Enter")
    learner.get_by_role("button", name=re.compile("^Stack 3")).click()
    expect(learner.get_by_text("The one was free.")).to_be_visible()
    expect_place(learner, 1, START)
    learner.get_by_role("button", name="Step: one event forward").click()
    expect_place(learner, 1, START + 1)
    assert learner.request.get(f"{three}log").status == 200

    coach.goto(f"{study}1/results/")
    expect(coach.get_by_role("row", name=re.compile("^Guest"))).to_contain_text("wrong")
    expect(coach.locator("#times .bars").first).to_be_visible()
    axe(coach)
    learner.goto(study)
    learner.get_by_role("button", name="Drill the questions").click()
    learner.get_by_role("button", name="Show what happened").or_(
        learner.get_by_role("button", name="To the question")
    ).first.click()
    learner.get_by_role("button", name="Show what happened").click()
    expect(learner.get_by_text("Drill: 0 caught, 1 to go, at 1.5×.")).to_be_visible()
