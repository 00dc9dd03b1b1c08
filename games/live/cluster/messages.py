"""Errands between processes as JSON: what a follower here asks of a host elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.live.host.messages import Ask, Asker, Leave, Ready, Roll, Say, Vote, Wish

Item = Ask | Roll | tuple[int, Wish]
_ACTIONS: Final[Mapping[str, type[Action]]] = {
    kind.__name__: kind for kind in (Try, DrawOne, DiscardOne, Shout)
}
_WISHES: Final[Mapping[str, type[Wish]]] = {
    kind.__name__: kind for kind in (Ready, Vote, Leave, Say)
}


def pack(item: Item) -> dict[str, Any]:
    """An errand as JSON values."""
    if isinstance(item, Ask):
        return {"ask": [list(item.asker), *item[1:4], _named(item.action), item.floor]}
    if isinstance(item, Roll):
        process, lags, watching, names, number = item
        return {"roll": [process, list(lags.items()), watching, list(names), number]}
    seat, wish = item
    return {"wish": [seat, _named(wish)]}


def _named(value: Action | Wish) -> list[Any]:
    return [type(value).__name__, *value]


def unpack(body: Mapping[str, Any]) -> Item:
    """The errand that `pack` gave."""
    if "ask" in body:
        asker, seat, name, number, action, floor = body["ask"]
        made = _ACTIONS[action[0]](*action[1:])
        return Ask(Asker(*asker), seat, name, number, made, floor)
    if "roll" in body:
        process, lags, watching, names, number = body["roll"]
        return Roll(process, dict(map(tuple, lags)), watching, tuple(names), number)
    seat, wish = body["wish"]
    return seat, _WISHES[wish[0]](*wish[1:])
