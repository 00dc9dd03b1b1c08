"""A ghost race's table: a live table's frames, by a hand-turned clock, from one seat's view."""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.engine.cards import Card
from games.engine.events import Deal, Discard, Draw, End, Event
from games.engine.scoring import round_scores
from games.records.log import Line
from games.records.notation import write_line
from replays.ghost_races.state import GhostRaceOutcome, RacedStack
from replays.ghost_races.table import (
    COUNTDOWN_MS,
    DEAL,
    RACE_MS,
    WAIT_MS,
    GhostRaceTable,
    raced_stacks,
)
from replays.variations.ghost_race import GhostRace
from replays.variations.lines import MatchLines, Place
from replays.variations.requested import asked_in
from tests.clocks import ManualClock
from tests.replays.matches import timeline_of
from tests.variations.branches import calm

KNOWN = MatchLines.of(calm("usaopoly-2009"))
PLACE = Place(1, 40)


class Player:
    """Who sits at a race's table, with everything that was sent there."""

    def __init__(
        self,
        seat: int = 0,
        slow: int = 1,
        place: Place = PLACE,
        most_ms: int = RACE_MS,
        *,
        known: MatchLines = KNOWN,
    ) -> None:
        self.clock = ManualClock()
        race = GhostRace(known, place, seat)
        self.table = GhostRaceTable("7", race, slow, self.clock.now, most_ms=most_ms)
        self.seat = seat
        self.place = place
        self.sent: list[str] = []
        self.cursor = DEAL
        self.listen()

    def listen(self) -> None:
        """Take what there is to be read."""
        table, now = self.table, self.clock.now()
        state = table.broadcast.state_for(self.seat, now)
        assert state is not None
        self.sent += [*table.answers, state.text]
        table.answers.clear()
        while self.cursor < table.broadcast.end:
            end = table.broadcast.end
            text, self.cursor = table.broadcast.frame(self.seat, self.cursor, end, now)
            self.sent.append(text)

    def wait(self, ms: int) -> None:
        """Let time pass, doing whatever is due when it is due."""
        until = self.clock.now() + ms
        while (due := self.table.due) is not None and due <= until:
            self.clock.advance(max(0, due - self.clock.now()))
            self.table.step(self.clock.now())
        self.clock.advance(max(0, until - self.clock.now()))
        self.table.step(self.clock.now())
        self.listen()

    def begin(self) -> None:
        """Get ready, and wait for the countdown."""
        self.table.ready(self.clock.now())
        self.wait(COUNTDOWN_MS)

    def act(self, name: str, action: Action) -> None:
        """Ask for something."""
        self.table.act(name, self.place.round, action, 0, self.clock.now())
        self.listen()

    def frames(self, kind: str) -> list[dict[str, Any]]:
        """What was sent of a kind."""
        return [frame for text in self.sent if (frame := json.loads(text))["type"] == kind]

    @property
    def phase(self) -> str:
        """What the last state says."""
        return str(self.frames("state")[-1]["phase"])


def done_by(seat: int, place: Place) -> list[tuple[int, Action]]:
    """What a seat did from a place on, and when."""
    asked = asked_in(KNOWN.table(place), KNOWN.whole(place)[place.event :])
    return [(timed.t, timed.action) for timed in asked if timed.action.seat == seat]


@pytest.mark.parametrize("slow", [1, 4])
def test_repeating_the_record_reproduces_it(slow: int) -> None:
    player = Player(slow=slow)
    player.begin()
    assert player.phase == "round"
    for number, (t, action) in enumerate(done_by(0, PLACE)):
        player.wait(max(0, (t - player.table.t(player.clock.now())) * slow))
        player.act(f"a{number}", action)
    player.wait(60_000 * slow)
    assert player.table.over
    told: list[Event] = player.table.race.what_if.events
    assert told == KNOWN.whole(PLACE)[PLACE.event :]
    lines = [line for frame in player.frames("lines") for line in frame["lines"]]
    last = told[-1]
    assert isinstance(last, End)
    shown = last._replace(totals=last.scores)
    assert lines[-1] == json.loads(write_line(shown)), "no points but the round's"
    acks = {frame["id"]: frame["seq"] for frame in player.frames("ack")}
    assert len(acks) == len(done_by(0, PLACE))
    for seq in acks.values():
        line = lines[seq - DEAL]
        assert line.get("seat") == 0 or any(card[0] == "A" for card in line["cards"])
    outcome = player.table.outcome()
    assert all(row["happened"] == row["instead"] for row in outcome["times"])
    assert outcome["score"] == outcome["original"]
    assert not any(stack["won"] for stack in outcome["stacks"]), "who took what is as it was"
    assert player.frames("state")[-1]["totals"] == [0, 0, 0]


def test_a_race_that_is_left_has_the_record_s_score_of_that_time() -> None:
    player, finished = Player(), KNOWN.whole(PLACE)
    player.begin()
    player.wait(15_000)
    player.table.leave(player.clock.now())
    player.table.end(player.clock.now())
    outcome = player.table.outcome()
    done = [event for event in finished if event.t <= outcome["t"]]
    assert PLACE.event < len(done) < len(finished)
    assert outcome["original"] == round_scores(KNOWN.table(Place(PLACE.round, len(done))))[0]


@pytest.mark.parametrize(
    ("t", "told"),
    [
        (19_579, {"won": True, "other": 0, "ms": 180, "cards": 9}),
        (19_819, {"won": False, "other": 0, "ms": 60, "cards": 9}),
    ],
)
def test_who_was_first_to_a_stack_is_told_with_by_how_much(t: int, told: RacedStack) -> None:
    """Seat 0 took these nine cards at 19,759 ms, while seat 2 had a 5 for them too."""
    race = GhostRace(MatchLines(timeline_of("valid-full-match-3")), Place(1, 153), 2)
    race.act(t, Try(2, "C5a", 2, seen=153))
    race.finish()
    assert raced_stacks(race) == [told]


def test_nothing_sent_names_a_card_that_the_seat_cannot_see() -> None:
    player = Player(seat=1)
    player.begin()
    player.wait(3_000)
    player.act("a", DrawOne(1))
    player.wait(500)
    table = player.table.race.what_if.table
    hidden = {card for pile in table.draw_piles for card in pile}
    hidden |= {card for seat, hand in enumerate(table.hands) if seat != 1 for card in hand}
    before = KNOWN.whole(PLACE)[: PLACE.event]
    shown = set(re.findall(r"[A-E][1-5R][a-h]", "".join(map(write_line, table_events(before)))))
    named = set(re.findall(r"[A-E][1-5R][a-h]", "".join(player.sent)))
    assert len(hidden) > 30
    assert not named & (hidden - shown)
    deal = player.frames("lines")[0]["lines"][0]["decks"]
    assert [len(re.findall(r"[A-E][1-5R]", deck)) for deck in deal] == [0, 3, 0]


def cut(record: Sequence[Line], events: int, old: Card = "", new: Card = "") -> MatchLines:
    """A record as far as so many events of its first round, with two cards of a deck exchanged."""
    header, deal, *rest = record
    assert isinstance(deal, Deal)
    other = {old: new, new: old}
    decks = tuple(tuple(other.get(card, card) for card in deck) for deck in deal.decks)
    lines: list[Line] = [header, deal._replace(decks=decks)]
    for event in rest[:events]:
        if isinstance(event, Draw | Discard):
            lines.append(event._replace(card=other.get(event.card, event.card)))
        else:
            lines.append(event)
    return MatchLines.of(lines)


def unseen_pairs(record: Sequence[Line], events: int, seat: int) -> list[tuple[Card, Card]]:
    """Cards of the same ghost that nobody sees in these events, the first of them drawn there."""
    happened = record[2 : 2 + events]
    drawn = {event.card for event in happened if isinstance(event, Draw) and event.seat != seat}
    moved = (event for event in happened if not isinstance(event, Draw | Discard))
    shown = set(re.findall(r"[A-E][1-5R][a-h]", "".join(map(write_line, moved))))
    hidden = sorted(
        {card for deck in record[1].decks for card in deck} - shown  # type: ignore[union-attr]
    )
    return [
        (card, other)
        for card in hidden
        for other in hidden
        if card[0] == other[0] and card[1] != other[1] and card in drawn
    ]


@given(st.data())
@settings(deadline=None, max_examples=15)
def test_hidden_cards_of_ghosts_change_no_byte_until_they_are_contradicted(
    data: st.DataObject,
) -> None:
    record, until = calm("usaopoly-2009"), PLACE.event + 40
    old, new = data.draw(st.sampled_from(unseen_pairs(record, until, 0)))
    end = KNOWN.whole(PLACE)[until - 1].t
    worlds = [cut(record, until), cut(record, until, old, new)]
    assert worlds[0].whole(PLACE) != worlds[1].whole(PLACE)
    players = [Player(known=known) for known in worlds]
    for player in players:
        player.begin()
    own = [done for done in done_by(0, PLACE) if done[0] < end and data.draw(st.booleans())]
    alike = lockstep(players, [*own, (end, None)])
    assert alike > 10
    assert players[0].sent[:alike] == players[1].sent[:alike]


def lockstep(players: Sequence[Player], doing: Sequence[tuple[int, Action | None]]) -> int:
    """Let players do the same at the same times; how much was sent before a ghost gave way."""
    for number, (t, action) in enumerate(doing):
        while (left := t - players[0].table.t(players[0].clock.now())) > 0:
            before = len(players[0].sent)
            for player in players:
                player.wait(min(left, 50))
            if any(player.table.race.taken_over for player in players):
                return before
        for player in players if action else ():
            assert action
            player.act(f"a{number}", action)
    return len(players[0].sent)


def table_events(events: list[Event]) -> list[Event]:
    """What anyone at the table has seen: cards that were played, taken or tied."""
    return [event for event in events if type(event).__name__ in ("Play", "Tie")]


def test_a_race_waits_for_its_player_counts_down_and_ends_in_time() -> None:
    player = Player()
    player.wait(20_000)
    assert (player.phase, player.cursor) == ("seating", DEAL + 1 + PLACE.event)
    player.act("early", Shout(0))
    assert player.frames("refused")[-1]["rule"] == "round-over"
    player.table.ready(player.clock.now())
    player.listen()
    assert (player.phase, player.frames("state")[-1]["wait_ms"]) == ("countdown", COUNTDOWN_MS)
    player.wait(COUNTDOWN_MS - 1)
    assert player.phase == "countdown"
    player.table.ready(player.clock.now())
    player.wait(1)
    assert player.phase == "round"
    slow = Player(slow=4, most_ms=4_000)
    slow.begin()
    slow.wait(4_000)
    assert slow.table.over
    assert slow.table.outcome()["why"] == "time"
    idle = Player()
    idle.wait(WAIT_MS)
    assert idle.table.over
    assert not idle.table.outcome()["acted"]


def test_a_request_is_answered_once_however_often_it_is_sent() -> None:
    player = Player(seat=1)
    player.begin()
    card = player.table.race.what_if.table.hands[1][0]
    player.act("a", DiscardOne(1, card))
    player.act("a", DiscardOne(1, card))
    answers = [frame for frame in player.frames("ack") if frame["id"] == "a"]
    assert len({frame["seq"] for frame in answers}) == 1
    events = player.table.race.what_if.events
    assert sum(getattr(event, "card", None) == card for event in events) == 1


def test_open_tries_are_decided_before_the_player_leaves() -> None:
    player = Player(place=Place(1, 0))
    player.begin()
    table = player.table.race.what_if.table
    fitting = next((card for card in table.hands[0] if card[1] == "1"), None)
    card = fitting or table.hands[0][0]
    action = Try(0, card, 0) if fitting else DiscardOne(0, card)
    player.act("last", action)
    player.table.leave(player.clock.now())
    player.listen()
    assert len(player.frames("ack")) == 1
    outcome: GhostRaceOutcome = player.table.outcome()
    assert (outcome["why"], outcome["acted"]) == ("left", True)
    player.table.tell(outcome, player.clock.now())
    player.listen()
    told = player.frames("state")[-1]
    assert (told["phase"], told["race"]["outcome"]["why"]) == ("finished", "left")
    assert player.table.due is None


def test_a_ghost_that_gives_way_is_named_with_the_rule_and_nothing_else() -> None:
    player = Player(seat=0)
    player.begin()
    player.wait(60_000)
    taken = player.frames("state")[-1]["race"]["taken"]
    assert taken, "doing nothing contradicts what the others did"
    assert all(set(ghost) == {"seat", "t", "rule"} for ghost in taken)
    kinds = [seat["kind"] for seat in player.frames("state")[-1]["seats"]]
    assert {kinds[ghost["seat"]] for ghost in taken} == {"bot"}
    assert kinds[0] == "human"
