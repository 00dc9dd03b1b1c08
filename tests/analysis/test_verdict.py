"""A match in one sentence, the takes that moved the odds, and `manage.py analyse FILE`."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from replays.analysis.moments.leads import lead_changes
from replays.analysis.moments.swings import swings
from replays.analysis.sentences import say, told
from replays.analysis.verdict import outcome, so_far, verdict
from replays.analysis.winning.series import PLAY, TAKE, curve, series
from replays.timeline import Timeline
from tests.replays.matches import MATCHES, timeline_of


@pytest.fixture(scope="module")
def whole() -> Timeline:
    return timeline_of("valid-full-match-3")


@pytest.mark.parametrize(
    ("totals", "won", "said"),
    [
        ((30, 12), (0,), "Ada won with 30 points, 18 ahead."),
        ((1, -3), (0,), "Ada won with 1 point, 4 ahead."),
        ((-8, -9), (0,), "Ada won with −8 points, 1 ahead."),
        ((7, 7), (0, 1), "Ada and Bo drew with 7 points each."),
        ((7, 3), (), "The match was abandoned."),
    ],
)
def test_how_a_match_ended(totals: tuple[int, ...], won: tuple[int, ...], said: str) -> None:
    assert told(say(outcome(totals, won)), ["Ada", "Bo"]) == said


def test_who_leads_so_far() -> None:
    def said(*points: int) -> str:
        return told(say(so_far(points)), ["Ada", "Bo", "Cy"])

    assert said(3, 9, 4) == "Bo leads with 9 points, 5 ahead."
    assert said(9, 9, 4) == "Ada and Bo lead with 9 points each."
    assert said(0, 0, 0) == "All are level with 0 points."


def test_why_is_the_take_that_helped_most(whole: Timeline) -> None:
    known = swings(whole, series(whole, detailed=True))
    best = max((swing for swing in known if swing.seats == (1,)), key=lambda swing: swing.change(1))
    changes = lead_changes(curve(series(whole)))
    assert changes[-1].leader == 1
    assert changes[-1].point.seq != best.seq
    said = told(verdict(whole, changes, known), whole.names)
    assert said == (
        "P1 won with 123 points, 37 ahead. P1 took 19 cards in round 4. Chance to win: 69% → 92%."
    )
    before, after = (f"{100 * p:.0f}%" for p in (best.before[1], best.after[1]))
    assert (before, after, best.round) == ("69%", "92%", 4)


@pytest.mark.parametrize(
    ("low", "reason"),
    [(0.5, " P1 took 7 cards in round 4. Chance to win: 35% → 47%."), (0.05, "")],
)
def test_a_gain_that_was_lost_again_is_no_reason(whole: Timeline, low: float, reason: str) -> None:
    """The chance fell below what it was before: not the reason, however large the gain was."""
    known = swings(whole, series(whole, detailed=True))
    own = [swing for swing in known if swing.cause == TAKE and swing.seats == (1,)]
    best = max(own, key=lambda swing: swing.change(1))
    lost = best._replace(cause=PLAY, seq=best.seq + 1, before=best.after, after=(1 - low, low))
    at = known.index(best) + 1
    said = told(verdict(whole, [], [*known[:at], lost]), whole.names)
    assert said == f"P1 won with 123 points, 37 ahead.{reason}"


def test_otherwise_it_is_the_take_since_which_the_winner_was_ahead(whole: Timeline) -> None:
    changes = lead_changes(curve(series(whole)))
    known = swings(whole, series(whole, detailed=True))
    (turn,) = [
        swing for swing in known if swing.seq == changes[-1].point.seq and swing.cause == TAKE
    ]
    small = turn._replace(after=(turn.after[0], turn.before[1] + 0.05, *turn.after[2:]))
    assert told(verdict(whole, changes, [small]), whole.names) == (
        "P1 won with 123 points, 37 ahead. "
        "P1 took 7 cards in round 4 and was the favourite from then on. "
        f"Chance to win: {100 * turn.before[1]:.0f}% → {100 * small.after[1]:.0f}%."
    )
    loser = [changes[-1]._replace(leader=0)]
    assert "took" not in told(verdict(whole, loser, [small]), whole.names)
    less = turn._replace(after=(turn.after[0], turn.before[1] + 0.02, *turn.after[2:]))
    assert "took" not in told(verdict(whole, changes, [less]), whole.names)


def test_a_take_that_helped_little_is_no_reason(whole: Timeline) -> None:
    small = [
        swing._replace(after=(*swing.before[:1], swing.before[1] + 0.09, *swing.before[2:]))
        for swing in swings(whole, series(whole, detailed=True))
        if swing.seats == (1,)
    ]
    said = told(verdict(whole, [], small), whole.names)
    assert said == "P1 won with 123 points, 37 ahead."


def analyse(*arguments: str) -> str:
    out = StringIO()
    call_command("analyse", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("path", sorted(MATCHES.glob("*.measures.json")), ids=lambda p: p.name)
def test_json_is_what_was_expected(path: Path) -> None:
    record = path.with_name(path.name.replace(".measures.json", ".ratuki"))
    assert analyse(str(record), "--json") == f"{json.dumps(json.loads(path.read_text()))}\n"


def test_a_fault_is_reported_as_verify_reports_it(tmp_path: Path) -> None:
    record = (MATCHES / "valid-full-match-3.ratuki").read_text().splitlines(keepends=True)
    faulty = tmp_path / "faulty.ratuki"
    faulty.write_text("".join([*record[:9], record[2]]))
    told = []
    for command in ("analyse", "verify"):
        out = StringIO()
        with pytest.raises(SystemExit) as ended:
            call_command(command, str(faulty), stdout=out)
        assert ended.value.code == 1
        told.append(out.getvalue())
    assert told[0] == told[1]
    assert told[0].startswith(f"{faulty}:10: ")


def test_a_missing_file_is_reported() -> None:
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("analyse", "/nowhere.ratuki", stdout=out)
    assert ended.value.code == 1
    assert out.getvalue() == "/nowhere.ratuki: cannot be read: No such file or directory\n"
