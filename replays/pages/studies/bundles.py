"""A study's file: downloaded by its writers, uploaded by anyone."""

from __future__ import annotations

from http import HTTPStatus
from typing import BinaryIO, Final, cast

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from games.archive.uploads import DAY, OverQuotaError, claim
from games.models import Match
from games.pages.words import reason
from games.people.visit import Request
from replays.jobs.starting import TooManyJobsError
from replays.notes.positions import Unfit
from replays.pages.forms import LimitedFileField
from replays.pages.rendering import download, private_page
from replays.pages.studies.access import study_to_write
from replays.studies.bundles.exporting import pack
from replays.studies.bundles.importing import store
from replays.studies.bundles.later import ask, is_short
from replays.studies.bundles.parsing import read
from replays.studies.bundles.shape import MAX_FILE, BadBundleError

_RETRY_S: Final = int(DAY.total_seconds()) // 24


class ImportForm(forms.Form):
    """A study's file."""

    study = LimitedFileField(MAX_FILE, label=gettext_lazy("Study (.zip)"), allow_empty_file=True)


@require_safe
def study_zip(request: Request, key: str) -> HttpResponse:
    """The study as one file. Its writers only: it has the answers to its questions."""
    study = study_to_write(request.visit, key)
    try:
        body = pack(study, lambda match: request.visit.rights(match).see)
    except Unfit as fault:
        messages.error(
            request, _("The study was not exported: {fault}.").format(fault=reason(fault))
        )
        return redirect("replays:study_page", key)
    name = slugify(study.shown_title) or "study"
    response = download(body, "application/zip", f"{name}.zip")
    response["Cache-Control"] = "no-store"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def import_study(request: Request) -> HttpResponse:
    """Store a study from its file, or show its errors."""
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
            form.add_error("study", _("Not imported: {error}.").format(error=reason(error)))
            status = HTTPStatus.TOO_MANY_REQUESTS
        except BadBundleError as error:
            form.add_error("study", _("Nothing was stored: {error}.").format(error=reason(error)))
    if form.errors and status is HTTPStatus.OK:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    response = private_page(
        request, "studies/import", {"form": form, "most": MAX_FILE // 2**20}, status=status
    )
    if status is HTTPStatus.TOO_MANY_REQUESTS:
        response["Retry-After"] = str(_RETRY_S)
    return response


def _imported(request: Request, taken: UploadedFile) -> HttpResponse:
    visit, file = request.visit, taken.file
    assert file is not None
    bundle = read(cast("BinaryIO", file))
    claim(*visit.player(), bundle.size, visit.caller.network)
    author = visit.sign()

    def may_see(match: Match) -> bool:
        return visit.rights(match).see

    if is_short(bundle):
        made = store(bundle, author, may_see)
        messages.success(request, _("The study is yours now. Only you can see it so far."))
        return redirect("replays:study_page", made.key)
    file.seek(0)
    ask(file.read(), bundle, author, may_see)
    messages.success(request, _("The file is large: it is being imported, and you can leave."))
    return redirect("replays:my_jobs")
