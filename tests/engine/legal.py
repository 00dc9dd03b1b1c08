"""All that a seat may do, for tests that try everything."""

from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.engine.cards import FACE
from games.engine.fitting import uses
from games.engine.rules import demanded, needs_refill, no_discard, no_draw, no_shout
from games.engine.table import Table


def legal_actions(table: Table, seat: int) -> list[Action]:
    """Everything a seat may do on this table, ignoring how long its hand must wait."""
    if table.ended or demanded(table):
        return []
    actions: list[Action] = [] if no_draw(table, seat) else [DrawOne(seat)]
    if not needs_refill(table, seat):
        actions += [
            Try(seat, card, slot, number)
            for card in table.hands[seat]
            for slot, top in enumerate(table.tops)
            for number in uses(table.rules, top, FACE[card])
        ]
    actions += [DiscardOne(seat, c) for c in table.hands[seat] if not no_discard(table, seat, c)]
    if not no_shout(table, seat):
        actions.append(Shout(seat))
    return actions
