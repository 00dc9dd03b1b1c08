"""Pictures of positions: drawn as on the board, for their viewers, without hidden cards."""

import gzip
import json
import re
import struct
from html import unescape
from xml.etree import ElementTree as ET

import pytest
import resvg_py
from django.conf import settings
from django.test import Client

from games.archive.store import insert, read_record
from games.engine.cards import FACE
from games.engine.scoring import round_scores
from games.models import Match
from games.people.visitor import Author
from games.records.log import Note as RecordNote
from replays.analysis.sentences import with_words
from replays.models import Note
from replays.notes import notes
from replays.notes.audience import Sharing
from replays.pictures.art import style_sheet, symbols
from replays.pictures.drawing import Drawn, cut, wide
from replays.pictures.fonts import FAMILY, FILES, runs_of
from replays.stored import reports
from replays.stored.logs import timeline_of
from tests.guests import guest
from tests.narrowing import present
from tests.notes.making import line_said
from tests.people import world
from tests.replays.matches import MATCHES
from tests.web.records import store, store_hosted

pytestmark = pytest.mark.django_db
SVG = "http://www.w3.org/2000/svg"
FRONT = re.compile(r"#card-front-of-(\d)")
ARROW = 'stroke-linecap="round"/>'
WAY = re.compile(r'<path d="M(\S+) (\S+)L[^>]*' + ARROW + r'<path d="M(\S+) (\S+)L')


def note_on(match: Match, visibility: str = "everyone") -> Note:
    marks, arrows = ("stack:0", "seat:1"), ("seat:0>stack:1",)
    said = RecordNote(1, 3, text="See <this>", glyph="!?", marks=marks, arrows=arrows)
    author = Author("guest:bo", "Bo")
    return notes.write(author, match, said, Sharing(visibility), key="k" * 16)


def svg_of(client: Client, match: Match, query: str = "") -> str:
    response = client.get(f"/matches/{match.pk}/picture.svg?{query}")
    assert response.status_code == 200
    text: str = response.content.decode()
    ET.fromstring(text)
    return text


def test_a_picture_is_a_png_of_the_size_of_a_preview(client: Client) -> None:
    match = store("Ada", "Bo <&>")
    response = client.get(f"/matches/{match.pk}/picture.png?round=1&event=30")
    assert response["Content-Type"] == "image/png"
    assert response["Cache-Control"] == "public, max-age=3600"
    assert struct.unpack(">II", response.content[16:24]) == (1200, 630)
    assert 10_000 < len(response.content) < 200_000
    assert "Bo &lt;&amp;&gt;" in svg_of(client, match)


def test_a_caption_has_every_name_in_its_script_on_every_machine() -> None:
    """As on a machine without fonts of its own: a name that is not drawn leaves no trace."""
    names = ("Юля", "Ωμέγα", "नमस्ते", "Łukasz", "שלום", "مرحبا", "Հայկ", "ნინო")
    caption = f"{names[0]} wins: {', '.join(names)}"

    def pixels(text: str) -> bytes:
        drawn = Drawn()
        drawn.words(text, 10, 60, size=20, fill="ink")
        size = f'width="900" height="90" font-family="{FAMILY}"'
        svg = f'<svg xmlns="{SVG}" {size}>{"".join(drawn.parts)}</svg>'
        made = resvg_py.svg_to_bytes(svg_string=svg, font_files=FILES, skip_system_fonts=True)
        return bytes(made)

    whole = pixels(caption)
    for name in names:
        assert pixels(caption.replace(name, "\N{NO-BREAK SPACE}" * len(name))) != whole, name
        for letter in {*name} - {"\N{DEVANAGARI SIGN VIRAMA}"}:
            assert pixels(letter) != pixels(""), letter
    assert [run.text for run in runs_of("Юля Ω. and Ada")] == ["Юля Ω. and Ada"]
    assert [run.here for run in runs_of("山田 wins")] == [False, True]


def test_a_picture_without_a_place_tells_the_result_unless_results_are_hidden(
    client: Client,
) -> None:
    match = store("Ada", "Bo")
    (winner,) = match.seats.filter(won=True).values_list("player__name", flat=True)
    told = f"{winner} won with "
    assert told in svg_of(client, match)
    assert told not in svg_of(client, match, "round=1")
    client.cookies["spoilers"] = "off"
    assert told not in svg_of(client, match)


def test_a_seats_number_counts_the_round_so_far_once(client: Client) -> None:
    match = store("Ada", "Bo", target=100)
    played = timeline_of(match).rounds[1]
    scores = round_scores(played.table(30))
    drawn = svg_of(client, match, "round=2&event=30")
    for before, score in zip(played.before, scores, strict=True):
        assert f">{before + score}<".replace("-", "−") in drawn
    won = [len(pile) for pile in played.table(30).score_piles]
    assert all(f"{count} won" in drawn for count in won), "the piles are called as on the board"
    drawn = svg_of(client, match, f"round=2&event={len(played.events)}")
    for total in present(played.end).totals:
        assert f">{total}<".replace("-", "−") in drawn


def test_a_stacks_words_lie_at_its_last_card_and_no_arrow_strikes_them(client: Client) -> None:
    match = store("Ada", "Bo")
    face = FACE[timeline_of(match).rounds[0].table(30).hands[1][0]]
    for slot in range(2):
        drawn = svg_of(client, match, f"round=1&event=30&play=1.{face}.{slot}")
        words = [
            (float(text.attrib["x"]), float(text.attrib["y"]))
            for text in ET.fromstring(drawn).iter(f"{{{SVG}}}text")
            if text.attrib["class"] == "felt-ink large" and text.attrib["text-anchor"] == "middle"
        ]
        fronts = [
            [float(use.attrib[at]) for at in ("x", "y", "width", "height")]
            for use in ET.fromstring(drawn).iter(f"{{{SVG}}}use")
            if "card-front" in use.attrib["href"]
        ]
        for x, y in words:
            ends = [y0 + high for x0, y0, across, high in fronts if x0 < x < x0 + across and y0 < y]
            assert not ends or y - max(ends) == pytest.approx(24)
        (way,) = WAY.findall(drawn)
        _x, y, _to_x, to_y = map(float, way)
        assert to_y >= words[slot][1] + 6, "it ends below the words"
        assert any(abs(y - top) < 1 for _, top, _, _ in fronts), "from the hand card's edge"


@pytest.mark.parametrize("names", [("Ada", "Bo"), ("M. Jones", *"ABC", "Wolfgang Amadeus" * 2)])
def test_words_of_seats_lie_beside_their_cards(client: Client, names: tuple[str, ...]) -> None:
    drawn = ET.fromstring(svg_of(client, store(*names), "round=1&event=30"))
    cards = [use for use in drawn.iter(f"{{{SVG}}}use") if "card-front" in use.attrib["href"]]
    ends = {float(use.attrib["y"]) + float(use.attrib["height"]) for use in cards}
    tops = {float(use.attrib["y"]) for use in cards}
    seats = [text for text in drawn.iter(f"{{{SVG}}}text") if "ink" in text.attrib["class"].split()]
    assert len(seats) == 4 * len(names), "a name and points, large and small"
    for text in seats:
        size, low = float(text.attrib["font-size"]), float(text.attrib["y"])
        assert low + size * 0.22 <= max(tops) + 1 or low - size * 0.75 >= max(ends) + 4
    assert sum(text.text == names[0] for text in seats) == 2, "smaller rather than cut"


def test_drawings_and_colours_are_those_of_the_board() -> None:
    """Whatever class a drawing has, the board's rules say how it looks."""
    used = set(re.findall(r'class="(card-[\w-]+)', "".join(symbols().values())))
    coloured = set(re.findall(r"\.(card-[\w-]+)", style_sheet()))
    assert len(symbols()) == 5 * 4 + 5 * 6 + 2
    assert used <= coloured
    assert "var(" not in style_sheet()
    assert "light-dark" not in style_sheet()
    light, dark = style_sheet().split("@media (prefers-color-scheme: dark)")
    for paint in ("felt", "ink", "panel"):
        assert f".{paint}{{" in light
        assert f".{paint}{{" in dark


def test_a_picture_shows_the_hands_of_its_view(client: Client) -> None:
    match = store("Ada", "Bo", "Cy")
    hands = {
        pov: sorted(FRONT.findall(svg_of(client, match, f"round=1&event=0&pov={pov}")))
        for pov in ("", "spectator", "1", "9")
    }
    assert hands[""] == hands["9"] == ["0"] * 3 + ["1"] * 3 + ["2"] * 3
    assert (hands["spectator"], hands["1"]) == ([], ["1"] * 3)


def test_a_play_is_drawn_from_a_card_that_its_view_shows(client: Client) -> None:
    match = store("Ada", "Bo")
    place = "round=1&event=0"
    hand = timeline_of(match).rounds[0].table(0).hands[1]
    faces = {FACE[card] for card in hand}

    def arrows(face: int, pov: str = "", seat: int = 1) -> int:
        drawn = svg_of(client, match, f"{place}&pov={pov}&play={seat}.{face}.0")
        return drawn.count(ARROW) - svg_of(client, match, f"{place}&pov={pov}").count(ARROW)

    assert [face for face in range(1, 7) if arrows(face)] == sorted(faces)
    assert not any(arrows(min(faces), pov) for pov in ("spectator", "0"))
    assert not arrows(min(faces), seat=4), "no such seat"
    assert "0:34.1" in svg_of(client, match, f"{place}&at=34100")


def test_a_private_match_is_pictured_for_no_shared_cache() -> None:
    match = store_hosted("Ada", "Bo")
    match.seats.filter(number=0).update(guest="ada")
    Match.objects.filter(pk=match.pk).update(visibility=Match.Visibility.LINK)
    answer = guest("ada").get(f"/matches/{match.pk}/picture.svg?round=1")
    assert answer.status_code == 200
    assert "public" not in answer["Cache-Control"]


def test_a_match_that_is_being_played_shows_no_hand(client: Client) -> None:
    _, pk = world.build("public", "open", world.people()["Ada"])
    match = Match.objects.get(pk=pk)
    for pov in ("", "0", "spectator"):
        assert not FRONT.findall(svg_of(client, match, f"event=0&pov={pov}"))
    response = client.get(f"/matches/{pk}/picture.svg?event=0")
    assert response["Cache-Control"] == "private, no-store"


def test_a_note_is_drawn_for_its_readers(client: Client) -> None:
    match = store("Ada", "Bo")
    note = note_on(match)
    text = svg_of(client, match, f"note={note.key}")
    assert "!? See &lt;this&gt; – Bo" in text
    assert text.count('stroke="#ffd23f"') == 3
    assert "Round 1" in text
    path = f"/matches/{match.pk}/picture.svg?note={note.key}"
    assert client.get(path)["Cache-Control"].startswith("public")
    note.hidden = True
    note.save()
    author = Client()
    session = author.session
    session["guest"] = "bo"
    session.save()
    assert author.get(path)["Cache-Control"] == "private, no-store", "no cache shows it to others"
    note.visibility = "self"
    note.save()
    assert client.get(path).status_code == 404


def test_a_picture_along_a_variation_is_for_its_readers(client: Client) -> None:
    match = store("Ada", "Bo")
    lines = client.get(f"/matches/{match.pk}.ratuki").content.decode().splitlines()
    events = [json.loads(line) for line in lines if '"t":' in line]
    said = line_said(event=5, events=events[5:9])
    kept = notes.write_variation(
        Author("guest:bo", "Bo"), match, said, Sharing("everyone"), key="v" * 16
    )
    query = f"event=9&line={kept.key}"
    assert svg_of(client, match, query) == svg_of(client, match, "round=1&event=9")
    assert (
        client.get(f"/matches/{match.pk}/picture.svg?event=10&line={kept.key}").status_code == 404
    )
    kept.visibility = "self"
    kept.save()
    assert client.get(f"/matches/{match.pk}/picture.svg?{query}").status_code == 404
    with (MATCHES / "valid-v2-branches.ratuki").open("rb") as file:
        (own,) = insert([read_record(file)[1]])
    assert "Round 1" in svg_of(client, own, "round=1&event=8&line=w")


def test_positions_that_do_not_exist_have_no_picture(client: Client) -> None:
    match = store("Ada", "Bo")
    for query in ("round=9", "round=1&event=99999", "round=x", "note=nothing"):
        assert client.get(f"/matches/{match.pk}/picture.svg?{query}").status_code == 404, query


def test_a_public_match_names_its_picture_for_links(client: Client) -> None:
    match = store("Ada", "Bo")
    page = client.get(f"/matches/{match.pk}/?round=1&event=7").content.decode()
    image = re.search(r'property="og:image" content="([^"]+)"', page)
    assert image is not None
    assert image[1].endswith(f"/matches/{match.pk}/picture.png?round=1&amp;event=7")
    Match.objects.filter(pk=match.pk).update(visibility=Match.Visibility.LINK, token="t")
    client.cookies.clear()
    assert "og:image" not in client.get(f"/matches/{match.pk}/").content.decode()


def test_a_link_to_a_moment_previews_that_moment(client: Client) -> None:
    match = store("Ada", "Bo")
    moments = json.loads(gzip.decompress(reports.make(match)))["moments"]
    moment = moments[-1]
    (deal,) = match.chunks.filter(round=moment["round"]).values_list("first_seq", flat=True)
    shown = f"picture.png?round={moment['round']}&event={moment['seq'] - deal}"
    for query in (
        f"round={moment['round']}&seq={moment['seq']}",
        f"seq={moment['seq']}",
        f"round={moment['round']}&t={moment['t'] - 1}",
    ):
        told = previewed(client, match, query)
        assert told["title"].replace("\u00a0", " ") == with_words(moment["text"], ["Ada", "Bo"])
        assert told["image"].endswith(shown)
        place, _, verdict = told["description"].partition(". ")
        assert place.startswith(f"Round {moment['round']}, ")
        assert " won with " in verdict
    client.cookies["spoilers"] = "off"
    told = previewed(client, match, f"seq={moment['seq']}")
    assert (told["title"], told["image"].endswith(shown)) == ("Ada · Bo", True)
    assert "won" not in told["description"]


def test_a_picture_right_before_a_moment_says_what_was_done(client: Client) -> None:
    match = store("Ada", "Bo")
    moments = json.loads(gzip.decompress(reports.make(match)))["moments"]
    moment = next(one for one in moments if one["kind"] not in ("run", "result"))
    (deal,) = match.chunks.filter(round=moment["round"]).values_list("first_seq", flat=True)
    place = f"round={moment['round']}&event={moment['seq'] - deal - 1}"
    drawn = svg_of(client, match, place)
    said = unescape(drawn.partition("</title>")[0]).replace("\u00a0", " ")
    assert said.endswith(with_words({"say": moment["text"]["say"][:1]}, ["Ada", "Bo"]))
    way = 'stroke="#ffd23f"'
    assert way in drawn
    client.cookies["spoilers"] = "off"
    hidden = svg_of(client, match, place)
    assert (way in hidden, "Chance" in hidden) == (False, False)


def test_a_link_to_a_time_previews_the_table_then(client: Client) -> None:
    match = store("Ada", "Bo")
    assert previewed(client, match, "round=1&t=500")["image"].endswith("?round=1&t=500")
    assert "Round 1, 0:00.5" in svg_of(client, match, "round=1&t=500"), "as the page's clock"
    assert svg_of(client, match, "round=1&t=0") == svg_of(client, match, "round=1&event=0")
    assert svg_of(client, match, "round=1&t=999999") != svg_of(client, match, "round=1&t=0")


def previewed(client: Client, match: Match, query: str) -> dict[str, str]:
    """What the page at that query says to those who show a link to it."""
    page = client.get(f"/matches/{match.pk}/?{query}").content.decode()
    told = re.findall(r'property="og:(title|description|image)" content="([^"]*)"', page)
    return {name: unescape(text) for name, text in told}


def test_a_long_text_is_cut_to_what_fits() -> None:
    assert cut("short", 10) == "short"
    long = cut("a much longer text than that", 8)
    assert long.endswith("…")
    assert wide(long) <= 8
    assert wide("漢字") > wide("ab")


def test_a_note_may_hold_characters_that_xml_cannot(client: Client) -> None:
    match = store("Ada", "Bo")
    said = RecordNote(1, 3, text="One\x0btwo\uffff")
    author = Author("guest:bo", "Bo")
    notes.write(author, match, said, Sharing("everyone"), key="k" * 16)
    assert "One\ufffdtwo\ufffd" in svg_of(client, match, f"note={'k' * 16}")
    assert client.get(f"/matches/{match.pk}/picture.png?note={'k' * 16}").status_code == 200


def test_a_picture_of_the_stacks_alone_ends_between_the_cards_and_their_counts() -> None:
    ends = {
        int(top) + int(height)
        for name in ("today.html", "studies/practise.html")
        for top, height in re.findall(
            r"svgView\(viewBox\(\d+,(\d+),\d+,(\d+)\)",
            (settings.BASE_DIR / "templates/replays" / name).read_text(),
        )
    }
    (end,) = ends
    assert 382 < end < 422 - 37 * 0.74, "as in drawing.py"
