"""Pictures of moments, which lead to the replay, and previews of links to a moment or a match."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.db.models import Min
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Chunk, Match
from games.pages.words import HERE, clock
from games.people import door
from games.people.rights import Access, public
from games.people.visit import Request, Visit
from replays.analysis.report_json import MatchMoment
from replays.analysis.sentences import render_text
from replays.models import Study
from replays.pages.chart_pictures import chart_named
from replays.query_string import number_or_none
from replays.stored import reports

_RUN_UP_MS: Final = 3_000
_AFTER_MS: Final = 1_500
"""A link to a time so soon before or after a moment is one to it: the page plays towards it."""


class Place(NamedTuple):
    """A line of a match, by its seq."""

    match: int
    round: int
    seq: int
    play: tuple[int, int, int] | None = None
    """The seat, face and slot of a play, drawn as an arrow."""
    at: int | None = None
    """The ms of the round that it is about. None: of the last event before."""
    since: int | None = None
    """The ms of the round of an earlier event: it is pictured right before that one."""


class PicturedMoment(NamedTuple):
    """A picture's text and its target."""

    address: str
    picture: str
    title: str
    words: str


def pictured(moments: Iterable[tuple[Place, str, str]]) -> list[PicturedMoment]:
    """Places, each with a title and words, as pictures. One query."""
    wanted = list(moments)
    rows = Chunk.objects.filter(match__in={place.match for place, _, _ in wanted}, round__gt=0)
    first_seqs = rows.values_list("match", "round").annotate(first=Min("first_seq"))
    deals = {(match, number): first for match, number, first in first_seqs}
    return [
        PicturedMoment(
            f"{reverse('replays:replay', args=[place.match])}?round={place.round}&seq={place.seq}",
            _picture(place, deals[place.match, place.round]),
            title,
            words,
        )
        for place, title, words in wanted
    ]


def _picture(place: Place, deal: int) -> str:
    """The position at the line, of a round whose deal has that seq."""
    address = reverse("replays:picture_svg", args=[place.match])
    if place.since is not None:
        position = f"t={max(0, place.since - 1)}"
    else:
        position = f"event={max(0, place.seq - deal - 1)}"
    play = "" if place.play is None else "&play={}.{}.{}".format(*place.play)
    at = "" if place.at is None else f"&at={place.at}"
    return f"{address}?round={place.round}&{position}{play}{at}"


class Preview(NamedTuple):
    """The preview of a link to a match. `picture` and `oembed` are addresses."""

    picture: str
    oembed: str
    title: str
    words: str


class Audience(NamedTuple):
    """The audience of shared things, in words: of the link, and of others where they differ."""

    link: str
    embed: str
    picture: str
    record: str
    embeds: bool
    """Whether other sites can show it at all."""


def audience_of(access: Access, study: Study | None = None) -> Audience:
    """The audience of a match, or of a chapter about it."""
    everyone, members_only = public(access), door.site().members_only
    kinds = Study.Visibility
    open_study = study is None or study.visibility in (kinds.EVERYONE, kinds.LINK)
    if members_only:
        embed = _("Other sites can’t show it, since this site is only for people with an account.")
    elif everyone and open_study:
        embed = ""
    elif open_study:
        embed = _("Other sites can’t show it, since this match is private.")
    else:
        embed = _("Other sites can’t show it, since the study isn’t shared with everyone.")
    later = _("People with an open question about it see it once they have answered.")
    more = f" {later}" if access.embargoed else ""
    return Audience(
        link=_who_opens(access, study if everyone else None) + more,
        embed=embed,
        picture=""
        if everyone
        else _("Its address opens for people who may see the match. A saved copy opens anywhere."),
        record=_("You can download it after the match.")
        if not access.over
        else ""
        if everyone
        else _("Only people who may see the match can download it."),
        embeds=everyone and open_study and not members_only,
    )


def _who_opens(access: Access, study: Study | None) -> str:
    if study is not None and study.visibility == Study.Visibility.LINK:
        if door.site().members_only:
            return _("Anyone with this link and an account here can open it.")
        return _("Anyone with this link can open it.")
    if study is not None and study.visibility != Study.Visibility.EVERYONE:
        return _("Only people who may read the study can open it.")
    if public(access) and door.site().members_only:
        return _("Anyone with an account here can open it.")
    if public(access):
        return _("Anyone can open it.")
    if access.school_class:
        return _("Only people in the class can open it.")
    if access.by_link:
        return _("Anyone with this link can open this private match.")
    return _("Only its players can open it until the match is over.")


def preview_of(request: Request, match: Match, names: Sequence[str], verdict: str) -> Preview:
    """The preview of a match's page, at the place, note or moment that its address names."""
    title = " · ".join(names)
    step = _("Step through a match of {count} players, card by card.")
    words = verdict or step.format(count=len(names))
    if chart := chart_named(match.pk, request.GET):
        picture = request.build_absolute_uri(chart.png)
        return link_preview(request, picture, f"{chart.title}: {title}", words)
    moment = _moment(request.visit, match, request.GET)
    if moment is not None:
        title = render_text(moment["text"], names, HERE)
        place = _("Round {round}, {time}.").format(round=moment["round"], time=clock(moment["t"]))
        words = f"{place} {words}"
    return link_preview(request, picture_of(request, match, request.GET, moment), title, words)


def link_preview(request: Request, picture: str, title: str, words: str) -> Preview:
    """The preview of this request's page."""
    query = {"url": request.build_absolute_uri(), "format": "json"}
    oembed = request.build_absolute_uri(f"{reverse('replays:oembed')}?{urlencode(query)}")
    return Preview(picture, oembed, title, words)


def picture_of(
    request: Request, match: Match, query: QueryDict, moment: MatchMoment | None = None
) -> str:
    """The address of the picture of a place that a query string names."""
    asked = {name: str(query[name]) for name in _MOMENT_PARAMS if name in query}
    seq = moment["seq"] if moment else None if match.hidden else number_or_none(query, "seq")
    if seq is not None:
        asked = _position(match, seq)
    address = reverse("replays:picture", args=[match.pk])
    return request.build_absolute_uri(f"{address}?{urlencode(asked)}" if asked else address)


_MOMENT_PARAMS: Final = ("round", "event", "t", "note")


def _moment(visit: Visit, match: Match, query: QueryDict) -> MatchMoment | None:
    """The moment to which a link leads, if the match's report is made."""
    if match.hidden or "note" in query or "chart" in query:
        return None
    seq, round_number, t = (number_or_none(query, name) for name in ("seq", "round", "t"))
    timed = round_number is not None and t is not None
    moments = reports.moments(match) if visit.shows_results and (seq or timed) else ()
    if seq is not None or t is None:
        return next((moment for moment in moments if moment["seq"] == seq), None)
    near = [
        moment
        for moment in moments
        if moment["round"] == round_number and -_AFTER_MS <= moment["t"] - t <= _RUN_UP_MS
    ]
    return min(near, key=lambda moment: abs(moment["t"] - t), default=None)


def _position(match: Match, seq: int) -> dict[str, str]:
    """The position after that line of a match, for its picture."""
    chunk = match.chunks.filter(packed=True, first_seq__lte=seq).order_by("first_seq").last()
    if chunk is None:
        return {}
    return {"round": f"{chunk.round}", "event": f"{min(seq - chunk.first_seq, chunk.events)}"}
