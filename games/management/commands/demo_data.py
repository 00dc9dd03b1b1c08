"""``manage.py demo_data``: a few matches of every kind, if there are none yet."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.core.management import BaseCommand

from games.archive.packing import PackedRecord, pack
from games.archive.store import insert
from games.bots.roster import TEMPERS, BotSpec, names
from games.bots.simulate import Setting, lines
from games.engine.editions import EDITIONS, house_rules
from games.engine.events import Deal, Late, Play, Tie
from games.models import Match
from games.records.log import Header, Line, Note

_SEED: Final = 2009
_APART: Final = timedelta(hours=7, minutes=23)
_NOTES_A_KIND: Final = 3


class DemoMatch(NamedTuple):
    """A match to play: its bots with their levels, and its rules."""

    edition: str
    tempers: Sequence[int]
    levels: Sequence[int]
    rules: dict[str, object] = {}
    noted: bool = False


def demo_matches() -> Iterator[DemoMatch]:
    """Every edition with every number of players, some short. A long match comes last."""
    for number, edition in enumerate(EDITIONS):
        for players in range(2, 6):
            tempers = [(number + seat) % len(TEMPERS) for seat in range(players)]
            yield DemoMatch(edition, tempers, [3] * players, noted=players == 4)
            yield DemoMatch(edition, tempers[::-1], [1, 5, 2, 4, 3][:players], {"speedy": True})
    yield DemoMatch("usaopoly-2009", [0, 0, 2, 2], [5, 4, 5, 4], {"tie_window_ms": 0})
    yield DemoMatch("usaopoly-2009", [1, 2, 3], [1, 1, 1], {"speedy": True})
    yield DemoMatch("usaopoly-2009", [0, 1, 2, 3], [4, 3, 4, 3], {"target": 500})


class Command(BaseCommand):
    help = "Play some sample matches, unless there are matches already."

    def handle(self, *args: Any, **options: Any) -> None:
        if Match.objects.exists():
            self.stdout.write("There are already matches.")
            return
        every = list(demo_matches())
        now = datetime.now(UTC)
        matches = insert(
            [
                play(match, number, now - _APART * (len(every) - number))
                for number, match in enumerate(every)
            ],
            Match.Origin.SIMULATED,
        )
        self.stdout.write(f"{len(matches)} matches")


def play(match: DemoMatch, number: int, started: datetime) -> PackedRecord:
    """A match between bots. `started` becomes its start."""
    tempers = list(TEMPERS)
    specs = tuple(
        BotSpec(tempers[temper], level)
        for temper, level in zip(match.tempers, match.levels, strict=True)
    )
    rules = house_rules(match.edition, match.rules)
    header, *rest = lines(Setting(match.edition, rules, specs, _SEED), number)
    assert isinstance(header, Header)
    dated = replace(header, started_at=f"{started:%Y-%m-%dT%H:%M:%SZ}")
    remarks = notes(rest, names(specs)) if match.noted else []
    return pack([dated, *rest, *remarks])


def notes(record: Sequence[Line], players: Sequence[str]) -> list[Note]:
    """Notes on the highest takes, the first ties and the first lost races of a match."""
    takes: list[tuple[int, Note]] = []
    races: list[Note] = []
    number = count = 0
    for line in record:
        if isinstance(line, Deal):
            number, count = line.round, 0
            continue
        count += 1
        if isinstance(line, Play) and line.takes:
            words = f"{players[line.seat]} takes {line.takes} cards."
            takes.append((line.takes, _note(number, count, "!", words, line.stack)))
        elif isinstance(line, Tie):
            races.append(_note(number, count, "!?", "Both at once: a tie.", line.stack))
        elif isinstance(line, Late):
            words = f"{players[line.seat]} was a moment late."
            races.append(_note(number, count, "?!", words, line.stack))
    highest = sorted(takes, key=lambda take: -take[0])[:_NOTES_A_KIND]
    return sorted([*races[:_NOTES_A_KIND], *(note for _, note in highest)])


def _note(number: int, event: int, glyph: str, words: str, slot: int) -> Note:
    return Note(number, event, "demo", glyph, words, (f"stack:{slot}",))
