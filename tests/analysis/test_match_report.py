"""The report of a match, as JSON, and the figures in it."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.engine.cards import FACE, deck_of
from games.engine.editions import house_rules
from games.engine.events import Deal, End, Late, Play, Tie
from games.engine.fitting import fits
from games.records.log import Header, Result, Seat
from replays.analysis import Findings, read
from replays.analysis.match_report import MAX_ENTRIES, match_report
from replays.analysis.measures import measures
from replays.analysis.moments.judgements import MISSED_TAKE
from replays.analysis.sentences import render_text
from replays.analysis.stalls import stall_json
from replays.timeline import Timeline
from replays.training.matches import lines, plan
from tests.analysis.telling import by_kind
from tests.replays.matches import FILES, MATCHES

FULL = MATCHES / "valid-full-match-3.ratuki"


def findings(seed: int = 1) -> Findings:
    return Findings(Timeline.of(lines(plan("roster", seed, 0))))


def _plays(timeline: Timeline) -> list[Play]:
    return [
        event for round_ in timeline.rounds for event in round_.events if isinstance(event, Play)
    ]


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("report", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_valid_match_can_be_reported(path: Path) -> None:
    analysis = Findings(read(path))
    json.dumps(match_report(analysis), allow_nan=False)


def test_the_report_is_printed() -> None:
    report = json.loads(run(str(FULL)))
    assert report["id"] == "m7dedb246"
    assert report["winners"] == [1]
    assert report["facts"][0] == (
        "P1 won with 123 points, 37 ahead. P1 took 19 cards in round 4. Chance to win: 74% → 94%."
    )
    assert report["seats"] == ["P0", "P1", "P2"]
    assert [row["points"] for row in report["players"]] == report["totals"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_missed_takes_are_those_of_the_measures(path: Path) -> None:
    analysis = Findings(read(path))
    report, plain = match_report(analysis), measures(analysis.timeline)
    mine = sorted(
        (take["round"], take["seat"], take["card"], take["from"]) for take in report["missed_takes"]
    )
    assert mine == sorted(
        (part["round"], lost["seat"], lost["card"], lost["from"])
        for part in plain["rounds"]
        for lost in part["missed_takes"]
    )


def test_missed_takes_are_ranked_by_what_they_cost_as_moments_and_judgements_say() -> None:
    analysis = findings(3)
    report = match_report(analysis)["missed_takes"]
    assert report
    assert [take["delta"] for take in report] == sorted(take["delta"] for take in report)
    costs = {(take["seq"], take["seat"]): take["delta"] for take in report}
    judged = [judgement for judgement in analysis.judgements if judgement["verdict"] == MISSED_TAKE]
    assert judged
    for judgement in judged:
        assert costs[judgement["seq"], judgement["seat"]] == pytest.approx(
            judgement["figures"]["delta"], abs=1e-4
        )
    for moment in analysis.moments:
        if moment.kind == "missed_take":
            assert costs[moment.seq, moment.seats[0]] == pytest.approx(moment.delta, abs=1e-4)


def test_a_race_says_what_the_winners_play_changed() -> None:
    report = match_report(findings(3))
    late = [race for race in report["races"] if race["kind"] == "late"]
    assert late
    for race in late:
        assert isinstance(race["delta"], float)
        assert race["play_seq"] < race["seq"]


def test_race_cards_say_what_the_log_says() -> None:
    for seed in range(2):
        analysis = findings(seed)
        races = match_report(analysis)["races"]
        assert len(races) == sum(
            isinstance(event, Late | Tie)
            for played in analysis.timeline.rounds
            for event in played.events
        )
        for race in races:
            facts = {question: by_kind(text) for question, text in race["words"].items()}
            first, tied = ("seat", race["attempts"][0]["seat"]), race["kind"] == "tie"
            ((kind, result),) = [*facts["result"].items()][:1]
            assert kind.startswith("race_tied" if tied else "reached")
            assert tied or result["player"] == first
            ((kind, flip),) = facts["flip"].items()
            assert flip.get("ms") == race["flip_ms"]
            assert (kind == "no_flip") == (race["flip_ms"] is None)
            assert ("tied_cards_went" in facts["decided"]) == tied
            tops = {attempt["top"] for attempt in race["attempts"]}
            assert ("none_seen" in facts["screens"]) == (len(tops) == 1)
            if race["takes"]:
                took = facts["decided"]["took"]
                assert (took["player"], took["count"]) == (first, race["takes"])
            if isinstance(race["equal_lines"], int):
                then = {**facts["equal_lines"].get("first_too", {})}
                then |= facts["equal_lines"].get("first_then", {})
                assert then == {"player": ("seat", race["equal_lines"])}


def test_a_race_card_knows_what_the_late_player_saw() -> None:
    analysis = findings(3)
    late = [race.attempts[1] for race in analysis.race_cards if race.kind == "late"]
    assert late
    for tried in late:
        assert fits(analysis.timeline.header.rules, tried.top, FACE[tried.card], tried.number)


def test_points_below_zero_have_a_minus() -> None:
    """A round without a single play, which ends a speedy match."""
    usual = findings().timeline.header
    header = replace(
        usual,
        seats=(Seat("Ada", "bot"), Seat("Bo", "bot")),
        rules=replace(usual.rules, speedy=True),
    )
    decks = tuple(tuple(deck_of(seat, header.rules.deck)) for seat in range(2))
    points = (3 - len(decks[0]),) * 2
    end = End(header.rules.stall_ms, "stalled", points, points)
    log = Timeline.of([header, Deal(1, decks), end, Result((0, 1), points)])
    said = [render_text(text, log.names) for text in Findings(log).facts]
    assert said == ["Ada and Bo drew with −32 points each."]


@pytest.mark.parametrize(
    ("seed", "expected"),
    [
        (0, ["the favourite for good. It happened at the end.", "for 22.3 s, at 1:51.9"]),
        (39, ["a chance to win of 4% at 1:12.0, 13 points behind", "for 10.5 s, at 2:12.7"]),
        (
            24,
            [
                "stopped playing at 1:32.0.",
                "at 1:54.3: no one played a card in the round’s last 30.0 s",
            ],
        ),
    ],
)
def test_the_only_round_of_a_match_is_not_named(seed: int, expected: list[str]) -> None:
    """The first round of a match, as a match of its own."""
    header, *log = lines(plan("roster", 77, seed))
    assert isinstance(header, Header)
    ended = next(number for number, line in enumerate(log) if isinstance(line, End))
    end = log[ended]
    assert isinstance(end, End)
    best = tuple(seat for seat, total in enumerate(end.totals) if total == max(end.totals))
    only = [*log[: ended + 1], Result(best, end.totals)]
    rules = replace(header.rules, speedy=True)
    analysis = Findings(Timeline.of([replace(header, rules=rules, tags=()), *only]))
    stall = stall_json(analysis.timeline, open_hands=True)
    assert stall
    texts = [*analysis.facts, *(moment.text for moment in analysis.moments), stall["text"]]
    said = [render_text(text, analysis.names) for text in texts]
    assert all(any(words in sentence for sentence in said) for words in expected)
    assert not any("round 1" in sentence for sentence in said)


def test_measured_lags_are_preferred_to_estimates() -> None:
    match = findings().timeline
    known: list[float | None] = [12.0, *[None] * (len(match.names) - 1)]
    report = Findings(match, known).lags
    assert report[0] == 12.0
    assert report[1:] == Findings(match).lags[1:]


def test_lists_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis = findings()
    whole = match_report(analysis)
    monkeypatch.setattr("replays.analysis.match_report.MAX_ENTRIES", 2)
    report = match_report(analysis)
    for name in ("judgements", "races", "missed_takes"):
        assert report[name] == whole[name][:2]


def test_a_hostile_round_does_not_make_an_endless_report() -> None:
    """Valid, and as long as one likes: every late try is a race."""
    rules = house_rules("usaopoly-2009", {"tie_window_ms": 0, "one_hand_ms": 0, "stall_ms": 0})
    header = Header("hostile", "usaopoly-2009", rules, (Seat("A", "bot"), Seat("B", "bot")))
    deal = Deal(1, (deck_of(0, rules.deck), deck_of(1, rules.deck)))
    late = Late(20, 1, "B1a", 0, None, 0)
    analysis = Findings(Timeline.of([header, deal, Play(10, 0, "A1a", 0), *[late] * 6_000]))
    report = match_report(analysis)
    assert len(report["races"]) == MAX_ENTRIES
    assert len(analysis.points) < 20


def test_an_impossible_report_says_why(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        run(str(tmp_path / "nothing.ratuki"))
    faulty = tmp_path / "faulty.ratuki"
    faulty.write_text("{}\n")
    with pytest.raises(CommandError, match=r"faulty\.ratuki:1: "):
        run(str(faulty))


@pytest.mark.django_db
def test_a_stored_match_is_reported_by_its_id() -> None:
    call_command("import_records", str(FULL), stdout=StringIO())
    assert json.loads(run("m7dedb246"))["winners"] == [1]
    with pytest.raises(CommandError, match="no match nowhere"):
        run("nowhere")


@pytest.mark.django_db
def test_a_match_that_is_being_played_is_not_reported() -> None:
    from games.archive.append import open_match

    header = next(iter(lines(plan("roster", 1, 0))))
    assert isinstance(header, Header)
    match = open_match(replace(header, source="live"))
    with pytest.raises(CommandError, match="still being played"):
        run(match.record_id)
