"""The measures say what docs/reference/measures.md defines, to the letter."""

import json
from typing import Any

import pytest

from games.engine.events import Draw, Play
from replays.analysis.measures import measures
from replays.timeline import Timeline
from tests.replays.matches import FILES, MATCHES, lines_of, timeline_of

EXPECTED = sorted(MATCHES.glob("*.measures.json"))


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: path.name)
def test_the_report_is_the_expected_one(path: Any) -> None:
    told = measures(timeline_of(path.name.removesuffix(".measures.json")))
    assert json.dumps(told) == json.dumps(json.loads(path.read_text()))


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def timeline(request: pytest.FixtureRequest) -> Timeline:
    return Timeline.of(lines_of(request.param))


def test_every_card_played_was_fed_to_somebody_or_is_left(timeline: Timeline) -> None:
    for told in measures(timeline)["rounds"]:
        for seat, fed in enumerate(told["fed"]):
            assert sum(fed) + told["left"][seat] == told["actions"][seat]["play"]


def test_each_play_ends_one_window_of_its_own(timeline: Timeline) -> None:
    for told in measures(timeline)["rounds"]:
        played = [window for window in told["windows"] if window["end"] == "played"]
        counts = [sum(window["seat"] == seat for window in played) for seat in seats(timeline)]
        assert counts == [actions["play"] for actions in told["actions"]]
        assert counts == [len(times) for times in told["reaction_ms"]]


def test_windows_of_a_card_on_a_slot_never_overlap(timeline: Timeline) -> None:
    for told in measures(timeline)["rounds"]:
        last: dict[tuple[str, int], int] = {}
        for window in told["windows"]:
            key = window["card"], window["slot"]
            assert last.get(key, 0) <= window["from"] <= window["to"] <= told["duration_ms"]
            last[key] = window["to"]


def test_stacks_hold_the_cards_that_were_played(timeline: Timeline) -> None:
    for told, played in zip(measures(timeline)["rounds"], timeline.rounds, strict=True):
        laid = sorted(event.card for event in played.events if isinstance(event, Play))
        assert sorted(card for stack in told["stacks"] for card in stack["cards"]) == laid
        assert sum(stack["taker"] is not None for stack in told["stacks"]) == sum(told["takes"])


def test_score_piles_are_the_sum_of_what_was_fed(timeline: Timeline) -> None:
    for told, played in zip(measures(timeline)["rounds"], timeline.rounds, strict=True):
        table = played.table(len(played.events))
        for seat in seats(timeline):
            assert len(table.score_piles[seat]) == sum(row[seat] for row in told["fed"])


def test_a_missed_take_is_a_window_that_another_seat_closed(timeline: Timeline) -> None:
    for told in measures(timeline)["rounds"]:
        for missed in told["missed_takes"]:
            place = {key: missed[key] for key in ("seat", "card", "slot", "from", "to")}
            assert {**place, "end": "closed", "takes": True} in told["windows"]
            assert missed["taker"] != missed["seat"]


def test_the_match_is_the_sum_of_its_rounds(timeline: Timeline) -> None:
    told = measures(timeline)
    for seat in seats(timeline):
        for kind, count in told["match"]["actions"][seat].items():
            assert count == sum(round_["actions"][seat][kind] for round_ in told["rounds"])
    assert sum(map(sum, told["match"]["fed"])) == sum(
        len(stack["cards"])
        for round_ in told["rounds"]
        for stack in round_["stacks"]
        if stack["taker"] is not None
    )


def test_every_start_of_a_log_has_a_report() -> None:
    lines = lines_of(MATCHES / "valid-usaopoly-2009-3.ratuki")
    for count in range(1, len(lines), 7):
        told = measures(Timeline.of(lines[:count]))
        draws = sum(isinstance(line, Draw) for line in lines[:count])
        assert sum(seat["draw"] for seat in told["match"]["actions"]) == draws
        assert told["match"]["winners"] is None


def seats(timeline: Timeline) -> range:
    return range(len(timeline.names))
