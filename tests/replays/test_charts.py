"""The charts: valid figures that say what happened, the same for everybody."""

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
from games.engine.events import MAX_EVENTS, Deal, End, Event, Late, Play, Tie
from games.engine.perspective import SPECTATOR, see, see_deal
from games.records.log import Header, Line, Seat
from replays.analysis.marks import label
from replays.analysis.measures import measures
from replays.charts import CHARTS, figure
from replays.charts.course import MOST_CELLS, per_cell
from replays.charts.scores import gaps, spread
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
    numbers = [played.number for played in timeline.rounds]
    for number in (None, *numbers[:3], *numbers[3:][-1:]):
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


def test_stacks_grow_and_stand_at_the_take_card_by_card(timeline: Timeline) -> None:
    for told in measures(timeline)["rounds"]:
        drawn = figure("ownership", timeline, told["round"])
        lower = [t for t in drawn["data"] if "yaxis" not in t]
        laid = told["stacks"]
        for seat in range(len(timeline.names)):
            taken = [s for s in laid if s["taker"] == seat]
            (grown,) = [t for t in lower if seat_of(t) == seat and t.get("fill")]
            assert grown["x"].count(None) == len(taken)
            columns = [t for t in lower if t["meta"].get("column") and t["meta"]["other"] == seat]
            assert sum(t["x"].count(None) for t in columns) == sum(len(s["cards"]) for s in taken)
            (takes,) = [t for t in lower if t["mode"] == "markers+text" and seat_of(t) == seat]
            assert sorted(map(int, takes["text"])) == sorted(len(s["cards"]) for s in taken)
        rows = drawn["layout"]["meta"]["stacks"]
        assert [(row[4], row[5]) for row in rows] == [(s["taker"], len(s["cards"])) for s in laid]


def test_bars_count_whose_cards_each_player_took(timeline: Timeline) -> None:
    told = measures(timeline)
    for number, fed in [
        (None, told["match"]["fed"]),
        *((r["round"], r["fed"]) for r in told["rounds"]),
    ]:
        drawn = figure("ownership", timeline, number)
        seats = range(len(timeline.names))
        (pieces,) = [t["meta"]["pieces"] for t in drawn["data"] if "pieces" in t["meta"]]
        shown = [(p["owner"], p["taker"], p["cards"]) for p in pieces]
        # Each pair twice: taken in one row, lost in the other; one's own once.
        assert sorted(shown) == sorted(
            (a, b, fed[a][b])
            for a in seats
            for b in seats
            for _ in range(1 + (a != b))
            if fed[a][b]
        )
        rows = drawn["layout"]["yaxis2"]["ticktext"]
        nets = [int(row.split("\u00a0")[-1].replace("−", "-")) for row in rows]
        assert nets == [
            sum(fed[other][seat] - fed[seat][other] for other in seats) for seat in seats
        ]
        assert sum(nets) == 0


def test_a_match_names_its_rows_and_writes_every_net(timeline: Timeline) -> None:
    drawn = figure("ownership", timeline, None)
    rows = drawn["layout"]["yaxis"]["ticktext"]
    assert rows == ["most taken", *map(label, range(len(timeline.names)), timeline.names)]
    numbers = [t for t in drawn["data"] if t["name"].startswith("numbers")]
    assert len(numbers) == len(timeline.names)
    assert all(text for trace in numbers for text in trace["text"]), "a net of 0, too"


def test_the_strip_shows_who_had_taken_most() -> None:
    timeline = timeline_of("valid-usaopoly-2009-5")
    drawn = figure("ownership", timeline, 1)["data"]
    lines = {t["meta"].get("seat"): t for t in drawn if t["name"] in ("most taken", "level")}
    won = [0] * 5
    for stack in sorted(measures(timeline)["rounds"][0]["stacks"], key=lambda s: s["end"] or 1e9):
        if stack["taker"] is None:
            continue
        won[stack["taker"]] += len(stack["cards"])
        first = [seat for seat in range(5) if won[seat] == max(won)]
        x = lines[first[0] if len(first) == 1 else None]["x"]
        stretches = zip(x[::3], x[1::3], strict=True)
        assert any(since <= stack["end"] <= until for since, until in stretches)


def test_a_rounds_points_count_the_center(timeline: Timeline) -> None:
    for told in measures(timeline)["rounds"]:
        values = figure("ownership", timeline, told["round"])["data"][-1]["meta"]["values"]
        if values:
            assert values[-1][1:] == told["left"]


def test_a_match_is_told_round_by_round(timeline: Timeline) -> None:
    told = measures(timeline)["rounds"]
    points = figure("ownership", timeline)["data"][-1]
    seats = range(len(timeline.names))
    size = per_cell(len(told))
    values = iter(points["meta"]["values"])
    for seat in seats:
        for start in range(0, len(told), size):
            some = told[start : start + size]
            rows = [_row_of(laid["fed"], laid["left"], seat) for laid in some]
            assert next(values) == [seat, *map(sum, zip(*rows, strict=True))]
    assert points["customdata"] == [p.seq for _ in seats for p in timeline.rounds[::size]]


def _row_of(fed: list[list[int]], left: list[int], seat: int) -> list[int]:
    """The cards taken, those of others, lost, the net with each player; and those left."""
    nets = [fed[other][seat] - fed[seat][other] for other in range(len(fed))]
    taken = sum(row[seat] for row in fed)
    lost = sum(fed[seat]) - fed[seat][seat]
    return [taken, taken - fed[seat][seat], lost, *nets, sum(left)]


def test_a_sentence_says_who_profited(timeline: Timeline) -> None:
    fed = measures(timeline)["match"]["fed"]
    said = " ".join(figure("ownership", timeline)["layout"]["meta"]["says"])
    seats = range(len(fed))
    taken = [sum(row[seat] for row in fed) for seat in seats]
    most = [seat for seat in seats if taken[seat] == max(taken)]
    if not any(taken):
        words = ("No card has been laid.", "No one took a stack.", "No one has taken a stack yet.")
        assert said in words
    elif len(most) == 1:
        own = fed[most[0]][most[0]]
        told = f"{timeline.names[most[0]]} took most: {max(taken)} card"
        assert said.startswith(told)
        assert f", {max(taken) - own} of them from others." in said
    else:
        assert f"took most: {max(taken)} cards each." in said


@pytest.mark.parametrize("rounds", [1, 30, 31, 100])
def test_a_match_is_no_barcode(rounds: int) -> None:
    timeline = Timeline.of(long_match(rounds, 5))
    drawn = figure("ownership", timeline)
    assert sum(t["x"].count(None) for t in drawn["data"] if t.get("fill")) <= 300
    assert len(drawn["layout"]["meta"]["cells"]) <= MOST_CELLS
    places = drawn["layout"]["meta"]["rounds"]
    assert [place["round"] for place in places] == list(range(1, rounds + 1))
    last = places[-1]["offset"] + places[-1]["width"]
    assert last == pytest.approx(drawn["layout"]["xaxis"]["range"][1], abs=1)
    values = drawn["data"][-1]["meta"]["values"]
    fed = measures(timeline)["match"]["fed"]
    for seat, column in enumerate(zip(*fed, strict=True)):
        assert sum(row[1] for row in values if row[0] == seat) == sum(column)


def test_lines_end_at_the_gaps_to_the_leader(timeline: Timeline) -> None:
    for played in timeline.rounds:
        lines = figure("scores", timeline, played.number)["data"][: len(timeline.names)]
        if played.end:
            assert [line["y"][-1] for line in lines] == gaps(played.end.scores)
    whole = figure("scores", timeline)["data"][: len(timeline.names)]
    if timeline.rounds and timeline.rounds[-1].end:
        assert [line["y"][-1] for line in whole] == gaps(timeline.totals)


def test_a_line_ends_with_what_its_player_is_behind() -> None:
    assert gaps((12, -3, 12, 0)) == [0, -15, 0, -12]
    timeline = timeline_of(LONG)
    notes = figure("scores", timeline)["layout"]["annotations"]
    ends = {int(note["name"].split()[1]): note["text"].split()[-1] for note in notes}
    assert list(ends.values()) == [f"{gap}".replace("-", "−") for gap in gaps(timeline.totals)]


def test_the_matrix_shows_the_net_of_each_pair(timeline: Timeline) -> None:
    told = measures(timeline)["match"]["fed"]
    drawn = figure("fed", timeline)["data"][0]
    assert [row[:-1] for row in drawn["meta"]["fed"]] == told
    sums = [0] * len(told)
    nets = [int(text.replace("−", "-")) for text in drawn["text"]]
    for seat, other, net in zip(drawn["y"], drawn["x"], nets, strict=True):
        if other < len(told):
            assert net == told[other][seat] - told[seat][other]
            sums[seat] += net
        else:
            assert net == sums[seat]
    assert not sum(sums)


def test_a_pair_is_coloured_once_for_the_player_who_gained() -> None:
    drawn = figure("fed", timeline_of(LONG))
    squares = {(s["x0"], s["y0"]): s["name"] for s in drawn["layout"]["shapes"]}
    (numbers,) = drawn["data"]
    pairs = [piece for piece in numbers["meta"]["pieces"] if piece["owner"] is not None]
    coloured = [name.split()[1] for name in squares.values() if name]
    gained = [str(pair["taker"]) for pair in pairs if pair["cards"] > pair["back"]]
    assert coloured == gained
    assert len(squares) == len(pairs)


def test_a_cell_leads_to_its_takes() -> None:
    lines = lines_of(MATCHES / f"{LONG}.ratuki")
    numbers = figure("fed", Timeline.of(lines))["data"][0]
    takes = numbers["meta"]["takes"]
    cells = zip(numbers["y"], numbers["x"], numbers["customdata"], takes, strict=True)
    for row, column, seqs, own in cells:
        assert own == [seq for seq in seqs if lines[seq].seat == row]
        for seq in seqs if column < 3 else ():
            play = lines[seq]
            assert isinstance(play, Play)
            assert play.takes
            assert play.seat in (row, column)


def test_each_point_carries_its_line_and_its_numbers() -> None:
    timeline = timeline_of(LONG)
    points = figure("ownership", timeline, 1)["data"][-1]
    rows = zip(points["customdata"], points["x"], points["meta"]["values"], strict=True)
    by_seq = {seq: (x, values) for seq, x, values in rows}
    played = timeline.rounds[0]
    for seq, event in zip(played.seqs, played.events, strict=True):
        if isinstance(event, Play | Tie | Late | End):
            x, (height, *middle) = by_seq[seq]
            assert x == event.t
            assert len(middle) == len(timeline.names)
            if isinstance(event, Play) and event.takes:
                assert height == event.takes


def test_the_scores_points_show_the_numbers_of_every_seat() -> None:
    points = figure("scores", timeline_of(LONG), 1)["data"][-1]
    assert {len(row) for row in points["meta"]["values"]} == {3}
    assert not any(points["y"]), "on the leader's line"


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
@pytest.mark.parametrize("make", [lambda: late_flood(5_990), lambda: long_match(100)])
def test_a_figure_is_bounded_whatever_the_record_holds(
    name: str, number: int | None, make: Callable[[], list[Line]]
) -> None:
    drawn = figure(name, Timeline.of(make()), number)
    assert len(json.dumps(drawn)) < 1_200_000
    assert sum(len(trace["x"]) for trace in drawn["data"]) < 60_000
    assert len(drawn["data"][-1]["x"]) <= MAX_EVENTS + 1
    assert len(drawn["layout"].get("shapes", [])) < 300


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
    bands = [t for t in figure("ownership", timeline)["data"] if t.get("fillpattern")]
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


def seat_of(trace: Any) -> int | None:
    return trace["meta"].get("seat")


def public(line: Line) -> Any:
    if isinstance(line, Deal):
        return see_deal(line, SPECTATOR)
    return see(line, SPECTATOR) if isinstance(line, Event) else line


def head(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.read(300)
