"""`manage.py judge ID`: the decisions of a match."""

from __future__ import annotations

import json
from functools import cache
from io import StringIO
from pathlib import Path

from django.core.management import call_command

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
