"""Whether a deal is the one that follows from its seed and salts (docs/fair-play.md)."""

from __future__ import annotations

from games.engine.dealing import commitment, fair_decks
from games.engine.events import Deal, Fair
from games.engine.facts import Fault
from games.records.log import FAIR_VERSION, Header


def verify_fair(header: Header, deal: Deal, fair: Fair) -> None:
    """Raises Fault unless the seed is the one committed to, and the decks follow from it."""
    if header.version < FAIR_VERSION:
        said = f"it is of version {FAIR_VERSION}, the header says {header.version}"
        raise Fault(f"unknown key 'fair': {said}")
    if len(fair.salts) != len(header.seats):
        raise Fault(f"salts: expected {len(header.seats)}, found {len(fair.salts)}")
    if commitment(bytes.fromhex(fair.seed)) != fair.commit:
        raise Fault("commit: the commitment is to another seed")
    decks = fair_decks(header.rules, deal.round, fair)
    for seat, (deck, dealt) in enumerate(zip(decks, deal.decks, strict=True)):
        if deck != dealt:
            raise Fault(f"fair: seed and salts give seat {seat} another deck")
