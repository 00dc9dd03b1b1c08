"""Requests between processes as JSON: from a follower here to a host elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.engine.actions import Action, DiscardOne, DrawOne, Shout, Try
from games.live.host.requests import (
    ActionRequest,
    Back,
    Command,
    ConnectionId,
    Leave,
    PresenceReport,
    Ready,
    Salt,
    Say,
    Vote,
)

Item = ActionRequest | PresenceReport | tuple[int, Command]
_ACTIONS: Final[Mapping[str, type[Action]]] = {
    kind.__name__: kind for kind in (Try, DrawOne, DiscardOne, Shout)
}
_WISHES: Final[Mapping[str, type[Command]]] = {
    kind.__name__: kind for kind in (Ready, Salt, Vote, Leave, Say, Back)
}


def pack(item: Item) -> dict[str, Any]:
    """A request as JSON values."""
    if isinstance(item, ActionRequest):
        return {"act": [list(item.connection), *item[1:4], _named(item.action), item.floor]}
    if isinstance(item, PresenceReport):
        process, lags, watching, names, number = item
        return {"presence": [process, list(lags.items()), watching, list(names), number]}
    seat, command = item
    return {"command": [seat, _named(command)]}


def _named(value: Action | Command) -> list[Any]:
    return [type(value).__name__, *value]


def unpack(body: Mapping[str, Any]) -> Item:
    """The request that `pack` gave."""
    if "act" in body:
        connection, seat, name, number, action, floor = body["act"]
        made = _ACTIONS[action[0]](*action[1:])
        return ActionRequest(ConnectionId(*connection), seat, name, number, made, floor)
    if "presence" in body:
        process, lags, watching, names, number = body["presence"]
        return PresenceReport(process, dict(map(tuple, lags)), watching, tuple(names), number)
    seat, command = body["command"]
    return seat, _WISHES[command[0]](*command[1:])
