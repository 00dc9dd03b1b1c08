"""What was deleted in a study comes back."""

import pytest
from pytest_django import DjangoAssertNumQueries

from replays.models import Chapter, Study
from replays.studies.writing import MOST_NUMBER, deleted_chapters
from tests.notes.browsers import guest, post
from tests.studies.making import chapter, place, study
from tests.web.records import store

pytestmark = pytest.mark.django_db


def test_a_deleted_study_is_gone_for_everybody_until_its_owner_restores_it() -> None:
    owner, other = guest("Ada"), guest("Bo")
    lesson = study(owner, visibility="everyone")
    body = {"revision": 2}
    assert owner.delete(
        f"/api/v1/studies/{lesson.key}", body, content_type="application/json"
    ).json()
    assert owner.get(f"/studies/{lesson.key}/").status_code == 404
    assert f"/studies/{lesson.key}/restore/" in owner.get("/studies/").content.decode()
    assert lesson.key not in other.get("/studies/").content.decode()
    assert other.post(f"/studies/{lesson.key}/restore/").status_code == 404
    assert owner.post(f"/studies/{lesson.key}/restore/").status_code == 302
    assert other.get(f"/studies/{lesson.key}/").status_code == 200
    assert owner.post(f"/studies/{lesson.key}/restore/").status_code == 404, "it is not deleted"


def test_a_deleted_chapter_comes_back_with_its_address() -> None:
    owner, reader, match = guest("Ada"), guest("Bo"), store()
    lesson = study(owner, visibility="everyone")
    gone = chapter(owner, lesson, match, title="One")
    chapter(owner, lesson, match, title="Two")
    path = f"/api/v1/studies/{lesson.key}/chapters/{gone.number}"
    assert owner.delete(path, {"revision": 1}, content_type="application/json").status_code == 200
    assert reader.get(place(gone)).status_code == 404
    assert chapter(owner, lesson, match, title="Three").number == 3, "addresses are not used again"
    really = chapter(owner, lesson, match, title="Four")
    Chapter.every.get(pk=really.pk).delete()  # as the oldest of many deleted ones are
    assert (chapter(owner, lesson, match, title="Five").number, really.number) == (5, 4)
    Study.objects.update(numbered=MOST_NUMBER)
    full = {"title": "x", "match": match.pk, "round": 1, "event": 4}
    refused = post(owner, f"/api/v1/studies/{lesson.key}/chapters", **full)
    assert (
        refused.json()["detail"] == "a study can have 32,767 chapters in its life: go on in a copy"
    )
    assert "1 chapter," not in owner.get("/studies/").content.decode()
    assert [row.title for row in lesson.chapters.order_by("place")] == ["Two", "Three", "Five"]
    shown = [client.get(f"/studies/{lesson.key}/").content.decode() for client in (owner, reader)]
    assert ["Restore: One" in page for page in shown] == [True, False]
    assert post(reader, f"{path}/restore").status_code == 403
    owner.post(f"/studies/{lesson.key}/", {"restore": str(gone.number)})
    assert reader.get(place(gone), follow=True).status_code == 200
    assert "there is no such deleted chapter" in post(owner, f"{path}/restore").json()["detail"]


def test_the_titles_of_deleted_chapters_take_one_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    owner, match = guest("Ada"), store()
    lesson = study(owner)
    for title in ("One", "Two", "Three"):
        made = chapter(owner, lesson, match, title=title)
        path = f"/api/v1/studies/{lesson.key}/chapters/{made.number}"
        owner.delete(path, {"revision": 1}, content_type="application/json")
    with django_assert_num_queries(1):
        titles = [row.shown_title for row in deleted_chapters(lesson)]
    assert titles == ["Three", "Two", "One"]
