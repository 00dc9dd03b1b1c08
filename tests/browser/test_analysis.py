"""The Analysis tab: first on a finished match, its moments lead into it, hidden with results."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.replaying import FIRST, START, THREE, held, holding, lines_of


def test_a_finished_match_opens_with_what_mattered(
    page: Page, three: str, axe: Callable[[Page], None], no_sideways_scroll: Callable[[Page], None]
) -> None:
    page.goto(three)
    tab = page.get_by_role("tab", name="Analysis")
    expect(tab).to_have_attribute("aria-selected", "true")
    panel = page.locator("#panel-analysis")
    expect(panel.get_by_role("heading", level=2)).to_contain_text("won")
    moments = panel.locator(".moments > li")
    expect(moments.first.locator(".moment-picture")).to_be_attached()
    assert 3 <= moments.count() <= 7
    expect(page.locator("#outlook b")).to_have_text([re.compile(r"^[<>]?\d+%$")] * 3)
    expect(page.locator("#chances")).to_contain_text("Chance to win")
    expect(page.locator(".chances-moment")).to_have_count(moments.count())
    panel.get_by_text(re.compile(r"Judged plays \(\d+\)")).click()
    panel.get_by_label("Verdict").select_option("Mistake (14)")
    expect(panel.locator(".judged li")).to_have_count(14)
    panel.get_by_label("Whose plays").select_option("P1")
    expect(panel.locator(".judged li .deck-1")).to_have_count(panel.locator(".judged li").count())
    panel.locator(".player-figures tbody tr").first.get_by_title("Show the list").first.click()
    expect(panel.locator(".player-figures small").first).to_have_text(re.compile(r"^\d+ moments?$"))
    missed = panel.locator(".missed-takes .race-item")
    expect(missed.first).to_contain_text(
        re.compile(r"^[+−]\d+\.\d%P0.* on stack \d.*hand free for")
    )
    axe(page)
    no_sideways_scroll(page)


def test_a_moment_leads_into_the_match(wide: Page, three: str) -> None:
    wide.goto(three)
    expect(wide.locator(".moments > li").first).to_be_visible()
    wide.keyboard.press(".")
    table = wide.locator("#table")
    expect(table).not_to_have_attribute("data-event", "0")
    wide.keyboard.press(" ")
    wide.locator(".player-figures .figure").first.click()
    expect(table).to_have_attribute("data-round", "1")
    wide.get_by_role("button", name="Points", exact=True).click()
    expect(wide.locator("th[aria-sort=descending]")).to_have_text("Points")


def test_the_longest_stall_can_be_watched(wide: Page, address: Callable[[str], str]) -> None:
    wide.goto(address("valid-hasbro-2010-3"))
    stall = wide.locator(".analysis-stall")
    expect(stall).to_contain_text("nobody played a card for 30.0 s (round 1, 0:34)")
    stall.get_by_role("button", name="Watch it").click()
    expect(wide.locator("#time-now")).to_contain_text(re.compile(r"^0:3[3-9]"))


def test_a_race_has_its_card_and_slow_motion(
    page: Page, three: str, axe: Callable[[Page], None], no_sideways_scroll: Callable[[Page], None]
) -> None:
    """From the event list, from the players' table, and among all races."""
    apart = next(event for event in FIRST if event["do"] == "tie")["after"][-1]
    page.goto(f"{three}?seq=2")
    expect(page.locator(".subviews")).to_contain_text("Races (19)")
    page.get_by_role("button", name="Show this race").first.click()
    card = page.locator(".race-card")
    expect(card.locator(".race-result")).to_contain_text(f"tied on stack 3, {apart} ms apart")
    expect(card.locator("dd")).to_have_count(4)
    card.get_by_text("The race in numbers").click()
    expect(card.locator("tbody tr")).to_have_count(2)
    axe(page)
    no_sideways_scroll(page)
    play = card.get_by_role("link", name=re.compile("^Play it yourself as "))
    expect(play).to_have_attribute("href", re.compile(r"/race\?round=\d+&event=\d+&seat=\d$"))
    card.get_by_role("button", name="Watch in slow motion").click()
    speed = page.locator("#speed")
    expect(speed).to_have_text("0.1×")
    cursor = card.locator(".race-cursor")
    expect(cursor).to_have_attribute("d", re.compile("^M"))  # it comes slowly
    page.keyboard.press(" ")
    expect(speed).to_have_text("1×")
    page.get_by_role("button", name="Overview").click()
    lost = page.get_by_title("Show the list").last
    count = int(lost.inner_text())
    lost.click()
    expect(page.locator(".races .race-item")).to_have_count(count)


def test_a_round_is_shown_by_chances_cards_and_tempo(
    page: Page, three: str, axe: Callable[[Page], None], no_sideways_scroll: Callable[[Page], None]
) -> None:
    page.goto(three)
    page.get_by_role("button", name="Cards", exact=True).click()
    chosen = page.get_by_label("Card", exact=True)
    expect(chosen).to_be_visible()
    expect(page.locator(".life-step").first).to_be_visible()
    held = lines_of(THREE)[1]["decks"][0].split()[1]
    place = page.locator(f'#table .card[data-card="{held}"]').bounding_box()
    assert place
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(chosen).to_have_value(held)
    page.get_by_role("button", name="Chances", exact=True).click()
    expect(page.locator(".hand-lane")).to_have_count(3)
    missed = page.locator(".hand-lanes .race-item")
    expect(missed).to_have_count(page.locator(".hand-lane .lane-take.is-missed").count())
    axe(page)
    no_sideways_scroll(page)
    missed.first.click()
    expect(page.locator("#table")).not_to_have_attribute("data-event", "0")
    page.keyboard.press(" ")
    page.get_by_role("button", name="Cards", exact=True).click()
    last = page.locator(".life-step").last
    expect(last).to_contain_text("taken by")
    chosen.select_option(FIRST[0]["card"])
    expect(page.locator(".life-step").last).to_be_visible()
    page.locator(".life-step").last.click()
    page.get_by_role("button", name="Tempo", exact=True).click()
    expect(page.locator(".tempo-sentence")).to_contain_text("In a typical round")
    axe(page)
    no_sideways_scroll(page)


def test_a_play_is_tried_differently(wide: Page, three: str) -> None:
    holding(wide).goto(f"{three}?seq={START}")
    wide.get_by_role("tab", name="Analysis").click()
    wide.get_by_role("button", name="One play").click()
    wide.get_by_role("button", name="Next play").click()
    expect(wide.locator(".one-play")).to_contain_text("P")
    what = wide.locator(".trial-form").get_by_label("What if")
    expect(what.get_by_role("option", name="not at all")).to_be_attached()
    what.select_option("ms later")
    wide.get_by_label("Milliseconds").fill("1000")
    wide.get_by_role("button", name="Play it out").click()
    expect(wide.locator(".trial-verdict")).to_contain_text("win probability would be")
    wide.get_by_text("The outcome in numbers").click()
    expect(wide.locator(".trial-result tbody tr")).to_have_count(3)
    play_out = wide.get_by_role("button", name="Play it out", exact=True)
    with wide.expect_event("requestfinished", lambda request: request.url.endswith("/try")):
        release = held(wide, "**/what-if/try", play_out.click)
        wide.keyboard.press("Home")  # what comes of it is about another place
        expect(wide.locator(".one-play")).to_contain_text("No card was played")
        release()
    wide.evaluate("new Promise(requestAnimationFrame)")
    expect(wide.locator(".trial-result")).to_be_empty()


def test_viewers_who_hide_results_learn_nothing(wide: Page, three: str) -> None:
    wide.goto(three)
    # What a page asks for while it is being left is answered by the new choice: nobody sees that.
    wide.locator("#charts").scroll_into_view_if_needed()
    expect(wide.locator(".chart .main-svg").first).to_be_attached()
    wide.get_by_role("button", name="Hide results").click()
    expect(wide.get_by_role("tab", name="Events")).to_have_attribute("aria-selected", "true")
    expect(wide.get_by_role("tab", name="Analysis")).to_have_count(0)
    expect(wide.locator("#chances")).to_have_count(0)
