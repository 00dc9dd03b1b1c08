"""The running digest of a log: viewers get it, and can compare a record with it later.

d(0) = SHA-256(line 0), the header. d(s) = SHA-256(d(s - 1) ‖ line s). Line s is the canonical text,
without its line feed, of the line with seq s as a spectator sees it while the match is played.
Notes and variations have no seq and do not count.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final

from games.engine.dealing import commitment, fair_decks
from games.engine.events import Deal, Event, Fair
from games.engine.facts import Fault
from games.engine.perspective import SPECTATOR, Viewer, see, see_deal
from games.records.log import FAIR_VERSION, Header, Line, Note, Variation
from games.records.notation import write_line

_TOLD: Final = 32
"""Viewers get the first 32 hexadecimal digits of a digest: 16 bytes."""


def see_line(line: Line, viewer: Viewer) -> Line:
    """A line of the log as a viewer sees it while the match is played."""
    if isinstance(line, Deal):
        return see_deal(line, viewer)
    return see(line, viewer) if isinstance(line, Event) else line


def first_digest(header: Header) -> bytes:
    """d(0), the digest of the header alone."""
    return sha256(write_line(header).encode()).digest()


def next_digest(before: bytes, text: str) -> bytes:
    """d(s), from d(s - 1) and the text of line s as spectators see it."""
    return sha256(before + text.encode()).digest()


def digests(before: bytes, lines: Iterable[Line]) -> Iterator[bytes]:
    """The digest after each of these lines of a log, `before` being the one they follow."""
    for line in lines:
        if not isinstance(line, Note | Variation):
            before = next_digest(before, write_line(see_line(line, SPECTATOR)))
            yield before


def digest_after(before: bytes, lines: Iterable[Line]) -> bytes:
    for digest in digests(before, lines):
        before = digest
    return before


def prefix_hex(digest: bytes) -> str:
    """A digest as sent to viewers."""
    return digest.hex()[:_TOLD]


def verify_fair(header: Header, deal: Deal, fair: Fair) -> None:
    """Raises Fault unless the seed is the one committed to, and the decks follow from it."""
    if header.version < FAIR_VERSION:
        raise Fault(
            "unknown key 'fair': it is of version {newer}, the header says {version}",
            newer=FAIR_VERSION,
            version=header.version,
        )
    if len(fair.salts) != len(header.seats):
        raise Fault(
            "salts: expected {expected}, found {found}",
            expected=len(header.seats),
            found=len(fair.salts),
        )
    if commitment(bytes.fromhex(fair.seed)) != fair.commit:
        raise Fault("commit: the commitment is to another seed")
    decks = fair_decks(header.rules, deal.round, fair)
    for seat, (deck, dealt) in enumerate(zip(decks, deal.decks, strict=True)):
        if deck != dealt:
            raise Fault("fair: seed and salts give seat {seat} another deck", seat=seat)
