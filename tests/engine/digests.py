"""A position as a short text, to compare what several programs make of one log."""

from games.engine.table import Table


def digest(table: Table) -> str:
    """The position as 8 hex digits (32-bit FNV-1a), the same in Python and in the browser."""
    value = 0x811C9DC5
    for byte in _picture(table).encode("ascii"):
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{value:08x}"


def _picture(table: Table) -> str:
    lines = [f"s{slot} {table.tops[slot]} {' '.join(s)}" for slot, s in enumerate(table.stacks)]
    for seat in range(table.seats):
        lines += [
            f"h{seat} {' '.join(table.hands[seat])}",
            f"d{seat} {' '.join(reversed(table.draw_piles[seat]))}",
            f"x{seat} {' '.join(reversed(table.discard_piles[seat]))}",
            f"p{seat} {' '.join(table.score_piles[seat])}",
        ]
    return "\n".join([*lines, f"n{table.events} t{table.t}"])
