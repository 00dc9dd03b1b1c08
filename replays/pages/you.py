"""A match as its player looks back on it: plays to try again, or the best takes, and what to
practise next. On the match's page, and in short with the reason in the dialog at its end."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.archive.own import latest_seats, seats_played_by
from games.models import Match, Seat
from games.pages.words import clock, spoken_names, together
from games.people.visit import Request, Visit
from replays.analysis.account_json import ContestedStack
from replays.analysis.judge.words import JudgedJson
from replays.analysis.plays import MAX_PLAYS, LostStack, best_stacks, lost_stacks
from replays.analysis.sentences import Text, fact, say, to_player
from replays.analysis.verdict import AWAY, without_result
from replays.models import Job
from replays.pages.priorities import shown_priorities
from replays.pages.rendering import private_page
from replays.pages.replay_page import outcomes_of, verdict_of
from replays.pages.rows import recent_day
from replays.pages.telling import names_in, render, render_for
from replays.players.queries import priced_of
from replays.stored import reports
from replays.stored.judging import asked_for, judged_decisions
from replays.studies.drills import Span


@require_safe
def you(request: Request) -> HttpResponse:
    """The part of the page for a player after a match: `?match=` is the record's id. `?one=yes`: in
    short, for a page that says how it ended. Nothing for anyone else. Without a match, the
    visitor's own matches."""
    visit = request.visit
    if not request.GET.get("match"):
        return redirect("replays:mine")
    match, seat = _own_match(visit, request.GET.get("match", ""))
    context: dict[str, Any] = {"match": match, "one": request.GET.get("one") == "yes"}
    if match is not None:
        context |= _looking_back(visit, match, seat)
        if not context["one"]:
            seated = latest_seats(visit.visitor.persons).exclude(match__in=visit.embargoed)
            context["priorities"] = shown_priorities(
                priced_of(seated, private=True),
                persons=visit.visitor.persons,
                match=match.pk,
                plain=visit.visitor.supervised,
            )
    return private_page(request, "you", {**context, "own": True})


def finished(visit: Visit) -> QuerySet[Seat]:
    """The visitor's seats in finished matches that no question keeps back from them."""
    own = seats_played_by(visit.visitor.persons).exclude(match__in=visit.embargoed)
    return own.filter(match__state=Match.State.FINISHED)


def last_match(visit: Visit) -> dict[str, Any] | None:
    """The visitor's latest finished match, with its result for them and the reason if stored."""
    rows = finished(visit).select_related("match")
    seat = rows.order_by("-started_at", "-match", "number").first()
    if seat is None:
        return None
    names = spoken_names(names_in(seat.match, visit))
    ended = outcomes_of(seat.match, names) if visit.shows_results else []
    result = verdict_of(seat.match, ended, seat.number) or verdict_of(seat.match, ended)
    look = reports.first_look(seat.match) if visit.shows_results else None
    why = render(without_result(look.own_verdicts[seat.number]), names) if look else ""
    day = recent_day(seat.started_at.date(), timezone.localdate())
    others = together(names[: seat.number] + names[seat.number + 1 :])
    return {"match": seat.match, "day": day, "others": others, "result": result, "why": why}


def _own_match(visit: Visit, record: str) -> tuple[Match | None, int]:
    """The finished match of that id, and where the visitor sat in it."""
    if not visit.shows_results or not record or "\0" in record:
        return None, 0
    seat = finished(visit).filter(match__record_id=record).select_related("match").first()
    return (None, 0) if seat is None else (seat.match, seat.number)


def _looking_back(visit: Visit, match: Match, seat: int) -> dict[str, Any]:
    """Why, and the plays, as far as they are known. `coming`: the address of what still is to be
    made."""
    analysed = reports.first_look(match)
    look = analysed or reports.look_without_model(match)
    lost, judged = lost_stacks(look.stacks, seat), judged_decisions(match)
    others = _costliest_other(judged["decisions"] if judged else (), lost, seat)
    verdict = look.own_verdicts[seat]
    away = any(kind in AWAY for kind, _values in verdict["say"])
    found = {
        "why": without_result(verdict),
        "best": [
            _play(stack, to_player(stack["text"], seat)) for stack in best_stacks(look.stacks, seat)
        ],
        "plays": [
            *(_play(each.stack, each.text, tried=True) for each in lost[: MAX_PLAYS - len(others)]),
            *(_play(row, to_player(_as_played(row["text"]), seat)) for row in others),
        ],
    }
    return {**render_for(visit, match, found), "away": away, **_coming(match, analysed, judged)}


def _coming(match: Match, analysed: object, judged: object) -> dict[str, Any]:
    """The address that makes the next part, unless that failed, and whether all is `early`."""
    job = asked_for(match) if analysed else reports.asked_for(match)
    if job and job.state in (Job.State.FAILED, Job.State.CANCELLED):
        return {}
    if not analysed:
        address = reverse("api:analysis", args=[match.pk])
        return {"coming": f"{address}?details=no", "early": True}
    return {} if judged else {"coming": reverse("api:decisions", args=[match.pk])}


def spans(match: Match, seat: int) -> list[Span]:
    """Where the plays of a seat begin that can be tried again, in their order."""
    look = reports.first_look(match) or reports.look_without_model(match)
    return [
        Span(match.pk, each.stack["round"], each.own["event"], each.own["event"])
        for each in lost_stacks(look.stacks, seat)
    ]


def _as_played(text: Text) -> Text:
    """A decision without what bots make of it, which the table of decisions has."""
    return say(fact(kind, **values) for kind, values in text["say"] if kind != "without_take")


def _play(at: ContestedStack | JudgedJson, text: Text, *, tried: bool = False) -> dict[str, Any]:
    """A play to try again. `tried`: whether it can be, on the table."""
    place = _("Round {round}, {time}").format(round=at["round"], time=clock(at["t"]))
    fields = {name: at[name] for name in ("round", "seq", "slot", "cards")}
    return {**fields, "place": place, "text": text, "tried": tried}


def _costliest_other(
    decisions: Sequence[JudgedJson], lost: Sequence[LostStack], seat: int
) -> list[JudgedJson]:
    """The costliest decision that is about none of these stacks, if playing on confirms one. With
    fewer stacks, as many as there is room for."""
    known = [each.stack for each in lost]
    missed = [
        row
        for row in decisions
        if row["told"]
        and row["seat"] == seat
        and not any(
            (stack["round"], stack["slot"]) == (row["round"], row["slot"])
            and stack["laid_at"] <= row["t"] <= stack["t"]
            for stack in known
        )
    ]
    missed.sort(key=lambda row: -row["seats"][seat]["difference"])
    return missed[: max(1, MAX_PLAYS - len(lost))]
