"""The timeline finds every place of a log, and grows with it."""

import pytest

from games.engine.events import End
from games.records.log import Header
from replays.timeline import Timeline
from tests.engine.digests import digest
from tests.replays.matches import FILES, MATCHES, lines_of, timeline_of


@pytest.fixture
def match() -> Timeline:
    return timeline_of("valid-full-match-3")


def test_it_knows_the_rounds_and_their_lengths(match: Timeline) -> None:
    assert [played.number for played in match.rounds] == [1, 2, 3, 4]
    assert [played.duration_ms for played in match.rounds] == [45_947, 40_063, 38_049, 32_513]
    assert match.rounds[0].before == (0, 0, 0)
    assert match.rounds[3].before == (55, 70, 86)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_tables_pass_through_every_position(path) -> None:
    for played in Timeline.of(lines_of(path)).rounds:
        last = ""
        for event, table in played.tables():
            if isinstance(event, End):
                assert table.totals == event.totals
            last = digest(table)
        assert last in ("", digest(played.table(len(played.events))))


def test_a_growing_log_is_the_same_timeline() -> None:
    lines = lines_of(MATCHES / "valid-full-match-3.ratuki")
    header = lines[0]
    assert isinstance(header, Header)
    growing = Timeline(header)
    for seq, line in enumerate(lines[1:], start=1):
        growing.add(line)
        assert growing.seq == seq
    assert [played.events for played in growing.rounds] == [
        played.events for played in Timeline.of(lines).rounds
    ]


def test_until_hides_what_comes_after() -> None:
    for until in (0, 1, 2, 60, 400):
        timeline = timeline_of("valid-full-match-3", until)
        assert timeline.seq == until
        assert timeline.result is None
        assert sum(1 + len(played.events) for played in timeline.rounds) == until


def test_notes_and_variations_have_a_seq_but_no_event() -> None:
    for path in FILES:
        lines = lines_of(path)
        timeline = Timeline.of(lines)
        assert timeline.seq == len(lines) - 1
        for played in timeline.rounds:
            assert [lines[seq] for seq in played.seqs] == played.events
            assert lines[played.seq] == played.deal


def test_a_log_begins_with_its_header() -> None:
    with pytest.raises(ValueError, match="header"):
        Timeline.of([])
