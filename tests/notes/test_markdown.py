"""Markdown of notes: what it may hold, where it leads, what it costs."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replays.notes.markdown import MOST_BYTES, MOST_LINKS, render


def test_words_lists_and_links() -> None:
    html = render("**Feeds** Ada\n\n- one\n- two\n\n[more](https://example.org/a)", 1)
    assert "<strong>Feeds</strong>" in html
    assert html.count("<li>") == 2
    assert '<a href="https://example.org/a" rel="nofollow noopener noreferrer">more</a>' in html


@pytest.mark.parametrize(
    ("text", "href"),
    [
        ("at @1:34.1", "?round=3&amp;t=94199"),
        ("bei @1:34,1, dann", "?round=3&amp;t=94199"),
        ("bei @1:34, 12 Karten", "?round=3&amp;t=94099"),
        ("@2/0:05", "?round=2&amp;t=5099"),
        ("(B5a)", "?card=B5a"),
    ],
)
def test_moments_and_cards_lead_into_the_match(text: str, href: str) -> None:
    assert f'href="{href}"' in render(text, 3)


@pytest.mark.parametrize(
    "text", ["`B5a`", "XB5a", "B9a", "F1a", "@1:75", "@1:34:10", "[B5a](https://e.org/)", "B5a-1"]
)
def test_what_only_looks_like_one_does_not(text: str) -> None:
    html = render(text, 1)
    assert "card-link" not in html
    assert "moment-link" not in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,xx)",
        "![x](https://evil.example/p.png)",
        "<iframe src=//evil>",
        "[x](https://e.org 'a\" onclick=\"alert(1)')",
    ],
)
def test_nothing_runs_and_nothing_is_fetched(text: str) -> None:
    html = render(text, 1).lower()
    for forbidden in ("<script", "<img", "<iframe", 'href="javascript', 'href="data', " onclick="):
        assert forbidden not in html


@given(st.text(max_size=200))
def test_whatever_is_written_only_known_elements_come_out(text: str) -> None:
    html = render(text, 1)
    assert "<script" not in html.lower()
    assert "<img" not in html.lower()


@pytest.mark.parametrize("piece", ["[", "![", "*a ", ">", "`", "[a](", "&", "_", "- ", "<a "])
def test_the_longest_note_grows_in_proportion(piece: str) -> None:
    assert len(render((piece * 4_000)[:4_000], 1)) < 30_000


@pytest.mark.parametrize(
    "text",
    [
        "B5a " * 1_000,
        "[B5a](//e.org) " * 266,
        "@1:00\n" * 666,
        "<http://a.b>" * 333,
        ">\n\n" * 1_333,
        "- \n" * 1_333,
        "&" * 4_000,
        "&" * 3_999 + "é",
        "\U0001f600" * 4_000,
        "*a*" * 1_333,
    ],
)
def test_no_text_becomes_many_links_or_much_html(text: str) -> None:
    html = render(text, 1)
    assert html.count("<a ") == html.count("</a>") <= MOST_LINKS
    assert len(html.encode()) <= MOST_BYTES
    assert not re.search("&[a-z]*…", html), "no half of a character"


def test_links_that_have_no_room_stay_words() -> None:
    html = render("[one](https://e.org) B5a, " * 30 + ".", 1)
    assert (html.count("<a "), html.count("</a>")) == (MOST_LINKS, MOST_LINKS)
    assert re.sub("<.*?>", "", html).count("one B5a, ") == 30


@given(st.text("B5a @1:0>-*_`#&<[](/)\n\u00e9", max_size=400))
def test_whatever_is_written_is_bounded(text: str) -> None:
    html = render(text * 10, 1)
    assert html.count("<a ") <= MOST_LINKS
    assert len(html.encode()) <= MOST_BYTES
