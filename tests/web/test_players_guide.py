"""The player's guide is a page in both languages, and calls everything as the screen does."""

import re
from urllib.parse import unquote

import pytest
from django.contrib.staticfiles.finders import find
from django.test import Client

from deploy.words import read
from games.pages.players_guide import FOLDER

pytestmark = pytest.mark.django_db
GUIDES = {"en": FOLDER / "guide.md", "de": FOLDER / "guide.de.md"}
LABEL = re.compile(r"\*\*([^*]+)\*\*")


def page(client: Client, language: str) -> str:
    return client.get("/guide/", headers={"accept-language": language}).text


@pytest.mark.parametrize(("language", "title"), [("en", "The player’s guide"), ("de", "Anleitung")])
def test_the_guide_is_a_page_with_its_pictures_and_links(
    client: Client, language: str, title: str
) -> None:
    shown = page(client, language)
    assert title in shown.replace("'", "’").replace("&#x27;", "’")
    main = shown.partition("<main")[2].partition("</main>")[0]
    pictures = re.findall(r'src="/static/[^/"]+/(guide/\w[\w-]*\.webp)"', main)
    assert len(pictures) == main.count("<img") == 5
    assert all(find(picture) for picture in pictures)
    inside = {address for address in re.findall(r'href="([^"]+)"', main) if address[0] == "#"}
    assert len(inside) == 6
    assert all(f'id="{unquote(address[1:])}"' in main for address in inside)
    assert re.findall(r'href="([^#"]+)"', main) == ["/rules/"]


def test_every_page_leads_to_it(client: Client) -> None:
    for address in ("/", "/rules/", "/play/", "/accounts/log-in/", "/guide/"):
        foot = client.get(address).text.partition('class="foot-links')[2]
        assert 'href="/guide/"' in foot, address
    assert 'href="/guide/"' in client.get("/rules/").text.partition("<footer")[0]


def labels(language: str) -> list[str]:
    found = LABEL.findall(GUIDES[language].read_text(encoding="utf-8"))
    return [" ".join(label.split()) for label in found]


def test_it_calls_everything_as_the_screen_does() -> None:
    """What is bold and a text of the screen in English is its translation in German."""
    tabs_last = sorted(read("de"), key=lambda message: message.context == "tab")
    screen = {
        message.id: message.string
        for message in tabs_last
        if isinstance(message.id, str) and message.context in (None, "", "tab")
    }
    wanted = [str(screen[label]) for label in labels("en") if label in screen]
    assert len(wanted) > 30
    given = labels("de")
    missing = [label for label in wanted if wanted.count(label) > given.count(label)]
    assert not missing
