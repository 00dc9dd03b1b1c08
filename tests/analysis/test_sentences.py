"""Every fact of a match report held against the log: who, what, when, how many; and its sentence.

SENTENCES=200 asks for more matches than a usual run has, SEED=… for others."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any

import pytest

from games.engine.events import End, Event, Late, Miss, Play, Tie
from games.engine.message import card, lasting, seat, seats, share
from replays.analysis.findings import Findings
from replays.analysis.leaving import STAYED, left_at
from replays.analysis.moments import Moment
from replays.analysis.sentences import SENTENCES, Text, told
from replays.analysis.winning.series import Point, curve, series
from replays.timeline import Round, Timeline
from replays.training.matches import lines, plan
from tests.analysis.telling import by_kind

MATCHES = int(os.environ.get("SENTENCES", "6"))
SEED = int(os.environ.get("SEED", "2611"))
POPULATIONS = ("roster", "leaver", "stranger")
Facts = dict[str, dict[str, Any]]


class Report:
    """A match, its report, and what a fact is held against."""

    def __init__(self, population: str, index: int) -> None:
        self.match = Timeline.of(lines(plan(population, SEED, index)))
        self.names = self.match.names
        self.findings = Findings(self.match, [None] * len(self.names))
        self.points = series(self.match, detailed=True)
        self.result = self.match.result
        self.winners = self.result.winners if self.result else ()

    def facts(self, text: Text) -> Facts:
        """Its facts; and its sentences are whole, whatever their values."""
        said = told(text, self.names)
        assert re.fullmatch(r"[^{}]+[.:]", said), said
        assert len(text["say"]) == len(by_kind(text))
        return by_kind(text)

    def round_of(self, moment: Moment) -> Round:
        return self.match.rounds[moment.round - 1]

    def event_of(self, moment: Moment) -> Event:
        played = self.round_of(moment)
        return played.events[played.seqs.index(moment.seq)]

    def chances(self, seq: int, cause: str) -> tuple[Point, Point]:
        at = next(n for n, p in enumerate(self.points) if p.seq == seq and p.cause == cause)
        return self.points[at - 1], self.points[at]

    def takes(self) -> list[Play]:
        events = (event for played in self.match.rounds for event in played.events)
        return [event for event in events if isinstance(event, Play) and event.takes is not None]

    def below(self, moment: Moment, take: Play) -> Play:
        """The card that was played last on that stack before the take."""
        events = self.round_of(moment).events
        before = events[: events.index(take)]
        played = (e for e in reversed(before) if isinstance(e, Play) and e.stack == take.stack)
        return next(played)

    def margins(self, moment: Moment, take: Play) -> list[tuple[Any, int]]:
        """Who was late for that take, and by how much."""
        late = [e for e in self.round_of(moment).events if isinstance(e, Late)]
        return [(seat(e.seat), e.t - take.t) for e in late if e.stack == take.stack]


def is_change(report: Report, facts: Facts, seq: int, cause: str, of: int) -> None:
    before, after = (point.p[of] for point in report.chances(seq, cause))
    ((kind, values),) = ((name, of) for name, of in facts.items() if name.startswith("chance"))
    assert values["before"] == share(before)
    assert values["after"] == share(after)
    assert values.get("player", seat(of)) == seat(of)
    assert ("won" in kind) == (after == 1)


def is_take(report: Report, moment: Moment, facts: Facts) -> None:
    take = report.event_of(moment)
    assert isinstance(take, Play)
    assert take.takes
    who = seat(take.seat)
    assert facts["took"] == {"player": who, "count": take.takes, "card": card(take.card)}
    if {"biggest", "among_biggest"} & facts.keys():
        assert take.takes == max(other.takes or 0 for other in report.takes())
    if ahead := facts.get("ahead_of"):
        assert (ahead["other"], ahead["ms"]) in report.margins(moment, take)
    if below := facts.get("fed_before") or facts.get("own_before"):
        fed = report.below(moment, take)
        assert below.get("other", below.get("player")) == seat(fed.seat)
        assert below["card"] == card(fed.card)
        assert below["time"] == lasting(take.t - fed.t)
    is_change(report, facts, moment.seq, "take", take.seat)


def is_play(report: Report, moment: Moment, facts: Facts) -> None:
    play = report.event_of(moment)
    assert isinstance(play, Play)
    where = {"player": seat(play.seat), "card": card(play.card), "stack": play.stack + 1}
    assert facts["played"] == where
    is_change(report, facts, moment.seq, "play", moment.seats[0])


def is_tie(report: Report, moment: Moment, facts: Facts) -> None:
    tie = report.event_of(moment)
    assert isinstance(tie, Tie)
    kind = next(iter(facts))
    assert sorted(facts[kind]["players"][1:]) == sorted(moment.seats)
    if kind == "tied_apart":
        assert facts[kind]["ms"] == max(tie.after) - min(tie.after)
    elif kind == "tied_at_once":
        assert max(tie.after) == min(tie.after)
    else:
        assert kind == "tied"
    if later := facts.get("took_after_tie"):
        events = report.round_of(moment).events
        after = events[events.index(tie) + 1 :]
        take = next(e for e in after if isinstance(e, Play) and e.takes and e.stack == tie.stack)
        assert (later["player"], later["time"]) == (seat(take.seat), lasting(take.t - tie.t))


def is_out(report: Report, moment: Moment, facts: Facts) -> None:
    assert isinstance(report.event_of(moment), End)
    kind = next(iter(facts))
    won = facts[kind]["player"] in [seat(winner) for winner in report.winners]
    assert kind != "out_and_won" or won


def is_fed(report: Report, moment: Moment, facts: Facts) -> None:
    played, below = report.round_of(moment), report.event_of(moment)
    assert isinstance(below, Play)
    later = (e for e in played.events if isinstance(e, Play) and e.t > below.t)
    take = next(e for e in later if e.stack == below.stack)
    assert facts["fed"] == {
        "player": seat(below.seat),
        "card": card(below.card),
        "taker": seat(take.seat),
        "count": take.takes,
        "time": lasting(take.t - below.t),
    }


def is_race(report: Report, moment: Moment, facts: Facts) -> None:
    take = report.event_of(moment)
    assert isinstance(take, Play)
    assert take.takes
    kind = next(iter(facts))
    raced = facts[kind]
    assert (raced["player"], raced["count"]) == (seat(take.seat), take.takes)
    assert (raced["other"], raced["ms"]) in report.margins(moment, take)
    assert kind == ("raced" if raced["ms"] else "raced_at_once")


def is_missed(report: Report, moment: Moment, facts: Facts) -> None:
    take = report.event_of(moment)
    assert isinstance(take, Play)
    kind = next(iter(facts))
    missed = facts[kind]
    assert kind in ("missed_left", "missed_late")
    assert (missed["taker"], missed["count"]) == (seat(take.seat), take.takes)
    _, who = missed["player"]
    hand = report.round_of(moment).table(report.round_of(moment).events.index(take)).hands[who]
    assert missed["card"] in map(card, hand)


def is_comeback(report: Report, moment: Moment, facts: Facts) -> None:
    (winner,) = report.winners
    assert facts["comeback"]["player"] == seat(winner)
    assert facts["comeback"]["low"] == share(min(point.p[winner] for point in curve(report.points)))
    assert all(gone == STAYED for gone in left_at(report.match))


def is_lead(report: Report, moment: Moment, facts: Facts) -> None:
    assert facts["favourite_for_good"] == {"player": seat(moment.seats[0])}
    assert moment.seats[0] in report.winners


def is_left(report: Report, moment: Moment, facts: Facts) -> None:
    (gone,) = moment.seats
    assert facts["stopped"] == {"player": seat(gone)}
    assert left_at(report.match)[gone] == (moment.round, moment.t)


KINDS: dict[str, Callable[[Report, Moment, Facts], None]] = {
    "take": is_take,
    "play": is_play,
    "tie": is_tie,
    "out": is_out,
    "feed": is_fed,
    "race": is_race,
    "missed_take": is_missed,
    "comeback": is_comeback,
    "lead": is_lead,
    "left": is_left,
}


def is_verdict(report: Report, facts: Facts) -> None:
    if not report.winners:
        assert facts == {"abandoned": {}}
        return
    totals = sorted(report.match.totals, reverse=True)
    if len(report.winners) > 1:
        assert facts["drew"] == {"players": seats(report.winners), "count": totals[0]}
        return
    (winner,) = report.winners
    ahead = totals[0] - totals[1]
    assert facts.pop("won") == {"player": seat(winner), "count": totals[0], "ahead": ahead}
    assert all(values.get("player", seat(winner)) == seat(winner) for values in facts.values())
    for kind in ("took_when", "took_and_was_favourite"):
        if kind in facts:
            mine = [take.takes for take in report.takes() if take.seat == winner]
            assert facts[kind]["count"] in mine
    assert facts.get("most_rounds", {}).get("rounds") in (None, len(report.match.rounds))


def is_fact(report: Report, facts: Facts) -> None:
    ((kind, values),) = facts.items()
    takes = report.takes()
    counts = [sum(take.seat == seat for take in takes) for seat in range(len(report.names))]
    if kind.endswith("took_most_often"):
        assert values["count"] == max(counts)
        first = [seat for seat, count in enumerate(counts) if count == max(counts)]
        alone = values.get("player") == seat(first[0])
        assert alone if len(first) == 1 else values["players"] == seats(first)
    elif kind.startswith("biggest_take"):
        most = max(take.takes or 0 for take in takes)
        assert values["cards"] == most
        if kind == "biggest_take":
            (take,) = (take for take in takes if take.takes == most)
            assert (values["player"], values["card"]) == (seat(take.seat), card(take.card))
    elif kind == "stopped_when":
        assert left_at(report.match)[values["player"][1]] != STAYED
    else:
        assert kind in ("never_played", "no_takes", "quicker")


def is_lesson(report: Report, facts: Facts, *, times: float) -> None:
    kinds = list(facts)
    if kinds[0] in ("tried_wrong", "took_too_late", "kept_a_5", "kept_a_wild"):
        assert facts[kinds.pop(0)]["count"] == times
        assert kinds.pop(0) in ("costliest", "example")
    assert kinds[0] in ("missed_left", "missed_late", "mistake")
    assert kinds[0] != "mistake" or kinds[1] == "lost_meanwhile"


@pytest.mark.parametrize("index", range(MATCHES))
def test_every_fact_of_a_report_is_in_the_log(index: int) -> None:
    report = Report(POPULATIONS[index % len(POPULATIONS)], index)
    findings = report.findings
    for moment in findings.moments:
        KINDS[moment.kind](report, moment, report.facts(moment.text))
    verdict, *facts = findings.facts
    is_verdict(report, report.facts(verdict))
    for fact in facts:
        is_fact(report, report.facts(fact))
    for lesson in findings.lessons:
        is_lesson(report, report.facts(lesson.text), times=lesson.figures["times"])
    for judgement in findings.judgements:
        played = report.match.rounds[judgement.round - 1]
        event = played.events[played.seqs.index(judgement.seq)]
        judged = report.facts(judgement.text)
        if isinstance(event, Miss):
            tried = judged["mistake"]
            assert (tried["player"], tried["card"]) == (seat(event.seat), card(event.card))
        else:
            moment = Moment(judgement.seq, judgement.round, 0, "", (), (0, 0), judgement.text)
            is_missed(report, moment, judged)
    for race in findings.race_cards[:50]:
        for text in findings.words_of(race):
            report.facts(Text(say=text["say"][:1]))


def test_sentences_say_what_they_are_given() -> None:
    """Whatever the count, the same values, as translations need them."""
    for kind, message in SENTENCES.items():
        values = set(re.findall(r"{(\w+)}", message.text))
        assert values | {"count"} >= set(re.findall(r"{(\w+)}", message.many)), kind
