"""Questions to a class that are forgotten: one that no coach is here to reveal ends by itself.

So does one that lasts very long. Otherwise a match would stay closed to the class.
"""

from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from replays.classes.membership import coaches_in
from replays.models import Review
from replays.reviews import asking
from replays.reviews.storage import here

AWAY_FOR: Final = timedelta(minutes=3)
LONGEST: Final = timedelta(minutes=20)
AWAY, LONG = "away", "long"
WORDS: Final = {
    AWAY: _("The question ended by itself: no coach was here for 3 minutes."),
    LONG: _("The question ended by itself after 20 minutes."),
}


def end_forgotten() -> None:
    """End the questions that are forgotten now. One query where no class is asked."""
    now = timezone.now()
    for review in Review.objects.exclude(asking=0):
        if _coached(review):
            Review.objects.filter(pk=review.pk).update(coached_at=now)
        elif _since(review.coached_at, now) > AWAY_FOR:
            asking.reveal(review, AWAY)
        if _since(review.asked_at, now) > LONGEST:
            asking.reveal(review, LONG)


def _since(then: datetime | None, now: datetime) -> timedelta:
    return now - then if then else timedelta()


def _coached(review: Review) -> bool:
    """Whether a coach of the class is here, through any process."""
    coaches = coaches_in(review.school_class)
    return review.members.filter(user__in=coaches, number__in=here(review)).exists()
