"""A match in one sentence, the takes that moved the odds, and `manage.py analyse FILE`."""

import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from replays.analysis import Findings
from replays.analysis.account import SeatAccount
from replays.analysis.match_report import match_report, opening_in
from replays.analysis.moments.swings import Swing
from replays.analysis.sentences import render_text, say
from replays.analysis.verdict import (
    account_reason,
    outcome,
    own_outcome,
    own_verdicts,
    so_far,
    verdict,
)
from replays.analysis.winning.series import PLAY, TAKE
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
    assert render_text(say(outcome(totals, won)), ["Ada", "Bo"]) == said


def test_who_leads_so_far() -> None:
    def said(*points: int) -> str:
        return render_text(say(so_far(points)), ["Ada", "Bo", "Cy"])

    assert said(3, 9, 4) == "Bo leads with 9 points, 5 ahead."
    assert said(9, 9, 4) == "Ada and Bo lead with 9 points each."
    assert said(0, 0, 0) == "All are level with 0 points."


def of(match: Timeline, known: Sequence[Swing]) -> str:
    return render_text(verdict(match, Findings(match).account, known), match.names)


ACCOUNT = "P1 got 6 of 8 stacks that others could take too, and P2 got 2."


def test_why_is_the_take_that_helped_most(whole: Timeline) -> None:
    known = Findings(whole).swings
    best = max((swing for swing in known if swing.seats == (1,)), key=lambda swing: swing.change(1))
    assert of(whole, known) == (
        "P1 won with 123 points, 37 ahead. P1 took 19 cards in round 4. Chance to win: 74% → 94%."
    )
    before, after = (f"{100 * p:.0f}%" for p in (best.before[1], best.after[1]))
    assert (before, after, best.round) == ("74%", "94%", 4)
    stored = json.loads(json.dumps(match_report(Findings(whole))))
    assert opening_in(stored) == best.seq, "a replay opens at what it names"
    stored["facts"][0]["say"] = stored["facts"][0]["say"][:1]
    first = min(each["seq"] for each in stored["moments"] if each["kind"] != "run")
    assert opening_in(stored) == first < best.seq
    assert opening_in({**stored, "moments": []}) == 0


def test_a_single_round_opens_at_the_named_time() -> None:
    match = timeline_of("valid-usaopoly-2009-3")
    report = json.loads(json.dumps(match_report(Findings(match))))
    named = dict(report["facts"][0]["say"])["took_when"]["when"]
    (at,) = {each["t"] for each in report["curve"] if each["seq"] == opening_in(report)}
    assert named == ["when", None, at]


@pytest.mark.parametrize(
    ("low", "reason"),
    [(0.5, "P1 took 7 cards in round 4. Chance to win: 33% → 47%."), (0.05, ACCOUNT)],
)
def test_a_gain_that_was_lost_again_is_no_reason(whole: Timeline, low: float, reason: str) -> None:
    """The chance fell below what it was before: not the reason, however large the gain was."""
    known = Findings(whole).swings
    own = [swing for swing in known if swing.cause == TAKE and swing.seats == (1,)]
    best = max(own, key=lambda swing: swing.change(1))
    lost = best._replace(cause=PLAY, seq=best.seq + 1, before=best.after, after=(1 - low, low))
    at = known.index(best) + 1
    assert of(whole, [*known[:at], lost]) == f"P1 won with 123 points, 37 ahead. {reason}"


def test_otherwise_it_is_the_largest_part_of_the_account(whole: Timeline) -> None:
    small = [
        swing._replace(after=(*swing.before[:1], swing.before[1] + 0.09, *swing.before[2:]))
        for swing in Findings(whole).swings
        if swing.seats == (1,)
    ]
    assert of(whole, small) == f"P1 won with 123 points, 37 ahead. {ACCOUNT}"


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"left": -5}, "Ada had 5 cards left when rounds ended, and Bo had 40."),
        ({"left": 0}, "Ada had no cards left when rounds ended, and Bo had 40."),
        ({"wilds": 50}, "Ada took 50 cards with wilds, and Bo took 20."),
        ({"alone": 50}, "Ada took 50 cards when no one else had a 5 ready, and Bo took 10."),
        (
            {"rivals": 90, "won": 15},
            "Ada got 15 of 30 stacks that others could take too, and Bo got 10.",
        ),
        (
            {"rivals": 90, "won": 14},
            "Ada took 90 cards that others could take too, and Bo took 60.",
        ),
    ],
)
def test_each_part_has_its_sentence(part: dict[str, Any], said: str) -> None:
    usual = SeatAccount(90, 60, 10, 20, -40, 30, 10, 60.0, 17.0, 180, 2, 8, 0)
    table = [usual._replace(**part), usual, usual]
    names = ["Ada", "Bo", "Cy"]
    assert render_text(say(account_reason(table, 0, 1, ahead=True)), names) == said


def test_the_share_of_contested_stacks_is_no_part_of_its_own() -> None:
    """Stacks that others could take count as a whole: a win by them is not told as one alone."""
    won = SeatAccount(120, 70, 40, 10, 0, 30, 12, 45.0, 17.0, 150, 5, 4, 0)
    lost = SeatAccount(60, 30, 20, 10, 0, 20, 5, 30.0, 17.0, 100, 3, 4, 0)
    (part, _values), (own, _own) = (
        account_reason(table, of, 1 - of, ahead=not of)
        for of, table in enumerate([[won, lost]] * 2)
    )
    assert (part, own) == ("for_stacks", "for_stacks")
    none = lost._replace(rivals=0, won=0, score=30)
    told = account_reason([won, none], 1, 0, ahead=False)
    assert told.kind == "for_stacks"
    assert [told.values[name] for name in ("won", "count", "theirs")] == [0, 20, 12]
    never = none._replace(could=0)
    assert account_reason([won, never], 1, 0, ahead=False).kind == "for_none_stacks"


def test_each_player_reads_it_about_themselves(whole: Timeline) -> None:
    known = Findings(whole).swings
    texts = own_verdicts(whole, Findings(whole).account, known)
    assert [render_text(text, whole.names) for text in texts] == [
        (
            "You came third, 66 points behind P1. "
            "You got 2 of 7 stacks that others could take too, and P1 got 6."
        ),
        (
            "You won with 123 points, 37 ahead. You took 19 cards in round 4. "
            "Chance to win: 74% → 94%."
        ),
        (
            "You came second, 37 points behind P1. "
            "You got 2 of 9 stacks that others could take too, and P1 got 6."
        ),
    ]
    draw = timeline_of("valid-draw")
    assert [render_text(text) for text in own_verdicts(draw, Findings(draw).account, [])] == [
        "",
        "",
    ]


def test_a_match_that_somebody_left_says_so_first() -> None:
    left = timeline_of("valid-left")
    stopped = "stopped playing in round 2 at 1:09.2."
    assert of(left, []).startswith(f"p0 {stopped} p1 won with 108 points, 47 ahead. p1 took 50 ")
    own, other, _ = own_verdicts(left, Findings(left).account, [])
    assert render_text(own, left.names).startswith(
        f"You {stopped} You came third, 50 points behind p1. "
    )
    assert render_text(other, left.names).startswith(f"p0 {stopped} You won with 108 points, ")


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
    render_text = []
    for command in ("analyse", "verify"):
        out = StringIO()
        with pytest.raises(SystemExit) as ended:
            call_command(command, str(faulty), stdout=out)
        assert ended.value.code == 1
        render_text.append(out.getvalue())
    assert render_text[0] == render_text[1]
    assert render_text[0].startswith(f"{faulty}:10: ")


def test_a_missing_file_is_reported() -> None:
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("analyse", "/nowhere.ratuki", stdout=out)
    assert ended.value.code == 1
    assert out.getvalue() == "/nowhere.ratuki: cannot be read: No such file or directory\n"


def test_a_cut_name_ends_its_sentence() -> None:
    outcome = own_outcome((12, 30), (1,), 0)
    assert outcome
    said = render_text(say(outcome), ["Ada", "Wolf…"])
    assert said == "You came second, 18 points behind Wolf…"
