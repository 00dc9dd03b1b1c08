"""Race cards as facts: the winner, the stake, and changes that would have reversed it."""

from collections.abc import Iterator, Sequence

from games.engine.message import card, seat, seats
from replays.analysis.moments.swings import Swing
from replays.analysis.moments.wording import NOTICEABLE, chance, with_take
from replays.analysis.race_cards import TIE, RaceCard
from replays.analysis.report_json import RaceSentences
from replays.analysis.sentences import Fact, fact, say


def race_words(
    race: RaceCard, swing: Swing | None, lags: Sequence[float | None], *, ties: bool
) -> RaceSentences:
    """The facts.

    `swing`: the effect of the winner's play, or of the tie. `ties`: whether the rules have ties.
    """
    return {
        "result": say(_result(race)),
        "screens": say(_screens(race), _screen_facts(race)),
        "decided": say(_decided(race), _changed(swing)),
        "equal_lines": say(_equal_lines(race, lags)),
        "flip": say(_flip(race, ties=ties)),
    }


def _result(race: RaceCard) -> Iterator[Fact]:
    first, *_, last = race.attempts
    where = {"stack": race.slot + 1, "ms": last.margin_ms}
    at_once = "" if last.margin_ms else "_at_once"
    if race.kind == TIE:
        tied = seats(attempt.seat for attempt in race.attempts)
        yield fact(f"race_tied{at_once}", players=tied, **where)
        return
    second = seat(race.attempts[1].seat)
    yield fact(f"reached{at_once}", player=seat(first.seat), other=second, **where)
    if race.late_to is not None and last.margin_ms:
        other, since = race.late_to, -race.late_to.margin_ms
        came = {"other": seat(other.seat), "card": card(other.card), "ms": since}
        yield fact("late_already", player=second, **came)


def _screens(race: RaceCard) -> Iterator[Fact]:
    tops = [attempt.top for attempt in race.attempts]
    if len(set(tops)) > 1:
        for attempt in race.attempts:
            who = seat(attempt.seat)
            yield fact("saw" if attempt.top else "saw_none", player=who, top=attempt.top)
        return
    screens = "both" if len(tops) == 2 else "all"
    yield fact(f"{screens}_saw{'' if tops[0] else '_none'}", top=tops[0])
    yield fact("none_seen")


def _screen_facts(race: RaceCard) -> Iterator[Fact]:
    """When the loser's screen showed what it was too late for."""
    late = race.attempts[-1]
    if race.shown is not None and late.hand_t is not None:
        first = (race.late_to or race.attempts[0]).seat
        low, likely, high = (max(0, at - late.hand_t) for at in race.shown)
        after = {"ms": likely, "low": low, "high": high}
        yield fact("came_to_screen", other=seat(first), player=seat(late.seat), **after)


def _decided(race: RaceCard) -> Iterator[Fact]:
    if race.kind == TIE:
        yield fact("tied_cards_went")
        yield fact("stayed", count=race.cards) if race.cards else fact("none_stayed")
        return
    first, late = race.attempts[0], race.attempts[1]
    laid = {"player": seat(first.seat), "card": card(first.card)}
    if race.takes:
        yield fact("took", count=race.takes, **laid)
    elif race.cards:
        yield fact("laid_on", count=race.cards, **laid)
    else:
        yield fact("started", **laid)
    yield fact("kept", player=seat(late.seat), card=card(late.card))


def _changed(swing: Swing | None) -> Iterator[Fact]:
    """The effect on the player most affected, or the cost of a tie for a stack."""
    if swing is None:
        return
    moved = max(range(len(swing.after)), key=lambda seat: abs(swing.change(seat)))
    if swing.stake:
        yield with_take(swing)
    elif abs(swing.change(moved)) < NOTICEABLE:
        yield fact("no_chance_changed")
    else:
        yield chance(*swing.chances(moved), moved)


def _equal_lines(race: RaceCard, lags: Sequence[float | None]) -> Iterator[Fact]:
    tries = (race.late_to, race.attempts[-1]) if race.late_to else race.attempts
    if race.equal_lines is None:
        unknown = seats(attempt.seat for attempt in tries if attempt.hand_t is None)
        yield fact("delay_unknown", players=unknown)
        return
    if race.equal_lines == TIE:
        yield fact("still_tie" if race.kind == TIE else "a_tie")
    else:
        first = race.winner if race.late_to is None else race.late_to.seat
        kind = "first_too" if race.equal_lines == first else "first_then"
        yield fact(kind, player=seat(int(race.equal_lines)))
    yield fact("without_delay")
    for attempt in tries:
        lag = lags[attempt.seat]
        if lag is not None:
            yield fact("delay", player=seat(attempt.seat), ms=lag)


def _flip(race: RaceCard, *, ties: bool) -> Fact:
    mover = seat(race.attempts[0 if race.kind == TIE else 1].seat)
    earlier = {"player": mover, "ms": race.flip_ms}
    if race.flip_ms is None:
        return fact("no_flip", player=mover)
    if race.kind == TIE:
        return fact("flip_not_tie", **earlier)
    if not ties:
        return fact("flip_first", **earlier)
    if race.late_to is None:
        return fact("flip_tie", **earlier)
    return fact("flip_tie_with", other=seat(race.late_to.seat), **earlier)
