"""Every fact of a match report held against the log: who, what, when, how many; and its sentence.

SENTENCES=200 asks for more matches than a usual run has, SEED=… for others."""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

import pytest

from games.engine.cards import FACE, OWNER
from games.engine.events import End, Late, Miss, Play, Tie
from games.engine.message import (
    Value,
    card,
    lasting,
    seat,
    seats,
    share,
    signed,
    when,
)
from replays.analysis.account import SeatAccount
from replays.analysis.account_json import ContestedStack, account_json
from replays.analysis.leaving import STAYED, left_at
from replays.analysis.moments import Moment
from replays.analysis.race_cards import RaceCard
from replays.analysis.sentences import SENTENCES, Text
from replays.analysis.winning.network import in_percent
from replays.analysis.winning.parts import equals, parts
from replays.analysis.winning.series import Point
from tests.analysis.reading import (
    Facts,
    Report,
    changed,
    could_take,
    facts_of,
    free_ms,
    holding,
    lost_to,
    stake,
    stalls,
)

MATCHES = int(os.environ.get("SENTENCES", "6"))
SEED = int(os.environ.get("SEED", "2611"))
PLACES = ("won", "second", "third", "fourth", "fifth")
POPULATIONS = ("roster", "leaver", "stranger", "alien", "drifter")
Claim = tuple[Text, Callable[[Facts], None]]
"""A text, and what raises AssertionError unless its facts are in the log."""


def said(point: Point, of: int) -> Value:
    return share(in_percent(point.p)[of])


def is_change(report: Report, facts: Facts, seq: int, cause: str, of: int) -> None:
    before, after = (in_percent(point.p)[of] for point in report.chances(seq, cause))
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
        assert take.takes == max(other.takes or 0 for _, other in report.takes())
    if ahead := facts.get("ahead_of"):
        assert ahead["player"] == who
        assert (ahead["other"], ahead["ms"]) in report.margins(moment, take)
    if below := facts.get("fed_before") or facts.get("own_before"):
        fed = report.below(moment, take)
        assert below.get("other", below.get("player")) == seat(fed.seat)
        assert below["card"] == card(fed.card)
        assert below["time"] == lasting(take.t - fed.t)
    if leads := facts.get("favourite"):
        assert leads["player"] == who
        is_favourite(report, take.seat, moment.round, take.t)
    if able := facts.get("could_take"):
        (_, other), (_, face), time = able["player"], able["card"], able["time"]
        assert other != take.seat
        assert time in [lasting(ms) for ms in free_times(report, moment, take, other, face)]
    is_change(report, facts, moment.seq, "take", take.seat)


def free_times(report: Report, moment: Moment, take: Play, of: int, face: int) -> list[int]:
    """For how long a seat could have made that take, with each card of the face."""
    played = report.round_of(moment)
    ready = could_take(played, of, take, face)
    return [free_ms(played, of, one, take, report.lags[of]) for one in ready]


def is_favourite(report: Report, of: int, number: int, t: float) -> None:
    """The chance is the highest from soon after that on, give or take the least clear lead."""
    later = [point.p for point in report.curve if (point.round, point.t) > (number, t + 5_000)]
    assert all(p[of] > max(p) - 0.02 for p in later)
    earlier = [point.p for point in report.curve if (point.round, point.t) < (number, t + 5_000)]
    assert any(max(*p[:of], *p[of + 1 :], 0) >= p[of] for p in earlier), "nor was it before"


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
    assert sorted(facts[kind]["players"][1:]) == sorted(OWNER[card] for card in tie.cards)
    if kind == "tied":
        is_change(report, facts, moment.seq, "tie", moment.seats[0])
        return
    spread = max(tie.after) - min(tie.after)
    assert facts[kind].get("ms", 0) == spread
    assert kind == ("tied_apart" if spread else "tied_at_once")
    either = "either_alone" if len(tie.cards) == 2 else "each_alone"
    assert facts[either] == {"count": stake(report.round_of(moment), tie)}
    before, point = report.chances(moment.seq, "tie")
    worth = {at: to - point.p[at] for at, to in zip(point.seats, point.instead, strict=True)}
    of = max(worth, key=worth.__getitem__)
    told = {"player": seat(of), "now": said(before, of)}
    assert facts["with_take"].items() >= told.items()
    instead = min(1, before.p[of] + worth[of])
    assert facts["with_take"]["instead"][1] == pytest.approx(instead, abs=1e-9)
    events = report.round_of(moment).events
    after = [e for e in events[events.index(tie) + 1 :] if isinstance(e, Play)]
    on_it = next((e for e in after if e.stack == tie.stack and e.takes), None)
    if later := facts.get("took_after_tie"):
        assert on_it is not None
        assert (later["player"], later["time"]) == (seat(on_it.seat), lasting(on_it.t - tie.t))


def is_out(report: Report, moment: Moment, facts: Facts) -> None:
    assert isinstance(report.event_of(moment), End)
    kind = next(iter(facts))
    shouted = report.chances(moment.seq, "end")[1].seats
    assert [facts[kind]["player"]] == list(map(seat, shouted))
    won = facts[kind]["player"] in [seat(winner) for winner in report.winners]
    assert kind != "out_and_won" or won
    is_change(report, facts, moment.seq, "end", moment.seats[0])


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
    (told,) = (values for kind, values in facts.items() if kind.startswith("chance"))
    _, after = report.chances(played.seqs[played.events.index(take)], "take")
    assert told["before"] == said(report.shown_before(moment.seq), take.seat)
    assert (told["after"], told["player"]) == (said(after, take.seat), seat(take.seat))


def is_race(report: Report, moment: Moment, facts: Facts) -> None:
    take = report.event_of(moment)
    assert isinstance(take, Play)
    assert take.takes
    kind = next(iter(facts))
    raced = facts[kind]
    assert (raced["player"], raced["count"]) == (seat(take.seat), take.takes)
    assert (raced["other"], raced["ms"]) in report.margins(moment, take)
    assert kind == ("raced" if raced["ms"] else "raced_at_once")
    is_change(report, facts, moment.seq, "take", take.seat)


def is_missed(report: Report, moment: Moment, facts: Facts) -> None:
    take = report.event_of(moment)
    assert isinstance(take, Play)
    (kind,) = [kind for kind in facts if kind.startswith("missed")]
    missed = facts[kind]
    assert (missed["taker"], missed["count"]) == (seat(take.seat), take.takes)
    (_, who), (_, face) = missed["player"], missed["card"]
    assert missed["time"] in [lasting(ms) for ms in free_times(report, moment, take, who, face)]
    if kind == "missed_late":
        assert (missed["player"], missed["ms"]) in report.margins(moment, take)
    if any(name.startswith("chance") for name in facts):
        is_change(report, facts, moment.seq, "take", who)


def is_mistake(report: Report, moment: Moment, facts: Facts) -> None:
    miss = report.event_of(moment)
    assert isinstance(miss, Miss)
    who = seat(miss.seat)
    where = {"player": who, "card": card(miss.card), "stack": miss.stack + 1}
    assert facts["mistake"] == where
    lost = lost_to(report.round_of(moment), miss)
    assert ("lost_meanwhile" in facts) == bool(lost)
    if told := facts.get("lost_meanwhile"):
        most = max(count for count, _ in lost)
        assert told["player"] == who
        assert (told["taker"], told["count"], told["time"]) in [
            (seat(play.seat), count, lasting(play.t - miss.t))
            for count, play in lost
            if count == most
        ]


def is_comeback(report: Report, moment: Moment, facts: Facts) -> None:
    (winner,) = report.winners
    low = min(report.curve, key=lambda point: point.p[winner])
    standing = report.standing(low.seq)
    assert facts["comeback"] == {
        "player": seat(winner),
        "low": said(low, winner),
        "when": report.place(low.round, low.t),
        "count": max(standing) - standing[winner],
    }
    assert all(gone == STAYED for gone in left_at(report.match))
    for gained in facts.get("gained", ()):
        is_gain(report, gained, winner, low.seq)


def is_gain(report: Report, gained: dict[str, object], of: int, since: int) -> None:
    """A take of that seat, after that line."""
    own = [
        (played.number, event, *report.chances(seq, "take"))
        for played in report.match.rounds
        for event, seq in zip(played.events, played.seqs, strict=True)
        if isinstance(event, Play) and event.takes and event.seat == of and seq > since
    ]
    assert gained in [
        {
            "when": report.place(number, play.t),
            "count": play.takes,
            "before": said(before, of),
            "after": said(after, of),
        }
        for number, play, before, after in own
    ]


def is_lead(report: Report, moment: Moment, facts: Facts) -> None:
    assert facts["favourite_for_good"] == {"player": seat(moment.seats[0])}
    assert moment.seats[0] in report.winners
    is_favourite(report, moment.seats[0], moment.round, moment.t)
    assert facts.get("at_round_end", {"round": moment.round})["round"] == moment.round
    assert facts.get("at_deal", {"round": moment.round})["round"] == moment.round
    of = moment.seats[0]
    now = next(p for p in report.curve if (p.seq, p.t) == (moment.seq, moment.t))
    before, after = (in_percent(at.p)[of] for at in (report.shown_before(moment.seq), now))
    (told,) = (values for kind, values in facts.items() if kind.startswith("chance"))
    assert (told["before"], told["after"]) == (share(before), share(after))


def is_left(report: Report, moment: Moment, facts: Facts) -> None:
    (gone,) = moment.seats
    assert facts["stopped"] == {"player": seat(gone)}
    place = left_at(report.match)[gone]
    assert place == (moment.round, moment.t)
    so_far = [point for point in report.curve if (point.round, point.t) <= place]
    soon = report.curve[len(so_far) :][:20]
    (told,) = (values for kind, values in facts.items() if kind.startswith("chance"))
    assert told["before"] == said(so_far[-1], gone)
    assert told["after"] == said(min(soon, key=lambda point: point.p[gone]), gone)


def is_run(report: Report, moment: Moment, facts: Facts) -> None:
    """A stretch from the moment's line on, the takes in it, and the chance at its ends."""
    (winner,) = moment.seats
    first = next(at for at, p in enumerate(report.curve) if (p.seq, p.t) == (moment.seq, moment.t))
    kind = next(iter(facts))
    ends = [
        point
        for point in report.curve[first:]
        if point.round == moment.round and facts[kind]["time"] == lasting(point.t - moment.t)
        if in_percent(point.p)[winner] == moment.chances[1]
    ]
    assert len(ends) == 1
    last = ends[0]
    (told,) = (values for name, values in facts.items() if name.startswith("chance"))
    assert (told["before"], told["after"]) == tuple(map(share, moment.chances))
    assert moment.chances[0] == in_percent(report.curve[first].p)[winner]
    assert told.get("player", seat(winner)) == seat(winner)
    if kind != "run":
        rose = kind == "run_taken"
        played = report.match.rounds[moment.round - 1]
        takes = [
            event.takes
            for event, seq in zip(played.events, played.seqs, strict=True)
            if isinstance(event, Play) and event.takes and moment.seq < seq <= last.seq
            if (event.seat == winner) is rose
        ]
        assert (facts[kind]["count"], facts[kind]["takes"]) == (sum(takes), len(takes))
        assert facts[kind].get("player", seat(winner)) == seat(winner)
    before, after = (report.findings.read.positions[at] for at in (first, report.curve.index(last)))
    is_split(facts, parts(before, after, winner))


def is_split(facts: Facts, found: dict[str, float]) -> None:
    for kind, values in facts.items():
        if kind.startswith("by_"):
            name = "pace" if kind == "by_slower" else kind.removeprefix("by_")
            assert values["points"] == signed(round(100 * found[name]))


def is_end(report: Report, moment: Moment, facts: Facts) -> None:
    is_winner(report, facts)
    before, after = report.curve[-2:]
    assert (moment.seq, moment.chances[1]) == (after.seq, 1)
    assert facts["chance_won"] == {"before": said(before, moment.seats[0]), "after": share(1)}


def is_winner(report: Report, facts: Facts) -> None:
    (winner,), totals = report.winners, sorted(report.match.totals, reverse=True)
    ahead = totals[0] - totals[1]
    assert facts["won"] == {"player": seat(winner), "count": totals[0], "ahead": ahead}


KINDS: dict[str, Callable[[Report, Moment, Facts], None]] = {
    "take": is_take,
    "play": is_play,
    "tie": is_tie,
    "out": is_out,
    "feed": is_fed,
    "race": is_race,
    "missed_take": is_missed,
    "mistake": is_mistake,
    "comeback": is_comeback,
    "lead": is_lead,
    "left": is_left,
    "run": is_run,
    "result": is_end,
}


def has_left(report: Report, kind: str, values: dict[str, Value]) -> None:
    number, t = left_at(report.match)[values["player"][1]]
    if kind == "never_played":
        assert (number, t) == (0, 0)
        return
    assert number
    assert (number, t) != STAYED
    several = len(report.match.rounds) > 1
    assert values["when"] == when(int(number) if several else None, t)


def is_verdict(report: Report, facts: Facts) -> None:
    gone = [kind for kind in facts if kind in ("stopped_when", "never_played")]
    assert bool(gone) == any(left != STAYED for left in left_at(report.match))
    for kind in gone:
        has_left(report, kind, facts[kind])
    if not report.winners:
        assert "abandoned_when" in facts
        return
    totals = sorted(report.match.totals, reverse=True)
    if len(report.winners) > 1:
        assert facts["drew"] == {"players": seats(report.winners), "count": totals[0]}
        return
    (winner,) = report.winners
    is_winner(report, facts)
    if "took_when" in facts:
        is_reason(report, facts, winner)
    else:
        (kind,) = (kind for kind in facts if kind.startswith("for_"))
        is_account(report, winner, kind, facts[kind])


def is_reason(report: Report, facts: Facts, winner: int, kind: str = "took_when") -> None:
    """A take of the winner, there, with that change."""
    (change,) = (values for name, values in facts.items() if name.startswith("chance"))
    told = {"player": seat(winner), **facts[kind]}, change["before"], change["after"]
    possible = []
    for number, take in report.takes():
        if take.seat != winner:
            continue
        played = report.match.rounds[number - 1]
        seq = played.seqs[played.events.index(take)]
        before, after = report.chances(seq, "take")
        values = {"player": seat(winner), "when": report.place(number, take.t)}
        values["count"] = take.takes
        possible.append((values, said(before, winner), said(after, winner)))
    assert possible.count(told) == 1


def is_fact(report: Report, facts: Facts) -> None:
    position = report.findings.read.positions[-2]
    assert facts["began_at"] == {"share": share(1 / len(report.names))}
    is_split(facts, parts(equals(position), position, report.winners[0]))


def is_stall(report: Report, facts: Facts) -> None:
    ms, number, since, over = max(stalls(report), key=lambda stall: stall[0])
    kind, *_ = facts
    named = number if len(report.match.rounds) > 1 else None
    assert facts[kind] == {"time": lasting(ms), "when": when(named, since)}
    assert kind == ("stall_to_end" if over else "stall")
    could, of_each = holding(report.match.rounds[number - 1], since, since + ms)
    if not could:
        assert "none_fitted" in facts
    elif told := facts.get("none_fitted_for"):
        assert told == {"time": lasting(ms - could)}
        assert 2 * could <= ms
    else:
        longest = facts["one_fitted_for"]
        assert longest["time"] == lasting(max(of_each))
        assert of_each[longest["player"][1]] == max(of_each)


def is_result(report: Report, race: RaceCard, facts: Facts) -> None:
    """Who was first in a race, where, and by how much."""
    played = report.match.rounds[race.round - 1]
    at = played.seqs.index(race.seq)
    event, before = played.events[at], played.events[:at]
    kind, *_ = facts
    told = facts[kind]
    if isinstance(event, Tie):
        assert told["players"] == seats(OWNER[tied] for tied in event.cards)
        assert (told["stack"], told["ms"]) == (event.stack + 1, max(event.after))
        return
    assert isinstance(event, Late)
    plays = [e for e in before if isinstance(e, Play) and e.stack == event.stack]
    expected = seat(plays[-1].seat), seat(event.seat), event.stack + 1, event.t - plays[-1].t
    assert (told["player"], told["other"], told["stack"], told["ms"]) == expected
    if early := facts.get("late_already"):
        assert early["player"] == seat(event.seat)
        first = [(seat(e.seat), card(e.card), plays[-1].t - e.t) for e in plays]
        assert (early["other"], early["card"], early["ms"]) in first


def is_own(report: Report, of: int, facts: Facts) -> None:
    """The verdict as said to a player: how far ahead or behind the winner they were."""
    if not facts:
        assert not report.winners or (of in report.winners and len(report.winners) > 1)
        return
    placed = next(kind for kind in facts if kind.removeprefix("own_") in PLACES)
    totals = report.match.totals
    assert PLACES.index(placed.removeprefix("own_")) == sum(map(totals[of].__lt__, totals))
    if placed == "own_won":
        ahead = totals[of] - sorted(totals)[-2]
        assert (facts[placed]["count"], facts[placed]["ahead"]) == (totals[of], ahead)
    else:
        first = facts[placed]["other"]
        assert first in map(seat, report.winners or ())
        assert facts[placed]["count"] == max(totals) - totals[of]
    for kind in facts:
        if kind.endswith(("stopped_when", "never_played")):
            has_left(report, kind.removeprefix("own_"), {"player": seat(of), **facts[kind]})
    if "own_took_when" in facts:
        is_reason(report, facts, of, "own_took_when")
    else:
        (kind,) = (kind for kind in facts if kind.startswith("own_for_"))
        is_account(report, of, kind.removeprefix("own_"), facts[kind])


def is_account(report: Report, of: int, kind: str, values: dict[str, Value]) -> None:
    """Counts of the account, of the winner and of the second or another seat."""
    part = kind.rpartition("_")[2]

    def count(own: SeatAccount) -> int:
        counts = {"left": own.floor - own.left, "stacks": own.won}
        return counts[part] if part in counts else int(getattr(own, part))

    account, totals = report.findings.account, report.match.totals
    other = next(seat_ for seat_ in range(len(account)) if values["other"] == seat(seat_))
    assert values.get("player", seat(of)) == seat(of)
    assert totals[other] == sorted(totals)[-2 if of in report.winners else -1]
    assert (of in report.winners) == (count(account[of]) > count(account[other])) ^ (part == "left")
    none = account[of].could if part == "stacks" else count(account[of])
    assert ("none" in kind) == (none == 0)
    assert values["theirs"] == count(account[other])
    if kind == "for_stacks":
        assert (values["won"], values["count"]) == (account[of].won, account[of].could)
    elif kind != "for_none_stacks":
        assert values["count"] == count(account[of])


def is_stack(report: Report, stack: ContestedStack, facts: Facts) -> None:
    """Who laid the 4, who took it, and who was late."""
    played = report.match.rounds[stack["round"] - 1]
    here = [
        event
        for event, seq in zip(played.events, played.seqs, strict=True)
        if isinstance(event, Play) and event.stack == stack["slot"] and seq <= stack["seq"]
    ]
    four, five = here[-2:]
    assert (five.takes, five.seat) == (stack["cards"], stack["taker"])
    assert four.number or FACE[four.card] == 4
    kind = "laid_and_took" if four.seat == five.seat else "laid_for"
    assert facts[kind]["player"] == seat(five.seat)
    assert facts[kind]["time"] == lasting(five.t - four.t)
    assert kind == "laid_and_took" or facts[kind]["other"] == seat(four.seat)
    if "had_5_too" in facts:
        assert facts["had_5_too"]["players"] == seats(each["seat"] for each in stack["rivals"])
    if "came_late" in facts:
        tries = [e for e in played.events if isinstance(e, Late) and e.stack == stack["slot"]]
        late = facts["came_late"]
        assert any((seat(e.seat), e.t - five.t) == (late["player"], late["ms"]) for e in tries)


def claims(report: Report) -> Iterator[Claim]:
    """Every text of a report, and how it is held against the log."""
    findings = report.findings
    for moment in findings.moments:
        yield moment.text, partial(KINDS[moment.kind], report, moment)
    verdict, *others = findings.facts
    yield verdict, partial(is_verdict, report)
    for text in others:
        yield text, partial(is_fact, report)
    if findings.stall:
        yield findings.stall["text"], partial(is_stall, report)
    for judged in findings.judgements:
        kind = judged["verdict"].replace(" ", "_")
        there = judged["seq"], judged["round"], judged["t"], kind, (judged["seat"],)
        moment = Moment(*there, (0, 0), judged["text"])
        yield judged["text"], partial(KINDS[kind], report, moment)
    for of, text in enumerate(findings.own_verdicts):
        yield text, partial(is_own, report, of)
    for stack in account_json(findings.account, findings.taken_stacks, {})["stacks"]:
        yield stack["text"], partial(is_stack, report, stack)
    for race in findings.race_cards[:50]:
        words = findings.words_of(race)
        yield words["result"], partial(is_result, report, race)


def report_of(index: int) -> Report:
    return Report(POPULATIONS[index % len(POPULATIONS)], SEED, index)


@pytest.mark.parametrize("index", range(MATCHES))
def test_every_fact_of_a_report_is_in_the_log(index: int) -> None:
    report = report_of(index)
    for text, hold in claims(report):
        hold(report.facts(text))
    for race in report.findings.race_cards[:50]:
        for text in cast("dict[str, Text]", report.findings.words_of(race)).values():
            report.facts(Text(say=text["say"][:1]))


def test_any_value_that_is_slightly_wrong_is_noticed() -> None:
    """Each value of each kind of sentence, a few times."""
    tried = defaultdict[tuple[str, str], int](int)
    for index in range(min(MATCHES, len(POPULATIONS))):
        report = report_of(index)
        for text, hold in claims(report):
            for at, (kind, values) in enumerate(text["say"]):
                for name in values:
                    tried[kind, name] += 1
                    if tried[kind, name] <= 3:
                        with pytest.raises(AssertionError):
                            hold(facts_of(changed(text, at, name)))
    assert len(tried) > 60


def test_sentences_say_what_they_are_given() -> None:
    """Whatever the count, the same values, as translations need them."""
    for kind, message in SENTENCES.items():
        values = set(re.findall(r"{(\w+)}", message.text))
        assert values | {"count"} >= set(re.findall(r"{(\w+)}", message.many)), kind
