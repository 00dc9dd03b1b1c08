"""The table: moving cards, a copy, its picture, its digest; recorded matches fold as ever."""

from itertools import zip_longest
from pathlib import Path
from random import Random

import pytest

from games.engine.dealing import shuffled
from games.engine.editions import Rules
from games.engine.events import Deal, Discard, Draw, End, Late, Miss, Out, Play, Tie
from games.engine.perspective import SPECTATOR, see, see_deal
from games.engine.table import Table, apply
from tests.engine.digests import digest
from tests.engine.golden import digests, golden_of
from tests.engine.rounds import BASE, Round, state
from tests.records.matches import VALID

PICTURE = """\
round 1, 19 events, t 10700, open
slot 0  .  free
slot 1  2  A1b B2b
slot 2  3  C1a C2a BRa
seat A  hand A2b A3b      draw 26  discard  0  score  5  total 0
seat B  hand B2a B1a      draw 30  discard  0  score  0  total 0
seat C  hand C3a C4a      draw 29  discard  1  score  0  total 0"""


def middle_game() -> Round:
    """A round in the middle: a take, a wild as a number, a discard."""
    r = Round(
        "A5a A2b A3b",
        "BRa B2a B2b",
        "C2b C3a C4a",
        middle=["A1a A2a A3a A4a", "A1b", "C1a C2a"],
        edition="hasbro-2010",
    )
    r.happen(r.play(BASE, "A5a", 0), Play(BASE + 100, 1, "BRa", 2, 3))
    r.happen(Draw(BASE + 300, 1, "B1a"), Play(BASE + 500, 1, "B2b", 1))
    return r.happen(Discard(BASE + 700, 2, "C2b"))


def test_a_picture_that_a_person_can_read() -> None:
    """`str(table)`: the slots with their tops and cards, the seats with their piles."""
    assert str(middle_game().table) == PICTURE


def test_the_picture_says_how_the_round_ended() -> None:
    r = Round("", "").happen(End(BASE, "abandoned", (0, 0), (0, 0)))
    assert str(r.table).startswith("round 1, 1 events, t 10000, abandoned\n")
    assert repr(r.table) == f"<{r.table}>"


def test_a_copy_is_another_table() -> None:
    """Changing one leaves the other as it is."""
    r = middle_game()
    twin = r.table.copy()
    assert digest(twin) == digest(r.table)
    assert state(twin) == state(r.table)
    before = str(r.table), digest(r.table)
    apply(twin, Draw(BASE + 5_000, 2, twin.draw_piles[2][-1]))
    apply(twin, Tie(BASE + 6_000, 2, ("A2b", "B2a"), (0, 1), (20, 20)))
    assert (str(r.table), digest(r.table)) == before
    assert digest(twin) != digest(r.table)


def test_a_deal_clears_the_table_but_for_the_totals() -> None:
    r = middle_game()
    apply(r.table, End(BASE + 800, "stalled", (1, 2, 3), (10, 20, 30)))
    deal = shuffled(r.table.rules, 3, 2, Random(1))
    r.table.deal(deal)
    fresh = Table(r.table.rules, 3)
    fresh.deal(deal)
    assert digest(r.table) == digest(fresh)
    assert r.table.totals == (10, 20, 30)
    assert (r.table.round, r.table.events, r.table.ended) == (2, 0, None)


@pytest.mark.parametrize(
    "event",
    [
        Late(BASE, 1, "B2a", 0, None, 0),
        Miss(BASE, 1, "B2a", 0, None, 0),
        Out(BASE, 1),
        End(BASE, "out", (0, 0), (0, 0)),
    ],
)
def test_some_facts_move_nothing(event: Late | Miss | Out | End) -> None:
    """Late tries, mistakes, OUT and the end are counted, and set t."""
    r = Round("A1a A2a A3a", "B2a B3a B4a")
    before = str(r.table).splitlines()[1:]
    apply(r.table, event)
    assert str(r.table).splitlines()[1:] == before
    assert (r.table.events, r.table.t) == (1, BASE)


def test_tied_cards_keep_the_order_of_the_tries() -> None:
    """Each goes onto its owner's discard pile; an empty draw pile takes it at once."""
    r = Round("A1a A2a A3a", "B1a B2a B3a", deck=[1, 1, 1, 0, 0, 0])
    apply(r.table, Tie(BASE, 1, ("B1a", "A1a"), (0, 1)))
    assert r.table.hands == [["A2a", "A3a"], ["B2a", "B3a"]]
    assert r.table.draw_piles == [["A1a"], ["B1a"]]
    assert r.table.discard_piles == [[], []]


def test_a_card_that_leaves_a_hand_of_unknown_cards() -> None:
    """Where the hand does not list it, one unknown card leaves instead."""
    r = Round("A1a A2a A3a", "B1a B2a B3a")
    table = Table(r.table.rules, 2)
    deal = Deal(1, (("A?", "A?", "A?", "A?"), ("B1a", "B2a", "B3a", "B?")))
    table.deal(deal)
    apply(table, Play(BASE, 0, "A1a", 0))
    apply(table, Play(BASE, 1, "B1a", 1))
    apply(table, Draw(BASE + 200, 0, "A?"))
    apply(table, Discard(BASE + 400, 0, "A?"))
    assert table.hands == [["A?", "A?"], ["B2a", "B3a"]]
    assert table.stacks == [["A1a"], ["B1a"]]


def test_the_digest_of_a_fresh_table() -> None:
    """FNV-1a of the text in the contract with the browser; written down once and for all."""
    table = Table(Rules(deck=(1, 1, 1, 1, 0, 0)), 2)
    decks = tuple(tuple(f"{letter}{face}a" for face in (1, 2, 3, 4)) for letter in "AB")
    table.deal(Deal(1, decks))
    text = "s0 0 \ns1 0 \nh0 A1a A2a A3a\nd0 A4a\nx0 \np0 \nh1 B1a B2a B3a\nd1 B4a\nx1 \np1 \nn0 t0"
    assert digest(table) == fnv1a(text) == "be0a8154"


def test_the_digest_of_a_table_in_the_middle() -> None:
    assert digest(middle_game().table) == "ff56a212"


def test_the_digest_of_what_a_spectator_sees() -> None:
    """Hidden cards are part of it, as `A?`."""
    deal = shuffled(Rules(), 2, 1, Random(7))
    table = Table(Rules(), 2)
    table.deal(see_deal(deal, SPECTATOR))
    apply(table, see(Discard(BASE, 0, deal.decks[0][0]), SPECTATOR))
    assert digest(table) == "1de1c91d"


def fnv1a(text: str) -> str:
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return f"{value:08x}"


@pytest.mark.parametrize("record", VALID, ids=lambda path: path.stem)
def test_a_match_folds_into_its_golden_digests(record: Path) -> None:
    """`python -m tests.engine.golden --write` writes the file for a new match."""
    assert golden_of(record).exists(), "a new match: python -m tests.engine.golden --write"
    golden = golden_of(record).read_text().splitlines()
    for line, (now, expected) in enumerate(zip_longest(digests(record), golden), start=1):
        assert now == expected, f"{golden_of(record).name}:{line}"
