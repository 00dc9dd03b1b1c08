"""Race cards in words: who was first, what it decided, and what would have changed it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.records.plural import joined
from replays.analysis.moments.swings import Swing
from replays.analysis.moments.wording import NOTICEABLE, Names, cards, chance, face, with_take
from replays.analysis.race_cards import TIE, RaceCard


class RaceWords(NamedTuple):
    """One plain sentence for each question about a race."""

    result: str
    """Who was first, and by how much."""
    screens: str
    """What each screen had shown on the slot when the hand moved."""
    decided: str
    """What it decided."""
    equal_lines: str
    """Who would have been first without anyone's lag."""
    flip: str
    """How little would have changed it."""


def race_words(
    race: RaceCard,
    swing: Swing | None,
    names: Names,
    lags: Sequence[float | None],
    *,
    ties: bool,
) -> RaceWords:
    """The sentences.

    `swing`: what the winner's play, or the tie, changed; `ties`: whether the rules know any.
    """
    return RaceWords(
        _result(race, names),
        _screens(race, names),
        _decided(race, swing, names),
        _equal_lines(race, names, lags),
        _flip(race, names, ties=ties),
    )


def _result(race: RaceCard, names: Names) -> str:
    who = [names[attempt.seat] for attempt in race.attempts]
    margin, where = race.attempts[-1].margin_ms, f"stack {race.slot + 1}"
    if race.kind == TIE:
        apart = f"{margin} ms apart" if margin else "in the same millisecond"
        return f"{joined(who)} tied on {where}, {apart}."
    if not margin:
        return f"{who[0]} reached {where} before {who[1]}, in the same millisecond."
    result = f"{who[0]} reached {where} {margin} ms before {who[1]}"
    if race.late_to is None:
        return f"{result}."
    earlier = f"{names[race.late_to.seat]}’s {face(race.late_to.card).removeprefix('a ')}"
    since = -race.late_to.margin_ms
    return f"{result}, who was too late already: {earlier} had come {since} ms earlier."


def _screens(race: RaceCard, names: Names) -> str:
    tops = [f"a {attempt.top}" if attempt.top else "an empty slot" for attempt in race.attempts]
    if len(set(tops)) == 1:
        who = "Both screens" if len(tops) == 2 else "All their screens"
        seen = f"{who} showed {tops[0]} there; nobody had seen another’s card yet."
        return f"{seen}{_shown(race, names)}"
    parts = [
        f"{names[attempt.seat]}’s screen showed {top}"
        for attempt, top in zip(race.attempts, tops, strict=True)
    ]
    return f"{'; '.join(parts)}.{_shown(race, names)}"


def _shown(race: RaceCard, names: Names) -> str:
    """When the loser's screen showed what it was too late for."""
    late = race.attempts[-1]
    if race.shown is None or late.hand_t is None:
        return ""
    first = names[(race.late_to or race.attempts[0]).seat]
    low, likely, high = (max(0, at - late.hand_t) for at in race.shown)
    return (
        f" {first}’s card came to {names[late.seat]}’s screen about {likely} ms after "
        f"{names[late.seat]}’s hand had moved (estimated: {low} to {high})."
    )


def _decided(race: RaceCard, swing: Swing | None, names: Names) -> str:
    height = cards(race.cards) if race.cards else "no card"
    if race.kind == TIE:
        words = f"The tied cards went to their owners’ discard piles; {height} stayed on the stack"
        return f"{words}{_changed(swing, names)}."
    first, late = race.attempts[0], race.attempts[1]
    if race.takes:
        won = f"{names[first.seat]} took {cards(race.takes)} with {face(first.card)}"
    elif race.cards:
        won = f"{names[first.seat]} played {face(first.card)} on a stack of {height}"
    else:
        won = f"{names[first.seat]} started the stack with {face(first.card)}"
    kept = f"{names[late.seat]} kept {face(late.card)} in hand"
    return f"{won}; {kept}{_changed(swing, names)}."


def _changed(swing: Swing | None, names: Names) -> str:
    """What it changed for the player whom it affected most, or what a tie for a stack cost."""
    if swing is None:
        return ""
    if swing.stake:
        return f" ({with_take(swing, names)})"
    moved = max(range(len(names)), key=lambda seat: abs(swing.change(seat)))
    if abs(swing.change(moved)) < NOTICEABLE:
        return "; nobody’s win probability changed noticeably (estimated)"
    return f" ({names[moved]}: {chance(swing.before[moved], swing.after[moved])})"


def _equal_lines(race: RaceCard, names: Names, lags: Sequence[float | None]) -> str:
    tries = (race.late_to, race.attempts[-1]) if race.late_to else race.attempts
    if race.equal_lines is None:
        unknown = [names[attempt.seat] for attempt in tries if attempt.hand_t is None]
        return f"Unknown: the lag of {joined(unknown)} was neither measured nor shows in the log."
    results = [
        f"{names[attempt.seat]} {lag:.0f} ms"
        for attempt in tries
        if (lag := lags[attempt.seat]) is not None
    ]
    estimate = f"An estimate, with each player’s lag taken off: {joined(results)}."
    if race.equal_lines == TIE:
        same = race.kind == TIE
        return f"{'Still a tie' if same else 'A tie'}. {estimate}"
    first = race.winner if race.late_to is None else race.late_to.seat
    also = "also " if race.equal_lines == first else ""
    return f"{names[int(race.equal_lines)]} would {also}have been first. {estimate}"


def _flip(race: RaceCard, names: Names, *, ties: bool) -> str:
    mover = race.attempts[0 if race.kind == TIE else 1]
    if race.flip_ms is None:
        return (
            f"Nothing: {names[mover.seat]} could not have come early enough "
            "(the hand was busy, or the stack was not ready for that card)."
        )
    earlier = f"{names[mover.seat]} {race.flip_ms} ms earlier"
    if race.kind == TIE:
        return f"{earlier}: first, instead of a tie."
    if not ties:
        return f"{earlier}: first."
    whose = f" with {names[race.late_to.seat]}" if race.late_to else ""
    return f"{earlier}: a tie{whose}, instead of too late."
