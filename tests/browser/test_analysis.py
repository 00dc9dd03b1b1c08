"""The Analysis tab: first on a finished match, it leads into it, and is hidden with results."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.checking import check_page, no_sideways_scroll
from tests.browser.replaying import (
    FIRST,
    MARKED,
    START,
    choose,
    expect_moved,
    expect_place,
    figures,
    holding,
    more,
    open_charts,
)

SPEEDS = """() => {
  const speed = document.getElementById("speed");
  speed.dataset.seen = "";
  const note = () => {
    speed.dataset.seen += ` ${speed.textContent}`;
  };
  new MutationObserver(note).observe(speed, { childList: true, subtree: true });
}"""
"""Notes the speeds that are shown from now on: slow motion ends by itself."""


def test_a_finished_match_opens_with_what_mattered_and_leads_there(phone: Page, three: str) -> None:
    phone.add_init_script(MARKED)
    holding(phone).goto(three)
    panel = choose(phone, "Moments")  # it is first once they are known
    told = phone.get_by_role("heading", level=1)
    expect(told).to_contain_text("P1 won with 123 points, 37 ahead. P1 took 19 cards in round 4")
    moments = panel.locator(".moments > li")
    expect(moments.locator(".moment-picture").first).to_be_attached()
    assert 3 <= moments.count() <= 11
    expect(phone.locator("#moments-count")).to_have_text(str(moments.count()))
    expect(phone.locator("#outlook b")).to_have_text([re.compile(r"^[<>]?\d+%$")] * 3)
    expect(phone.locator(".scrub-star")).to_have_count(moments.count())
    phone.locator("#panel-points").scroll_into_view_if_needed()
    parts = phone.locator(".point-parts")
    expect(parts.locator("thead th").nth(2)).to_have_text(re.compile("P1 *123"))
    expect(parts.locator("tbody tr").last).to_contain_text("Cards left")
    expect(parts.locator("caption")).to_contain_text("Each card taken is a point.")
    phone.get_by_text("How this is counted").click()
    shares = phone.locator("#panel-points details li")
    expect(shares.nth(1)).to_have_text("P1: 62. Even share: 33 ± 15.")
    stacks = phone.get_by_role("slider", name="Stacks that two or more could take")
    stacks.press("ArrowRight")
    expect(stacks).to_have_attribute(
        "aria-valuetext", re.compile(r"^Round\s1, 0:\d.*took the stack")
    )
    phone.locator(".contested-item").last.click()
    expect(phone.locator(".contested-told")).to_have_text(re.compile(r"^Round\s4, "))
    expect(phone.locator(".contested-told").get_by_role("button")).to_have_text("Watch it")
    panel = figures(phone, "Players")
    check_page(phone)
    phone.keyboard.press("Home")
    best = panel.locator("tbody tr").nth(1).locator(".is-best").first
    expect(best).to_have_text("123")
    panel = figures(phone, "Decisions")
    missed = panel.locator(".decisions .row-button")
    panel.get_by_label("Whose decisions").select_option("P0")
    expect(missed.first).to_contain_text(re.compile(r"−?\d+%P0 had .* and missed \d+ cards\."))
    panel.get_by_label("Whose decisions").select_option("P1")
    expect(missed.first).to_be_visible()
    expect(missed.locator(".moment-place .mark.deck-1")).to_have_count(missed.count())
    missed.filter(has_text=" had ").first.click()
    expect(phone.get_by_role("link", name="Similar takes")).to_have_attribute(
        "href", re.compile(r"^/patterns/\?what=open&card=(5|wild)&min_cards=\d+$")
    )
    check_page(phone)

    phone.keyboard.press(".")
    table = phone.locator("#table")
    expect(table).not_to_have_attribute("data-event", "0")
    phone.get_by_role("button", name="Pause").click()
    ghost = phone.locator(".moment-ghost")
    expect(ghost).to_have_text(re.compile("^Ghost race as P"))
    expect(ghost).to_have_attribute("href", re.compile(r"/race\?round=\d+&event=\d+&seat=\d$"))
    phone.goto(three)  # its moments are known now: it opens right before the first
    expect(phone.locator("#now")).to_contain_text("Next: ")
    expect(phone.locator(".moments [aria-current]")).to_be_visible()
    expect(phone.locator(".note-arrow")).to_be_attached()
    expect(phone.get_by_role("button", name="Play", exact=True)).to_be_visible()
    phone.keyboard.press("ArrowRight")
    expect_moved(phone)
    expect(phone.locator(".note-arrow")).to_have_count(0)
    expect(phone.locator("#now")).not_to_contain_text("Next: ")
    phone.keyboard.press("Home")
    expect_place(phone, 1, 0)


def test_a_race_has_its_card_and_slow_motion(phone: Page, three: str) -> None:
    """From the event list, and among all races."""
    apart = next(event for event in FIRST if event["do"] == "tie")["after"][-1]
    phone.goto(f"{three}?seq=2")
    expect(phone.locator("#below-tabs")).to_contain_text("Races")
    phone.locator(".is-tie > .event-button").first.click()
    phone.get_by_role("button", name="Show this race").click()
    card = phone.locator(".race-card")
    expect(card.locator(".race-result")).to_contain_text(f"tied on stack 3, {apart} ms apart")
    expect(phone).to_have_url(re.compile(r"&below=races&race=\d+$"))
    phone.reload()  # a link to it opens it
    expect(card.locator("dd")).to_have_count(4)
    expect(card.locator(".race-cursor")).to_have_attribute("d", re.compile("^M"))
    check_page(phone)
    play = card.get_by_role("link", name=re.compile("^Ghost race as "))
    expect(play).to_have_attribute("href", re.compile(r"/race\?round=\d+&event=\d+&seat=\d$"))
    phone.evaluate(SPEEDS)
    card.get_by_role("button", name="Watch in slow motion").click()
    speed = phone.locator("#speed")
    expect(speed).to_have_attribute("data-seen", re.compile("0.1×"))
    phone.keyboard.press(" ")
    expect(speed).to_have_text("1×")
    card.get_by_role("button", name="screen showed").click()
    expect(phone.locator("#now")).to_contain_text(re.compile(r"^Not yet on .* tie on stack\s3"))
    phone.get_by_label("Kind").select_option("late")
    late = phone.locator(".race-item").first
    expect(late).to_contain_text("before")
    late.press("Enter")


def test_a_missed_take_is_watched(phone: Page, three: str) -> None:
    phone.goto(three)
    expect(phone.locator(".moments")).to_be_attached()
    figures(phone, "Decisions")
    missed = phone.locator(".decisions .row-button")
    check_page(phone)
    missed.first.click()
    expect(phone.get_by_role("button", name="Pause")).to_be_visible()


def test_a_play_is_tried_differently_and_a_stall_watched(
    wide: Page, three: str, address: Callable[[str], str]
) -> None:
    wide.goto(address("valid-hasbro-2010-3"))
    choose(wide, "Moments")
    stall = wide.locator(".analysis-stall")
    expect(stall).to_contain_text("at 0:34.6: no one played a card in the round’s last 30.0 s")
    no_sideways_scroll(wide)
    stall.get_by_role("button", name="Watch it").click()
    expect(wide.get_by_role("button", name="Pause")).to_be_visible()
    expect(wide.locator("#time-now")).not_to_have_text(re.compile(r"^0:[0-2]"))

    wide.goto(f"{three}?seq={START}")
    choose(wide, "What if?")
    wide.get_by_role("button", name="Next play").click()
    expect(wide.locator(".one-play")).to_contain_text("P")
    what = wide.locator(".judged-form").get_by_label("What if")
    expect(what.get_by_role("option", name="left out")).to_be_attached()
    expect(wide).to_have_url(re.compile("tab=what-if"))
    wide.goto(wide.url)  # opened by that address, it is the same without a press
    expect(wide.locator(".one-play")).to_contain_text("P")
    expect(wide.get_by_role("button", name="Try it")).to_be_visible()
    expect(what.get_by_role("option", name="left out")).to_be_attached()
    what.select_option("1.0 s later")
    wide.get_by_role("button", name="Try it").click()
    result = wide.locator(".judged-result")
    expect(result).to_contain_text("Playing it out")
    wide.keyboard.press("Home")  # what came of it is about another place
    expect(wide.locator(".one-play")).to_contain_text("Next: ")
    expect(result).to_be_empty()


def test_viewers_who_hide_results_learn_nothing(wide: Page, three: str) -> None:
    wide.goto(three)
    # What a page asks for while it is being left is answered by the new choice: nobody sees that.
    open_charts(wide)
    expect(wide.locator(".chart .main-svg").first).to_be_attached()
    more(wide).get_by_role("button", name="Hide results").click()
    expect(wide.get_by_role("tab", name="Events")).to_have_attribute("aria-selected", "true")
    expect(wide.get_by_role("tab", name="Moments")).to_have_count(0)
    expect(wide.get_by_role("heading", level=1)).not_to_contain_text("won")
    expect(wide.locator(".chances-area")).to_have_count(0)
