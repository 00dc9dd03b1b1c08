"""The table "Where the editions differ", row by row, and house rules in each field."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from games.engine.actions import DiscardOne, DrawOne, Shout, Try
from games.engine.cards import WILD, deck_of
from games.engine.editions import (
    DEFAULT_EDITION,
    EDITION_NUMBERS,
    EDITIONS,
    Rules,
    RulesError,
    house_rules,
)
from games.engine.events import Discard, Draw, End, Late, Out, Play, Tie
from games.engine.fitting import fits
from games.engine.scoring import round_scores
from tests.engine.rounds import BASE, Round, facts

USAOPOLY, HASBRO, GAMERULES = "usaopoly-2009", "hasbro-2010", "gamerules"
RULEBOOK = (USAOPOLY, HASBRO, GAMERULES)
ONE_OF_EACH = [1, 1, 1, 0, 0, 0]
TABLE: dict[str, tuple[Any, Any, Any]] = {
    "deck": ((7, 8, 8, 5, 5, 2), (7, 8, 7, 5, 5, 2), (7, 8, 8, 5, 5, 2)),
    "wild_starts": (False, True, True),
    "wild_as_number": (False, True, False),
    "out": ("shout", "empty", "empty"),
    "refill_before_play": (False, True, True),
    "refill_before_discard": (True, True, True),
    "floor_at_zero": (False, False, True),
    "tie_window_ms": (50, 50, 50),
    "one_hand_ms": (120, 120, 120),
    "mistake_ms": (2_000, 2_000, 2_000),
    "stall_ms": (30_000, 30_000, 30_000),
    "target": (100, 100, 100),
    "speedy": (False, False, False),
}


def test_three_editions_of_which_one_is_the_default() -> None:
    """ "`usaopoly-2009` (default) … `hasbro-2010` … `gamerules`"."""
    assert list(EDITIONS)[:3] == [*RULEBOOK]
    assert DEFAULT_EDITION == USAOPOLY


def test_the_numbers_of_editions_are_for_good() -> None:
    """Stored matches are found by them: add one for a new edition, never change or reuse one."""
    assert EDITION_NUMBERS.items() >= {(USAOPOLY, 0), (HASBRO, 1), (GAMERULES, 2)}
    assert EDITION_NUMBERS.keys() == EDITIONS.keys()
    assert len(set(EDITION_NUMBERS.values())) == len(EDITIONS)


def test_the_fields_stand_in_the_tables_order() -> None:
    """Records write overrides in the order of the table."""
    assert [field.name for field in fields(Rules)] == list(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_where_the_editions_differ(name: str) -> None:
    """Each row of the table; an edition's data never changes under its id."""
    assert tuple(getattr(EDITIONS[edition], name) for edition in RULEBOOK) == TABLE[name]


@pytest.mark.parametrize(("edition", "size"), [(USAOPOLY, 35), (HASBRO, 34), (GAMERULES, 35)])
def test_deck(edition: str, size: int) -> None:
    """ "`deck` (how many of 1, 2, 3, 4, 5, wild)"."""
    assert len(deck_of(0, EDITIONS[edition].deck)) == size


@pytest.mark.parametrize(("edition", "starts"), [(USAOPOLY, False), (HASBRO, True)])
def test_wild_starts(edition: str, starts: bool) -> None:
    """ "`wild_starts` a stack: no | yes, as a 1 | yes, as a 1"."""
    r = Round("ARa A1a A2a", "", edition=edition)
    assert (("ARa", 0, 1) in r.tries(0)) is starts
    court = r.referee()
    if starts:
        assert "as must be 1" in r.fault(Play(BASE, 0, "ARa", 0))
        assert "does not fit" in r.fault(Play(BASE, 0, "ARa", 0, 2))
        r.happen(Play(BASE, 0, "ARa", 0, 1))
        assert r.table.tops[0] == 1
    else:
        assert "does not fit" in r.fault(Play(BASE, 0, "ARa", 0, 1))
        (fact,) = facts(court.offer(BASE, Try(0, "ARa", 0)))
        assert type(fact).__name__ == "Miss"


@pytest.mark.parametrize("top", [1, 2, 3, 4])
def test_wild_as_number(top: int) -> None:
    """ "`wild_as_number`: a wild may stand for a number (1 to 4) one above or below the top"."""
    stack = " ".join(f"A{number}a" for number in range(1, top + 1))
    r = Round("ARa A1d A1e", "", middle=[stack], edition=HASBRO)
    stays = {number for card, slot, number in r.tries(0) if (card, slot) == ("ARa", 0)}
    assert stays == {None} | {number for number in (top - 1, top + 1) if 1 <= number <= 4}
    for number in range(1, 5):
        if number not in stays:
            assert "does not fit" in r.fault(Play(BASE, 0, "ARa", 0, number))


def test_a_wild_as_number_stays_and_the_next_card_goes_on_the_number() -> None:
    """It stands for that number from then on."""
    r = Round("ARa A1d A4a", "", middle=["A1a A2a"], edition=HASBRO)
    assert "takes: expected none" in r.fault(Play(BASE, 0, "ARa", 0, 3, 3))
    r.happen(Play(BASE, 0, "ARa", 0, 3), r.draw(BASE + 200, 0))
    assert r.table.tops[0] == 3
    assert ("A4a", 0, None) in r.tries(0)


def test_a_wild_is_no_5() -> None:
    """ "as a 5 it would take, and it takes anyway": 5 is not a number to stand for."""
    rules = EDITIONS[HASBRO]
    assert not fits(rules, 4, WILD, 5)
    r = Round("ARa A1d A1e", "", middle=["A1a A2a A3a A4a"], edition=HASBRO)
    assert r.referee().refusal(BASE, Try(0, "ARa", 0, 5)).rule == "not-wild"


@pytest.mark.parametrize("edition", [USAOPOLY, GAMERULES])
def test_no_wild_as_number(edition: str) -> None:
    """Elsewhere a wild on a stack only takes."""
    r = Round("ARa A1d A1e", "", middle=["A1a A2a"], edition=edition)
    assert {number for card, slot, number in r.tries(0) if (card, slot) == ("ARa", 0)} == {None}
    assert "does not fit" in r.fault(Play(BASE, 0, "ARa", 0, 3))


def test_only_a_wild_stands_for_a_number() -> None:
    """`as` on any other card is an error, and refused."""
    r = Round("A1a A2a A3a", "", edition=HASBRO)
    assert "does not fit" in r.fault(Play(BASE, 0, "A1a", 0, 1))
    assert "only a wild" in r.fault(Late(BASE, 0, "A1a", 0, 1, 0))
    assert r.referee().refusal(BASE, Try(0, "A1a", 0, 1)).rule == "not-wild"


def test_out_by_shout() -> None:
    """ "`shout`: draw and discard piles are empty and the player says OUT (the hand may still
    hold cards; the player may choose to play on)"."""
    r = Round("A1a A2a A3a", "", deck=ONE_OF_EACH)
    assert r.may_shout(0)
    assert r.tries(0) == {("A1a", 0, None), ("A1a", 1, None)}
    court = r.referee()
    assert facts(court.offer(BASE, Shout(0))) == [Out(BASE, 0), End(BASE, "out", (0, 0), (0, 0))]


def test_no_out_before_the_piles_are_empty() -> None:
    """A shout with cards in the piles is refused; as a line it is an error."""
    r = Round("A1a A2a A3a", "", deck=[2, 1, 1, 0, 0, 0])
    assert not r.may_shout(0)
    assert "not out" in r.fault(Out(BASE, 0))
    assert r.referee().refusal(BASE, Shout(0)).rule == "not-out"


def test_an_empty_hand_is_no_out_where_one_shouts() -> None:
    """In a shout edition a seat without any card is not out before it says so."""
    r = Round("A1a A2a A3a", "", deck=ONE_OF_EACH)
    r.happen(Play(BASE, 0, "A1a", 0), Play(BASE + 200, 0, "A2a", 0), Play(BASE + 400, 0, "A3a", 0))
    assert r.table.ended is None
    assert r.allows(Play(BASE + 600, 1, "B1a", 1))
    assert r.allows(Out(BASE + 9_000, 0))


@pytest.mark.parametrize("edition", [HASBRO, GAMERULES])
def test_out_by_emptiness(edition: str) -> None:
    """ "`empty`: hand, draw and junk piles are all empty; at once"."""
    r = Round("A1a A2a A3a", "", deck=ONE_OF_EACH, edition=edition)
    assert r.referee().refusal(BASE, Shout(0)).rule == "out-by-itself"
    assert "not out" in r.fault(Out(BASE, 0))
    r.happen(Play(BASE, 0, "A1a", 0), Play(BASE + 200, 0, "A2a", 0))
    events = r.referee().facts(BASE + 450, (BASE + 400, Try(0, "A3a", 0)))
    assert events[1:] == [Out(BASE + 400, 0), End(BASE + 400, "out", (0, 0), (0, 0))]


def test_out_by_emptiness_is_the_very_next_line() -> None:
    """The event right after the play that emptied that seat, at the same t, of that seat."""
    r = Round("A1a A2a A3a", "", deck=ONE_OF_EACH, edition=HASBRO)
    r.happen(Play(BASE, 0, "A1a", 0), Play(BASE + 200, 0, "A2a", 0), Play(BASE + 400, 0, "A3a", 0))
    assert "out expected, found play" in r.fault(Play(BASE + 400, 1, "B1a", 1))
    assert "out expected at t" in r.fault(Out(BASE + 401, 0))
    assert "out expected of the seat" in r.fault(Out(BASE + 400, 1))
    assert r.legal(1) == []


def test_nobody_is_out_by_being_blocked() -> None:
    """Where the last card empties a seat and blocks the rest, the seat is out."""
    r = Round("A1a A2a A3a", "B1a B2a B3a", deck=ONE_OF_EACH, edition=HASBRO)
    for step, card in enumerate(["A1a", "A2a", "B1a", "B2a", "A3a"]):
        r.happen(r.play(BASE + 200 * step, card, 0))
    blocked = End(BASE + 800, "blocked", (0, 0), (0, 0))
    assert "out expected, found end blocked" in r.fault(blocked)
    assert r.allows(Out(BASE + 800, 0))


@pytest.mark.parametrize("edition", [HASBRO, GAMERULES])
def test_refill_before_play(edition: str) -> None:
    """ "hand must hold three before a play, unless the draw pile is empty"."""
    r = Round("A1a A2a A3a", "B2a B3a B4a", edition=edition).happen(Play(BASE, 0, "A1a", 0))
    assert r.tries(0) == set()
    assert "refill first" in r.fault(Play(BASE + 200, 0, "A2a", 0))
    assert "refill first" in r.fault(Tie(BASE + 200, 0, ("A2a", "B2a"), (0, 0)))
    assert r.referee().refusal(BASE + 200, Try(0, "A2a", 0)).rule == "refill-first"
    r.happen(r.draw(BASE + 200, 0))
    assert ("A2a", 0, None) in r.tries(0)


def test_no_refill_with_an_empty_draw_pile() -> None:
    """ "unless the draw pile is empty"."""
    r = Round("A1a A2a A3a", "", edition=HASBRO, deck=ONE_OF_EACH)
    r.happen(Play(BASE, 0, "A1a", 0), Play(BASE + 200, 0, "A2a", 0))
    assert ("A3a", 0, None) in r.tries(0)


def test_no_refill_before_play() -> None:
    """`usaopoly-2009`: a play needs no full hand."""
    r = Round("A1a A2a A3a", "").happen(Play(BASE, 0, "A1a", 0))
    assert r.allows(Play(BASE + 200, 0, "A2a", 0))


@pytest.mark.parametrize("edition", EDITIONS)
def test_refill_before_discard(edition: str) -> None:
    """ "`refill_before_discard`: likewise before a discard"."""
    r = Round("A1a A2a A3a", "", edition=edition).happen(Discard(BASE, 0, "A1a"))
    assert r.discards(0) == set()
    assert "refill first" in r.fault(Discard(BASE + 200, 0, "A2a"))
    assert r.referee().refusal(BASE + 200, DiscardOne(0, "A2a")).rule == "refill-first"
    relaxed = Round("A1a A2a A3a", "", edition=edition, refill_before_discard=False)
    relaxed.happen(Discard(BASE, 0, "A1a"), Discard(BASE + 200, 0, "A2a"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_floor_at_zero(edition: str) -> None:
    """ "a negative round score counts 0": in `gamerules` only."""
    r = Round("", "", edition=edition)
    size = sum(r.table.rules.deck) - 3
    assert round_scores(r.table) == ((0, 0) if edition == GAMERULES else (-size, -size))


def test_tie_window_0_means_the_first_counts() -> None:
    """ "`tie_window_ms` (0: no ties, the first counts)"."""
    r = Round("A1a A2a A3a", "B1a B2a B3a", tie_window_ms=0)
    assert "ties are off" in r.fault(Tie(BASE, 0, ("A1a", "B1a"), (0, 0)))
    court = r.referee()
    assert facts(court.offer(BASE, Try(0, "A1a", 0))) == [Play(BASE, 0, "A1a", 0, None, None, 0)]
    late = Late(BASE, 1, "B1a", 0, None, 0)
    assert repr(facts(court.offer(BASE, Try(1, "B1a", 0, None, 0)))) == repr([late])


def test_one_hand_is_at_least_the_tie_window() -> None:
    """ "`one_hand_ms` (at least `tie_window_ms`)"."""
    with pytest.raises(RulesError, match="one_hand_ms must be at least tie_window_ms"):
        house_rules(USAOPOLY, {"one_hand_ms": 49})
    with pytest.raises(RulesError, match="one_hand_ms"):
        house_rules(USAOPOLY, {"tie_window_ms": 121})
    assert house_rules(USAOPOLY, {"one_hand_ms": 50}).one_hand_ms == 50


def test_one_hand_may_be_the_window() -> None:
    """The hand is free the very ms in which its own window is over."""
    r = Round("A1a A2a A3a", "", one_hand_ms=50)
    court = r.referee()
    court.offer(BASE, Try(0, "A1a", 0))
    assert repr(facts(court.offer(BASE + 50, DrawOne(0)))) == repr(
        [Play(BASE, 0, "A1a", 0, None, None, 0), Draw(BASE + 50, 0, "A1b")]
    )


def test_mistake_ms() -> None:
    """A house rule may make mistakes cheaper."""
    r = Round("A1a A2a A3a", "", mistake_ms=400)
    court = r.referee()
    court.offer(BASE, Try(0, "A3a", 0))
    assert court.refusal(BASE + 399, Try(0, "A1a", 0)).wait_ms == 1


def test_stall_ms_0_is_off() -> None:
    """ "`stall_ms` (0: off)": the round waits for ever."""
    r = Round("A2a A3a A4a", "", stall_ms=0)
    court = r.referee()
    assert court.judge.due is None
    assert court.settle(80_000_000) == []
    assert "not stalled" in r.fault(End(0, "stalled", (0, 0), (0, 0)))


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("deck", [7, 8, 8, 5, 5]),
        ("deck", [1, 1, 0, 0, 0, 0]),
        ("deck", [27, 0, 0, 0, 0, 0]),
        ("deck", [-1, 8, 8, 5, 5, 2]),
        ("deck", [True, 8, 8, 5, 5, 2]),
        ("deck", "788552"),
        ("wild_starts", 1),
        ("wild_as_number", "yes"),
        ("out", "both"),
        ("refill_before_play", None),
        ("refill_before_discard", 0),
        ("floor_at_zero", []),
        ("tie_window_ms", -1),
        ("tie_window_ms", 1.0),
        ("one_hand_ms", 600_001),
        ("mistake_ms", True),
        ("stall_ms", "30000"),
        ("target", 99),
        ("target", 10_001),
        ("speedy", "no"),
        ("colour", True),
    ],
)
def test_a_match_may_override_any_field_within_its_range(name: str, bad: object) -> None:
    """ "A match may override any field"; a wrong value names the field."""
    with pytest.raises(RulesError, match=name):
        house_rules(USAOPOLY, {name: bad})


def test_house_rules_of_an_unknown_edition() -> None:
    with pytest.raises(RulesError, match="unknown edition 'mattel'"):
        house_rules("mattel")


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_differences_say_the_house_rules(edition: str) -> None:
    """What was overridden comes back as JSON values, in the table's order."""
    said: dict[str, object] = {"speedy": True, "target": 120, "deck": [1, 2, 3, 4, 5, 6]}
    rules = house_rules(edition, said)
    differences = rules.differences(EDITIONS[edition])
    assert differences == said
    assert list(differences) == ["deck", "target", "speedy"]
    assert house_rules(edition, differences) == rules


def test_the_documents_table_says_the_same() -> None:
    """docs/reference/rules.md shows every field of every edition as it is."""
    text = (Path(__file__).parents[2] / "docs" / "reference" / "rules.md").read_text()
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    shown = {re.findall("`([a-z_]+)`", row[0])[0]: tuple(row[1:4]) for row in rows}
    assert shown == {name: tuple(map(as_shown, row)) for name, row in TABLE.items()}


def as_shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return f"{' '.join(map(str, value))} ({sum(value)})"
    return f"`{value}`" if isinstance(value, str) else f"{value:,}"
