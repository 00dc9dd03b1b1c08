"""The report of a match: everything in its findings, as one JSON value and as CSV.

Lists that a hostile record could make endless are cut at `MOST`; `left_out` counts the rest.
"""

from __future__ import annotations

from typing import Any, Final

from games.engine.events import Play
from games.records.plural import joined
from replays.analysis.card_lives import feeding_prices
from replays.analysis.csv_text import csv_text, harmless
from replays.analysis.findings import Findings, Missed
from replays.analysis.insight import insight_of
from replays.analysis.missed_takes import taker
from replays.analysis.moments.wording import cards, face, percent
from replays.analysis.player_table import COLUMNS, PlayerRow
from replays.analysis.race_cards import RaceCard
from replays.analysis.tempo import RoundTempo
from replays.analysis.versions import MEASURES_VERSION
from replays.analysis.winning.network import model

Json = dict[str, Any]
MOST: Final = 1_000
MOST_FED: Final = 100
"""The most rounds whose feeding is priced."""
_DIGITS: Final = 4


def match_report(findings: Findings) -> Json:
    """The whole report; times are ms in the round, probabilities are estimates."""
    timeline = findings.timeline
    races, judgements = findings.race_cards, findings.judgements
    return {
        "id": timeline.header.id,
        "edition": timeline.header.edition,
        "seats": list(findings.names),
        "versions": {"measures": MEASURES_VERSION, "model": model("spectator").about["digest"]},
        "winners": list(timeline.result.winners) if timeline.result else None,
        "totals": list(timeline.totals),
        "facts": facts(findings),
        **insight_of(findings.curve, findings.moments),
        "judgements": [
            {**one._asdict(), "figures": {name: _short(v) for name, v in one.figures.items()}}
            for one in judgements[:MOST]
        ],
        "luck": [{**one._asdict(), "delta": _short(one.delta)} for one in findings.luck],
        "players": [_player(row) for row in findings.players],
        "lags_ms": findings.lags,
        "races": [_race_card(one, findings) for one in races[:MOST]],
        "missed_takes": [_missed(one) for one in findings.missed[:MOST]],
        "tempo": [_tempo(one) for one in findings.tempo],
        "feeding": _feeding(findings),
        "left_out": {
            "judgements": max(0, len(judgements) - MOST),
            "races": max(0, len(races) - MOST),
            "missed_takes": max(0, len(findings.missed) - MOST),
        },
    }


def facts(findings: Findings) -> list[str]:
    """The match in a few sentences: who won, who took most, the biggest take, how it went."""
    facts = [_outcome(findings), _most_takes(findings), _biggest_take(findings), _course(findings)]
    return [sentence for sentence in facts if sentence]


def _outcome(findings: Findings) -> str:
    timeline, names = findings.timeline, findings.names
    if timeline.result is None:
        return "The match is not over."
    won, totals = timeline.result.winners, timeline.totals
    if not won:
        return "The match was abandoned."
    who = joined(names[seat] for seat in won)
    best = totals[won[0]]
    if len(won) > 1:
        return f"{who} drew with {best} points each."
    second = max(total for seat, total in enumerate(totals) if seat not in won)
    ahead = "1 point" if best - second == 1 else f"{best - second} points"
    return f"{who} won with {best} points, {ahead} ahead."


def _most_takes(findings: Findings) -> str:
    row = max(findings.players, key=lambda one: one.cells["takes"].value or 0)
    takes, size = row.cells["takes"].value or 0, row.cells["cards_a_take"].value
    if size is None:
        return "Nobody took a stack."
    times = "once" if takes == 1 else f"{takes:.0f} times"
    return f"{findings.names[row.seat]} took most often: {times}, {size:.1f} cards each on average."


def _biggest_take(findings: Findings) -> str:
    takes = [
        (event.takes, played.number, event)
        for played in findings.timeline.rounds
        for event in played.events
        if isinstance(event, Play) and event.takes is not None
    ]
    if not takes:
        return ""
    taken, number, play = max(takes, key=lambda one: one[0])
    who, how = findings.names[play.seat], face(play.card)
    when = f"round {number}, {play.t // 60_000}:{play.t // 1_000 % 60:02}"
    return f"The biggest take: {who}, {cards(taken)} with {how} ({when})."


def _course(findings: Findings) -> str:
    changes = findings.lead_changes
    if not changes:
        return "The lead never changed, as far as the model can tell."
    last = changes[-1]
    often = "once" if len(changes) == 1 else f"{len(changes)} times"
    return (
        f"The lead changed {often}, last in round {last.point.round} to "
        f"{findings.names[last.leader]} ({percent(last.point.p[last.leader])}, estimated)."
    )


def players_csv(findings: Findings) -> str:
    """The players' table, one line per seat."""
    names = findings.names
    fed = [f"cards_to_{seat}" for seat in range(len(names))]
    rows = [
        [
            row.seat,
            harmless(names[row.seat]),
            *(_cell(row.cells[name].value) for name in COLUMNS),
            *(_cell(cell.value) for cell in row.fed),
        ]
        for row in findings.players
    ]
    return csv_text(["seat", "player", *COLUMNS, *fed], rows)


def _cell(value: float | None) -> float | int | str:
    if value is None:
        return ""
    return int(value) if value == int(value) else round(value, _DIGITS)


def _short(value: float) -> float:
    return round(value, _DIGITS)


def _player(row: PlayerRow) -> Json:
    cells = {
        name: {"value": _rounded(cell.value), "seqs": list(cell.seqs)}
        for name, cell in row.cells.items()
    }
    fed = [{"value": cell.value, "seqs": list(cell.seqs)} for cell in row.fed]
    return {"seat": row.seat, **cells, "fed": fed}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _race_card(one: RaceCard, findings: Findings) -> Json:
    """A race card; `delta`: the estimated change that the winner's play made for the winner."""
    swing = findings.swing_of(one)
    delta = None
    if swing is not None and one.winner is not None:
        delta = _short(swing.change(one.winner))
    attempts = [attempt._asdict() for attempt in one.attempts]
    words = findings.words_of(one)._asdict()
    return {**one._asdict(), "attempts": attempts, "delta": delta, "words": words}


def _missed(one: Missed) -> Json:
    """A strip: when the take was open, when it was shown, when the hand was free."""
    window = one.chance.window
    return {
        "round": one.round,
        "seat": window.seat,
        "card": window.card,
        "slot": window.slot,
        "cards": window.cards,
        "taker": taker(window),
        "from": window.since,
        "shown": one.chance.shown,
        "to": window.until,
        "busy": [list(span) for span in one.chance.busy],
        "free": [list(span) for span in one.chance.free],
        "cause": one.chance.cause,
    }


def _feeding(findings: Findings) -> list[Json]:
    """For each round, what each card that was fed cost its player (an estimate)."""
    return [
        {
            "round": played.number,
            "prices": {card: _short(price) for card, price in prices.items()},
        }
        for played in findings.timeline.rounds[:MOST_FED]
        if (prices := feeding_prices(played, findings.swings_by_round.get(played.number, ())))
    ]


def _tempo(one: RoundTempo) -> Json:
    return {
        "round": one.round,
        "seats": [
            {
                "actions_a_minute": _rounded(seat.actions_a_minute),
                "churn": _rounded(seat.churn),
                "reactions": {
                    name: reaction._asdict() for name, reaction in seat.reactions.items()
                },
            }
            for seat in one.seats
        ],
        "unserved_ms": list(one.unserved_ms),
    }
