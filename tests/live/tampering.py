"""What somebody might do to a record, as files are changed: each fault with its place."""

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Final

RecordLine = dict[str, Any]
Lines = list[RecordLine]
Tamper = Callable[[Lines], int]
"""Changes a record; returns the place of the first line that is not as it was."""


def read(record: bytes) -> Lines:
    """A record's lines."""
    return [json.loads(line) for line in record.splitlines()]


def written(lines: Lines) -> bytes:
    """The file with these lines."""
    texts = (json.dumps(line, separators=(",", ":"), ensure_ascii=False) for line in lines)
    return "".join(f"{text}\n" for text in texts).encode()


def where(lines: Lines, what: Callable[[RecordLine], bool]) -> int:
    """The place of a line in the middle of the record: its number in the file less one."""
    places = [place for place, line in enumerate(lines) if what(line)]
    return places[len(places) // 2]


def do(kind: str) -> Callable[[RecordLine], bool]:
    """Which lines are events of that kind."""
    return lambda line: line.get("do") == kind


def dealt(line: RecordLine) -> bool:
    """Whether a line is a deal."""
    return "decks" in line


def exchange_cards(lines: Lines) -> int:
    """Two cards of a deck change places, deep in it, where nobody has seen them."""
    place = where(lines, dealt)
    cards = lines[place]["decks"][0].split(" ")
    cards[-1], cards[-2] = cards[-2], cards[-1]
    lines[place]["decks"][0] = " ".join(cards)
    return place


def change_seed(lines: Lines) -> int:
    """Another seed, under the old commitment."""
    place = where(lines, dealt)
    fair = lines[place]["fair"]
    fair["seed"] = f"{int(fair['seed'], 16) ^ 1:064x}"
    return place


def change_seed_and_commitment(lines: Lines) -> int:
    """Another seed with its own commitment."""
    place = change_seed(lines)
    fair = lines[place]["fair"]
    fair["commit"] = sha256(bytes.fromhex(fair["seed"])).hexdigest()
    return place


def change_salt(lines: Lines) -> int:
    """Another salt than the one that was sent."""
    place = where(lines, dealt)
    lines[place]["fair"]["salts"][0] = "00"
    return place


def hide_seed(lines: Lines) -> int:
    """A deal that does not say how it came about."""
    place = where(lines, dealt)
    del lines[place]["fair"]
    return place


def leave_out_late_try(lines: Lines) -> int:
    """A late try is left out, which changes no card."""
    place = where(lines, do("late"))
    del lines[place]
    return place


def put_line_in(lines: Lines) -> int:
    """A line is put in that nobody was sent."""
    place = where(lines, do("draw"))
    lines.insert(place, {**lines[place], "seat": 0, "card": "A1a"})
    return place


def exchange_lines(lines: Lines) -> int:
    """Two lines change places."""
    place = where(lines, do("play"))
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    return place


def change_time(lines: Lines) -> int:
    """A play comes one millisecond later."""
    place = where(lines, do("play"))
    lines[place]["t"] += 1
    return place


def change_score(lines: Lines) -> int:
    """Somebody has one point more."""
    place = where(lines, do("end"))
    lines[place]["scores"][0] += 1
    lines[place]["totals"][0] += 1
    return place


def give_play_away(lines: Lines) -> int:
    """A play becomes another seat's."""
    place = where(lines, do("play"))
    lines[place]["seat"] = 1 - min(lines[place]["seat"], 1)
    return place


TAMPERINGS: Final[Mapping[str, Tamper]] = {
    "two cards of a deck exchanged": exchange_cards,
    "another seed": change_seed,
    "another seed with its commitment": change_seed_and_commitment,
    "another salt": change_salt,
    "no seed": hide_seed,
    "a late try left out": leave_out_late_try,
    "a line put in": put_line_in,
    "two lines exchanged": exchange_lines,
    "a time changed by 1 ms": change_time,
    "another score": change_score,
    "a play given to another seat": give_play_away,
}
HIDDEN: Final = {"two cards of a deck exchanged", "another seed"}
"""What no viewer saw while the match was played, so the check of deals shows it, not a receipt."""
