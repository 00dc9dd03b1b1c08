"""What a review's page shows: the replay of a match, or of a chapter of a study."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse

from games.models import ChatLine, Match
from games.pages.invitations import invitation
from games.people.visit import Request, Visit
from replays.classes.membership import coaches, names_in
from replays.models import Chapter, Review, Study
from replays.pages.rendering import private_page
from replays.pages.studies.access import may_write, token_of
from replays.pages.studies.lessons import (
    PLACE_PARAMS,
    answer_context,
    chapter_context,
    place_of,
)
from replays.query_string import number_or_none
from replays.reviews import asking
from replays.reviews.forgetting import WORDS
from replays.reviews.gathering import Admission
from replays.reviews.saved_moments import moments_of
from replays.studies import attempts
from replays.studies.questions import question_of


def about(request: Request, review: Review, chapter: Chapter | None = None) -> dict[str, Any]:
    """The data of a review on all its pages. `chapter`: the page's.

    `may_add`: chapters to the study that is reviewed. `asking`: the chapter whose question the
    class is asked now. `question`: the one whose answers are shown here, 0: none. `asked`: the last
    question, once it is revealed. Its coaches know it before. `verdict`: of the visitor's answer.
    `sees_end`: whether this page may show how the match ended. `left`: of an ended review.
    """
    visitor = request.visit.visitor
    coach = coaches(visitor.account, review.school_class)
    called = names_in([review.school_class], [visitor.account or 0]) if review.school_class else {}
    asks = chapter is not None and chapter.question is not None
    home = reverse("replays:review", args=[review.key])
    shown = _last_question(review, chapter) if coach or not review.asking else None
    may_add = review.study is not None and may_write(request.visit, review.study)
    return {
        "key": review.key,
        "match": review.match_id,
        "school_class": review.school_class,
        "class_name": request.visit.classes.get(review.school_class, ""),
        "ended": review.ended,
        "home": home,
        "link": _link(request, review, home, writer=may_add),
        "name": next(iter(called.values()), visitor.name) if visitor.named else "",
        "chapter": 0,
        "may_add": may_add,
        "may_ask": coach,
        "asking": review.asking,
        "question": (chapter.number if chapter and asks else 0) if review.study else review.asked,
        "asked": {"round": shown.round, "event": shown.event, "seat": question_of(shown)["seat"]}
        if shown
        else None,
        "verdict": _verdict(request.visit, review, shown) if shown else "",
        "sees_end": _sees_end(request.visit, review, chapter.match if chapter else review.match),
        "left": _left_of(review) if review.ended else {},
        "forgotten": str(WORDS.get(review.forgotten, "")),
    }


def _left_of(review: Review) -> dict[str, Any]:
    """What was asked, suggested and written in a review that has ended."""
    asked = Chapter.objects.filter(study__asked_in=review).select_related("study")
    moments, chat = moments_of(review).moments, ChatLine.objects.filter(room=review.key).exists()
    silent = not (review.study or asked or moments or chat)
    return {"questions": asked, "moments": moments, "chat": chat, "silent": silent}


def _sees_end(visit: Visit, review: Review, match: Match | None) -> bool:
    """A class sees it when its leader goes there, or when the review has ended."""
    if review.ended or not review.school_class or not (match and match.over):
        return True
    leads = review.members.filter(person__in=visit.reader.persons, number=moments_of(review).leader)
    return coaches(visit.reader.account, review.school_class) or leads.exists()


def _last_question(review: Review, chapter: Chapter | None) -> Chapter | None:
    """The last question, if it is about this page."""
    study = asking.study_of(review) if review.asked else None
    asked = study and study.chapters.filter(number=review.asked, question__isnull=False).first()
    return None if review.study is not None and asked != chapter else asked or None


def _verdict(visit: Visit, review: Review, asked: Chapter) -> str:
    """What a visitor who was asked is told of their answer, once it is revealed, as HTML."""
    attempt = attempts.latest(asked, visit.visitor.persons)
    since = review.asked_at
    if not since or not attempt or not attempt.answered or attempt.answered < since:
        return ""
    said = {**answer_context(visit, asked, attempt), "attempt": attempt, "brief": True}
    return render_to_string("replays/studies/verdict.html", said)


def _link(request: Request, review: Review, home: str, *, writer: bool) -> str:
    """The link for others, with the key of a private match, or the token of a shared study.
    Empty where a class needs none: its pages lead to the review."""
    if review.match is not None and review.match.token:
        return invitation(request, review.match.record_id, review.match.token, home)
    study, reader = review.study, request.visit.reader
    token = token_of(study, reader, writer=writer) if study else ""
    if review.school_class and not token:
        return ""
    return request.build_absolute_uri(home) + (f"?{urlencode({'share': token})}" if token else "")


def chapter_page(
    request: Request, review: Review, study: Study, admission: Admission
) -> HttpResponse:
    """The chapter that the leader is in, or the one that the query names."""
    led = moments_of(review).place.position.chapter
    asked = number_or_none(request.GET, "chapter") or led
    rows = list(study.chapters.select_related("match", "line").order_by("place", "number"))
    chapter = next((row for row in rows if row.number == asked), None)
    shown = {**about(request, review, chapter), "chapter": asked, "detached": asked != led}
    context = {"review": shown, "study": study, "chapter": chapter}
    context["choices"] = choices = [_choice(row, admission) for row in rows]
    at = next((at for at, row in enumerate(rows) if row is chapter), None)
    if chapter is None or at is None or chapter.number in admission.withheld:
        return _without_match(request, context)
    if not any(name in request.GET for name in PLACE_PARAMS):
        query = {**request.GET.dict(), **place_of(chapter, asking=False)}
        return redirect(f"{request.path}?{urlencode(query)}")
    context |= {
        "position": at + 1,
        "before": choices[at - 1] if at else None,
        "after": choices[at + 1] if at + 1 < len(choices) else None,
    }
    shown_chapter = chapter_context(request, chapter, chat=False, results=shown["sees_end"])
    return private_page(request, "replay", {**shown_chapter, **context})


def _choice(chapter: Chapter, admission: Admission) -> dict[str, Any]:
    """A chapter that the leader may go to. `place`: where it begins, unless it is withheld."""
    withheld = chapter.number in admission.withheld
    place = {
        "chapter": chapter.number,
        "round": chapter.round,
        "event": chapter.event,
        "line": chapter.line.key if chapter.line else "",
        "view": chapter.view,
        "speed": chapter.speed,
    }
    return {
        "number": chapter.number,
        "title": chapter.shown_title,
        "withheld": withheld,
        "place": None if withheld else place,
    }


def match_closed(request: Request, review: Review) -> HttpResponse:
    """A match about which this visitor has a question to answer: of this review, or another."""
    asks, match = asking.study_of(review), review.match_id or 0
    asked = asks and asks.chapters.filter(number=review.asking).first()
    chapter = asked or attempts.pending_question([match], request.visit.visitor.persons)
    study = chapter.study if chapter else None
    context = {"review": about(request, review), "study": study, "chapter": chapter}
    return _without_match(request, context)


def _without_match(request: Request, context: dict[str, Any]) -> HttpResponse:
    """A chapter that is gone, or whose match this visitor may not see now."""
    chapter = context["chapter"]
    question = None if chapter is None else _question(request.visit, chapter)
    review = context["review"]
    if question and not review["ended"] and (review["asking"] or not context.get("choices")):
        return redirect(question)
    return private_page(request, "reviews/closed", {**context, "question": question})


def _question(visit: Visit, chapter: Chapter) -> str | None:
    """Where a question has to be answered before this chapter is shown."""
    first = attempts.pending_question_url([chapter.match_id], visit.visitor.persons)
    return first or (attempts.question_url(chapter) if chapter.question is not None else None)
