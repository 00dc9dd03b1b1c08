"""Outlines: the same counts as the table's, however little is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import scoring
from games.engine.cards import OWNER
from games.engine.events import Event, Play
from games.engine.table import Table
from games.records import outline
from games.records.outline import Outline, chosen, cut, evenly, fed, read, write
from replays.analysis.stacks import stacks
from replays.timeline import Round, Timeline
from tests.hostile_records import late_flood, text_of
from tests.records.matches import VALID, lines


def rounds(path: Path) -> list[Round]:
    return Timeline.of(lines(path)).rounds


def drawn(played: Round, most: int = outline.FULL) -> Outline:
    rows: list[tuple[int, Event]] = list(zip(played.seqs, played.events, strict=True))
    return outline.outline(played.deal, played.seq, rows, most)


def middle(table: Table) -> tuple[int, ...]:
    owners = [OWNER[card] for stack in table.stacks for card in stack]
    return tuple(map(owners.count, range(table.seats)))


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_every_moment_counts_what_lies_on_the_table(path: Path) -> None:
    for played in rounds(path):
        kept = {snapshot.seq: snapshot for snapshot in drawn(played).snapshots}
        assert len(kept) == 1 + len(played.events)
        for (event, table), seq in zip(played.tables(), played.seqs, strict=True):
            if event is not played.end:
                assert kept[seq].points == scoring.raw_scores(table)
            assert kept[seq].middle == middle(table)


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_stacks_and_sums_are_those_that_analysis_finds(path: Path) -> None:
    for played in rounds(path):
        outlined, told = drawn(played, 8), stacks(played.events)
        assert outlined.laid == len(told)
        assert [s.seats for s in outlined.stacks] == [tuple(s.seats) for s in told]
        assert [(s.end, s.taker) for s in outlined.stacks] == [(s.end, s.taker) for s in told]
        assert outlined.fed == fed(told, len(played.deal.decks))


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_an_outline_can_be_written_and_read(path: Path) -> None:
    for played in rounds(path):
        outlined = drawn(played)
        assert read(write(outlined)) == outlined


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_an_outline_cut_is_that_of_the_start(path: Path) -> None:
    for played in rounds(path):
        whole = drawn(played)
        for count in range(0, len(played.events), 89):
            until = played.seqs[count - 1] if count else played.seq
            rows = list(zip(played.seqs[:count], played.events[:count], strict=True))
            part = outline.outline(played.deal, played.seq, rows)
            short = cut(whole, until)
            assert short.snapshots == part.snapshots
            assert short.stacks == part.stacks
            assert short.fed == part.fed


def test_a_flood_leaves_the_plays_and_little_else() -> None:
    (played,) = Timeline.of(late_flood(20_000)).rounds
    outlined = drawn(played)
    assert len(outlined.snapshots) == outline.FULL + 1
    assert sum(isinstance(snapshot.event, Play) for snapshot in outlined.snapshots) == 1
    assert outlined.snapshots[-1].event == played.end
    assert len(write(outlined)) < 200 * outline.FULL < len(text_of(late_flood(20_000)))


@given(st.integers(0, 300), st.integers(0, 40))
def test_even_distances_keep_both_ends(count: int, most: int) -> None:
    spaced = evenly(range(count), most)
    assert len(spaced) == min(count, most)
    assert list(spaced) == sorted(set(spaced))
    if most > 1 and count:
        assert (spaced[0], spaced[-1]) == (0, count - 1)


def test_takes_come_before_plays_and_the_end_before_all() -> None:
    (played, *_) = rounds(next(path for path in VALID if "full-match" in path.stem))
    takes = [n for n, e in enumerate(played.events) if isinstance(e, Play) and e.takes]
    kept = chosen(played.events, len(takes) + 3)
    assert set(takes) < set(kept)
    assert kept[-1] == len(played.events) - 1
