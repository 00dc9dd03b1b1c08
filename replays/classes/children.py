"""Accounts that a coach makes for children: a name to log in with and a code, both on paper.

A child's own name is known inside the class alone (`ClassMember.name`). The rest of the site, for
instance the record of a match, shows only the name to log in with, which says nothing about the
child. `games.people` defines the rights of such an account.
"""

from collections.abc import Sequence
from datetime import timedelta
from secrets import choice, randbelow, token_hex
from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Account
from games.people import changes, log_ins, passwords, tokens
from games.people.accounts import looks_like_an_account, supervised
from games.people.codes import new_code
from games.people.names import in_order, skeleton
from replays.classes import members
from replays.classes.limits import ClassError, name_of_member
from replays.models import Attempt, ClassMember, News, SchoolClass
from replays.news import signed, tell

KEPT: Final = timedelta(days=30)
"""How long an account that was deleted or handed over can be restored."""
_ITERATIONS: Final = 2_000
"""A random code needs no slow digest: guessing one takes thousands of years of a graphics card. A
hundred codes at once take a tenth of a second.

The first log-in stores it as every password is stored.
"""
_KINDS: Final = (
    "amber bold brave calm clever cosy eager fair fleet gentle happy keen lucky merry neat"
)
_ANIMALS: Final = (
    "badger beaver dolphin falcon ferret finch gecko heron lynx marten otter owl panda"
)


class Card(NamedTuple):
    """A child's printed card. The code can't be read again."""

    name: str
    log_in: str
    code: str


def make(school_class: SchoolClass, names: Sequence[str]) -> list[Card]:
    """Accounts for children of these names, all or none. Raises ClassError."""
    called = [name_of_member(name) for name in names]
    if not called:
        raise ClassError(_("Enter at least one name, one per line."))
    with transaction.atomic():
        locked = SchoolClass.objects.select_for_update().get(pk=school_class.pk)
        members.verify_room(locked, len(called))
        members.verify_names(locked, called)
        return [_create_child(locked, name) for name in called]


def _create_child(school_class: SchoolClass, name: str) -> Card:
    log_in, code = _free_name(), new_code()
    user = get_user_model().objects.create(username=log_in, password=_hash_code(code))
    Account.objects.create(user=user, name=log_in, skeleton=skeleton(log_in), supervised=True)
    members.join(school_class, user, name)
    return Card(name, log_in, code)


def reset(member: ClassMember) -> Card:
    """A new code for a child, whose log-ins with the old one end. Raises ClassError."""
    verify_child(member)
    code, user = new_code(), member.user
    get_user_model().objects.filter(pk=user.pk).update(password=_hash_code(code))
    log_ins.end(user)
    return Card(member.name, user.get_username(), code)


def reset_all(school_class: SchoolClass) -> list[Card]:
    """New codes for all children of a class, by name."""
    here = school_class.members.filter(user__account__supervised=True, left=None)
    members = here.select_related("user")
    return [reset(member) for member in sorted(members, key=lambda one: in_order(one.name))]


def hand_over(member: ClassMember) -> None:
    """Make a child's account one like every other, with the same name and code."""
    verify_child(member)
    Account.objects.filter(user=member.user_id).update(supervised=False)
    passwords.keep_code(member.user)
    ClassMember.objects.filter(pk=member.pk).update(handed_over=timezone.now())


@transaction.atomic
def delete(member: ClassMember) -> None:
    """Close a child's account. After `KEPT` it is deleted with all its work."""
    verify_child(member)
    get_user_model().objects.filter(pk=member.user_id).update(is_active=False)
    log_ins.end(member.user)
    members.leave_tables(member)
    now = timezone.now()
    ClassMember.objects.filter(pk=member.pk).update(left=now, deleted=now)
    changes.changed(changes.of_class(member.school_class.key))


@transaction.atomic
def restore(member: ClassMember, by: Any) -> None:
    """Undo `delete` or `hand_over`. A person whose account is taken back is told.

    Raises ClassError, also once they have set a password.
    """
    if member.deleted:
        members.verify_room(member.school_class, 1)
        members.verify_names(member.school_class, [member.name])
        get_user_model().objects.filter(pk=member.user_id).update(is_active=True)
        ClassMember.objects.filter(pk=member.pk).update(left=None, deleted=None)
    else:
        if not passwords.is_code(member.user):
            raise ClassError(
                _("{name} has set a password: the account is theirs.").format(name=member.name)
            )
        Account.objects.filter(user=member.user_id).update(supervised=True)
        ClassMember.objects.filter(pk=member.pk).update(handed_over=None)
        tokens.revoke(member.user)
        tell([member.user_id], News.Kind.TAKEN, member.school_class.key, signed(by), again=True)
    changes.changed(changes.of_class(member.school_class.key))


def restorable(school_class: SchoolClass) -> QuerySet[ClassMember]:
    """The children whose accounts were deleted or handed over lately, the latest first."""
    lately = timezone.now() - KEPT
    handed_over = Q(handed_over__gt=lately, left=None)
    rows = school_class.members.filter(Q(deleted__gt=lately) | handed_over)
    return rows.select_related("school_class", "user").order_by("-deleted", "-handed_over")


def to_forget() -> QuerySet[ClassMember]:
    """The children whose accounts were deleted so long ago that they go for good."""
    old = ClassMember.objects.filter(deleted__lte=timezone.now() - KEPT)
    return old.select_related("user")


def goes_with(member: ClassMember) -> list[str]:
    """The things deleted with a child's account, in words. Two queries."""
    homework = member.assignments.count()
    answers = Attempt.objects.filter(user=member.user_id).exclude(answered=None).count()
    results = ngettext(
        "the results of {count} piece of homework",
        "the results of {count} pieces of homework",
        homework,
    )
    answered = ngettext("{count} answer", "{count} answers", answers)
    return [
        _("the log-in {name} and its code").format(name=member.user.get_username()),
        *([results.format(count=homework)] if homework else []),
        *([answered.format(count=answers)] if answers else []),
    ]


def verify_child(member: ClassMember) -> None:
    """Raise ClassError unless a coach has made this account."""
    if not supervised(member.user_id):
        raise ClassError(_("{name} has an account of their own.").format(name=member.name))


def children_of(school_class: SchoolClass) -> set[int]:
    """The members whose accounts a coach has made."""
    here = school_class.members.filter(user__account__supervised=True)
    return set(here.values_list("pk", flat=True))


def _free_name() -> str:
    """An unused name, such as `calm-otter-4821`."""
    while True:
        parts = choice(_KINDS.split()), choice(_ANIMALS.split()), str(1000 + randbelow(9000))
        name = "-".join(parts)
        if not looks_like_an_account(name):
            return name


def _hash_code(code: str) -> Any:
    return PBKDF2PasswordHasher().encode(code, token_hex(11), iterations=_ITERATIONS)
