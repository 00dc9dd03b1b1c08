"""Shared live reviews: starting one, its page, keeping its moments, and the visitor's own."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, Final, Literal, cast
from urllib.parse import parse_qs, urlencode, urlsplit

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from ninja import Router
from pydantic import Field
from typing_extensions import TypedDict

from games.pages.forms import NameForm
from games.pages.operations import RequestBody
from games.pages.problems import Refused, must_be_there
from games.people.visit import Request, Visit
from games.people.visitor import Author
from replays.classes.membership import coaches
from replays.models import Chapter, Review, ReviewMember, Study
from replays.notes.positions import ValidationFault
from replays.pages.notes.access import remember_token
from replays.pages.rendering import page, private_page
from replays.pages.replay import replay_context
from replays.pages.reviews.contents import about, chapter_page, match_closed
from replays.pages.studies.access import may_write, study_of
from replays.pages.telling import named, names_in
from replays.reviews import asking, saved_moments, storage
from replays.reviews.admission import admission, may_enter, reading
from replays.reviews.answers import answers
from replays.reviews.forgetting import WORDS
from replays.reviews.gathering import Admission
from replays.reviews.room import OWNER
from replays.studies import chapters
from replays.studies.attempts import question_url
from replays.studies.chapters import NewChapter
from replays.studies.questions import answer_words, question_of

PLACE: Final = ("round", "t", "seq", "pov", "line", "event")
"""The parts of a replay's address that give its position and view."""
LISTED: Final = 50
router: Final = Router(tags=["reviews"])


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: Request, pk: int) -> HttpResponse:
    """Start a review of a match, at the place that the page sending this showed."""
    match, may = request.visit.match(pk)
    if not may.review:
        raise PermissionDenied(_("you cannot review a match while you are playing in it"))
    sent_by = request.headers.get("Referer", "")
    shown = request.POST.get("place", "") or (
        sent_by if request.method == "POST" else request.get_full_path()
    )
    context = {
        "back": reverse("replays:replay", args=[pk]),
        "action": reverse("replays:start_review", args=[pk]),
        "place": _place(shown),
    }
    return _start(request, context, partial(storage.start, match))


@require_http_methods(["GET", "HEAD", "POST"])
def start_on_study(request: Request, key: str) -> HttpResponse:
    """Start a review of a study, at the chapter named in the form or query, or the first."""
    study = study_of(request.visit, key)
    withheld = reading(study, request.visit.visitor).withheld
    chapters = [
        row
        for row in study.chapters.select_related("line").order_by("place", "number")
        if row.number not in withheld
    ]
    if not chapters:
        raise PermissionDenied(_("this study has no chapter that you can show to others"))
    asked = request.POST.get("chapter") or request.GET.get("chapter")
    chapter = next((row for row in chapters if str(row.number) == asked), chapters[0])
    context = {
        "back": reverse("replays:study_page", args=[key]),
        "action": reverse("replays:start_study_review", args=[key]),
        "study": study,
        "chapter": chapter,
    }
    return _start(request, context, partial(storage.start_at, chapter))


def _start(
    request: Request, context: dict[str, Any], start: Callable[[Author, str], Review]
) -> HttpResponse:
    """Start a review and go there. A visitor without a name is offered to choose one first.

    Left empty, it is a guest's. A class member is asked whether it is for the class. A GET, from a
    reloaded page or a copied address, starts nothing: it shows the form.
    """
    named = request.visit.visitor.named
    asked = "school_class" in request.POST or not request.visit.visitor.classes
    if request.method != "POST" or not asked or not (named or "name" in request.POST):
        return _form(request, context, None if named else NameForm(use_required_attribute=False))
    if not named and request.POST["name"].strip():
        form = NameForm(request.POST)
        if not form.is_valid():
            return _form(request, context, form)
        request.visit.rename_guest(form.cleaned_data["name"])
    try:
        review = start(request.visit.sign(), _requested_class(request))
    except storage.TooManyReviewsError:
        messages.error(
            request,
            _("You have {most} open reviews. End one first.").format(most=storage.MOST_OPEN),
        )
        return redirect("replays:my_reviews")
    return redirect(f"{reverse('replays:review', args=[review.key])}{context.get('place', '')}")


def _requested_class(request: Request) -> str:
    """The key of the class that a review is to be for. Empty: none. Raises PermissionDenied."""
    key = request.POST.get("school_class", "")
    if key and key not in request.visit.visitor.classes:
        raise PermissionDenied(_("you are not in that class"))
    return key


def _form(request: Request, context: dict[str, Any], form: NameForm | None) -> HttpResponse:
    wrong = form is not None and bool(form.errors)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    shown = {**context, "form": form, "classes": request.visit.classes}
    return render(request, "replays/reviews/start.html", shown, status=status)


def _place(address: str) -> str:
    """The query of a replay's address, without parts that don't give its position and view."""
    try:
        asked = parse_qs(urlsplit(address).query)
    except ValueError:  # not an address, or with thousands of parts
        return ""
    kept: dict[str, str] = {name: asked[name][0] for name in PLACE if name in asked}
    return f"?{urlencode(kept)}" if kept else ""


def _review_of(visit: Visit, key: str) -> tuple[Review, Admission]:
    """The review, if this visitor may know of it, and their rights in it. Raises Http404."""
    review = Review.objects.filter(key=key).select_related("match", "study").first()
    review = must_be_there(review, _("no such review"))
    if review.study is not None:
        remember_token(visit, Study.objects.filter(pk=review.study.pk))
    admitted = must_be_there(admission(review, visit.visitor), _("no such review"))
    return review, admitted


@require_safe
def review_page(request: Request, key: str) -> HttpResponse:
    """The replay page of a review, with its shared state."""
    review, admitted = _review_of(request.visit, key)
    if review.asking and asking.ask_late(review, request.visit.visitor.account):
        review, admitted = _review_of(request.visit, key)
    if review.study is not None:
        return chapter_page(request, review, review.study, admitted)
    assert review.match is not None
    if not admitted.allowed:
        return redirect("games:table", review.match.record_id)
    if admitted.withheld:
        return match_closed(request, review)
    rights = request.visit.rights(review.match)
    # The review has a chat of its own.
    shown = about(request, review)
    context = replay_context(request, review.match, rights, chat=False, results=shown["sees_end"])
    if not review.ended:
        context["verdict"] = ""  # a leader's screen may be shared
    return page(request, "replay", {**context, "review": shown})


class Keep(RequestBody):
    """How a review's moments are kept: as notes, and also as a study of the visitor's own, or as
    chapters of the study that is reviewed. `question`: the last question to a class in a
    review of a match, in a study of the visitor's own."""

    as_: Literal["notes", "study", "chapters", "question"] = Field("notes", alias="as")


class Kept(TypedDict):
    """How many notes there are now, how many moments could not be kept, and where to look."""

    notes: int
    left_out: int
    address: str


@router.post("/reviews/{slug:key}/keep", url_name="keep_review", response=Kept)
def keep_review(request: Request, key: str, asked: Keep) -> Kept:
    """Keep a review's moments."""
    review, admitted = _review_of(request.visit, key)
    writable = _writable(request.visit, review, admitted)
    author, reader, wanted = request.visit.sign(), request.visit.reader, asked.as_
    if wanted == "question":
        _must_coach(request.visit, review)
        if review.study is not None or not review.asked:
            raise ValidationFault("the class has been asked nothing new to save")
        chapter = saved_moments.saved_question(review, author, reader)
        return {"notes": 0, "left_out": 0, "address": question_url(chapter)}
    if wanted == "chapters" and not (review.study and may_write(request.visit, review.study)):
        raise PermissionDenied(_("only writers of the study that is reviewed add chapters to it"))
    kept = saved_moments.keep(review, author, reader, writable)
    if not kept.notes:
        raise ValidationFault("there is nothing to save")
    address = reverse("replays:my_notes")
    if wanted == "study":
        study = saved_moments.study_of(review, kept, author, reader)
        address = reverse("replays:study_page", args=[study.key])
    elif wanted == "chapters" and review.study is not None:
        saved_moments.add_to(review.study, review, kept, author, reader)
        address = reverse("replays:study_page", args=[review.study.key])
    return {"notes": len(kept.notes), "left_out": kept.left_out, "address": address}


class AnswerJson(TypedDict):
    """A member's answer, in words, after so many ms from the stop."""

    name: str
    state: Literal["answered", "asked", "away"]
    words: str
    verdict: str
    ms: int | None


class Answers(TypedDict):
    """The answers of a review's members to a chapter's question, the quickest first.

    `player`: whose move it asks for. `asking`: the number of the question that the class is asked
    now. `right`: the right answers in words, once the class has seen them. `forgotten`: why the
    last one ended by itself, in words.
    """

    answers: list[AnswerJson]
    right: list[str]
    player: str
    asking: int
    forgotten: str


@router.get(
    "/reviews/{slug:key}/chapters/{nth:number}/answers",
    url_name="review_answers",
    response=Answers,
)
def read_answers(request: Request, key: str, number: int) -> Answers:
    """The members' answers, for the writers of the study or the coaches of the class."""
    review, admitted = _review_of(request.visit, key)
    if review.study is None:
        _must_coach(request.visit, review)
    elif not admitted.allowed or not may_write(request.visit, review.study):
        raise PermissionDenied(_("only writers of the study that is reviewed see the answers"))
    chapter = _question(review, number)
    names, asked = names_in(chapter.match, request.visit), question_of(chapter)
    seen = number == review.asked and not review.asking
    return {
        "right": [answer_words(answer) for answer in asked["answers"]] if seen else [],
        "answers": [cast("AnswerJson", answer._asdict()) for answer in answers(review, chapter)],
        "player": names[asked["seat"]],
        "asking": review.asking,
        "forgotten": str(WORDS.get(review.forgotten, "")),
    }


def _question(review: Review, number: int) -> Chapter:
    """A question of a review. Raises Http404."""
    rows = Chapter.objects.filter(study=asking.study_of(review), question__isnull=False)
    row = rows.select_related("match", "study").filter(number=number).first()
    return must_be_there(row, _("there is no such question"))


class Asking(TypedDict):
    """The chapter whose question the class is asked now. 0: none."""

    asking: int


class AskClass(RequestBody):
    """The chapter whose question the class is to be asked. Or a moment, which becomes one."""

    chapter: int | None = None
    moment: NewChapter | None = None


@router.post("/reviews/{slug:key}/ask", url_name="review_ask", response=Asking)
def ask_class(request: Request, key: str, asked: AskClass) -> Asking:
    """Ask the class a question: everyone's match stops until it is revealed."""
    review = _led_for_class(request.visit, key)
    if asked.moment is not None:
        chapter = _question_at(request.visit, review, asked.moment)
    else:
        chapter = _question(review, asked.chapter or 0)
    asking.ask(review, chapter)
    return {"asking": chapter.number}


@router.post("/reviews/{slug:key}/reveal", url_name="review_reveal", response=Asking)
def reveal_to_class(request: Request, key: str) -> Asking:
    """Show the class what happened."""
    asking.reveal(_led_for_class(request.visit, key))
    return {"asking": 0}


def _question_at(visit: Visit, review: Review, moment: NewChapter) -> Chapter:
    """A moment as a question of a review. Raises Malformed, ValidationFault."""
    said = chapters.verify(moment.model_dump(), visit.reader, visit.reviewable)
    if said.fields["question"] is None:
        raise ValidationFault("question: expected one")
    if review.match_id not in (None, said.match.pk):
        raise ValidationFault("match: it is not the one that is reviewed")
    return asking.question_at(review, said, visit.sign())


def _led_for_class(visit: Visit, key: str) -> Review:
    """A review for a class that they coach. If it is of a study, they also write that one.

    Raises Http404, PermissionDenied, Refused.
    """
    review, admitted = _review_of(visit, key)
    study = review.study
    if not admitted.allowed or (study is not None and not may_write(visit, study)):
        raise PermissionDenied(_("only writers of the study that is reviewed ask its questions"))
    if not review.school_class or review.ended:
        raise Refused(_("a class can be asked only in its own review, until that ends"))
    _must_coach(visit, review)
    return review


def _must_coach(visit: Visit, review: Review) -> None:
    """Raise PermissionDenied unless they coach the class that a review is for."""
    if not coaches(visit.reader.account, review.school_class):
        raise PermissionDenied(_("only coaches of the class ask it"))


def _writable(visit: Visit, review: Review, admitted: Admission) -> saved_moments.MatchOf:
    """The match of a position, if this visitor may write notes on it. Raises PermissionDenied."""
    match = review.match
    if match is not None:
        if not visit.rights(match).annotate:
            raise PermissionDenied(_("you cannot write notes on a match while playing in it"))
        return lambda _position: match
    assert review.study is not None
    rows = review.study.chapters.exclude(number__in=admitted.withheld).select_related("match")
    matches = {row.number: row.match for row in rows if visit.rights(row.match).annotate}
    return lambda position: matches.get(position.chapter)


@require_safe
def my_reviews(request: Request) -> HttpResponse:
    """The reviews that the requester has been in, newest first."""
    rows = (
        ReviewMember.objects.filter(person__in=request.visit.reader.persons)
        .select_related("review__match", "review__study")
        .order_by("-review__changed", "-pk")[:LISTED]
    )
    shown = [row for row in rows if may_enter(row.review, request.visit.visitor)]
    titles = named([row.review for row in shown], request.visit.classes)
    reviews = [
        {"review": review, "own": row.number == OWNER, "title": title}
        for row, (review, title) in zip(shown, titles, strict=True)
    ]
    return private_page(request, "reviews/mine", {"reviews": reviews})
