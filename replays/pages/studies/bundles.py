"""A study's file: downloaded by its writers, uploaded by anyone."""

from __future__ import annotations

from http import HTTPStatus
from typing import BinaryIO, Final, cast

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_safe

from games.archive.uploads import DAY, OverQuotaError, claim
from games.models import Match
from games.people.guests import player
from games.people.matches import rights_in
from games.people.sessions import asker_of
from replays.annotations.positions import Unfit
from replays.jobs.starting import TooManyJobsError
from replays.pages.forms import LimitedFileField
from replays.pages.notes.asked import author_of
from replays.pages.studies.asked import may_write, study_of
from replays.pages.studies.pages import private_page
from replays.studies.bundles.exporting import pack
from replays.studies.bundles.importing import store
from replays.studies.bundles.later import ask, is_short
from replays.studies.bundles.parsing import read
from replays.studies.bundles.shape import MAX_FILE, BadBundleError

_RETRY_S: Final = int(DAY.total_seconds()) // 24


class ImportForm(forms.Form):
    """A study's file."""

    study = LimitedFileField(MAX_FILE, label="Study (.zip)", allow_empty_file=True)


@require_safe
def study_zip(request: HttpRequest, key: str) -> HttpResponse:
    """The study as one file. Its writers only: it has the answers to its questions."""
    found = study_of(request, key)
    if not may_write(request, found):
        raise PermissionDenied
    try:
        body = pack(found, lambda match: rights_in(request, match).see)
    except Unfit as fault:
        messages.error(request, f"The study was not exported: {fault}.")
        return redirect("replays:study_page", key)
    response = HttpResponse(body, content_type="application/zip")
    name = slugify(found.title) or "study"
    response["Content-Disposition"] = f'attachment; filename="{name}.zip"'
    response["Cache-Control"] = "no-store"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def import_study(request: HttpRequest) -> HttpResponse:
    """Store a study from its file, or say what is wrong with it."""
    sent = request.method == "POST"
    form = ImportForm(request.POST, request.FILES) if sent else ImportForm()
    status = HTTPStatus.OK
    if sent and form.is_valid():
        taken: UploadedFile = form.cleaned_data["study"]
        try:
            return _imported(request, taken)
        except OverQuotaError as error:
            form.add_error("study", error.words)
            status = HTTPStatus.TOO_MANY_REQUESTS
        except TooManyJobsError as error:
            form.add_error("study", f"Not imported: {error}.")
            status = HTTPStatus.TOO_MANY_REQUESTS
        except BadBundleError as error:
            form.add_error("study", f"Nothing was stored: {error}.")
    if form.errors and status is HTTPStatus.OK:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    response = private_page(
        request, "import", {"form": form, "most": MAX_FILE // 2**20}, status=status
    )
    if status is HTTPStatus.TOO_MANY_REQUESTS:
        response["Retry-After"] = str(_RETRY_S)
    return response


def _imported(request: HttpRequest, taken: UploadedFile) -> HttpResponse:
    person, name = player(request)
    file = taken.file
    assert file is not None
    bundle = read(cast("BinaryIO", file))
    claim(person, name, bundle.size, asker_of(request).network)
    author = author_of(request)

    def may_see(match: Match) -> bool:
        return rights_in(request, match).see

    if is_short(bundle):
        made = store(bundle, author, may_see)
        messages.success(request, "The study is yours now. Only you can see it so far.")
        return redirect("replays:study_page", made.key)
    file.seek(0)
    ask(file.read(), bundle, author, may_see)
    messages.success(request, "The file is large: it is being imported, and you can leave.")
    return redirect("replays:my_jobs")
