"""A pupil's page: for that pupil, and for the coaches of the class.

From outside the class it shows only what its viewer may see anyway: notes and tags shared with
them, and figures of public matches and the class's own.
"""

from collections import Counter
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.archive.own import latest_seats, numbers_in
from games.models import Match, Seat
from games.pages.words import reason
from games.people import embargoes
from games.people.person import account
from games.people.visit import Request, Visit
from games.records.strict import Malformed
from replays.analysis.players.figures import columns, figures
from replays.classes.limits import WEEK, ClassError, today
from replays.classes.membership import COACH
from replays.homework.giving import assignments_in, give, living_homework
from replays.homework.progress import progress_of
from replays.models import ClassMember, Homework, Note
from replays.notes.access import readable_notes
from replays.notes.missed_takes import MAX_SPANS, costliest_of, create
from replays.notes.playlists import ItemJson
from replays.notes.positions import ValidationFault
from replays.notes.tagging import MOST_MATCHES, matrix
from replays.pages.classes.access import coach_of, member_of
from replays.pages.classes.tables import due_day, row_of
from replays.pages.courses import form_told
from replays.pages.notes.pages import address_of
from replays.pages.players.results import in_order
from replays.pages.priorities import Priorities, shown_priorities
from replays.pages.rendering import private_page
from replays.pages.telling import seats_known
from replays.players.queries import LATEST, hosted_of, priced_of
from replays.studies.drills import Rounds, Span, questions

MOST_NOTES: Final = 30


@login_required
@require_safe
def pupil(request: Request, key: str, number: int) -> HttpResponse:
    """A pupil: their homework, figures, tags and notes."""
    member = member_of(request.visit, key)
    shown = _shown_to(member, number)
    given = living_homework(member.school_class)
    rows = progress_of(assignments_in(given).filter(member=shown).order_by("-homework__due"))
    visit = request.visit
    latest = [] if shown.left else hosted_of(shown.user_id, key)[:LATEST]
    played = [match for match in latest if match.match not in visit.embargoed]
    tagged = {} if shown.left else _tagged(visit, shown)
    estimates = figures(columns(match.entry for match in played))
    context = {
        "school_class": member.school_class,
        "member": member,
        "shown": shown,
        "rows": [row_of(row) for row in sorted(rows, key=lambda row: bool(row.finished))],
        "figures": in_order(estimates),
        "form": form_told(played[::-1], plain=visit.visitor.supervised),
        "matches": len(played),
        "priorities": None if shown.left else _priorities(visit, shown),
        "own": shown == member,
        "sends": member.role == COACH and not shown.left,
        "tags": Counter({tag: len(notes) for tag, notes in tagged.items()}).most_common(),
        "notes": [] if shown.left else _notes(visit, shown),
    }
    return private_page(request, "classes/pupil", context)


def _shown_to(member: ClassMember, number: int) -> ClassMember:
    """The pupil of that number, for a coach of theirs or themselves. Raises Http404."""
    rows = member.school_class.members.filter(pk=number, role=ClassMember.Role.PUPIL)
    shown = rows.select_related("user").first()
    if shown is None or (member.role != COACH and shown != member):
        raise Http404(_("there is no such pupil, or their page is not for you"))
    return shown


def _priorities(visit: Visit, shown: ClassMember) -> Priorities | None:
    """A pupil's costliest weaknesses in their public matches and the class's, and their change.
    Without matches about which the visitor has a question to answer."""
    if shown.user_id is None:
        return None
    seats = latest_seats([account(shown.user_id)]).exclude(match__in=visit.embargoed)
    played = priced_of(seats, school_class=shown.school_class.key)
    persons = [account(shown.user_id)]
    return shown_priorities(played, persons=persons, plain=visit.visitor.supervised)


def _tagged(visit: Visit, shown: ClassMember) -> dict[str, list[Note]]:
    """The notes that give a pupil a tag, by tag, as far as the visitor may read them."""
    matches = _latest(visit, shown)
    seats = Seat.objects.filter(match__in=matches, user=shown.user_id)
    known = seats_known([match.pk for match in matches], visit.visitor.classes)
    seated = {pk: [seat.name for seat in rows] for pk, rows in known.items()}
    names = {seated[pk][number] for pk, number in seats.values_list("match", "number")}
    by_tag: dict[str, list[Note]] = {}
    for (tag, player), notes in matrix(seated, visit.reader).cells.items():
        if player in names:
            by_tag.setdefault(tag, []).extend(notes)
    return by_tag


def _latest(visit: Visit, shown: ClassMember) -> list[Match]:
    """A pupil's latest matches here, as far as the visitor may see them."""
    seats = Seat.objects.filter(user=shown.user_id, origin=Match.Origin.HOSTED)
    newest = seats.order_by("-started_at", "-match").values_list("match", flat=True)
    own = Match.objects.filter(pk__in=list(newest[:MOST_MATCHES]))
    rows = embargoes.with_embargoes(own.order_by("-started_at", "-pk"))
    latest = list(rows.prefetch_related("seats"))
    seen = visit.reviewed(latest)
    return [match for match in latest if match.pk in seen]


def _notes(visit: Visit, shown: ClassMember) -> list[tuple[Note, str]]:
    """The latest notes for a pupil, or that mention them, as far as the visitor may read them."""
    to_them = Q(readers=shown.user_id, visibility=Note.Visibility.PEOPLE) | Q(
        mentions=shown.user_id
    )
    rows = Note.objects.filter(readable_notes(visit.reader), to_them, deleted=None)
    latest = rows.select_related("match", "study").distinct().order_by("-created", "-pk")
    notes = list(latest[:MOST_NOTES])
    seen = visit.reviewed(note.match for note in notes)
    return [(note, address_of(note)) for note in notes if note.match_id in seen]


# --- Practice at one press -----------------------------------------------------------------------


@require_POST
def send_drill(request: Request, key: str, number: int) -> HttpResponse:
    """Let a pupil practise their missed takes, or the spans that were tagged."""
    coach = coach_of(request.visit, key)
    shown = _shown_to(coach, number)
    try:
        given = _send(request.visit, coach, shown, request.POST.get("tag", ""))
    except (ClassError, ValidationFault, Malformed) as error:
        messages.error(request, reason(error))
        return redirect("replays:pupil", key, number)
    messages.success(
        request,
        _("Sent: {title}, due {day}.").format(title=given.shown_title, day=due_day(given.due)),
    )
    return redirect("replays:homework", key, given.key)


def _send(visit: Visit, coach: ClassMember, shown: ClassMember, tag: str) -> Homework:
    """Raises ClassError, ValidationFault, Malformed."""
    if shown.left:
        raise ClassError(_("{name} has left the class.").format(name=shown.name))
    items = _tagged_items(visit, shown, tag) if tag else _missed_items(visit, shown)
    # The class's own name for a pupil stays inside it. A playlist may be shared.
    what, who = tag or _("Missed takes"), shown.user.get_username()
    made = create(
        visit.author,
        f"{what}: {who}"[:100],
        items,
        reader=visit.reader,
        match_of=visit.reviewable,
    )
    return give(coach.school_class, coach.user, made, today() + WEEK, pupils=[shown.pk])


def _missed_items(visit: Visit, shown: ClassMember) -> list[ItemJson]:
    seats = Seat.objects.filter(user=shown.user_id, match__in=_latest(visit, shown))
    takes = costliest_of(seats)
    if not takes:
        raise ClassError(
            _("{name} has missed no take in the matches that you can see.").format(name=shown.name)
        )
    return [take.item for take in takes]


def _tagged_items(visit: Visit, shown: ClassMember, tag: str) -> list[ItemJson]:
    """The spans of that tag, if there is anything to ask in them. Raises ClassError."""
    notes = [note for note in _tagged(visit, shown).get(tag, ()) if note.line_id is None]
    spans = [
        Span(note.match_id, note.round, note.event, note.until or note.event)
        for note in notes[-MAX_SPANS:]
    ]
    own = numbers_in([span.match for span in spans], Seat.objects.filter(user=shown.user_id))
    rounds = Rounds(visit.reviewable)
    if not any(questions([span], own, rounds)[0] for span in spans):
        raise ClassError(
            _("No one could take anything in the spans tagged “{tag}”.").format(tag=tag[:32])
        )
    return [
        {
            "match": span.match,
            "round": span.round,
            "event": span.event,
            "until": span.until,
            "label": tag,
        }
        for span in spans
    ]
