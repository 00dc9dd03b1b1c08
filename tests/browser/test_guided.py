"""A newcomer's guided round, by keys and by touch: only what is marked is pressed."""

from playwright.sync_api import Page, expect

from tests.browser.checking import check_page

MARKED = ".is-next"
OVER = "#between:not([hidden])"
PRESSES = 80


def press(page: Page) -> bool:
    """Press what is marked, as soon as anything is; False once the round is over."""
    expect(page.locator(f"{MARKED}, {OVER}").first).to_be_visible()
    if page.locator(OVER).count():
        return False
    marked = page.locator(MARKED).first
    if page.locator("body[data-input=touch]").count():
        marked.tap()
    else:
        marked.press("Enter")
    return True


def press_until(page: Page, lesson: str) -> None:
    done = page.locator(f"[data-lesson={lesson}].is-done")
    for _ in range(PRESSES):
        if done.count():
            return
        if not press(page):
            break
    expect(done).to_be_attached()


def learn(page: Page) -> None:
    page.get_by_role("button", name="Learn by playing").click()


def test_a_newcomer_learns_by_pressing_what_is_marked(page: Page) -> None:
    page.goto("/")
    learn(page)
    expect(page.locator("#guide-rule")).to_have_text("A 1 starts a stack.")
    expect(page.locator(".hand-place.is-next")).to_have_count(1)
    check_page(page)
    press_until(page, "up")
    table = page.url
    page.goto("/")
    learn(page)
    expect(page).to_have_url(table)  # it was left, and goes on where it was
    expect(page.locator("[data-lesson=up].is-done")).to_be_visible()
    press_until(page, "out")
    expect(page.get_by_role("dialog")).to_contain_text("You win")
    expect(page.get_by_role("button", name="Play three bots now")).to_be_focused()
    expect(page.get_by_role("link", name="View the replay")).to_be_in_viewport(ratio=1)
    check_page(page)
    page.get_by_role("button", name="Play three bots now").press("Enter")
    expect(page.locator(".seat.is-home .seat-name")).to_have_text("You")
    expect(page.locator(".hand-place:enabled")).to_have_count(3)  # dealt to at once
