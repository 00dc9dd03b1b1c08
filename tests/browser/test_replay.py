"""The replay page: keys, links, moments, five seats with long names, a log without an end.

Console errors, broken policies and requests to elsewhere fail any of these tests (`faults`).
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, Route, expect

from tests.services import ROOT, Site

MATCHES = ROOT / "tests" / "matches"
THREE = "valid-full-match-3"
LONG_NAMES = [f"{letter * 3}-" + "Wolfeschlegelsteinhausenbergerdorff" * 2 for letter in "VWXYZ"]
RUNNING = """document.getAnimations().filter(
  (motion) => motion.effect.target.matches(".card") && !(motion instanceof CSSTransition)).length"""
STEP_ON = f"""() => {{
  const key = new KeyboardEvent("keydown", {{ key: "ArrowRight", bubbles: true }});
  document.body.dispatchEvent(key);
  return {RUNNING};
}}"""
"""One event on, and how many cards move then: asked in one go, before a motion can end."""
SCRIPT_LIMIT = 60_000
"""Bytes of JavaScript, gzipped, before the table is up."""

Check = Callable[[Page], None]
Line = dict[str, Any]


def lines_of(name: str) -> list[Line]:
    return [json.loads(line) for line in (MATCHES / f"{name}.ratuki").read_text().splitlines()]


def rounds_of(name: str) -> list[list[Line]]:
    """The events of each round."""
    rounds: list[list[Line]] = []
    for line in lines_of(name):
        if "decks" in line:
            rounds.append([])
        elif "do" in line:
            rounds[-1].append(line)
    return rounds


@pytest.fixture(scope="module")
def address(site: Site) -> Callable[[str], str]:
    """The page of the match of that file, or of that record id."""

    def find(name: str) -> str:
        path = MATCHES / f"{name}.ratuki"
        record = lines_of(name)[0]["id"] if path.exists() else name
        ask = f"from games.models import Match; print(Match.objects.get(record_id={record!r}).pk)"
        return f"/matches/{site.manage('shell', '-v', '0', '-c', ask).strip()}/"

    return find


@pytest.fixture(scope="module")
def three(address: Callable[[str], str]) -> str:
    return address(THREE)


@pytest.fixture(scope="module")
def five(
    site: Site, address: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> str:
    """A match of five players with names as long as names may be, and a note."""
    header, *rest = lines_of("valid-gamerules-5")
    header["id"] = "long-names"
    for seat, name in zip(header["seats"], LONG_NAMES, strict=True):
        seat["name"] = name[:64]
    note = {"round": 1, "event": 40, "by": "Kim", "glyph": "?!", "text": "Feeds the next 5."}
    path: Path = tmp_path_factory.mktemp("records") / "five.ratuki"
    lines = [header, *rest, {"note": note}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    site.manage("import_records", str(path))
    return address("long-names")


def show(page: Page, url: str) -> Page:
    page.goto(url)
    expect(page.locator(".board .card").first).to_be_attached()
    return page


def expect_place(page: Page, round_number: int, event: int) -> None:
    row = page.locator(".event-button[aria-current]")
    expect(row).to_have_attribute("data-round", str(round_number))
    expect(row).to_have_attribute("data-event", str(event))


def numbers(events: list[Line], *kinds: str) -> list[int]:
    """Which events, counted from 1, are of these kinds; a take is a play that takes."""
    return [n for n, e in enumerate(events, 1) if ("take" if "takes" in e else e["do"]) in kinds]


def at(events: list[Line], t: int) -> int:
    """How many events had happened by then."""
    return sum(event["t"] <= t for event in events)


# --- Keys and buttons -------------------------------------------------------------------------

FIRST, *_, LAST = rounds_of(THREE)
ROUNDS = len(rounds_of(THREE))
START = 60
T = FIRST[START - 1]["t"]
RACES = numbers(FIRST, "tie", "late")
TAKES = numbers(FIRST, "take")
STEPS = {
    "ArrowRight": ("One event on", (1, START + 1)),
    "ArrowLeft": ("One event back", (1, START - 1)),
    "Shift+ArrowRight": ("One second on", (1, at(FIRST, T + 1000))),
    "Shift+ArrowLeft": ("One second back", (1, at(FIRST, T - 1000))),
    "]": ("Next take", (1, min(n for n in TAKES if n > START))),
    "[": ("Previous take", (1, max(n for n in TAKES if n < START))),
    "n": ("Next race or note", (1, min(n for n in RACES if n > START))),
    "p": ("Previous race or note", (1, max(n for n in RACES if n < START))),
    "Home": ("To the start", (1, 0)),
    "End": ("To the end", (ROUNDS, len(LAST))),
}


@pytest.fixture
def begun(wide: Page, three: str) -> Page:
    """The match of three, some way into its first round."""
    show(wide, f"{three}?seq={START + 1}")
    expect_place(wide, 1, START)
    return wide


@pytest.mark.parametrize("key", STEPS)
def test_keys_step(begun: Page, key: str) -> None:
    begun.keyboard.press(key)
    expect_place(begun, *STEPS[key][1])


@pytest.mark.parametrize("key", STEPS)
def test_each_step_has_a_button(begun: Page, key: str) -> None:
    name, place = STEPS[key]
    begun.get_by_role("button", name=name, exact=True).click()
    expect_place(begun, *place)


def test_rounds_have_buttons(begun: Page) -> None:
    begun.get_by_role("button", name="Next round").click()
    expect_place(begun, 2, 0)
    begun.keyboard.press("ArrowLeft")
    expect_place(begun, 1, len(FIRST))
    begun.get_by_role("button", name="Previous round").click()
    expect_place(begun, 1, 0)


@pytest.mark.parametrize("key", ["Space", "k"])
def test_keys_play_and_pause(begun: Page, key: str) -> None:
    begun.keyboard.press(key)
    expect(begun.get_by_role("button", name="Pause")).to_be_visible()
    row = begun.locator(".event-button[aria-current]")
    expect(row).not_to_have_attribute("data-event", str(START))
    begun.keyboard.press(key)
    expect(begun.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_keys_change_the_speed(begun: Page) -> None:
    speed = begun.locator("#speed")
    begun.keyboard.press(">")
    expect(speed).to_have_text("1.5×")
    for _ in range(6):
        begun.keyboard.press(">")
    expect(speed).to_have_text("8×")
    for _ in range(9):
        begun.keyboard.press("<")
    expect(speed).to_have_text("0.1×")


def test_f_goes_through_the_perspectives(begun: Page) -> None:
    choice = begun.get_by_role("combobox", name="Perspective")
    hands = begun.locator(".board .card:not([data-side=back]):not([hidden])")
    open_cards = hands.count()
    for value in ["0", "1", "2", "spectator", "all"]:
        begun.keyboard.press("f")
        expect(choice).to_have_value(value)
        if value == "spectator":
            assert hands.count() < open_cards
    expect(hands).to_have_count(open_cards)


def test_help_lists_the_keys_and_takes_them(begun: Page) -> None:
    begun.keyboard.press("?")
    help_ = begun.get_by_role("dialog", name="Keys")
    expect(help_).to_contain_text("Previous race or note")
    begun.keyboard.press("n")
    expect_place(begun, 1, START)
    begun.keyboard.press("Escape")
    expect(help_).to_be_hidden()


def test_other_modifiers_and_choosing_leave_keys_alone(begun: Page) -> None:
    for key in ["Control+ArrowRight", "Meta+ArrowRight", "Alt+n", "Shift+n", "Shift+Home"]:
        begun.keyboard.press(key)
    begun.get_by_role("combobox", name="Perspective").focus()
    begun.keyboard.press("n")
    begun.keyboard.press("k")
    expect(begun.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect_place(begun, 1, START)


def test_space_on_a_button_presses_the_button(begun: Page) -> None:
    begun.get_by_role("button", name="One event on").focus()
    begun.keyboard.press("Space")
    expect_place(begun, 1, START + 1)
    expect(begun.get_by_role("button", name="Play", exact=True)).to_be_visible()


# --- Addresses --------------------------------------------------------------------------------


def test_a_link_opens_at_its_round_and_time(wide: Page, three: str) -> None:
    show(wide, f"{three}?round=2&t=9000&pov=1")
    expect_place(wide, 2, at(rounds_of(THREE)[1], 9000))
    expect(wide.locator("#time-now")).to_have_text("0:09.0")
    expect(wide.get_by_role("combobox", name="Perspective")).to_have_value("1")


def test_a_link_by_seq_opens_in_any_round(wide: Page, three: str) -> None:
    starts = list(accumulate((len(events) + 1 for events in rounds_of(THREE)), initial=1))
    show(wide, f"{three}?seq={starts[2] + 12}")
    expect_place(wide, 3, 12)


def test_the_address_follows_without_filling_the_history(begun: Page) -> None:
    length = begun.evaluate("history.length")
    begun.keyboard.press("]")
    event = FIRST[STEPS["]"][1][1] - 1]
    expect(begun).to_have_url(re.compile(rf"round=1&t={event['t']}$"))
    begun.reload()
    expect_place(begun, *STEPS["]"][1])
    assert begun.evaluate("history.length") == length


@pytest.mark.parametrize("query", ["?round=99", "?seq=999999", "?t=-4&round=x", "?pov=9"])
def test_a_senseless_link_opens_somewhere(wide: Page, three: str, query: str) -> None:
    wide.goto(three + query)
    expect(wide.locator(".board .card").first).to_be_attached()


# --- Moments ----------------------------------------------------------------------------------


def stand_before(page: Page, url: str, events: list[Line], kind: str) -> int:
    number = numbers(events, kind)[0]
    show(page, f"{url}?seq={number}")
    expect_place(page, 1, number - 1)
    return number


def test_a_take_is_a_moment(page: Page, three: str) -> None:
    number = stand_before(page, three, FIRST, "take")
    assert page.evaluate(STEP_ON) > 0
    expect(page.locator(".shout-take")).to_have_text(f"+{FIRST[number - 1]['takes']}")
    expect(page.locator("#now")).to_contain_text("takes stack")


def test_a_tie_is_a_moment(page: Page, three: str) -> None:
    stand_before(page, three, FIRST, "tie")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".shout-tie")).to_have_text("Tie")
    expect(page.locator("#now")).to_contain_text("go to the discard piles")


def test_reduced_motion_leaves_the_words(open_page: Callable[..., Page], three: str) -> None:
    page = open_page("wide", reduced_motion="reduce")
    stand_before(page, three, FIRST, "take")
    assert page.evaluate(STEP_ON) == 0
    expect(page.locator(".shout-take")).to_be_visible()


def test_the_end_says_who_won(wide: Page, three: str) -> None:
    show(wide, three)
    wide.keyboard.press("End")
    expect(wide.locator(".seat-chip", has_text="wins")).to_have_count(1)
    expect(wide.locator("#now")).to_contain_text("wins the match.")
    totals = [str(total) for total in LAST[-1]["totals"]]
    for seat, total in enumerate(totals):
        expect(wide.locator(f".seat.deck-{seat} .seat-total")).to_have_text(total)


# --- Scrubber and list ------------------------------------------------------------------------


def test_the_scrubber_is_a_slider(begun: Page) -> None:
    slider = begun.get_by_role("slider", name="Place in the match")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"Round 1 of {ROUNDS}, "))
    slider.focus()
    begun.keyboard.press("PageUp")
    expect_place(begun, 1, at(FIRST, T + 10_000))
    begun.keyboard.press("ArrowRight")
    expect_place(begun, 1, at(FIRST, T + 10_000) + 1)


def test_the_scrubber_is_dragged(page: Page, three: str) -> None:
    show(page, three)
    box = page.get_by_role("slider", name="Place in the match").bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 5, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 3, middle, steps=5)
    page.mouse.up()
    expect(page.locator("#round-now")).to_have_text(f"Round {ROUNDS} of {ROUNDS}")


def test_a_click_in_the_list_goes_there(begun: Page) -> None:
    begun.locator(f'.event-button[data-event="{START + 4}"]').click()
    expect_place(begun, 1, START + 4)


def test_the_list_holds_only_what_is_in_sight(begun: Page) -> None:
    expect(begun.locator(".event-row").first).to_be_attached()
    assert begun.locator(".event-row").count() < 80
    total = sum(len(events) + 1 for events in rounds_of(THREE))
    expect(begun.locator(".event-row").first).to_have_attribute("aria-setsize", str(total))


def test_a_step_is_told_to_screen_readers(begun: Page) -> None:
    begun.keyboard.press("]")
    expect(begun.locator("#voice")).to_contain_text("takes stack")


# --- Many players, small screens --------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_five_long_names_fit(
    page: Page, five: str, axe: Check, no_sideways_scroll: Check, scheme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=scheme)
    show(page, f"{five}?round=1&t=20000")
    board = page.locator("#table").bounding_box()
    assert board
    for seat in range(5):
        box = page.locator(f".seat.deck-{seat}").bounding_box()
        assert box
        assert box["x"] >= board["x"]
        assert box["x"] + box["width"] <= board["x"] + board["width"]
    no_sideways_scroll(page)
    axe(page)


def test_notes_are_listed_and_lead_there(wide: Page, five: str) -> None:
    show(wide, five)
    wide.get_by_role("tab", name="Notes").click()
    wide.get_by_role("button", name="Feeds the next 5.").click()
    wide.get_by_role("tab", name="Events").click()
    expect_place(wide, 1, 40)


def test_the_table_stays_in_sight_on_a_phone(phone: Page, five: str) -> None:
    show(phone, five)
    phone.locator("#panel-events").scroll_into_view_if_needed()
    phone.mouse.wheel(0, 300)
    expect(phone.locator(".slot").first).to_be_in_viewport()


def test_touch_steps(phone: Page, three: str) -> None:
    show(phone, three)
    phone.get_by_role("button", name="One event on").tap()
    expect_place(phone, 1, 1)


# --- Logs without an end ----------------------------------------------------------------------


GROW = """
from dataclasses import replace
from games.growing import append, open_match
from games.models import Match
from games.records.notation import parse_line
lines = [parse_line(raw, n) for n, raw in enumerate(open({path!r}, "rb").read().splitlines(), 1)]
match = Match.objects.filter(record_id="growing").first()
if match is None:
    match = open_match(replace(lines[0], id="growing", source="live"))
append(match.pk, match.owner_epoch, match.lines, lines[match.lines:{until}])
print(match.pk)
"""


def grow(site: Site, until: int) -> str:
    """Let a live match's log grow to so many lines; the address of its page."""
    code = GROW.format(path=str(MATCHES / f"{THREE}.ratuki"), until=until)
    return f"/matches/{site.manage('shell', '-v', '0', '-c', code).strip()}/"


def test_a_live_match_is_followed_until_somebody_steps_back(wide: Page, site: Site) -> None:
    show(wide, grow(site, 200))
    expect_place(wide, 1, 198)
    expect(wide.get_by_role("button", name="Following")).to_have_attribute("aria-pressed", "true")
    grow(site, 210)
    expect_place(wide, 1, 208)
    wide.keyboard.press("ArrowLeft")
    grow(site, 220)
    expect(wide.locator('.event-row[aria-setsize="219"]').first).to_be_attached()
    expect_place(wide, 1, 207)
    wide.keyboard.press("l")
    expect_place(wide, 1, 218)


def test_without_spoilers_the_log_has_no_end_yet(
    open_page: Callable[..., Page], three: str, site: Site
) -> None:
    page = open_page("wide")
    page.context.add_cookies([{"name": "spoilers", "value": "off", "url": site.url}])
    show(page, three)
    expect(page.locator("#round-now")).to_have_text("Round 1")
    expect(page.locator("#time-all")).to_be_empty()
    assert '"result": [' not in page.content()
    page.get_by_role("button", name="Next round").click()
    expect_place(page, 2, 0)
    page.keyboard.press("]")
    take = numbers(rounds_of(THREE)[1], "take")[0]
    expect_place(page, 2, take)
    expect(page).to_have_url(re.compile(rf"t={rounds_of(THREE)[1][take - 1]['t']}$"))
    page.reload()
    expect_place(page, 2, take)


def test_trouble_is_said_and_tried_again(wide: Page, three: str, faults: Any) -> None:
    faults.expect("ERR_FAILED")
    lost: list[str] = []

    def lose_first(route: Route) -> None:
        lost.append(route.request.url)
        route.abort() if len(lost) < 2 else route.continue_()

    wide.route("**/log?*", lose_first)
    show(wide, three)
    wide.get_by_role("button", name="Try again").click()
    wide.keyboard.press("End")
    expect_place(wide, ROUNDS, len(LAST))
    expect(wide.locator("#trouble")).to_be_hidden()


# --- Light and quick --------------------------------------------------------------------------


def test_the_table_is_up_before_anything_heavy(wide: Page, three: str) -> None:
    scripts: list[tuple[str, int]] = []
    charts_asked_at = []

    def note(response: Any) -> None:
        name = response.url.rpartition("/")[2]
        if "charts" in name or "plotly" in name:
            charts_asked_at.append(wide.locator(".board .card").count())
        elif name.endswith(".js"):
            scripts.append((name, len(gzip.compress(response.body()))))

    wide.on("requestfinished", lambda request: note(request.response()))
    show(wide, three)
    expect(wide.locator("#charts")).to_be_visible()
    first_paint = [size for name, size in scripts if name != "dress.js"]
    assert 0 < sum(first_paint) < SCRIPT_LIMIT
    assert all(charts_asked_at)
