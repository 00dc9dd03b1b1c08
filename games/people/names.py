"""Valid names: readable, and distinguishable from each other.

A name is normalised (NFKC) and then has no invisible characters: none of Unicode's
default-ignorable and format characters, no control, private or unassigned ones, and no blank but
the space. It has at most two marks, on letters only. At least one character is a letter, a digit or
a symbol, so that a name is more than dots.

Two names with the same `skeleton` are one name: "Аda" with a Cyrillic А, "Ada" and "ADA". So are
"Николай" and "НИКОЛАЙ". Skeletons follow those of Unicode's UTS #39 for text without case, from the
confusable-homoglyphs package's data: normalise, casefold, map look-alikes, casefold. A letter that
looks like no Latin one is mapped as its capital is. `i`, `l`, `1` and `I` are the same.

Only a program has the mark of one (`MARK`). No one chooses a name that could pass for it, in other
brackets or letters (`is_marked`).

Names in records are shown as they are. Of the rules here, uploads keep the one about the mark: no
person in them has it.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

from confusable_homoglyphs.confusables import confusables_data

from games.engine.message import WordedError

LENGTH: Final = 30
MARK: Final = " (bot)"
"""How a program's name at a table ends, so that no one takes it for a person."""
SKELETON_LENGTH: Final = 600
_APART: Final = r"[^\w\s.@+'’-]"
"""What sets a mark apart from a name: brackets and the like."""
_SET_APART: Final = re.compile(rf"{_APART}\W*(?:slte )?b\W*o\W*t(?!\w)|\bbot\s*{_APART}")
_NOTHING_ELSE: Final = re.compile(r"[\W\d]*b[^\w\s]*o[^\w\s]*t[\W\d]*")
_STEPS: Final = 6
MARKS: Final = 2
"""How many marks may be on one letter."""
_UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
_BLANK: Final = "\u2800"
"""A braille cell without dots, which Unicode counts as a symbol."""
# Default_Ignorable_Code_Point of DerivedCoreProperties.txt: first and last of each range.
_IGNORABLE: Final = (
    *(0xAD, 0xAD, 0x34F, 0x34F, 0x61C, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F),
    *(0x200B, 0x200F, 0x202A, 0x202E, 0x2060, 0x206F, 0x3164, 0x3164, 0xFE00, 0xFE0F),
    *(0xFEFF, 0xFEFF, 0xFFA0, 0xFFA0, 0xFFF0, 0xFFF8, 0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A),
    *(0xE0000, 0xE0FFF),
)


class BadNameError(WordedError):
    """Not a valid name. The message, for the person choosing it, says why."""


def verify_name(text: str) -> str:
    """The name as it is stored. Raises BadNameError."""
    for character in text:
        if _invisible(character):
            code = f"U+{ord(character):04X}"
            raise BadNameError("A name cannot contain the character {code}.", code=code)
    name = " ".join(unicodedata.normalize("NFKC", text).split(" ")).strip()
    if len(name) > LENGTH:
        raise BadNameError("At most {count} characters.", count=LENGTH)
    if not any(unicodedata.category(character)[0] in "LNS" for character in name):
        raise BadNameError("A name needs a letter or a digit.")
    if any(map(_invisible, name)) or _overloaded(name):
        raise BadNameError("A name cannot contain unreadable characters.")
    return " ".join(name.split())


@lru_cache(4_096)
def is_marked(name: str) -> bool:
    """Whether a name could pass for a bot's: `Ada (bot)`, `[B0T] Ada`, `(bot) 2`, `Bot`."""
    plain = "".join(map(_letter, unicodedata.normalize("NFKC", name))).replace("_", "-")
    return bool(_SET_APART.search(plain) or _NOTHING_ELSE.fullmatch(plain))


def _letter(character: str) -> str:
    """The plain letter that a character looks like, without marks. Others, such as brackets, stay.

    A 6 looks like a Cyrillic б, and some symbols are letters in a box.
    """
    boxed = unicodedata.name(character, "").partition(" CAPITAL LETTER ")[2]
    if unicodedata.category(character) == "So" and len(boxed) == 1:
        character = boxed
    if not character.isalnum():
        return "" if unicodedata.combining(character) else character
    shown = unicodedata.normalize("NFD", skeleton(character)).replace("6", "b")
    return "".join(letter for letter in shown if not unicodedata.combining(letter))


def _invisible(character: str) -> bool:
    if character == " ":
        return False
    category = unicodedata.category(character)
    return category in _UNSEEN or category == "Zs" or character == _BLANK or _ignorable(character)


def _ignorable(character: str) -> bool:
    at = bisect_right(_IGNORABLE, ord(character))
    return at % 2 == 1 or (at > 0 and _IGNORABLE[at - 1] == ord(character))


def _overloaded(name: str) -> bool:
    """Whether a mark is on nothing, or a letter has more marks than are readable."""
    run = MARKS
    for character in unicodedata.normalize("NFD", name):
        run = run + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if run > MARKS:
            return True
    return False


def in_order(name: str) -> list[str | int]:
    """The key that sorts names as people do: "Class 2" before "Class 10", "Åsa" near "Asa"."""
    shown = unicodedata.normalize("NFD", name.casefold())
    plain = "".join(character for character in shown if not unicodedata.combining(character))
    parts = re.split(r"(\d+)", plain)
    return [int(part) if at % 2 else part for at, part in enumerate(parts)]


@lru_cache(4_096)
def skeleton(name: str) -> str:
    """The key for comparing names: names with the same skeleton are one name."""
    plain = name
    for _ in range(_STEPS):  # a character's substitute may in turn look like another
        before, plain = plain, _plainer(plain)
        if plain == before:
            break
    return plain[:SKELETON_LENGTH].strip()


def _plainer(text: str) -> str:
    shown = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
    plain = _alike(shown.casefold()).casefold().replace("i", "l")
    return " ".join(unicodedata.normalize("NFD", plain).split())


def _alike(text: str) -> str:
    prototypes = _prototypes()
    return "".join(prototypes.get(character, character) for character in text)


@cache
def _prototypes() -> dict[str, str]:
    """For each character that looks like others, the one that represents them all."""
    parents: dict[str, str] = {}
    for character, others in confusables_data.items():
        for other in others:
            parents[_root(parents, character)] = _root(parents, other["c"])
    classes: defaultdict[str, set[str]] = defaultdict(set)
    for member in list(parents):
        classes[_root(parents, member)].add(member)
    best = {root: _standing_for(members) for root, members in classes.items()}
    found = {alike: best[_root(parents, alike)] for alike in list(parents) if len(alike) == 1}
    return found | dict(_latin_by_capital(found, classes.values()))


def _latin_by_capital(
    found: Mapping[str, str], classes: Iterable[Collection[str]]
) -> Iterator[tuple[str, str]]:
    """Letters that look like no Latin one, with the Latin letter that their capitals look like."""
    for members in list(classes):
        capitals = {found.get(member.upper(), "") for member in members}
        latin = sorted(letter for letter in capitals if letter.isascii() and letter.isalpha())
        if latin and not any(found.get(member, "").isascii() for member in members):
            yield from ((member, latin[0]) for member in members if member in found)


def _root(parents: dict[str, str], member: str) -> str:
    while parents.setdefault(member, member) != member:
        parents[member] = parents[parents[member]]
        member = parents[member]
    return member


def _standing_for(members: Iterable[str]) -> str:
    """ASCII first, several letters ("rn" for "m") before one, lower case before upper."""
    return min(
        members,
        key=lambda member: (
            not member.isascii(),
            -len(member),
            not member.isalpha(),
            member.isupper(),
            member,
        ),
    )
