"""What-ifs over HTTP: from a position of a match, by hand and by bots. Nothing is stored.

The response is exact and cheap: it reads one round, and a few before it for the players' tempo;
bots play for at most some minutes of the round.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from http import HTTPStatus
from itertools import count
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.gzip import gzip_page

from games.engine.actions import Action
from games.engine.facts import Fault
from games.models import Match
from games.records.log import Variation
from games.records.notation import write_line
from replays.pages.json_api import answer, json_view, refusal
from replays.pages.variations.asked_branch import MAX_BODY, AskedBranch, asked_branch
from replays.pages.viewer import match_of, may_show
from replays.stored.lines import lines_to
from replays.variations.compare import Comparison, Side, compare
from replays.variations.lines import MatchLines
from replays.variations.what_if import WhatIf
from replays.variations.writing import variations


@gzip_page
@json_view("POST")
def what_if(request: HttpRequest, pk: int) -> HttpResponse:
    """Play on from a position of a finished match: variations, refusals, a comparison."""
    match, _ = match_of(request, pk)
    if match.hidden:
        words = "This match is still being played; what-ifs would reveal its hidden cards."
        return refusal(words, HTTPStatus.CONFLICT)
    if len(request.body) > MAX_BODY:
        words = f"body: expected at most {MAX_BODY} bytes, found {len(request.body)}"
        return refusal(words, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    try:
        return answer(_branched(match, asked_branch(request.body), ends=may_show(request)))
    except Fault as fault:
        return refusal(str(fault), HTTPStatus.UNPROCESSABLE_ENTITY)


def _branched(match: Match, asked: AskedBranch, *, ends: bool) -> dict[str, Any]:
    lines = lines_to(match, asked.place.round)
    for variation in asked.variations:
        lines.add(variation)
    branch = WhatIf(lines, asked.place)
    for t, action in asked.play:
        branch.act(t, action)
    if asked.bots:
        _verify_seats(branch, asked.bots.seats)
        branch.play_on(*asked.bots)
    branch.finish()
    return {
        "lines": [json.loads(write_line(line)) for line in _made(lines, branch, asked.id)],
        "refused": _refused(branch, [action for _, action in asked.play]),
        "t": branch.now,
        "ended": branch.table.ended,
        "comparison": _compared(branch, ends=ends),
    }


def _verify_seats(branch: WhatIf, seats: Sequence[int] | None) -> None:
    beyond = [seat for seat in seats or () if seat >= branch.table.seats]
    if beyond:
        raise Fault(f"seats: expected 0 to {branch.table.seats - 1}, found {beyond[0]}")


def _refused(branch: WhatIf, actions: Sequence[Action]) -> list[dict[str, Any]]:
    """The refused manual plays: each one's place in the list, the rule, and why."""
    places = {id(action): place for place, action in enumerate(actions)}
    return [
        {
            "play": places[id(refusal.action)],
            "rule": refusal.rule,
            "message": refusal.message,
            "wait_ms": refusal.wait_ms,
        }
        for refusal in branch.refusals
        if id(refusal.action) in places
    ]


def _made(lines: MatchLines, branch: WhatIf, name: str | None) -> list[Variation]:
    if not branch.events:
        return []
    fresh = (f"w{number}" for number in count(1) if f"w{number}" not in lines)
    remark = Variation(0, 0, None, "", (), name or next(fresh))
    return variations(lines, branch.place, branch.events, remark)


def _compared(branch: WhatIf, *, ends: bool) -> dict[str, Any]:
    """Both ways from the place; without `ends`, what happened only as far as the branch goes."""
    found = compare(branch.lines, branch.place, branch.events)
    if not ends:
        found = _cut(found, branch.table.t)
    return {
        "since": found.since,
        "happened": _side(found.happened),
        "instead": _side(found.instead),
        "gained": found.gained,
    }


def _cut(found: Comparison, until: int) -> Comparison:
    known = [standing for standing in found.happened.standings if standing.t <= until]
    return found._replace(happened=Side(known or found.happened.standings[:1], None))


def _side(side: Side) -> dict[str, Any]:
    """One way as columns: each standing's values, by name."""
    names = side.standings[0]._fields
    columns = zip(*side.standings, strict=True)
    return {**dict(zip(names, columns, strict=True)), "end": side.end}
