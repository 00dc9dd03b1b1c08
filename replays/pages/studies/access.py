"""Which study or chapter a request names, and whether its visitor may see or change it."""

from collections.abc import Callable
from typing import Final

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from games.models import Embargo
from games.pages.problems import must_be_there
from games.people import embargoes
from games.people.visit import Visit
from games.people.visitor import Reader
from replays.models import Chapter, Study
from replays.notes.access import readable_study, writes
from replays.pages.notes.access import remember_token

CHAPTER: Final = "/studies/{slug:key}/chapters/{nth:number}"
"""Where the operations on a chapter are."""


def study_of(visit: Visit, key: str) -> Study:
    """A study that this visitor may see. Raises Http404."""
    return _study(visit, key, readable_study)


def _study(visit: Visit, key: str, shown_to: Callable[[Reader], Q]) -> Study:
    remember_token(visit, Study.objects.filter(key=key))  # it makes the visitor a reader
    study = Study.objects.filter(shown_to(visit.reader), key=key).distinct().first()
    return must_be_there(study, _("there is no such study, or it is not shared with you"))


def _asked_in(reader: Reader, number: int) -> Q:
    """The studies shared by link in which that chapter's question keeps a match from this reader.

    They have held the link, and the embargo goes on: so that losing the link neither ends it nor
    keeps them from answering. The rest of the study is closed to them.
    """
    barring = Embargo.objects.filter(person__in=list(reader.persons)).values("chapter")
    asking = Chapter.objects.filter(study=OuterRef("pk"), number=number, pk__in=barring)
    return Q(Exists(asking), visibility=Study.Visibility.LINK, deleted=None, hidden=False)


def chapter_of(visit: Visit, key: str, number: int) -> Chapter:
    """A chapter of such a study. Raises Http404."""
    study = _study(visit, key, lambda reader: readable_study(reader) | _asked_in(reader, number))
    rows = study.chapters.select_related("match", "line")
    chapter = must_be_there(rows.filter(number=number).first(), _("there is no such chapter"))
    chapter.study = study
    return chapter


def may_write(visit: Visit, study: Study) -> bool:
    """Whether this visitor is the study's owner or one of its writers."""
    return writes(study, visit.reader)


def must_write(visit: Visit, study: Study) -> None:
    """Raise PermissionDenied unless this visitor may change the study."""
    if not may_write(visit, study):
        raise PermissionDenied(_("only its owner and its writers may change a study"))


def study_to_write(visit: Visit, key: str) -> Study:
    """A study that this visitor may change. Raises Http404, PermissionDenied."""
    study = study_of(visit, key)
    must_write(visit, study)
    return study


def pending_questions(visit: Visit, study: Study) -> dict[int, int]:
    """The matches that a study must hide from this visitor, and the chapters that ask of them."""
    if may_write(visit, study):
        return {}
    return embargoes.open_questions(visit.visitor.persons)


def token_of(study: Study, reader: Reader, *, writer: bool) -> str:
    """The token in a link to the study, for people who may share it. Empty: none."""
    if study.visibility != Study.Visibility.LINK:
        return ""
    return study.token if writer or study.token in reader.tokens else ""
