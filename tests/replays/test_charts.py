"""The charts: valid figures that say what happened, the same for everybody."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import plotly
import pytest
from plotly.graph_objs._figure import Figure

import replays
from games.engine.events import Deal, End, Event, Late, Play, Tie
from games.engine.perspective import SPECTATOR, see, see_deal
from games.records.log import Header, Line, Seat
from replays.analysis.measures import measures
from replays.charts import CHARTS, figure
from replays.charts.course import MOST
from replays.charts.scores import spread
from replays.timeline import Timeline
from tests.hostile_records import late_flood, long_match
from tests.replays.matches import FILES, MATCHES, lines_of, timeline_of

VENDOR = Path(replays.__file__).parent / "static" / "replays" / "charts" / "vendor"
LONG = "valid-full-match-3"


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def timeline(request: pytest.FixtureRequest) -> Timeline:
    return Timeline.of(lines_of(request.param))


@pytest.mark.parametrize("name", CHARTS)
def test_figures_are_valid_to_plotly(timeline: Timeline, name: str) -> None:
    for number in (None, *(played.number for played in timeline.rounds)):
        drawn = figure(name, timeline, number)
        Figure(drawn)
        json.dumps(drawn, allow_nan=False)
        assert drawn["layout"]["title"]["text"]
        assert drawn["layout"]["xaxis"]["title"]["text"]


@pytest.mark.parametrize("name", CHARTS)
def test_every_start_of_a_log_can_be_drawn(name: str) -> None:
    lines = lines_of(MATCHES / "valid-hasbro-2010-2.ratuki")
    for count in range(1, len(lines), 5):
        Figure(figure(name, Timeline.of(lines[:count])))


@pytest.mark.parametrize("name", CHARTS)
def test_charts_show_public_facts_only(name: str) -> None:
    lines = lines_of(MATCHES / f"{LONG}.ratuki")
    seen = Timeline.of([public(line) for line in lines])
    assert figure(name, seen) == figure(name, Timeline.of(lines))


@pytest.mark.parametrize("name", CHARTS)
def test_nothing_after_until_is_drawn(name: str) -> None:
    drawn = figure(name, timeline_of(LONG, 500))
    seqs = [seq for trace in drawn["data"] for seq in flat(trace.get("customdata", []))]
    assert 400 < max(seqs) <= 500
    longer = figure(name, timeline_of(LONG, 900))
    assert max(flat(longer["data"][-1]["customdata"])) > 500


def test_unknown_charts_and_rounds_are_not_there() -> None:
    with pytest.raises(LookupError):
        figure("pie", timeline_of(LONG))
    with pytest.raises(LookupError):
        figure("scores", timeline_of(LONG), 9)


def test_the_bands_add_up_to_the_cards_in_the_middle(timeline: Timeline) -> None:
    for played in timeline.rounds:
        *bands, points = figure("ownership", timeline, played.number)["data"]
        heights = [max(column) for column in zip(*(band["y"] for band in bands), strict=True)]
        at = dict(zip(bands[0]["x"][::-1], heights[::-1], strict=True))
        shown = dict(zip(points["x"][::-1], points["y"][::-1], strict=True))
        assert {x: at[x] for x in shown} == shown
        assert all(a["y"][i] <= b["y"][i] for a, b in pairwise(bands) for i in range(len(a["y"])))


def test_the_middle_of_an_unfinished_round_is_not_cleared() -> None:
    timeline = timeline_of("valid-unfinished")
    *bands, _ = figure("ownership", timeline, 1)["data"]
    told = measures(timeline)["rounds"][0]
    assert bands[-1]["y"][-1] == sum(told["left"])
    assert bands[-1]["x"][-1] == told["duration_ms"]


def test_lanes_hold_one_strip_for_each_card(timeline: Timeline) -> None:
    told = measures(timeline)
    for laid in told["rounds"]:
        data = figure("slots", timeline, laid["round"])["data"]
        for seat in range(len(timeline.names)):
            assert data[seat]["x"].count(None) == laid["actions"][seat]["play"]
            takes = data[len(timeline.names) + seat]
            taken = [len(s["cards"]) for s in laid["stacks"] if s["taker"] == seat]
            assert sorted(map(int, takes["text"])) == sorted(taken)


def test_lines_end_at_the_scores(timeline: Timeline) -> None:
    for played in timeline.rounds:
        lines = figure("scores", timeline, played.number)["data"][: len(timeline.names)]
        if played.end:
            assert tuple(line["y"][-2] for line in lines) == played.end.scores
    whole = figure("scores", timeline)["data"][: len(timeline.names)]
    if timeline.rounds and timeline.rounds[-1].end:
        assert tuple(line["y"][-2] for line in whole) == timeline.totals


def test_the_matrix_shows_what_was_measured(timeline: Timeline) -> None:
    told, names = measures(timeline)["match"]["fed"], timeline.names
    shown = iter(map(int, figure("fed", timeline)["data"][0]["text"]))
    for row in told:
        assert [next(shown) for _ in names] == row
        next(shown)


def test_a_cell_leads_to_its_takes() -> None:
    lines = lines_of(MATCHES / f"{LONG}.ratuki")
    numbers = figure("fed", Timeline.of(lines))["data"][0]
    for column, seqs in zip(numbers["x"], numbers["customdata"], strict=True):
        for seq in seqs if column < 3 else ():
            play = lines[seq]
            assert isinstance(play, Play)
            assert play.takes
            assert play.seat == column


def test_each_point_carries_its_line_and_its_numbers() -> None:
    lines = lines_of(MATCHES / f"{LONG}.ratuki")
    seats = len(Timeline.of(lines).names)
    points = figure("slots", Timeline.of(lines))["data"][-1]
    values = dict(zip(points["customdata"], points["meta"]["values"], strict=True))
    for seq, line in enumerate(lines):
        if isinstance(line, Play) and line.takes:
            assert values[seq] == [line.takes]
        elif isinstance(line, Play | Tie | Late):
            assert len(values[seq]) == 1
        elif isinstance(line, End):
            assert len(values[seq]) == seats


@pytest.mark.parametrize("name", ["scores", "ownership"])
def test_points_show_the_numbers_of_every_seat(name: str) -> None:
    points = figure(name, timeline_of(LONG), 1)["data"][-1]
    worth = max if name == "scores" else sum
    assert [worth(row) for row in points["meta"]["values"]] == points["y"]


def test_points_lie_inside_their_round() -> None:
    timeline = timeline_of(LONG)
    drawn = figure("slots", timeline)
    places = {place["round"]: place for place in drawn["layout"]["meta"]["rounds"]}
    points = drawn["data"][-1]
    times = {
        seq: places[played.number]["offset"] + event.t
        for played in timeline.rounds
        for seq, event in zip(played.seqs, played.events, strict=True)
    }
    assert list(points["x"]) == [times[seq] for seq in points["customdata"]]


@pytest.mark.parametrize("name", CHARTS)
def test_a_name_is_never_markup(name: str) -> None:
    first, *rest = lines_of(MATCHES / f"{LONG}.ratuki")
    assert isinstance(first, Header)
    evil = tuple(Seat('<a href="https://evil.example">&amp;', "bot") for _ in first.seats)
    drawn = figure(name, Timeline.of([replace(first, seats=evil), *rest]))
    assert "<a" not in json.dumps(drawn)
    assert "https" not in re.sub("&lt;a href.*?&gt;", "", json.dumps(drawn).replace('\\"', ""))


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize("number", [1, None])
@pytest.mark.parametrize("make", [lambda: late_flood(60_000), lambda: long_match(150)])
def test_a_figure_is_bounded_whatever_the_record_holds(
    name: str, number: int | None, make: Callable[[], list[Line]]
) -> None:
    drawn = figure(name, Timeline.of(make()), number)
    assert len(json.dumps(drawn)) < 1_200_000
    assert sum(len(trace["x"]) for trace in drawn["data"]) < 60_000
    assert len(drawn["data"][-1]["x"]) <= MOST + 2 * 150
    assert len(drawn["layout"].get("shapes", [])) < 300


def test_a_figure_says_what_it_leaves_out() -> None:
    flood = figure("slots", Timeline.of(late_flood(60_000)), 1)
    assert flood["layout"]["meta"]["note"] == (
        "Shows 1,200 of 60,002 events, those that matter most."
    )
    assert "note" not in figure("fed", Timeline.of(late_flood(9_000)), 1)["layout"].get("meta", {})
    assert "note" not in figure("slots", timeline_of(LONG))["layout"]["meta"]
    whole = Timeline.of(long_match(150))
    assert "highest" in figure("slots", whole)["layout"]["meta"]["note"]
    for name in CHARTS.keys() - {"slots"}:  # these leave no stack out
        assert "stacks" not in figure(name, whole)["layout"].get("meta", {}).get("note", "")


def test_nothing_is_drawn_for_the_points_to_hover_on() -> None:
    """They are half of all marks of a whole match: invisible ones cost a phone seconds."""
    timeline = timeline_of(LONG)
    for name in CHARTS.keys() - {"fed"}:
        (points,) = [t for t in figure(name, timeline)["data"] if t["name"] == "events"]
        assert points["mode"] == "none"
        assert points["customdata"]


@pytest.mark.parametrize("name", CHARTS)
def test_no_text_asks_for_an_inline_style(name: str) -> None:
    texts = json.dumps(figure(name, timeline_of(LONG)))
    assert set(re.findall(r"<[^>]*>", texts)) <= {"<br>", "<extra></extra>", "<extra>", "</extra>"}


def test_a_seat_differs_by_more_than_its_colour() -> None:
    timeline = timeline_of("valid-usaopoly-2009-5")
    bands = figure("ownership", timeline)["data"][:5]
    assert len({band["fillpattern"]["shape"] for band in bands}) == 5
    drawn = figure("scores", timeline)["data"]
    assert len({line["line"]["dash"] for line in drawn[:5]}) == 5
    assert len({marks["marker"]["symbol"] for marks in drawn[5:10]}) == 5
    assert len({line["name"][0] for line in drawn[:5]}) == 5


def test_names_at_the_ends_stand_apart_and_in_order() -> None:
    places = spread([3, 3, 4, 40, 3], 5)
    assert sorted(range(5), key=lambda seat: places[seat])[-2:] == [2, 3]
    assert all(b - a > 4.5 for a, b in pairwise(sorted(places)))


def test_the_vendored_bundle_is_the_version_of_the_wheel() -> None:
    wheel = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    version = re.compile(r"plotly\.js.* v(\d+\.\d+\.\d+)")
    (bundle,) = VENDOR.glob("plotly-*.min.js")
    ours, theirs = (version.search(head(path)) for path in (bundle, wheel))
    assert ours
    assert theirs
    assert ours[1] == theirs[1]
    assert bundle.name == f"plotly-basic-{ours[1]}.min.js"
    assert "MIT License" in (VENDOR / "plotly-LICENSE.txt").read_text()
    assert bundle.name in (VENDOR.parent / "plotly.js").read_text()


def public(line: Line) -> Any:
    if isinstance(line, Deal):
        return see_deal(line, SPECTATOR)
    return see(line, SPECTATOR) if isinstance(line, Event) else line


def flat(values: Any) -> list[int]:
    return [seq for value in values for seq in (value if isinstance(value, list) else [value])]


def head(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.read(300)
