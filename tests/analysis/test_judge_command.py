"""`manage.py judge ID`: the decisions of a match, and single changes."""

from __future__ import annotations

import json
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.engine.events import Draw, Late, Tie
from replays.analysis import read
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
    return json.loads(called("judge", file, "--json"))


def test_it_tells_costly_decisions_in_sentences(tmp_path: Path) -> None:
    file = first_rounds(tmp_path, 1)
    text, reported = called("judge", file), report(file)
    told = [decision for decision in reported["decisions"] if decision["told"]]
    assert told
    for decision in told:
        assert f"{decision['text']} Chance to win: {decision['figure']}." in text
    for name, figure in zip(read(file).names, reported["lost"], strict=True):
        assert f"{name}: {figure['text']}" in text
    assert "hidden cards are dealt anew" in text


def test_a_what_if_says_the_same_as_the_decision(tmp_path: Path) -> None:
    file = first_rounds(tmp_path, 1)
    for decision in report(file)["decisions"][:3]:
        change = ("--card", decision["card"], "--stack", str(decision["slot"]))
        found = json.loads(called("judge", file, "--seq", str(decision["seq"]), *change, "--json"))
        assert {**found, "told": None} == {**decision, "told": None}


ROUND = read(str(FULL)).rounds[0]


def seq_of(kind: type) -> int:
    return next(s for s, e in zip(ROUND.seqs, ROUND.events, strict=True) if isinstance(e, kind))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--seq", "1", "--skip"), "--seq 1: expected the number of an event"),
        (("--seq", str(seq_of(Draw)), "--skip"), "is not a try"),
        (("--seq", str(seq_of(Tie)), "--seat", "4", "--later", "9"), "who tried there"),
        (("--seq", str(seq_of(Late)), "--later", "9999"), "expected"),
        (("--seq", str(seq_of(Late)), "--card", "X9"), "--card"),
        (("--seq", str(seq_of(Late))), "say what changes"),
    ],
)
def test_what_cannot_be_tried_is_said(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        called("judge", str(FULL), *arguments)
