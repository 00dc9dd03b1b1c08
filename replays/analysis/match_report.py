"""The report of a match: everything in its findings, as one JSON value whose texts are facts."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final, cast

from games.engine.message import points_between
from replays.analysis.findings import Findings, Missed
from replays.analysis.missed_takes import taker
from replays.analysis.moments import Moment
from replays.analysis.race_cards import RaceCard
from replays.analysis.report_json import MatchMoment, MissedTakeJson, RaceJson
from replays.analysis.versions import MEASURES_VERSION
from replays.analysis.winning import network
from replays.analysis.winning.network import in_percent
from replays.analysis.winning.series import curve_and_befores

Json = dict[str, Any]
MAX_ENTRIES: Final = 1_000
"""Entries of a list. Only a flood of tries has more."""
_DIGITS: Final = 4


def match_report(findings: Findings) -> Json:
    """The whole report. Times are ms in the round, probabilities are estimates."""
    timeline = findings.timeline
    return {
        "id": timeline.header.id,
        "edition": timeline.header.edition,
        "versions": {
            "measures": MEASURES_VERSION,
            "model": network.model("spectator").about["digest"],
        },
        "winners": list(timeline.result.winners) if timeline.result else None,
        "totals": list(timeline.totals),
        "facts": findings.facts,
        "own_verdicts": findings.own_verdicts,
        "stall": findings.stall,
        "curve": [
            {
                "seq": point.seq,
                "round": point.round,
                "t": point.t,
                "p": list(point.p),
            }
            for point in curve_and_befores(findings.points)
        ],
        "moments": moments_json(findings.moments),
        "judgements": findings.judgements[:MAX_ENTRIES],
        "players": findings.players,
        "account": findings.account_json,
        "lags_ms": findings.lags,
        "ways_ms": findings.ways,
        "races": [_race_card(race, findings) for race in findings.race_cards[:MAX_ENTRIES]],
        "missed_takes": [_missed(take) for take in findings.costliest_missed[:MAX_ENTRIES]],
    }


def moments_json(listed: Iterable[Moment]) -> list[MatchMoment]:
    return [
        {
            "seq": moment.seq,
            "round": moment.round,
            "t": moment.t,
            "kind": moment.kind,
            "seats": list(moment.seats),
            "delta": round(moment.delta, _DIGITS),
            "points": points_between(*moment.chances),
            "text": moment.text,
        }
        for moment in listed
    ]


_PLAYED: Final = ("take", "play", "tie", "missed_take", "feed", "race")
"""The kinds of moments that a player's cards make."""


def opening_in(report: Json) -> int:
    """Where a stored report's match opens: the seq of the take that its verdict names, otherwise of
    the first moment that cards made. 0 if there is none."""
    played = (each["seq"] for each in report["moments"] if each["kind"] in _PLAYED)
    return _named_take(report) or min(played, default=0)


def _named_take(report: Json) -> int:
    """The seq. A verdict has its round or time only, the curve the same change of the chance."""
    told = dict(report["facts"][0]["say"])
    if "took_when" not in told:
        return 0
    (_, seat), (_, number, t) = told["took_when"]["player"], told["took_when"]["when"]
    (_, before), (_, after) = told["chance"]["before"], told["chance"]["after"]
    steps = (
        point["seq"]
        for last, point in pairwise(report["curve"])
        if number in (None, point["round"])
        and t in (None, point["t"])
        and (in_percent(last["p"])[seat], in_percent(point["p"])[seat]) == (before, after)
    )
    return next(steps, 0)


def _short(value: float) -> float:
    return round(value, _DIGITS)


def _race_card(race: RaceCard, findings: Findings) -> RaceJson:
    """A race card. `delta`: the estimated effect of the winner's play on the winner."""
    swing = findings.swing_of(race)
    delta = None
    if swing is not None and race.winner is not None:
        before, after = swing.chances(race.winner)
        delta = _short(after - before)
    attempts = [attempt._asdict() for attempt in race.attempts]
    shown = {
        "attempts": attempts,
        "late_to": race.late_to and race.late_to._asdict(),
        "delta": delta,
        "words": findings.words_of(race),
    }
    return cast(RaceJson, {**race._asdict(), **shown})


def _missed(take: Missed) -> MissedTakeJson:
    """A strip: when the take was open, when it was shown, when the player was free."""
    window = take.chance.window
    return {
        "seq": take.seq,
        "round": take.round,
        "moment": take.moment,
        "seat": window.seat,
        "card": window.card,
        "slot": window.slot,
        "cards": window.counted,
        "taker": taker(window),
        "from": window.since,
        "shown": take.chance.shown,
        "to": window.until,
        "busy": list(take.chance.busy),
        "free": list(take.chance.free),
        "free_ms": take.chance.free_ms,
        "cause": take.chance.cause,
        "delta": _short(take.delta),
        "points": points_between(*take.chances),
    }
