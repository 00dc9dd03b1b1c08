"""The members of a class: joining it, leaving it, and its coaches' changes.

    stranger --join--> pupil --promote--> coach
    pupil --leave--> former pupil, whose results the class keeps
    former pupil --join--> the same pupil again

A class always has a coach: the last one cannot leave, but may delete it.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from games.people import changes
from games.people.accounts import supervised
from games.people.names import in_order, skeleton
from games.people.person import account
from games.tables import joining, lobby
from games.tables.plan import NoSeatError
from replays.classes.limits import (
    LONGEST_CLASS,
    LONGEST_GROUP,
    LONGEST_NAME,
    MOST_CLASSES,
    MOST_MEMBERS,
    ClassError,
    name_of_member,
    one_name,
    today,
)
from replays.classes.membership import COACH, PUPIL, told_apart
from replays.models import Assignment, ClassMember, Homework, SchoolClass
from replays.models.sharing import new_key

# --- Finding ------------------------------------------------------------------------------------


def member_in(key: str, account: int | None) -> ClassMember | None:
    """An account's membership of the class of that key now. None: a stranger, or a former pupil."""
    return _own(account).filter(school_class__key=key, left=None).first()


def classes_of(account: int | None) -> list[ClassMember]:
    """The classes that an account is in, by name, each with its number of `pupils`.

    Those with one name are told apart.
    """
    there = Q(school_class__members__role=PUPIL, school_class__members__left=None)
    rows = _own(account).filter(left=None).annotate(pupils=Count("pk", filter=there))
    members: list[ClassMember] = list(rows.order_by("school_class__name", "pk"))
    names = told_apart(member.school_class for member in members)
    for member in members:
        member.school_class.name = names[member.school_class.key]
    return members


def deleted_of(account: int | None) -> list[SchoolClass]:
    """The deleted classes that an account may restore."""
    coaching = {"members__user": account, "members__role": COACH, "members__left": None}
    return list(SchoolClass.objects.filter(**coaching).exclude(deleted=None).order_by("-deleted"))


def present(school_class: SchoolClass, to: ClassMember | None = None) -> list[ClassMember]:
    """The coaches, then the pupils, each by name, those of a group together.

    `to`: a member who reads it. A pupil learns of no other group than their own.
    """
    here = list(school_class.members.filter(left=None).select_related("user").order_by("pk"))
    if to and to.role == PUPIL:
        for other in here:
            other.group = other.group if other.group == to.group else ""

    def place(member: ClassMember) -> tuple[str, bool, list[str | int], list[str | int]]:
        return member.role, not member.group, in_order(member.group), in_order(member.name)

    return sorted(here, key=place)


def pupils_of(school_class: SchoolClass) -> list[ClassMember]:
    """The present pupils, in the same order."""
    return [member for member in present(school_class) if member.role == PUPIL]


def groups_of(people: Iterable[ClassMember]) -> list[str]:
    """The names of the groups of these people, in order."""
    return sorted({one.group for one in people} - {""}, key=in_order)


def _own(account: int | None) -> QuerySet[ClassMember]:
    rows = ClassMember.objects.filter(user=account, school_class__deleted=None)
    return rows.select_related("school_class", "user")


# --- Coming and going ---------------------------------------------------------------------------


@transaction.atomic
def create(user: Any, name: str) -> SchoolClass:
    """A new class, coached by its maker. Raises ClassError."""
    called = one_name(name, LONGEST_CLASS, _("The class"))
    _verify_room_for_another(user.pk)
    made = SchoolClass.objects.create(name=called)
    _verify_another_name(user.pk, called)
    known = user.get_username()[:LONGEST_NAME]
    ClassMember.objects.create(school_class=made, user=user, role=COACH, name=known)
    return made


@transaction.atomic
def join(school_class: SchoolClass, user: Any, name: str) -> ClassMember:
    """Join as a pupil. A former pupil finds their old results. Raises ClassError."""
    called = name_of_member(name)
    locked = _locked(school_class)
    known = locked.members.filter(user=user).first()
    if known is not None and known.left is None:
        raise ClassError(_("You are in this class already."))
    _verify_room_for_another(user.pk)
    verify_room(locked, 1)
    verify_names(locked, [called])
    member = known or ClassMember(school_class=locked, user=user)
    member.role, member.name, member.left = PUPIL, called, None
    member.save()
    assign([member], locked.homework.all())
    changes.changed(changes.of_class(locked.key))
    return member


def leave(member: ClassMember) -> None:
    """Leave a class, which keeps a pupil's results. Raises ClassError."""
    with transaction.atomic():
        _locked(member.school_class)
        _verify_another_coach(member)
        if supervised(member.user_id):
            raise ClassError(
                _("Delete the account of {name}, or give it to its owner first.").format(
                    name=member.name
                )
            )
        leave_tables(member)
        if member.role == COACH:
            member.delete()
        else:
            member.left = timezone.now()
            member.save(update_fields=["left"])
        changes.changed(changes.of_class(member.school_class.key))


def leave_tables(member: ClassMember) -> None:
    """Free a member's seats at the class's tables that have not begun.

    At the others a bot plays on: only who is in the class may play there.
    """
    person = account(member.user_id)
    for table in lobby.of_class(member.school_class.key):
        if table.plan.seat_of(person) is not None:
            with suppress(NoSeatError):
                joining.stand_up(table.id, person)


def promote(member: ClassMember) -> None:
    """Make a pupil a coach. Raises ClassError."""
    if supervised(member.user_id):
        raise ClassError(
            _("Give the account of {name} to its owner first.").format(name=member.name)
        )
    ClassMember.objects.filter(pk=member.pk).update(role=COACH)
    changes.changed(changes.of_class(member.school_class.key))


def demote(member: ClassMember) -> None:
    """Make a coach a pupil. Raises ClassError."""
    with transaction.atomic():
        _locked(member.school_class)
        _verify_another_coach(member)
        ClassMember.objects.filter(pk=member.pk).update(role=PUPIL)
        assign([member], member.school_class.homework.all())
        changes.changed(changes.of_class(member.school_class.key))


@transaction.atomic
def rename_member(member: ClassMember, name: str) -> None:
    """Change a member's name in the class. Raises ClassError."""
    called = name_of_member(name)
    verify_names(_locked(member.school_class), [called], but=member.pk)
    ClassMember.objects.filter(pk=member.pk).update(name=called)


def assign(pupils: Iterable[ClassMember], homework: QuerySet[Homework]) -> None:
    """Give pupils what of this is for everyone and not over, unless they have it."""
    there = homework.filter(everyone=True, deleted=None, due__gte=today())
    rows = [Assignment(homework=given, member=pupil) for given in there for pupil in pupils]
    Assignment.objects.bulk_create(rows, ignore_conflicts=True)


def verify_room(school_class: SchoolClass, more: int) -> None:
    """Raise ClassError if a class has no room for so many more."""
    room = MOST_MEMBERS - school_class.members.filter(left=None).count()
    if more > room:
        words = (
            _("This class has room for {room} more (at most {most} people).")
            if room
            else _("This class is full (at most {most} people).")
        )
        raise ClassError(words.format(most=MOST_MEMBERS, room=room))


def verify_names(school_class: SchoolClass, names: Sequence[str], but: int | None = None) -> None:
    """Raise ClassError unless these names are different from each other and all in the class.

    `but`: a member whose own name does not count.
    """
    here = school_class.members.filter(left=None).exclude(pk=but or 0)
    known = set(map(skeleton, here.values_list("name", flat=True)))
    seen = set[str]()
    for name in names:
        looks = skeleton(name)
        if looks in known:
            words = _("{name} is in the class already. Add something to tell them apart.")
        elif looks in seen:
            words = _("{name} is there twice. Add something to tell them apart.")
        elif looks in _coach_words():
            words = _("{name} is what a coach is called here. Choose another name.")
        else:
            seen.add(looks)
            continue
        raise ClassError(words.format(name=name))


@cache
def _coach_words() -> frozenset[str]:
    """The looks of the word for a coach in each language of the site."""
    words = set[str]()
    for code, _name in settings.LANGUAGES:
        with override(code):
            words.add(skeleton(str(COACH.label)))
    return frozenset(words)


def _verify_another_name(account: int, name: str, but: int | None = None) -> None:
    """Raise ClassError if an account coaches another class of that name."""
    coached = _own(account).filter(role=COACH, left=None).exclude(school_class=but)
    if skeleton(name) in {skeleton(row.school_class.name) for row in coached}:
        raise ClassError(
            _("You have a class called {name} already. Add something to tell them apart.").format(
                name=name
            )
        )


def _verify_room_for_another(account: int) -> None:
    if _own(account).filter(left=None).count() >= MOST_CLASSES:
        raise ClassError(_("You are in {most} classes. Leave one first.").format(most=MOST_CLASSES))


def _verify_another_coach(member: ClassMember) -> None:
    coaches = member.school_class.members.filter(role=COACH, left=None)
    if member.role == COACH and not coaches.exclude(pk=member.pk).exists():
        raise ClassError(_("A class needs a coach: make someone else one first, or delete it."))


def _locked(school_class: SchoolClass) -> SchoolClass:
    return SchoolClass.objects.select_for_update().get(pk=school_class.pk)


# --- The class itself ---------------------------------------------------------------------------


def rename(school_class: SchoolClass, name: str, by: int) -> None:
    """Change a class's name for the account `by`. Raises ClassError."""
    called = one_name(name, LONGEST_CLASS, _("The class"))
    _verify_another_name(by, called, but=school_class.pk)
    SchoolClass.objects.filter(pk=school_class.pk).update(name=called)


def put_in_group(school_class: SchoolClass, numbers: Collection[int], name: str) -> None:
    """Put the members of these numbers in a group. Without a name, in none. Raises ClassError."""
    group = one_name(name, LONGEST_GROUP, _("A group")) if name.strip() else ""
    school_class.members.filter(pk__in=numbers, left=None).update(group=group)


def invite(school_class: SchoolClass, *, closed: bool = False) -> None:
    """Replace the invitation, so that the old one opens nothing. `closed`: by none."""
    invitation = "" if closed else new_key()
    SchoolClass.objects.filter(pk=school_class.pk).update(invitation=invitation)


def delete(school_class: SchoolClass) -> None:
    """Delete a class, until one of its coaches restores it."""
    SchoolClass.objects.filter(pk=school_class.pk).update(deleted=timezone.now())
    changes.changed(changes.of_class(school_class.key))


def coached_alone(account: int) -> list[str]:
    """The classes with other people in them whose only coach an account is, by name."""
    here = ClassMember.objects.filter(left=None)
    others = here.exclude(user=account)
    mine = here.filter(user=account, role=COACH)
    rows = SchoolClass.objects.filter(deleted=None, pk__in=mine.values("school_class"))
    alone = rows.filter(pk__in=others.values("school_class")).exclude(
        pk__in=others.filter(role=COACH).values("school_class")
    )
    return list(alone.order_by("name").values_list("name", flat=True))


def delete_empty() -> None:
    """Delete the classes without members, with their homework: no one could restore them.

    A child whose account can still be restored counts.
    """
    there = ClassMember.objects.filter(Q(left=None) | ~Q(deleted=None))
    SchoolClass.objects.exclude(pk__in=there.values("school_class")).delete()


def restore(school_class: SchoolClass) -> None:
    SchoolClass.objects.filter(pk=school_class.pk).update(deleted=None)
    changes.changed(changes.of_class(school_class.key))
