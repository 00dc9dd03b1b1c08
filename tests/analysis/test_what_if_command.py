"""`manage.py what_if ID --seq N`: one try made differently, from the command line."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.engine.events import Draw, Late, Tie
from replays.analysis import read
from tests.replays.matches import MATCHES

FULL = str(MATCHES / "valid-full-match-3.ratuki")
ROUND = read(FULL).rounds[0]


def what_if(*arguments: str) -> str:
    out = StringIO()
    call_command("what_if", FULL, *arguments, "--rollouts", "4", stdout=out)
    return out.getvalue()


def seq_of(kind: type) -> int:
    return next(s for s, e in zip(ROUND.seqs, ROUND.events, strict=True) if isinstance(e, kind))


def test_it_says_how_a_changed_try_would_have_ended() -> None:
    seq = str(seq_of(Late))
    told = json.loads(what_if("--seq", seq, "--skip", "--json"))
    assert (told["seq"], told["round"], told["rollouts"]) == (int(seq), 1, 4)
    assert ROUND.seqs[told["event"] - 1] == told["seq"]
    text = what_if("--seq", seq, "--skip")
    assert text.startswith(f"{told['outcome']}\n{told['text']}\n{told['round_text']}\n")
    assert "4 rollouts each way" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--seq", "1", "--skip"), "--seq 1: expected the number of an event"),
        (("--seq", str(seq_of(Draw)), "--skip"), "is not a try"),
        (("--seq", str(seq_of(Tie)), "--seat", "4", "--later", "9"), "who tried there"),
        (("--seq", str(seq_of(Late)), "--later", "9999"), "expected"),
        (("--seq", str(seq_of(Late)), "--card", "X9"), "--card"),
    ],
)
def test_what_cannot_be_tried_is_said(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        what_if(*arguments)
