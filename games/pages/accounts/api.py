"""The name under which somebody plays, writes and chats."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from ninja import Router
from typing_extensions import TypedDict

from games.pages.forms import NameForm
from games.pages.operations import Asked
from games.pages.problems import Refused
from games.people.visit import Request

router: Final = Router(tags=["people"])


class NewName(Asked):
    """A guest's name; empty: the one they have, or any."""

    name: str = ""


class Named(TypedDict):
    """The visitor's name from now on."""

    name: str


@router.put("/name", url_name="name", response=Named)
def introduce(request: Request, asked: NewName) -> Named:
    """Let a guest choose a name without sitting down, or get one; accounts already have one."""
    if request.user.is_authenticated or not asked.name.strip():
        return {"name": request.visit.player()[1]}
    form = NameForm({"name": asked.name})
    if not form.is_valid():
        words = str(form.errors["name"][0])
        raise Refused(words, HTTPStatus.UNPROCESSABLE_ENTITY, field="name")
    request.visit.rename_guest(form.cleaned_data["name"])
    return {"name": form.cleaned_data["name"]}
