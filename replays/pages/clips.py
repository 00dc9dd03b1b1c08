"""Clips of spans: asking for one, and its address."""

from http import HTTPStatus
from typing import Annotated, Final

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from ninja import Router, Status
from pydantic import Field
from typing_extensions import TypedDict

from games.engine.events import MAX_ROUNDS
from games.pages.operations import RequestBody
from games.people.rights import public
from games.people.visit import Request
from replays.models import Clip
from replays.pages.jobs import JobComing, followed
from replays.pages.pictures import kept
from replays.stored.clips import AskedSpan, clip_of, clip_or_job

router: Final = Router(tags=["matches"])


class AskedClip(RequestBody):
    """A round from after `event` to after `until` events, and the view: a seat, `all` hands or a
    `spectator`. A match that is being played shows only that."""

    round: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
    event: Annotated[int, Field(ge=0, le=2**31)]
    until: Annotated[int, Field(ge=1, le=2**31)]
    view: Annotated[str, Field(pattern="^([0-4]|all|spectator)$")] = "all"


class MadeClip(TypedDict):
    """The clip's address, for a week, and its size."""

    url: str
    bytes: int


@router.post(
    "/matches/{match:pk}/clips", url_name="clips", response={200: MadeClip, 202: JobComing}
)
def ask_for_clip(
    request: Request, pk: int, asked: AskedClip
) -> Status[MadeClip] | Status[JobComing]:
    """Have a clip made of a span of at most 30 s, an animated WebP."""
    match, _may = request.visit.match(pk)
    view = "spectator" if match.hidden else asked.view
    span = AskedSpan(asked.round, asked.event, asked.until, view)
    found = clip_or_job(match, span, request.visit.author)
    if not isinstance(found, Clip):
        coming: JobComing = {"job": followed(request, found)}
        return Status(HTTPStatus.ACCEPTED, coming)
    url = reverse("replays:clip", args=[match.pk, found.key])
    made: MadeClip = {"url": url, "bytes": len(found.body)}
    return Status(HTTPStatus.OK, made)


@require_safe
def clip(request: Request, pk: int, key: str) -> HttpResponse:
    match, may = request.visit.match(pk)
    found = clip_of(match, key)
    if found is None:
        raise Http404(_("this clip is gone: make it again"))
    response = HttpResponse(bytes(found.body), content_type="image/webp")
    return kept(response, match, shared=public(may.access))
