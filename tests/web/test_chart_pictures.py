"""Pictures of charts: the page's own figures, for those who may see the match."""

import re
import struct
from html import unescape
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from replays.charts import CHARTS, figure
from replays.charts.course import Course
from replays.pages.chart_pictures import TITLES
from replays.pictures.drawing import wide
from replays.pictures.plotting import SIZES, chart_svg
from replays.timeline import Timeline
from tests.hostile_records import long_match
from tests.replays.matches import FILES, lines_of
from tests.web.records import record, store

TEXT = "{http://www.w3.org/2000/svg}text"
NUMBER = re.compile(r"\d+")


def words_of(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ET.fromstring(svg).iter(TEXT)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_match_can_be_pictured_and_a_picture_invents_no_number(path: Path) -> None:
    timeline = Timeline.of(lines_of(path))
    for name in TITLES:
        chart = figure(name, timeline)
        known = set(NUMBER.findall(f"{chart}"))
        for shape in SIZES:
            said = words_of(chart_svg(chart, timeline.names, shape))
            assert said[0] == chart["layout"]["title"]["text"]
            numbers = {number for text in said for number in NUMBER.findall(text)}
            assert numbers <= known or name == "scores", "whose axis has values of its own"


@pytest.mark.parametrize("shape", SIZES)
def test_long_names_and_thirty_rounds_stay_inside(shape: str) -> None:
    timeline = Timeline.of(long_match(30, 5))
    names = [f"Wolfgang <Amadeus> Großmütterchen von {seat}" for seat in range(5)]
    course = Course.of(timeline, None, names)
    for name in TITLES:
        chart = CHARTS[name](course)
        svg = chart_svg(chart, names, shape)
        width, height = SIZES[shape]
        for text in ET.fromstring(svg).iter(TEXT):
            assert 0 <= float(text.attrib["x"]) < width
            assert 0 < float(text.attrib["y"]) < height
            if text.get("text-anchor") == "end":
                assert float(text.attrib["x"]) > wide("".join(text.itertext())) * float(
                    text.attrib["font-size"]
                )
        said = words_of(svg)
        assert any("…" in text for text in said)
        assert any(text.endswith(".") for text in said) or "says" not in chart["layout"]["meta"]
        # Each player's sum, and all nets of their rounds or none, not the lucky ones.
        numbers = sum(re.fullmatch(r"0|[+−]\d+", text) is not None for text in said)
        assert name != "ownership" or numbers in (5, 5 * 31)


@pytest.mark.parametrize("shape", SIZES)
def test_rows_and_lines_begin_or_end_with_their_players(shape: str) -> None:
    names = ["Ada & Bo", "M. Jones", "Bo", "Corvin", "Jo\u00a0Lee"]
    course = Course.of(Timeline.of(long_match(5, 5)), None, names)
    for name, times in (("ownership", 2), ("scores", 1)):
        said = words_of(chart_svg(CHARTS[name](course), names, shape))
        assert said.count("Bo") == said.count("Corvin") == said.count("Jo Lee") == times
    nets = [t for t in said_of("ownership", course, shape) if re.fullmatch(r"0|[+−]\d+", t)]
    assert len(nets) == 5 * 6, "a net of 0, too"


def said_of(name: str, course: Course, shape: str) -> list[str]:
    return words_of(chart_svg(CHARTS[name](course), course.names, shape))


def test_a_sentence_ends_with_its_last_word_and_not_in_a_name() -> None:
    names = ["M. Jones & Co", "M. Jones & Co", "M. Jones & Co", "M. Jones & Co"]
    course = Course.of(Timeline.of(record(*names, seed=2)), 1, names)
    sentences = [
        unescape(sentence) for sentence in CHARTS["ownership"](course)["layout"]["meta"]["says"]
    ]
    for shape in SIZES:
        said = " ".join(said_of("ownership", course, shape))
        assert sentences[0] in said
        assert not re.search(r"by M\.(?! Jones)", said)


@pytest.mark.parametrize("shape", SIZES)
def test_numbers_in_a_bar_stand_apart(shape: str) -> None:
    timeline = Timeline.of(long_match(30, 5))
    svg = chart_svg(figure("ownership", timeline), timeline.names, shape)
    rows: dict[str, list[tuple[float, float]]] = {}
    for text in ET.fromstring(svg).iter(TEXT):
        if text.get("class", "").startswith("on-"):
            half = wide("".join(text.itertext())) * float(text.attrib["font-size"]) / 2
            middle = float(text.attrib["x"])
            rows.setdefault(text.attrib["y"], []).append((middle - half, middle + half))
    for row in rows.values():
        for one, next_one in pairwise(sorted(row)):
            assert next_one[0] - one[1] >= 6


@pytest.mark.django_db
def test_a_chart_has_a_picture_of_each_shape_with_title_names_and_sentence(client: Client) -> None:
    match = store("Ada", "Bo")
    address = f"/matches/{match.pk}/charts/ownership"
    said = words_of(client.get(f"{address}.svg?of=match").content.decode())
    assert said[0] == "Stack ownership"
    assert said.count("Ada") == 1, "its only round has rows of stacks below"
    assert any(" took most: " in text for text in said)
    assert client.get(f"{address}.svg").content == client.get(f"{address}.svg?of=match").content
    first = words_of(client.get(f"{address}.svg?round=1").content.decode())
    assert any("Biggest take" in text for text in first)
    for shape, size in SIZES.items():
        response = client.get(f"{address}.png?shape={shape}")
        assert struct.unpack(">II", response.content[16:24]) == size
        assert response["Cache-Control"] == "public, max-age=3600"
    german = client.get(f"{address}.svg", headers={"accept-language": "de"}).content.decode()
    assert words_of(german)[0] == "Wem die Stapel gehörten"


@pytest.mark.django_db
def test_what_has_no_picture_is_not_there(client: Client) -> None:
    match = store("Ada", "Bo")
    for path in ("fed.svg", "none.png", "scores.svg?shape=round", "scores.svg?round=99"):
        assert client.get(f"/matches/{match.pk}/charts/{path}").status_code == 404


@pytest.mark.django_db
def test_a_chart_shows_no_result_to_those_who_hide_them(client: Client) -> None:
    match = store("Ada", "Bo")
    client.cookies["spoilers"] = "off"
    assert client.get(f"/matches/{match.pk}/charts/scores.png").status_code == 403
    page = client.get(f"/matches/{match.pk}/").content.decode()
    assert 'value="ownership"' not in page, "nothing to share"
    assert "embed-data" in client.get(f"/embed/matches/{match.pk}/?chart=scores").content.decode()


@pytest.mark.django_db
def test_a_named_chart_is_the_picture_of_its_link_and_its_embed(client: Client) -> None:
    match = store("Ada", "Bo")
    query = "chart=ownership&of=match"
    page = client.get(f"/matches/{match.pk}/?{query}").content.decode()
    assert f"/matches/{match.pk}/charts/ownership.png?of=match" in page
    assert 'property="og:title" content="Stack ownership: Ada · Bo"' in page
    told = client.get("/oembed", {"url": f"http://testserver/matches/{match.pk}/?{query}"}).json()
    assert told["thumbnail_url"].endswith("/charts/ownership.png?of=match")
    assert told["height"] < 460
    assert "chart=ownership" in told["html"]
    embed = client.get(f"/embed/matches/{match.pk}/?{query}").content.decode()
    assert f'src="/matches/{match.pk}/charts/ownership.svg?of=match&amp;shape=mid"' in embed
    assert "embed-data" not in embed, "no script and no log"
    unknown = client.get(f"/embed/matches/{match.pk}/?chart=fed").content.decode()
    assert "embed-data" in unknown
