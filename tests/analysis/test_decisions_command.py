"""`manage.py decisions ID`, and `what_if` of a decision that it tells."""

from __future__ import annotations

import json
from functools import cache
from io import StringIO
from pathlib import Path

from django.core.management import call_command

from replays.analysis import read
from replays.analysis.decisions.report import figure_words
from tests.replays.matches import MATCHES

FULL = MATCHES / "valid-full-match-3.ratuki"


def first_rounds(folder: Path, count: int) -> str:
    """A record of the first rounds alone."""
    match = read(str(FULL))
    last = match.rounds[count - 1].seqs[-1]
    file = folder / "round.ratuki"
    file.write_text("".join(FULL.read_text().splitlines(keepends=True)[: last + 1]))
    return str(file)


def called(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


@cache
def report(file: str) -> dict:
    return json.loads(called("decisions", file, "--json"))


def test_it_tells_costly_decisions_in_sentences(tmp_path: Path) -> None:
    file = first_rounds(tmp_path, 2)
    text, reported = called("decisions", file), report(file)
    told = [decision for decision in reported["decisions"] if decision["told"]]
    assert told
    for decision in told:
        assert f"{decision['text']} ({figure_words(decision)})" in text
    for name, figure in zip(read(file).names, reported["lost"], strict=True):
        assert f"{name}: {figure['text']}" in text
    assert "hidden cards dealt anew" in text


def test_a_what_if_says_the_same_as_the_decision(tmp_path: Path) -> None:
    file = first_rounds(tmp_path, 1)
    for decision in report(file)["decisions"]:
        change = ("--card", decision["card"], "--stack", str(decision["slot"]))
        text = called("what_if", file, "--seq", str(decision["seq"]), *change, "--json")
        answer = json.loads(text)
        own = answer["seats"][decision["seat"]]
        assert answer["rollouts"] == decision["rollouts"]
        assert own["win"] == decision["win"]
        assert own["error"] == decision["error"]
        assert own["difference"] == -decision["delta"]
        assert not decision["told"] or own["clear"]
        assert f"would take {decision['cards'] + 1} cards" in answer["outcome"]
        assert "after 10 s more" in answer["round_text"]
