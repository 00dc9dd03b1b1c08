"""Values of the states that a host hands on and keeps, for tests that look at something else."""

from games.live.host.requests import HostState
from games.tables.state import MatchState

HOST_STATE: HostState = {"players": [], "lags": [], "next": None}


def match_state(phase: str, wait_ms: int = 0) -> MatchState:
    """The state of a table at which nobody sits."""
    return {
        "phase": phase,
        "round": 0,
        "wait_ms": wait_ms,
        "seats": [],
        "totals": [],
        "watching": 0,
        "watchers": [],
        "next": None,
        "commit": None,
        "revealed": None,
    }
