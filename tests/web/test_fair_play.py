"""The page about fair play: its program tells the truth, and matches lead there."""

import json
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from games.engine.dealing import fair_deal
from games.engine.events import Deal
from games.models import Match
from games.pages.rules_page import CHECK
from games.records.log import Line
from games.records.notation import write_line
from games.tables.plan import new_plan
from tests.web.records import store

ADDRESS = "/rules/fair-play/"
RULES = new_plan("m", "usaopoly-2009", 3, {}).rules


def record(tmp_path: Path, *deals: Line) -> Path:
    """A file with these lines after a header of no interest."""
    file = tmp_path / "match.ratuki"
    file.write_text('{"ratuki":3}\n' + "".join(f"{write_line(deal)}\n" for deal in deals))
    return file


def checked(tmp_path: Path, *deals: Line) -> list[str]:
    """What the program on the page says of deals; it runs where nothing of ours is."""
    program = tmp_path / "check.py"
    program.write_text(CHECK)
    run = subprocess.run(
        [sys.executable, "-I", str(program), str(record(tmp_path, *deals))],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    return run.stdout.splitlines()


def deal(number: int) -> Deal:
    return fair_deal(RULES, number, bytes([number % 256] * 32), [b"", b"\x9f\x02", bytes(32)])


def test_the_program_on_the_page_says_whether_decks_follow_from_seed_and_salts(
    tmp_path: Path,
) -> None:
    said = checked(tmp_path, deal(1), deal(300))
    right = [f"deck {mark} as committed" for mark in "ABC"]
    assert said == [f"round {number} {words}" for number in (1, 300) for words in right]
    two = deal(2)
    first, second, *rest = two.decks[1]
    swapped = two._replace(decks=(two.decks[0], (second, first, *rest), two.decks[2]))
    assert [line.split(" ", 4)[4] for line in checked(tmp_path, swapped)] == [
        "as committed", "IS WRONG", "as committed",
    ]  # fmt: skip
    assert two.fair
    other = two._replace(fair=two.fair._replace(commit="00" * 32))
    assert all(line.endswith("IS WRONG") for line in checked(tmp_path, other))


def test_the_program_is_short() -> None:
    body = CHECK.split("\n\n")[1].splitlines()
    assert len(body) <= 12
    assert max(map(len, CHECK.splitlines())) <= 100


def test_the_page_shows_the_program_that_was_tested(client: Client) -> None:
    page = client.get(ADDRESS)
    assert page.status_code == 200
    assert CHECK in unescape(page.content.decode())
    assert "<h1>Fair play</h1>" in page.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("version", "origin", "state", "shown"),
    [
        (3, Match.Origin.HOSTED, Match.State.FINISHED, True),
        (1, Match.Origin.HOSTED, Match.State.FINISHED, False),
        (3, Match.Origin.IMPORTED, Match.State.FINISHED, False),
        (3, Match.Origin.HOSTED, Match.State.OPEN, False),
    ],
)
def test_a_match_whose_deals_can_be_checked_says_so(
    client: Client, version: int, origin: Match.Origin, state: Match.State, shown: bool
) -> None:
    match = store("Ada", "Bo")
    header = {**json.loads(match.header), "ratuki": version, "source": "live"}
    text = json.dumps(header, separators=(",", ":"))
    Match.objects.filter(pk=match.pk).update(header=text, origin=origin, state=state)
    page = client.get(f"/matches/{match.pk}/").content.decode()
    assert (f'href="{ADDRESS}" title' in page) is shown
    assert ("Deals checked" in page) is shown
