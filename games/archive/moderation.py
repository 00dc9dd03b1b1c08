"""Moderators' actions on matches and names. Every action leaves a `Moderation` row."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.archive.filters import BIT_RANGES
from games.archive.store import shown_of
from games.models import Match, Moderation, Player, PlayerAlias, Seat
from games.people import changes
from games.people.matches import access_of
from games.people.names import skeleton
from games.people.rights import public


class NotPossibleError(RuntimeError):
    """A moderator may not do this. The message says why."""


def unlist(match: Match, moderator: Any, reason: str) -> None:
    """Remove a public match from all lists. After that only its players can open it."""
    _verify_public(match)
    show(match, Match.Visibility.LINK)
    record_action(moderator, Moderation.Action.UNLIST, match.record_id, reason, _about(match))


def relist(match: Match, moderator: Any, reason: str) -> None:
    """Make a match public again that was public before."""
    _verify_public(match)
    show(match, Match.Visibility.PUBLIC)
    record_action(moderator, Moderation.Action.LIST, match.record_id, reason, _about(match))


def _verify_public(match: Match) -> None:
    """Raise NotPossibleError if the match is in no list: only its players may make it public."""
    if match.token or match.school_class:
        raise NotPossibleError(_("{match} is invite only and stays so").format(match=match))


@transaction.atomic
def purge(match: Match, moderator: Any, reason: str) -> None:
    """Delete a match from elsewhere and everything that belongs to it.

    Raises NotPossibleError: the logs of matches played here are never deleted.
    """
    if not match.from_elsewhere:
        raise NotPossibleError(_("{match} was played here: its log stays").format(match=match))
    record_action(moderator, Moderation.Action.PURGE, match.record_id, reason, _about(match))
    delete(match)


def _about(match: Match) -> dict[str, Any]:
    """Data that people may ask for after a match is deleted."""
    upload = getattr(match, "upload", None)
    seats = match.seats.order_by("number").values_list("player__name", flat=True)
    return {
        "match": match.pk,
        "origin": match.origin,
        "sent_by": upload.name if upload else "",
        "person": upload.person if upload else "",
        "names": list(seats),
        "lines": match.lines,
    }


@transaction.atomic
def rename(player: Player, name: str, moderator: Any, reason: str = "") -> None:
    """Change a player's name on every page, even when a later record uses the old one.

    The records themselves do not change.
    """
    old = player.name
    player.name, player.skeleton = name, skeleton(name)
    player.save(update_fields=["name", "skeleton"])
    PlayerAlias.objects.filter(name=name).delete()
    PlayerAlias.objects.update_or_create(name=old, defaults={"player": player})
    record_action(moderator, Moderation.Action.RENAME, old, reason, {"name": name})


def record_action(
    moderator: Any, action: Moderation.Action, subject: str, reason: str, detail: dict[str, Any]
) -> None:
    Moderation.objects.create(
        moderator=moderator,
        moderator_name=moderator.get_username(),
        action=action,
        subject=subject,
        reason=reason,
        detail=detail,
    )


def show(match: Match, visibility: Match.Visibility) -> None:
    """Show a match to everyone, or to its players and those who have its key."""
    match.visibility = visibility
    listed = BIT_RANGES["listed"]
    match.filter_bits = match.filter_bits & ~listed.mask | listed.put(public(access_of(match)))
    match.save(update_fields=["visibility", "filter_bits"])
    match.seats.update(shown=shown_of(match))
    changes.changed(changes.of_match(match.pk))


@transaction.atomic
def delete(match: Match) -> None:
    assert match.from_elsewhere, "the logs of matches played here are never deleted"
    players = list(match.seats.values_list("player_id", flat=True))
    match.chunks.all().purge()
    match.seats.all().delete()
    match.delete()
    still = Seat.objects.filter(player__in=players).values("player_id")
    Player.objects.filter(pk__in=players).exclude(pk__in=still).delete()
