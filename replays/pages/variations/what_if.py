"""What-ifs over HTTP: from a position of a match, by hand and by bots. Nothing is stored.

The response is exact and cheap: it reads one round, and a few before it for the players' tempo.
Bots play for at most some minutes of the round.
"""

import json
from collections.abc import Sequence
from itertools import count
from typing import Any, Final

from django.utils.translation import gettext as _
from ninja import Router
from typing_extensions import TypedDict

from games.engine.actions import Action
from games.engine.facts import Fault
from games.models import Match
from games.pages.operations import let_bodies_have
from games.pages.problems import Refused
from games.pages.words import words
from games.people.visit import Request
from games.records.log import Variation
from games.records.notation import write_line
from replays.pages.variations.schemas import MAX_BODY, AskedBranch, variation_of, verify_order
from replays.stored.logs import lines_to
from replays.variations.lines import MatchLines
from replays.variations.what_if import WhatIf
from replays.variations.writing import variations

router: Final = Router(tags=["what-if"])
let_bodies_have("what_if", MAX_BODY)


class RefusedPlay(TypedDict):
    """A manual play by its place in the list, the rule, and why."""

    play: int
    rule: str
    message: str
    wait_ms: int


class Branch(TypedDict):
    """What a what-if has made: variations as in a record, refusals."""

    lines: list[dict[str, Any]]
    refused: list[RefusedPlay]
    t: int
    ended: str | None


@router.post("/matches/{match:pk}/what-if", url_name="what_if", response=Branch)
def play_what_if(request: Request, pk: int, asked: AskedBranch) -> Branch:
    """Play on from a position of a finished match, by hand and by bots. Nothing is stored."""
    match = request.visit.match(pk)[0]
    if match.hidden:
        raise Refused(
            _("This match is still being played. What-ifs would reveal its hidden cards.")
        )
    return _branched(match, asked)


def _branched(match: Match, asked: AskedBranch) -> Branch:
    verify_order(asked.play)
    lines = lines_to(match, asked.round)
    for variation in asked.variations:
        lines.add(variation_of(variation))
    branch = WhatIf(lines, asked.place)
    actions = [play.action() for play in asked.play]
    for play, action in zip(asked.play, actions, strict=True):
        branch.act(play.t, action)
    if asked.bots:
        beyond = [seat for seat in asked.bots.seats or () if seat >= branch.table.seats]
        if beyond:
            raise Fault(
                "seats: expected 0 to {most}, found {found}",
                most=branch.table.seats - 1,
                found=beyond[0],
            )
        seats = asked.bots.seats
        branch.play_on(asked.bots.ms, asked.bots.seed, None if seats is None else tuple(seats))
    branch.finish()
    return {
        "lines": [
            json.loads(write_line(line)) for line in _new_variations(lines, branch, asked.id)
        ],
        "refused": _refused(branch, actions),
        "t": branch.now,
        "ended": branch.table.ended,
    }


def _refused(branch: WhatIf, actions: Sequence[Action]) -> list[RefusedPlay]:
    """The refused manual plays: each one's place in the list, the rule, and why."""
    places = {id(action): place for place, action in enumerate(actions)}
    return [
        {
            "play": places[id(refusal.action)],
            "rule": refusal.rule,
            "message": words(refusal.message),
            "wait_ms": refusal.wait_ms,
        }
        for refusal in branch.refusals
        if id(refusal.action) in places
    ]


def _new_variations(lines: MatchLines, branch: WhatIf, name: str | None) -> list[Variation]:
    if not branch.events:
        return []
    fresh = (f"w{number}" for number in count(1) if f"w{number}" not in lines)
    remark = Variation(0, 0, None, "", (), name or next(fresh))
    return variations(lines, branch.place, branch.events, remark)
