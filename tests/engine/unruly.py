"""Seats that keep to no rule: random house rules, random actions at random times, random claims.

Everything comes from one `random.Random`, so a seed says it all.
"""

from dataclasses import replace
from random import Random
from typing import Any, Final, NamedTuple

from games.engine.actions import Abandon, Action, DiscardOne, DrawOne, Shout, Try
from games.engine.cards import FACE, FACE_LETTERS, WILD
from games.engine.dealing import shuffled
from games.engine.editions import EDITIONS, Rules
from games.engine.events import Discard, Draw, Event, Late, Miss, Out, Play
from games.engine.fitting import fits
from games.engine.referee import Outcome, Referee, Settled
from games.engine.table import Table, apply
from tests.engine.history import Game


class Setting(Game):
    """What a round is played with."""

    def table(self) -> Table:
        """A fresh table, dealt."""
        table = Table(self.rules, self.seats, self.beginners)
        table.totals = self.totals
        table.deal(self.deal)
        return table


class Played(NamedTuple):
    """A round by unruly seats: its facts, and everything that was answered."""

    setting: Setting
    events: tuple[Event, ...]
    outcomes: tuple[Outcome, ...]


def replay(setting: Setting, events: tuple[Event, ...]) -> Table:
    """The table after these events, which must be true."""
    table = setting.table()
    for event in events:
        apply(table, event)
    return table


# Rules

OF_TESTS: Final = ("usaopoly-2009", "hasbro-2010", "gamerules")
"""Fixed, so that a new edition changes no other test's match."""


def random_rules(rng: Random) -> Rules:
    """An edition, as it is or with any fields overridden."""
    rules = EDITIONS[rng.choice(OF_TESTS)]
    if rng.random() < 0.25:
        return rules
    window = rng.choice([0, 1, 2, 50, 50, 50, 200])
    one_hand = max(window, rng.choice([0, window, window + 1, 120]))
    changes: dict[str, Any] = {
        "deck": random_deck(rng),
        "wild_starts": rng.random() < 0.5,
        "wild_as_number": rng.random() < 0.5,
        "out": rng.choice(["shout", "empty"]),
        "refill_before_play": rng.random() < 0.5,
        "refill_before_discard": rng.random() < 0.5,
        "floor_at_zero": rng.random() < 0.5,
        "mistake_ms": rng.choice([0, 1, 100, 500, 2000]),
        "stall_ms": rng.choice([0, 1, 100, 1000, 30_000]),
    }
    some = {name: value for name, value in changes.items() if rng.random() < 0.4}
    if rng.random() < 0.5:
        some |= {"tie_window_ms": window, "one_hand_ms": one_hand}
    return replace(rules, **some)


def random_deck(rng: Random) -> tuple[int, ...]:
    """Six counts, mostly small, at least three cards."""
    while True:
        most = rng.choice([1, 2, 3, 8])
        deck = tuple(rng.randint(0, most) for _ in FACE_LETTERS)
        if sum(deck) >= 3:
            return deck


def random_setting(rng: Random) -> Setting:
    """Rules, two to five seats, beginners among them, a deal."""
    rules, seats = random_rules(rng), rng.randint(2, 5)
    beginners = tuple(seat for seat in range(seats) if rng.random() < 0.2)
    totals = tuple(rng.randint(-20, 60) for _ in range(seats))
    return Setting(rules, seats, shuffled(rules, seats, 1, rng), beginners, totals)


# Actions for the Referee


def play_unruly(rng: Random, setting: Setting, steps: int, asking: Random | None = None) -> Played:
    """A round in which the seats do what they like, up to `steps` actions.

    `asking`: the Referee is asked to settle at random times in between too.
    """
    table = setting.table()
    referee = Referee(table)
    outcomes: list[Outcome] = []
    t = 0
    for _ in range(steps):
        gap = random_gap(rng, setting.rules)
        if asking:
            for now in sorted(asking.randint(t, t + gap) for _ in range(3)):
                outcomes += referee.settle(now)
        t += gap
        outcomes += referee.settle(t)
        outcomes += referee.offer(t, random_action(rng, referee))
        if table.ended:
            break
    else:
        outcomes += referee.settle(t + setting.rules.tie_window_ms * rng.randint(0, 2))
    events = tuple(outcome.event for outcome in outcomes if isinstance(outcome, Settled))
    return Played(setting, events, tuple(outcomes))


def random_gap(rng: Random, rules: Rules) -> int:
    """Ms to the next action: often none, often about the windows, now and then long."""
    edges = [0, 0, rules.tie_window_ms - 1, rules.tie_window_ms, rules.one_hand_ms, 1]
    if rng.random() < 0.4:
        return max(0, rng.choice(edges))
    longest = rng.choice([60, 60, 150, 400, 3000 if rng.random() < 0.1 else 20])
    return rng.randint(0, longest)


def random_action(rng: Random, referee: Referee) -> Action:
    """Anything, mostly a try of a hand card, often where others try just now."""
    table = referee.table
    seat = rng.randrange(table.seats)
    kind = rng.random()
    if kind < 0.55 and table.hands[seat]:
        action = random_try(rng, referee, seat)
        if action or rng.random() < 0.03:
            return action or Try(seat, rng.choice(table.hands[seat]), rng.randrange(table.seats))
    if kind < 0.80:
        return DrawOne(seat)
    if kind < 0.92 and table.hands[seat]:
        return DiscardOne(seat, rng.choice(table.hands[seat]))
    if kind < 0.97:
        return Shout(seat)
    return Abandon() if kind > 0.999 else nonsense(rng)


def random_try(rng: Random, referee: Referee, seat: int) -> Try | None:
    """A try of a hand card that fits, or just did, most often where others try too."""
    table = referee.table
    hot = [action.stack for action in referee.waiting if isinstance(action, Try)]
    slot = rng.choice(hot) if hot and rng.random() < 0.7 else rng.randrange(table.seats)
    visits = table.plays[slot][-3:]
    tops = {table.tops[slot], *(visit.found for visit in visits if rng.random() < 0.3)}
    hand = table.hands[seat]
    cards = [c for c in hand if any(fits(table.rules, top, FACE[c]) for top in tops)]
    if not cards:
        return None
    card = rng.choice(cards)
    number = rng.choice([1, 2, 3, 4]) if FACE[card] == WILD and rng.random() < 0.5 else None
    return Try(seat, card, slot, number, random_seen(rng, table.events))


def random_seen(rng: Random, events: int) -> int | None:
    """What a screen claims to have shown: all, nearly all, or whatever."""
    kind = rng.random()
    if kind < 0.3:
        return None
    if kind < 0.85:
        return max(0, events - rng.choice([0, 0, 1, 1, 2, 3, 5]))
    return rng.randint(-3, events + 5)


def nonsense(rng: Random) -> Action:
    """Something that no rule allows, or hardly."""
    seat = rng.randint(-1, 6)
    card = rng.choice(["", "Z1a", "A9a", "A?", "A1a", "BRa", "C5b", "ERz"])
    number = rng.choice([None, -1, 0, 1, 5, 99])
    actions: list[Action] = [
        Try(seat, card, rng.randint(-2, 6), number, rng.choice([None, -5, 10**9])),
        DrawOne(seat),
        DiscardOne(seat, card),
        Shout(seat),
    ]
    return rng.choice(actions)


def possible_actions(table: Table, seat: int) -> list[Action]:
    """Everything that a seat might ask for with the cards of its hand."""
    tries: list[Action] = [
        Try(seat, card, slot, number)
        for card in table.hands[seat]
        for slot in range(table.seats)
        for number in ((None, 1, 2, 3, 4) if FACE[card] == WILD else (None,))
    ]
    return [*tries, DrawOne(seat), Shout(seat), *(DiscardOne(seat, c) for c in table.hands[seat])]


def did_happen(outcomes: list[Outcome], action: Action) -> bool:
    """Whether a fact answers the action, other than a late try or mistake."""
    return any(
        isinstance(outcome, Settled)
        and repr(action) in map(repr, outcome.actions)
        and not isinstance(outcome.event, Late | Miss)
        for outcome in outcomes
    )


def plainly(table: Table, action: Action) -> Action:
    """A try of a wild as nothing on a free slot is the one as a 1."""
    if isinstance(action, Try) and FACE[action.card] == WILD and not table.tops[action.stack]:
        return action._replace(number=action.number or 1)
    return action


def facts_of(table: Table, t: int, action: Action) -> list[Event]:
    """Everything that an action might come to, by an honest reading of what it says."""
    seat = action.seat
    if not 0 <= seat < table.seats:
        return []
    if isinstance(action, DrawOne):
        return [Draw(t, seat, card) for card in table.draw_piles[seat][-1:]]
    if isinstance(action, DiscardOne):
        return [Discard(t, seat, action.card)]
    if isinstance(action, Shout):
        return [Out(t, seat)]
    if not isinstance(action, Try) or not 0 <= action.stack < table.seats:
        return []
    _, card, slot, number, said = action
    seen = table.events if said is None else min(table.events, max(said, table.seen[seat]))
    numbers = {number, 1} if number is None and not table.tops[slot] else {number}
    return [
        Late(t, seat, card, slot, number, seen),
        Miss(t, seat, card, slot, number, seen),
        *(
            Play(t, seat, card, slot, as_number, taken, seen)
            for as_number in numbers
            for taken in (None, len(table.stacks[slot]) + 1)
        ),
    ]
