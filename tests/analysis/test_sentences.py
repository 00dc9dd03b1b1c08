"""Every sentence of a match report, taken apart and held against the log: who, what, when, how
many. SENTENCES=200 asks for more matches than a usual run has, SEED=… for others."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial

import pytest

from games.engine.cards import FACE, WILD
from games.engine.events import End, Event, Late, Miss, Play, Tie
from replays.analysis.findings import Findings
from replays.analysis.leaving import STAYED, left_at
from replays.analysis.moments import Moment
from replays.analysis.moments.wording import percent, seconds
from replays.analysis.winning.series import Point, curve, series
from replays.timeline import Round, Timeline
from replays.training.matches import lines, plan

MATCHES = int(os.environ.get("SENTENCES", "6"))
SEED = int(os.environ.get("SEED", "2611"))
POPULATIONS = ("roster", "leaver", "stranger")

NUMBER = r"(?:under 1%|over 99%|\d+(?:\.\d)?%)"
CHANCE = rf"(?P<who>N’s )?chance to win: (?P<first>{NUMBER})(?: → (?P<then>{NUMBER})| before.*)?"
TIME = r"(?:\d+ ms|\d+\.\d s)"
CARD = r"(?:a wild|a \d)"


class Report:
    """A match, its report, and what a sentence is held against."""

    def __init__(self, population: str, index: int) -> None:
        self.match = Timeline.of(lines(plan(population, SEED, index)))
        self.names = self.match.names
        self.findings = Findings(self.match, [None] * len(self.names))
        self.points = series(self.match, detailed=True)
        self._name = "|".join(map(re.escape, self.names))

    def parsed(self, pattern: str, text: str) -> re.Match[str]:
        """The sentence, taken apart; `N` in a pattern is a player's name."""
        found = re.fullmatch(re.sub(r"\bN\b", f"(?:{self._name})", pattern), text)
        assert found, f"{text!r} is not {pattern!r}"
        return found

    def round_of(self, moment: Moment) -> Round:
        return self.match.rounds[moment.round - 1]

    def event_of(self, moment: Moment) -> Event:
        played = self.round_of(moment)
        return played.events[played.seqs.index(moment.seq)]

    def chances(self, seq: int, cause: str) -> tuple[Point, Point]:
        at = next(n for n, p in enumerate(self.points) if p.seq == seq and p.cause == cause)
        return self.points[at - 1], self.points[at]


def face(card: str) -> str:
    return "a wild" if FACE[card] == WILD else f"a {FACE[card]}"


def is_change(report: Report, found: re.Match[str], seq: int, cause: str, seat: int) -> None:
    before, after = report.chances(seq, cause)
    said = [text for text in (found["first"], found["then"]) if text]
    for text, point in zip(said, (before, after), strict=False):
        p = point.p[seat]
        assert text in {percent(p), f"{100 * p:.1f}%"}


def is_take(report: Report, moment: Moment) -> None:
    found = report.parsed(
        rf"(?P<name>N) took (?P<size>\d+) cards? with (?P<card>{CARD})"
        r"(?P<big>, (?:the biggest take|one of the biggest takes) of the match)?"
        rf"(?:, (?P<ms>\d+) ms ahead of (?P<late>N)|, {TIME} after (?P<fed>N) played {CARD}"
        rf"|, {TIME} after their own \d)?(?:, and was the favourite from then on)?"
        rf"(?:; N had {TIME} to take it with {CARD})? \({CHANCE}\)\.",
        moment.text,
    )
    take = report.event_of(moment)
    assert isinstance(take, Play)
    assert found["name"] == report.names[take.seat]
    assert (int(found["size"]), found["card"]) == (take.takes, face(take.card))
    takes = [e.takes or 0 for r in report.match.rounds for e in r.events if isinstance(e, Play)]
    assert not found["big"] or take.takes == max(takes)
    if found["ms"]:
        late = [e for e in report.round_of(moment).events if isinstance(e, Late)]
        margins = {(report.names[e.seat], e.t - take.t) for e in late if e.stack == take.stack}
        assert (found["late"], int(found["ms"])) in margins
    is_change(report, found, moment.seq, "take", take.seat)


def is_play(report: Report, moment: Moment) -> None:
    found = report.parsed(
        rf"(?P<name>N) played (?P<card>{CARD}) on stack (?P<stack>\d) \({CHANCE}\)\.", moment.text
    )
    play = report.event_of(moment)
    assert isinstance(play, Play)
    said = (found["name"], found["card"], int(found["stack"]))
    assert said == (report.names[play.seat], face(play.card), play.stack + 1)
    is_change(report, found, moment.seq, "play", moment.seats[0])


def is_tie(report: Report, moment: Moment) -> None:
    tie = report.event_of(moment)
    assert isinstance(tie, Tie)
    with_stake = (
        r"(?P<all>.+) tied, (?:(?P<apart>\d+) ms apart|in the same millisecond), where (?:either|"
        r"any of them) alone would have taken (?P<size>\d+) cards?; (?:nobody took the stack "
        rf"afterwards|N took the stack {TIME} later) "
        rf"\(N’s chance to win: {NUMBER}, with the take {NUMBER}\)\."
    )
    without = rf"(?P<all>.+) tied, and their cards went to the discard piles \({CHANCE}\)\."
    found = report.parsed(with_stake if "alone" in moment.text else without, moment.text)
    assert all(report.names[seat] in found["all"] for seat in moment.seats)
    if found.groupdict().get("apart"):
        assert int(found["apart"]) == max(tie.after) - min(tie.after)


def is_out(report: Report, moment: Moment) -> None:
    found = report.parsed(
        rf"(?P<name>N) shouted OUT(?: and won|, which ended the match)? \({CHANCE}\)\.", moment.text
    )
    assert isinstance(report.event_of(moment), End)
    assert " and won" not in moment.text or found["name"] in winners(report)


def is_fed(report: Report, moment: Moment) -> None:
    found = report.parsed(
        rf"(?P<fed>N) played (?P<card>{CARD}) and (?P<name>N) took the (?P<size>\d+) cards? "
        rf"(?P<time>{TIME}) later \({CHANCE}\)\.",
        moment.text,
    )
    played, below = report.round_of(moment), report.event_of(moment)
    assert isinstance(below, Play)
    assert (found["fed"], found["card"]) == (report.names[below.seat], face(below.card))
    later = (e for e in played.events if isinstance(e, Play) and e.t > below.t)
    take = next(e for e in later if e.stack == below.stack)
    assert (found["name"], int(found["size"])) == (report.names[take.seat], take.takes)
    assert found["time"] == seconds(take.t - below.t)


def is_race(report: Report, moment: Moment) -> None:
    found = report.parsed(
        r"(?P<name>N) took a stack of (?P<size>\d+) cards? (?:(?P<ms>\d+) ms ahead of|in the same "
        rf"millisecond as) (?P<late>N) \({CHANCE}\)\.",
        moment.text,
    )
    take = report.event_of(moment)
    assert isinstance(take, Play)
    assert (found["name"], int(found["size"]) + 1) == (report.names[take.seat], take.takes)
    late = [e for e in report.round_of(moment).events if isinstance(e, Late)]
    margins = {(report.names[e.seat], e.t - take.t) for e in late if e.stack == take.stack}
    assert (found["late"], int(found["ms"] or 0)) in margins


def is_missed(report: Report, moment: Moment) -> None:
    found = report.parsed(
        rf"(?P<name>N) had (?P<card>{CARD}) ready for {TIME}, but (?:left (?P<size>\d+) cards? to "
        rf"(?P<left>N)|came (?P<ms>\d+) ms late: (?P<taker>N) took the (?P<rest>\d+) cards?)"
        rf"(?: \({CHANCE}\))?\.",
        moment.text,
    )
    take = report.event_of(moment)
    assert isinstance(take, Play)
    assert (found["left"] or found["taker"]) == report.names[take.seat]
    assert int(found["size"] or found["rest"]) + 1 == take.takes
    seat = report.names.index(found["name"])
    hand = report.round_of(moment).table(report.round_of(moment).events.index(take)).hands[seat]
    assert found["card"] in map(face, hand)


def is_comeback(report: Report, moment: Moment) -> None:
    found = report.parsed(
        rf"(?P<name>N) had a chance to win of (?P<low>{NUMBER}) (?:in round \d+|at \d+:\d\d), "
        r"(?P<behind>\d+) points? behind, and still won\.",
        moment.text,
    )
    assert [found["name"]] == winners(report)
    seat = moment.seats[0]
    assert found["low"] == percent(min(point.p[seat] for point in curve(report.points)))
    assert all(gone == STAYED for gone in left_at(report.match))


def is_lead(report: Report, moment: Moment) -> None:
    report.parsed(
        r"N became the favourite for good(?: as round \d+ ended| at the deal of round \d+)? "
        rf"\({CHANCE}\)\.",
        moment.text,
    )
    assert report.names[moment.seats[0]] in winners(report)


def is_left(report: Report, moment: Moment) -> None:
    found = report.parsed(rf"(?P<name>N) stopped playing \({CHANCE}\)\.", moment.text)
    seat = report.names.index(found["name"])
    assert left_at(report.match)[seat] == (moment.round, moment.t)


KINDS: dict[str, Callable[[Report, Moment], None]] = {
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


def winners(report: Report) -> list[str]:
    result = report.match.result
    return [report.names[seat] for seat in result.winners] if result else []


def is_verdict(report: Report, text: str) -> None:
    reason = (
        r"(?:took (?P<size>\d+) cards? (?:in round \d+|at \d+:\d\d)(?: and was the favourite from "
        rf"then on| \({CHANCE}\))|shouted OUT (?:in round \d+|at \d+:\d\d) \(chance to win: .*\)"
        r"|scored most in (?P<won>\d+) of (?P<rounds>\d+) rounds)"
    )
    found = report.parsed(
        rf"(?:The match was abandoned|(?P<who>.+?) (?:drew with (?P<each>−?\d+) points? each|won "
        rf"with (?P<best>−?\d+) points?, (?P<ahead>\d+) ahead(?:: {reason})?))\.".replace(
            "(?P<who>N’s )", "(?:N’s )"
        ),
        text,
    )
    if not winners(report):
        return
    totals = sorted(report.match.totals, reverse=True)
    assert all(name in found["who"] for name in winners(report))
    if found["best"]:
        assert int(found["best"].replace("−", "-")) == totals[0]
        assert int(found["ahead"]) == totals[0] - totals[1]
    mine = [
        event.takes
        for played in report.match.rounds
        for event in played.events
        if isinstance(event, Play) and report.names[event.seat] == found["who"]
    ]
    assert not found["size"] or int(found["size"]) in mine
    assert not found["rounds"] or int(found["rounds"]) == len(report.match.rounds)


def is_fact(report: Report, text: str) -> None:
    takes = [
        event
        for played in report.match.rounds
        for event in played.events
        if isinstance(event, Play) and event.takes is not None
    ]
    if "took most often" in text:
        often = r"(?:once|twice|(?P<times>\d+) times)"
        found = report.parsed(
            rf".+ took most often: {often}(?: each|, \d+\.\d cards each on average)\.", text
        )
        counts = [sum(take.seat == seat for take in takes) for seat in range(len(report.names))]
        assert not found["times"] or int(found["times"]) == max(counts)
    elif text.startswith("The biggest take"):
        found = report.parsed(r"The biggest take: (?P<size>\d+) cards?, .+\.", text)
        assert int(found["size"]) == max(take.takes or 0 for take in takes)
    elif "stopped playing" in text:
        found = report.parsed(r"(?P<name>N) stopped playing (?:in round \d+ )?at \d+:\d\d\.", text)
        assert left_at(report.match)[report.names.index(found["name"])] != STAYED
    else:
        report.parsed(
            r"N never played\.|No one took a stack\.|N was much quicker: they typically played a "
            rf"card {TIME} after it fitted, the others after {TIME}\.",
            text,
        )


def is_lesson(report: Report, text: str, *, times: float) -> None:
    often = r"(?:twice|(?P<times>\d+) times)"
    whole = (
        rf"(?:N (?:tried cards that didn’t fit|was clearly late for takes|left takes with a (?:5|"
        rf"wild) in hand) {often}\. (?:The costliest|For example): )?(?:N had {CARD} ready for "
        rf"{TIME}, but .+\.|N tried {CARD} on stack \d, where it didn’t fit\. {TIME} later N took "
        r"\d+ cards? that N could have taken\.)"
    )
    found = report.parsed(whole, text)
    assert not found["times"] or int(found["times"]) == times


@pytest.mark.parametrize("index", range(MATCHES))
def test_every_sentence_of_a_report_is_in_the_log(index: int) -> None:
    report = Report(POPULATIONS[index % len(POPULATIONS)], index)
    findings = report.findings
    for moment in findings.moments:
        KINDS[moment.kind](report, moment)
    verdict, *facts = findings.facts
    is_verdict(report, verdict)
    for fact in facts:
        is_fact(report, fact)
    for lesson in findings.lessons:
        is_lesson(report, lesson.text, times=lesson.figures["times"])
    for judgement in findings.judgements:
        played = report.match.rounds[judgement.round - 1]
        event = played.events[played.seqs.index(judgement.seq)]
        if isinstance(event, Miss):
            assert judgement.text.startswith(f"{report.names[event.seat]} tried {face(event.card)}")
        else:
            moment = Moment(judgement.seq, judgement.round, 0, "", (), 0, judgement.text)
            partial(is_missed, report)(moment)
