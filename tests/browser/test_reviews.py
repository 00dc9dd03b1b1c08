"""A match gone through together: a leader, followers and a late comer, each in a browser."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.checking import check_page, no_sideways_scroll
from tests.browser.conftest import Faults
from tests.browser.replaying import choose, expect_place, more, sharing, show, try_here
from tests.browser.studying import study_of
from tests.browser.tables import open_begun
from tests.live.serving import open_table, plan_of
from tests.services import Site

AT_ONCE = 4
"""An event so early in its round that play comes to a question there by itself."""


def begin(page: Page, match: str, name: str, event: int) -> str:
    """Start a review of a match as a guest of that name; returns its address."""
    show(page, f"{match}?seq={event + 1}")
    sharing(page).get_by_role("button", name="Watch together").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Watch together").click()
    expect(state(page)).to_contain_text("You lead")
    return page.url.split("?")[0]


def state(page: Page) -> Locator:
    return page.locator("#review-bar .review-state")


def join(page: Page, review: str, name: str = "") -> None:
    """Open a review, and join in under that name."""
    show(page, review)
    expect(state(page)).to_contain_text("You follow")
    expect(people(page).get_by_text("you", exact=True)).to_be_visible()
    if name:
        page.locator("#review-bar").get_by_role("button", name="Join in").click()
        expect(page.get_by_label("Your name in the review")).to_be_focused()
        page.get_by_label("Your name in the review").fill(name)
        page.locator("#review-name").get_by_role("button", name="Join in").click()
        expect(page.get_by_role("button", name="Raise hand")).to_be_visible()


def expect_two_rows(page: Page) -> None:
    """On a phone, the bar has two rows, and everything in it is in sight."""
    more = page.get_by_role("button", name="More", exact=True)
    expect(more).to_be_visible()
    bar, last = page.locator("#review-bar").bounding_box(), more.bounding_box()
    assert bar
    assert last
    assert bar["height"] < 100
    assert last["x"] + last["width"] < bar["x"] + bar["width"]


COVERED = """() => {
  const box = (one) => one.getBoundingClientRect();
  const parts = document.querySelectorAll(".review-asks li:first-child :is(span, button)");
  const hand = [...parts].map(box);
  const pressed = ["#table", "#scrubber", "#toggle", "#review-draw", "#review-more"]
    .map((one) => box(document.querySelector(one))).filter((one) => one.width);
  const meet = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return hand.length < 4
    || hand.some((one) => one.left < 0 || one.top < 0 || one.right > innerWidth
      || pressed.some((other) => meet(one, other)));
}"""
"""Whether a raised hand is cut, or covers what the leader presses."""
TOUCHING = """() => [...document.querySelectorAll("#tabs > *")].map((tab) => {
  const words = document.createRange();
  words.selectNodeContents(tab);
  const boxes = [...words.getClientRects()].filter((one) => one.width);
  const { left } = boxes[0];
  return { tab: tab.textContent, left, right: Math.max(...boxes.map((one) => one.right)) };
}).filter(({ right }, at, all) => all[at + 1]?.left < right + 4)"""
"""Tabs beside the table whose words, with their numbers, are too near to the next."""


def expect_hand_in_sight(page: Page) -> None:
    """A raised hand is whole in each window, with its buttons, and the tabs are apart."""
    for width, height in ((320, 568), (390, 844), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"() => !({COVERED})()")
        assert page.evaluate(TOUCHING) == []
        no_sideways_scroll(page)


def people(page: Page) -> Locator:
    return page.locator("#review-people")


def test_a_leader_takes_a_group_through_a_match(open_page: Callable[..., Page], three: str) -> None:
    ada, bo = open_page("wide"), open_page("phone")
    review = begin(ada, three, "Ada", 60)
    expect_place(ada, 1, 60)
    join(bo, review, "Bo")
    expect_place(bo, 1, 60)
    expect(people(ada)).to_contain_text("Bo")

    ada.keyboard.press("ArrowRight")
    ada.keyboard.press("ArrowRight")
    for page in (ada, bo):
        expect_place(page, 1, 62)
    more(ada).get_by_label("Perspective").select_option("1")
    expect(bo.get_by_label("Perspective")).to_have_value("1")
    ada.keyboard.press("f")
    expect(bo.get_by_label("Perspective")).to_have_value("2")

    # Nothing moves who looks around.
    bo.get_by_role("button", name="Step: one event back").click()
    expect(state(bo)).to_contain_text("You are looking around")
    expect(state(ada)).to_contain_text("One other is here, looking around")
    expect(people(ada).get_by_role("listitem")).to_contain_text(["Ada", "looking around"])
    ada.keyboard.press("ArrowRight")
    expect_place(ada, 1, 63)
    bo.get_by_role("button", name="More", exact=True).click()
    bo.get_by_role("button", name="Suggest position").click()
    bo.get_by_label("Comment on this position").fill("Why not here?")
    bo.keyboard.press("Enter")
    expect(ada.locator("#review-moments")).to_contain_text("Why not here?")
    expect_place(bo, 1, 61)
    bo.keyboard.press("r")
    expect(state(bo)).to_contain_text("You follow")
    expect_place(bo, 1, 63)

    # The leader draws; a late comer finds it all.
    ada.get_by_role("button", name="Mark", exact=True).click()
    seat = ada.locator(".board .seat").first
    box = seat.bounding_box()
    assert box
    ada.mouse.click(box["x"] + 12, box["y"] + 12)
    other = ada.locator(".board .seat").nth(1).bounding_box()
    assert other
    ada.mouse.click(other["x"] + 12, other["y"] + 12)
    expect(bo.locator(".review-shapes .note-mark")).to_have_count(2)
    cy = open_page("wide")
    show(cy, review)
    expect(cy.locator(".review-shapes .note-mark")).to_have_count(2)
    expect_place(cy, 1, 63)
    for page in (ada, bo):
        check_page(page)


def test_the_lead_goes_round_and_what_was_done_is_kept(
    open_page: Callable[..., Page], long: str
) -> None:
    ada, bo = open_page("wide"), open_page("phone")
    review = begin(ada, long, "Ada", 63)
    # Five seats and many rounds leave the least room.
    play = ada.get_by_role("button", name="Play", exact=True)
    expect(play).to_be_in_viewport(ratio=1)
    join(bo, review, "Bo")
    bo.get_by_role("button", name="More", exact=True).click()
    bo.get_by_role("button", name="Suggest position").click()
    bo.get_by_label("Comment on this position").fill("Why not here?")
    bo.keyboard.press("Enter")
    expect(ada.locator("#review-moments")).to_contain_text("Why not here?")

    # A note that is saved is shown to everybody.
    ada.keyboard.press("a")
    form = ada.get_by_role("form", name="Note")
    form.get_by_role("textbox", name="Text").fill("A note for all")
    form.get_by_label("Visible to").select_option("everyone")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    choose(bo, "Notes")
    expect(bo.locator("#panel-notes")).to_contain_text("A note for all")
    for page in (ada, bo):
        choose(page, "Review")

    # A hand goes up and is lowered by key; the next one gets the lead.
    bo.get_by_role("button", name="More", exact=True).click()
    bo.get_by_role("button", name="Raise hand").click()
    expect(people(ada).get_by_role("button", name="Lower Bo’s hand")).to_be_visible()
    expect_hand_in_sight(ada)
    hands = ada.get_by_role("list", name="Raised hands")
    hands.get_by_role("button", name="Lower Bo’s hand").press("Enter")
    expect(hands).to_be_hidden()
    expect(ada.get_by_role("button", name="Mark", exact=True)).to_be_focused()
    expect(people(ada)).not_to_contain_text("hand up")
    bo.get_by_role("button", name="More", exact=True).click()
    bo.get_by_role("button", name="Ask to lead").click()
    hands.get_by_role("button", name="Hand over the lead to Bo").click()
    expect(state(bo)).to_contain_text("You lead")
    expect(state(ada)).to_contain_text("Bo leads")
    expect(people(ada).get_by_role("button", name=re.compile("^Hand over"))).to_have_count(0)
    bo.get_by_role("button", name="Step: one event forward").click()
    for page in (ada, bo):
        expect_place(page, 1, 64)

    # They talk.
    bo.get_by_label("Message everyone here").fill("<b>See?</b>")
    bo.get_by_label("Message everyone here").press("Enter")
    expect(ada.get_by_role("log", name="Chat of the review")).to_contain_text("<b>See?</b>")

    # The owner takes the lead again, and keeps what was done.
    ada.get_by_role("button", name="Take the lead").click()
    expect(state(ada)).to_contain_text("You lead")
    ada.get_by_role("button", name="Save as study").click()
    expect(ada.locator("#review-kept")).to_contain_text("1 saved as a note")
    ada.get_by_role("button", name="End the review").click()
    ada.get_by_role("button", name=re.compile("Press again")).click()
    for page in (ada, bo):
        expect(state(page)).to_contain_text("This review has ended.")
        expect(page.get_by_role("link", name="View the replay")).to_be_visible()
    ada.get_by_role("link", name="Open the study").click()
    expect(ada.get_by_role("heading", name=re.compile("^Review of "))).to_be_visible()


def begin_study(page: Page, match: str, key: str, *chapters: dict[str, Any]) -> str:
    """Start a review of a study made for it; the link to follow it."""
    page.goto(study_of(page, match, key, *chapters))
    page.get_by_role("button", name="Watch together").click()
    expect(state(page)).to_contain_text("You lead")
    return str(page.locator("#review-copy").get_attribute("data-link"))


def test_a_what_if_is_followed_while_it_is_made(
    open_page: Callable[..., Page], three: str, faults: Faults
) -> None:
    faults.expect("404")  # a follower may ask for a what-if before it is saved
    ada, bo = open_page("wide"), open_page("wide")
    join(bo, begin_study(ada, three, "study-to-try-out", {"title": "A start", "event": 20}))
    expect_place(ada, 1, 20)
    try_here(ada)
    table, event = ada.locator("#table"), "20"
    for _ in range(2):
        ada.get_by_role("button", name="Bots play on").click()
        expect(table).not_to_have_attribute("data-event", event)
        expect(ada.get_by_role("button", name="Bots play on")).to_be_enabled()
        event = table.get_attribute("data-event") or ""
        expect(bo.locator("#table")).to_have_class(re.compile("is-variation"))
        expect_place(bo, 1, int(event))


def test_a_match_that_is_being_played_is_reviewed(
    open_page: Callable[..., Page], site: Site
) -> None:
    open_table(site, plan_of("reviewed", 0, 3, deck=[9, 9, 9, 9, 9, 3]))
    ada, bo = open_page("wide"), open_page("wide")
    open_begun(ada, "/play/reviewed/replay/")
    following = ada.get_by_role("button", name="Following")
    expect(following).to_have_attribute("aria-pressed", "true")
    sharing(ada).get_by_role("button", name="Watch together").click()
    ada.get_by_label("Your name").fill("Ada")
    ada.get_by_role("button", name="Watch together").click()
    expect(state(ada)).to_contain_text("You lead")
    join(bo, ada.url.split("?")[0])
    follows = bo.get_by_role("button", name="Following")
    expect(follows).to_have_attribute("aria-pressed", "true")
    more(ada).get_by_role("button", name="To the start").click()
    expect_place(bo, 1, 0)
    expect(state(bo)).to_contain_text("You follow")
    ada.get_by_role("button", name=re.compile("Back to live")).click()
    expect(follows).to_have_attribute("aria-pressed", "true")


def test_a_group_goes_through_a_study_and_a_question_stays_closed(
    open_page: Callable[..., Page], three: str
) -> None:
    ada, bo = open_page("wide"), open_page("phone")
    asked = {"seat": 0, "answers": [{"do": "draw"}]}
    chapters: list[dict[str, Any]] = [
        {"title": "A start", "text": "See **this**.", "event": 20},
        {"title": "And now?", "event": AT_ONCE, "question": asked},
    ]
    join(bo, begin_study(ada, three, "study-for-a-review", *chapters), "Bo")
    expect_place(ada, 1, 20)
    expect_place(bo, 1, 20)
    check_page(bo)
    ada.get_by_role("button", name="Mute Bo").click()
    expect(bo.get_by_text("The host of the review has muted you.")).to_be_visible()
    ada.get_by_role("button", name="Unmute Bo").click()
    expect(bo.get_by_role("button", name="Raise hand")).to_be_visible()
    expect_two_rows(bo)
    expect(bo.locator("#panel-review")).to_contain_text("See this.")

    ada.get_by_role("link", name="Next", exact=True).click()
    expect(ada.locator(".review-chapters summary")).to_contain_text("2 of 2: And now?")
    expect_place(ada, 1, AT_ONCE)
    expect(bo.get_by_role("heading", name="Answer a question first")).to_be_visible()
    check_page(bo)
    bo.get_by_role("link", name="Go to the question").click()
    answers = ada.locator("#review-answers")
    ada.get_by_role("tab", name="Review").click()
    expect(answers).to_contain_text("What does P0 play?")
    bo.get_by_role("button", name="Start the question").click()
    expect(answers.locator("summary")).to_have_text(re.compile("0 of 1 answered$"))
    expect(answers.get_by_text("waiting for Bo")).to_be_hidden()
    bo.get_by_role("button", name="Show what happened").click()
    expect(bo.get_by_text("Here is what happened.")).to_be_visible()
    expect(answers).to_contain_text("1 of 1 answered")
    expect(answers.get_by_text("gave up")).to_be_hidden()
    answers.locator("summary").press("Enter")
    expect(answers.locator("ol > li", has_text="gave up")).to_contain_text("Bo")
    bo.get_by_role("link", name="Back to the review").click()
    expect(state(bo)).to_contain_text("You follow")
    expect_place(bo, 1, AT_ONCE)
    ada.keyboard.press("ArrowRight")
    expect_place(bo, 1, AT_ONCE + 1)
    expect(ada.locator("#review-people")).to_contain_text("Bo")
    check_page(ada)
