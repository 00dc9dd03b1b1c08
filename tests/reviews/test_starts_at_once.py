"""However many reviews are started at the same moment, a person owns no more than they may."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from games.people.visitor import Author
from replays.models import Review
from replays.reviews import storage
from tests.web.records import store

AT_ONCE = 8


@pytest.mark.django_db(transaction=True)
def test_no_requests_at_the_same_moment_pass_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "MOST_OPEN", 3)
    match, together = store("Ada", "Bo"), Barrier(AT_ONCE)

    def start(_: int) -> None:
        together.wait(20)
        try:
            storage.start(match, Author("guest:ada", "Ada"))
        except storage.TooManyReviewsError:
            pass
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(start, range(AT_ONCE)))
    assert Review.objects.count() <= 3
    Review.objects.all().delete()
    for _ in range(3):
        storage.start(match, Author("guest:ada", "Ada"))
    with pytest.raises(storage.TooManyReviewsError):
        storage.start(match, Author("guest:ada", "Ada"))
    assert Review.objects.count() == 3
