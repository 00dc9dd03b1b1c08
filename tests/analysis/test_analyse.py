"""`manage.py analyse FILE`: measures as JSON, faults as `verify` reports them."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.replays.matches import MATCHES


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
